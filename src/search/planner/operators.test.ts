import { describe, expect, it } from 'vitest'
import { type Operation, operationsAt } from './operators.ts'
import { tokenise } from './tokens.ts'

const at = (phrase: string, place = 0) => operationsAt(tokenise(phrase), place)
const first = (phrase: string): Operation | undefined => at(phrase)[0]?.operation

describe('operations that a phrase asks for', () => {
  it('gives every phrase that begins there, the longest first', () => {
    expect(at('more than or equal to').map(({ length }) => length)).toEqual([5, 2])
    expect(at('greater than or equal to 5')).toMatchObject([
      { length: 5, operation: { kind: 'compare', op: '>=' } },
      { length: 2, operation: { kind: 'compare', op: '>' } },
      { length: 1, operation: { kind: 'graded', op: '>' } },
    ])
    expect(at('most common').map(({ operation }) => operation)).toEqual([
      { kind: 'most', up: true, often: 'which' }, { kind: 'most', up: true, often: 'no' },
    ])
  })

  it.each<[string, Partial<Operation> & { kind: Operation['kind'] }]>([
    ['how many orders', { kind: 'count' }],
    ['Average price', { kind: 'fold', fold: 'avg' }],
    ['sum of totals', { kind: 'fold', fold: 'sum' }],
    ['no more than 3', { kind: 'compare', op: '<=' }],
    ['not less than 3', { kind: 'compare', op: '>=' }],
    ['or more', { kind: 'bound', op: '>=' }],
    ['without any order', { kind: 'negation', lacking: true }],
    ['not in Oslo', { kind: 'negation', lacking: false }],
    ["don't", { kind: 'negation', lacking: false }],
    ['for each city', { kind: 'each' }],
    ['starting with A', { kind: 'like', place: 'start' }],
    ['ends with A', { kind: 'like', place: 'end' }],
    ['those', { kind: 'back' }],
    ['from oldest to youngest', { kind: 'direction', up: false }],
  ])('%s', (phrase, expected) => {
    expect(first(phrase)).toMatchObject(expected)
  })

  it('an adjective knows what it measures, and which way dates run', () => {
    const date = expect.arrayContaining(['birth date'])
    const price = expect.arrayContaining(['price'])
    const old = expect.arrayContaining([{ nouns: ['age'], also: [], end: 'more' }, expect.objectContaining({ nouns: date, end: 'less' })])
    expect(first('oldest')).toMatchObject({ kind: 'extreme', up: true, degree: old })
    expect(first('cheapest')).toMatchObject({ kind: 'extreme', up: false, degree: expect.arrayContaining([expect.objectContaining({ nouns: price, end: 'less' })]) })
    expect(first('younger than 5')).toMatchObject({ kind: 'compare', op: '<', degree: expect.arrayContaining([expect.objectContaining({ nouns: ['age'], end: 'less' })]) })
    expect(first('least expensive')).toEqual(expect.objectContaining({ kind: 'extreme', up: false }))
  })

  it.each([
    ['in alphabetical order', 3, true, true],
    ['in descending order of age', 4, false, false],
    ['in descending alphabetical order', 4, false, true],
    ['in alphabetical descending order by name', 5, false, true],
    ['in an increasing order for age', 5, true, false],
    ['sort the results in reverse chronological order', 7, false, false],
    ['list them in ascending lexicographic order of name', 7, true, true],
  ])('order with any adjectives: %s', (phrase, length, up, alphabetical) => {
    expect(at(phrase)[0]).toEqual({ length, operation: { kind: 'order', up, alphabetical } })
  })

  it.each([
    ['an order without an adjective', 'in the order'],
    ['an adjective without an order', 'in alphabetical lists'],
    ['a quoted word', '"most"'],
    ['a word that operates on nothing', 'lamp'],
    ['nothing', ''],
  ])('none in %s', (_, phrase) => {
    expect(at(phrase)).toEqual([])
  })

  it('a phrase does not run into a quoted text', () => {
    expect(at('more "than"').map(({ length }) => length)).toEqual([])
    expect(at('most "common"').map(({ length }) => length)).toEqual([1])
  })
})
