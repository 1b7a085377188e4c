import { describe, expect, it } from 'vitest'
import type { Flavor } from '../../contracts/index.ts'
import { shop } from '../fixtures.test-support.ts'
import { assemble } from './assemble.ts'
import { lexiconOf } from './lexicon.ts'
import { joinPaths } from './join-path.ts'
import { readings } from './readings.ts'
import { segment } from './segments.ts'
import { tokenise } from './tokens.ts'
import { candidateSpellings } from './values.ts'

const generic: Flavor = { name: 'generic', label: 'Generic', synonyms: {}, rules: [] }
const lexicon = lexiconOf(shop, generic, () => false)
const VALUES = { oslo: ['City', 'name'], bergen: ['City', 'name'], ada: ['Customer', 'name'], 'o-17': ['Order', 'number'] } as const

/** The planner without a database: values come from a table. */
function planned(question: string) {
  const tokens = tokenise(question)
  const values = candidateSpellings(question, tokens).flatMap(({ start, end, spellings }) =>
    Object.entries(VALUES)
      .filter(([value]) => spellings.includes(value))
      .map(([value, [className, name]]) => {
        const cls = shop.classes.find((candidate) => candidate.name === className)!
        const property = cls.properties.find((candidate) => candidate.name === name)!
        return { start, end, entry: { words: [value], meaning: { kind: 'value' as const, cls, property, value } } }
      }),
  )
  const { segments, uncovered } = segment(question, tokens, lexicon, values)
  if (uncovered.length > 0) return { uncovered }
  return readings(segments).map((reading) => assemble(shop, reading)).find((assembled) => assembled !== null)?.plan ?? null
}

describe('the planner', () => {
  it.each([
    ['How many customers are there?', { intent: 'count', from: 'Customer', select: [{ aggregate: 'count' }], where: [] }],
    ['List the customers', { intent: 'list', from: 'Customer', select: [{ path: ['name'] }] }],
    ['List all customers', { intent: 'list', from: 'Customer' }],
    ['What is the age of Ada?', { from: 'Customer', select: [{ path: ['age'] }], where: [{ path: ['name'], op: '=', value: 'ada' }] }],
    ['Which orders are from Ada?', { from: 'Order', where: [{ path: ['customer', 'name'], op: '=', value: 'ada' }] }],
    ['Which customers are in Oslo or Bergen?', { from: 'Customer', where: [{ path: ['city', 'name'], op: 'in', value: ['oslo', 'bergen'] }] }],
    ['Which cities have customers?', { from: 'City', where: [{ path: ['^Customer.city'], op: 'exists' }] }],
    ['How many customers per city?', { intent: 'count', from: 'Customer', select: [{ path: ['city', 'name'] }, { aggregate: 'count' }] }],
    ['What is the average order total?', { intent: 'aggregate', from: 'Order', select: [{ path: ['total'], aggregate: 'avg' }] }],
    ['Which customers have age above 30?', { from: 'Customer', where: [{ path: ['age'], op: '>', value: 30 }] }],
    ['How many ages are there?', { intent: 'count', select: [{ path: ['age'], aggregate: 'count_distinct' }] }],
    ['List the ages', { intent: 'list', distinct: true, select: [{ path: ['age'] }] }],
    ['List customers and their orders', { from: 'Customer', select: [{ path: ['name'] }, { path: ['^Order.customer', 'number'] }] }],
  ])('%s', (question, plan) => {
    expect(planned(question)).toMatchObject(plan)
  })

  it.each([
    'Which customers have no orders?',
    'Which customers are not in Oslo?',
    'Who is in Oslo?',
    'How many customers by?',
    'What is the average customer?',
    'List customers per city',
    'Which cities have Ada and O-17 or customers?',
  ])('refuses what it cannot read whole: %s', (question) => {
    expect(planned(question)).toBeNull()
  })

  it.each([
    ['Which customers order only from Oslo?', ['only']],
    ['Where is Ada?', ['Where']],
    ['How many customers ordered today?', ['ordered', 'today']],
    ['Which customers use all cities?', ['use', 'all']],
    ['Top 3 customers', ['Top', '3']],
  ])('names the words of %s that it cannot place', (question, uncovered) => {
    expect(planned(question)).toEqual({ uncovered })
  })

  it('finds the shortest ways along foreign keys, in both directions', () => {
    expect(joinPaths(shop, 'Order', 'City')).toEqual([['customer', 'city']])
    expect(joinPaths(shop, 'City', 'Order')).toEqual([['^Customer.city', '^Order.customer']])
    expect(joinPaths(shop, 'City', 'City')).toEqual([[]])
    expect(joinPaths(shop, 'City', 'Nothing')).toEqual([])
  })
})
