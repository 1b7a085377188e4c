import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverage, pmi, windowCounts } from './pmi.ts'

const times = fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { maxLength: 12 }).map((xs) => xs.toSorted((x, y) => x - y))

describe('windowCounts', () => {
  it('matches the worked example', () => {
    // 100 windows of 10; a opens 2, both hold b; b fills 20 of 1000 moments before it: 2 windows by chance, PMI log2(2 * 100 / (2 * 2))
    const counts = windowCounts([{ a: [100, 500], b: [105, 508] }], { windowMs: 10, spanMs: 1000 })
    expect(counts).toEqual({ together: 2, a: 2, b: 2, total: 100 })
    expect(pmi(counts)).toBeCloseTo(Math.log2(50), 12)
  })

  it.each([
    { name: 'nothing', a: [], b: [], counts: { together: 0, a: 0, b: 0, total: 100 } },
    { name: 'a repeat inside a window is one sighting', a: [100, 101, 102], b: [105, 110], counts: { together: 1, a: 1, b: 1.5, total: 100 } },
    { name: 'b before a is not together', a: [100], b: [95], counts: { together: 0, a: 1, b: 1, total: 100 } },
  ])('$name', ({ a, b, counts }) => {
    expect(windowCounts([{ a, b }], { windowMs: 10, spanMs: 1000 })).toEqual(counts)
  })

  it('compares windows of the same thing only', () => {
    const apart = windowCounts([{ a: [100], b: [905] }, { a: [900], b: [105] }], { windowMs: 10, spanMs: 1000 })
    expect(apart).toMatchObject({ together: 0, a: 2, b: 1 })
  })
})

it('coverage is the share of moments from which the next occurrence is near', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 50 }), (given, window) => {
      const moments = Array.from({ length: 1000 }, (_, t) => t)
      const near = moments.filter((t) => given.some((x) => (x - t + 1000) % 1000 < window)).length
      expect(coverage(given, window, 1000)).toBeCloseTo(near / 1000, 9)
    }),
  )
})

it('independent things have a PMI of 0, strangers of minus infinity', () => {
  expect(pmi({ together: 1, a: 2, b: 2, total: 4 })).toBe(0)
  expect(pmi({ together: 0, a: 2, b: 2, total: 4 })).toBe(-Infinity)
})
