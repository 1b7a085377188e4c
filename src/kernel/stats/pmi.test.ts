import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pmi, pmiPairs } from './pmi.ts'

describe('pmiPairs', () => {
  it('matches the worked example', () => {
    // 8 windows, 5 of them empty; a in 2, b in 2, together in 2: log2(2 * 8 / (2 * 2)) = 2
    expect(pmiPairs([['a', 'b'], ['b', 'a'], ['c']], 5)).toEqual([
      { a: 'a', b: 'b', counts: { together: 2, a: 2, b: 2, total: 8 }, pmi: 2 },
    ])
  })

  it.each([
    { name: 'no windows, no pairs', windows: [], pairs: 0 },
    { name: 'a thing alone has no pair', windows: [['a'], ['a']], pairs: 0 },
    { name: 'a repeat inside a window is one sighting', windows: [['a', 'a', 'b', 'b']], pairs: 1 },
    { name: 'three things make three pairs', windows: [['c', 'a', 'b']], pairs: 3 },
  ])('$name', ({ windows, pairs }) => {
    expect(pmiPairs(windows)).toHaveLength(pairs)
  })

  it('counts a chatty window like a quiet one', () => {
    expect(pmiPairs([['a', 'a', 'a', 'b'], ['c']])).toEqual(pmiPairs([['a', 'b'], ['c']]))
  })

  it('does not depend on the order of windows or of things inside them', () => {
    const windows = fc.array(fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 4 }), { maxLength: 12 })
    fc.assert(
      fc.property(windows, (given) => {
        expect(pmiPairs(given.toReversed().map((window) => window.toReversed()))).toEqual(pmiPairs(given))
      }),
    )
  })
})

it('independent things have a PMI of 0, strangers of minus infinity', () => {
  expect(pmi({ together: 1, a: 2, b: 2, total: 4 })).toBe(0)
  expect(pmi({ together: 0, a: 2, b: 2, total: 4 })).toBe(-Infinity)
})
