import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plural, singular } from './plural.ts'

const PAIRS = [
  ['customer', 'customers'], ['policy', 'policies'], ['key', 'keys'], ['box', 'boxes'], ['address', 'addresses'],
  ['branch', 'branches'], ['bus', 'buses'], ['status', 'statuses'], ['alias', 'aliases'], ['case', 'cases'],
  ['house', 'houses'], ['database', 'databases'], ['cause', 'causes'], ['cache', 'caches'], ['service', 'services'],
  ['interface', 'interfaces'], ['size', 'sizes'], ['drive', 'drives'], ['leaf', 'leaves'], ['person', 'people'],
  ['child', 'children'], ['analysis', 'analyses'], ['index', 'indices'], ['hero', 'heroes'], ['movie', 'movies'],
  ['tie', 'ties'], ['series', 'series'], ['data', 'data'], ['quiz', 'quizzes'], ['crash', 'crashes'],
] as const

it.each(PAIRS)('%s and %s are one noun', (one, many) => {
  expect(plural(one)).toBe(many)
  expect(singular(many)).toBe(one)
  expect(singular(one)).toBe(one)
})

it.each([
  ['Customers', 'Customer'],
  ['CUSTOMERS', 'CUSTOMER'],
  ['People', 'Person'],
  ['dns', 'dns'],
  ['analysis', 'analysis'],
  ['indexes', 'index'],
  ['s', 's'],
  ['', ''],
])('singular of %j is %j', (word, expected) => {
  expect(singular(word)).toBe(expected)
})

it('a plural made from a plain noun leads back to it', () => {
  const noun = fc.stringMatching(/^[bcdfglmnprt][aou][dgklmnprt]{1,2}(er|or|et|ing|y|ch)?$/)
  fc.assert(fc.property(noun, (word) => singular(plural(word)) === word))
})
