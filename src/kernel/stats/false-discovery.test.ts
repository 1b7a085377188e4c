import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { falseDiscoveryQ } from './false-discovery.ts'

describe('falseDiscoveryQ', () => {
  it('matches the worked example', () => {
    // p * 4 / rank: .01 * 4 / 1, .04 * 4 / 3 (before .03 * 4 / 2), .5
    const qs = falseDiscoveryQ([0.01, 0.04, 0.03, 0.5])
    expect(qs.map((q) => Number(q.toFixed(12)))).toEqual([0.04, 0.053333333333, 0.053333333333, 0.5])
  })

  it.each([
    { name: 'no tests', ps: [], options: {}, qs: [] },
    { name: 'one test keeps its p', ps: [0.03], options: {}, qs: [0.03] },
    { name: 'tests that were not carried out count', ps: [0.01], options: { tests: 10 }, qs: [0.1] },
    { name: 'never above 1', ps: [0.6, 0.9], options: { tests: 50 }, qs: [1, 1] },
    { name: 'any dependence: times 1 + 1/2', ps: [0.01, 0.02], options: { dependent: true }, qs: [0.03, 0.03] },
  ])('$name', ({ ps, options, qs }) => {
    expect(falseDiscoveryQ(ps, options).map((q) => Number(q.toFixed(12)))).toEqual(qs)
  })

  it('calls the same tests finds as the step-up procedure of the paper', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), fc.double({ min: 0.01, max: 0.5 }), (ps, level) => {
        const sorted = ps.toSorted((x, y) => x - y)
        const largest = sorted.findLast((p, i) => (p * ps.length) / (i + 1) <= level)
        expect(falseDiscoveryQ(ps).map((q) => q <= level)).toEqual(ps.map((p) => largest !== undefined && p <= largest))
      }),
    )
  })
})
