import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addLeads, leadCounts, leadRatio, nearestFollowers, NO_PAIRS } from './lead-ratio.ts'

const times = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 15 }).map((xs) => xs.toSorted((x, y) => x - y))

describe('leadCounts', () => {
  it('matches the worked example', () => {
    // window 10: (0,2) (0,9) (20,19) (20,20); (0,19) is too far
    const counts = leadCounts([0, 20], [2, 9, 19, 20], 10)
    expect(counts).toEqual({ before: 2, after: 1, tied: 1 })
    expect(leadRatio(counts)).toBe(0.5)
  })

  it.each([
    { name: 'nothing on one side', a: [], b: [1], counts: NO_PAIRS },
    { name: 'a gap as long as the window still counts', a: [0], b: [10], counts: { before: 1, after: 0, tied: 0 } },
    { name: 'one millisecond more does not', a: [0], b: [11], counts: NO_PAIRS },
  ])('$name', ({ a, b, counts }) => {
    expect(leadCounts(a, b, 10)).toEqual(counts)
  })

  it('agrees with looking at every pair', () => {
    fc.assert(
      fc.property(times, times, (a, b) => {
        const gaps = a.flatMap((x) => b.map((y) => y - x)).filter((gap) => Math.abs(gap) <= 10)
        expect(leadCounts(a, b, 10)).toEqual({
          before: gaps.filter((gap) => gap > 0).length,
          after: gaps.filter((gap) => gap < 0).length,
          tied: gaps.filter((gap) => gap === 0).length,
        })
      }),
    )
  })

  it('turning a pair round swaps before and after', () => {
    fc.assert(
      fc.property(times, times, (a, b) => {
        const forth = leadCounts(a, b, 10)
        expect(leadCounts(b, a, 10)).toEqual({ before: forth.after, after: forth.before, tied: forth.tied })
      }),
    )
  })
})

it('no pairs have no lead, and counts add up', () => {
  expect(leadRatio(NO_PAIRS)).toBe(0)
  expect(addLeads({ before: 1, after: 2, tied: 3 }, { before: 4, after: 5, tied: 6 })).toEqual({ before: 5, after: 7, tied: 9 })
})

it('each event is followed by the nearest later one, never by one of the same time', () => {
  expect(nearestFollowers([0, 5, 30], [5, 6, 41], 10)).toEqual([
    { a: 0, b: 0, lagMs: 5 },
    { a: 1, b: 1, lagMs: 1 },
  ])
})
