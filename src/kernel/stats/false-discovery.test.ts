import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { benjaminiHochberg } from './false-discovery.ts'

describe('benjaminiHochberg', () => {
  it('matches the worked example', () => {
    // .01 x 4/1, .02 x 4/2, .03 x 4/3, .5 x 4/4, then the least of those from each place on
    expect(benjaminiHochberg([0.02, 0.5, 0.01, 0.03]).map((q) => Number(q.toFixed(6)))).toEqual([0.04, 0.5, 0.04, 0.04])
  })

  it.each([
    { name: 'nothing', ps: [], qs: [] },
    { name: 'one test stands for itself', ps: [0.2], qs: [0.2] },
    { name: 'never above 1', ps: [0.9, 1], qs: [1, 1] },
  ])('$name', ({ ps, qs }) => {
    expect(benjaminiHochberg(ps)).toEqual(qs)
  })

  it('is the step-up rule: q <= a exactly for the ps up to the largest k with p(k) <= a k / m', () => {
    const ps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(ps, fc.constantFrom(0.01, 0.05, 0.2), (given, level) => {
        const sorted = given.toSorted((x, y) => x - y)
        const last = sorted.findLastIndex((p, i) => (p * given.length) / (i + 1) <= level)
        const cut = last === -1 ? -1 : sorted[last]!
        expect(benjaminiHochberg(given).map((q) => q <= level)).toEqual(given.map((p) => p <= cut))
      }),
    )
  })
})
