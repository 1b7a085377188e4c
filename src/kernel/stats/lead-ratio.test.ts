import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addLeads, firstFollowers, leadCounts, leadRatio, NO_PAIRS } from './lead-ratio.ts'

const times = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 4 }).map((xs) => xs.toSorted((x, y) => x - y))

describe('leadCounts', () => {
  it('matches the worked example', () => {
    // window 10: (0,2) and (20,20) are each other's nearest; 9 and 19 have nearer partners that are taken
    const counts = leadCounts([0, 20, 40], [2, 9, 19, 20, 37], 10)
    expect(counts).toEqual({ before: 1, after: 1, tied: 1 })
    expect(leadRatio(counts)).toBe(0.5)
  })

  it.each([
    { name: 'nothing on one side', a: [], b: [1], counts: NO_PAIRS },
    { name: 'nothing on the other', a: [1], b: [], counts: NO_PAIRS },
    { name: 'a gap as long as the window still counts', a: [0], b: [10], counts: { before: 1, after: 0, tied: 0 } },
    { name: 'one millisecond more does not', a: [0], b: [11], counts: NO_PAIRS },
    { name: 'repeating the cause adds no pair', a: [0, 1, 2], b: [5], counts: { before: 1, after: 0, tied: 0 } },
    { name: 'inside the tolerance there is no order', a: [0], b: [3], counts: { before: 0, after: 0, tied: 1 }, tolerance: 3 },
  ])('$name', ({ a, b, counts, tolerance }) => {
    expect(leadCounts(a, b, 10, tolerance)).toEqual(counts)
  })

  it('agrees with looking at every pair', () => {
    const closest = (x: number, others: readonly number[]): number => Math.min(...others.map((y) => Math.abs(x - y)))
    fc.assert(
      fc.property(times, times, (a, b) => {
        const all = a.flatMap((x) => b.map((y) => [x, y] as const))
        fc.pre(new Set(all.map(([x, y]) => Math.abs(x - y))).size === all.length) // nobody stands between two equally near
        const lags = all
          .filter(([x, y]) => Math.abs(x - y) <= 10 && Math.abs(x - y) === closest(x, b) && Math.abs(x - y) === closest(y, a))
          .map(([x, y]) => y - x)
        expect(leadCounts(a, b, 10)).toEqual({
          before: lags.filter((lag) => lag > 0).length,
          after: lags.filter((lag) => lag < 0).length,
          tied: lags.filter((lag) => lag === 0).length,
        })
      }),
    )
  })

  it('the ratio does not count pairs without an order', () => {
    expect(leadRatio({ before: 3, after: 1, tied: 9 })).toBe(0.75)
  })
})

it('no pairs have no lead, and counts add up', () => {
  expect(leadRatio(NO_PAIRS)).toBe(0)
  expect(addLeads({ before: 1, after: 2, tied: 3 }, { before: 4, after: 5, tied: 6 })).toEqual({ before: 5, after: 7, tied: 9 })
})

it('each event is followed by the first later one before its own next, never by one of the same time', () => {
  expect(firstFollowers([0, 5, 30], [5, 6, 41], 10)).toEqual([
    { a: 0, b: 0, lagMs: 5 },
    { a: 1, b: 1, lagMs: 1 },
  ])
  expect(firstFollowers([0, 1], [3], 10)).toEqual([{ a: 1, b: 0, lagMs: 2 }])
  expect(firstFollowers([10], [9], 10, 2)).toEqual([{ a: 0, b: 0, lagMs: -1 }])
})
