import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOTABLE, type Part, calmParts, deviance, dispersion, drift, isFaultward, usualShare } from './deviance.ts'

describe('deviance', () => {
  it('is worked by hand: all of ten against none of ten is 2 x 20 ln 2', () => {
    expect(deviance(10, 10, 0, 10)).toBeCloseTo(40 * Math.log(2), 10)
  })

  it.each([
    { k1: 5, n1: 10, k0: 50, n0: 100, g: 0 },
    { k1: 0, n1: 0, k0: 5, n0: 10, g: 0 },
    { k1: 3, n1: 3, k0: 0, n0: 0, g: 0 },
  ])('$k1 of $n1 against $k0 of $n0 is $g', ({ k1, n1, k0, n0, g }) => expect(deviance(k1, n1, k0, n0)).toBeCloseTo(g, 10))

  it('is the same from both sides, never negative, and grows with the numbers', () => {
    const share = fc.nat(50).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)))
    fc.assert(
      fc.property(share, share, ([k1, n1], [k0, n0]) => {
        const g = deviance(k1, n1, k0, n0)
        expect(g).toBeGreaterThanOrEqual(0)
        expect(deviance(k0, n0, k1, n1)).toBeCloseTo(g, 8)
        expect(deviance(2 * k1, 2 * n1, 2 * k0, 2 * n0)).toBeCloseTo(2 * g, 8)
      }),
    )
  })
})

describe('a move', () => {
  it.each([
    ['the usual became rarer', 5, 10, 9, 10, true],
    ['the rare became common', 5, 10, 1, 10, true],
    ['the usual became the rule', 10, 10, 8, 10, false],
    ['the rare became rarer', 0, 10, 2, 10, false],
    ['nothing to compare with', 5, 10, 0, 0, false],
  ] as const)('%s: %i of %i after %i of %i', (_, k1, n1, k0, n0, faultward) => expect(isFaultward(k1, n1, k0, n0)).toBe(faultward))
})

describe('quiet times', () => {
  const calm: Part[] = Array.from({ length: 6 }, () => [10, 10])
  it('forget a quarter of stretches that an earlier fault spoiled', () => {
    expect(usualShare([...calm, [0, 10], [0, 10]])).toBe(1)
    expect(usualShare([])).toBe(0)
  })
  it('do not forget what is rare but happens everywhere', () => {
    expect(usualShare(Array.from({ length: 8 }, () => [1, 20]))).toBeCloseTo(0.05, 10)
  })
  it('leave out the stretches that stand out against the one without faults, and only where that had the occasion', () => {
    const spoiled: Part[] = [[6, 6], [5, 5], [0, 11], [1, 8], [3, 6]]
    expect(calmParts(spoiled, [6, 6])).toEqual([[6, 6], [5, 5], [3, 6]])
    expect(calmParts(spoiled, [0, 0])).toEqual(spoiled)
    const part = fc.nat(40).chain((n): fc.Arbitrary<Part> => fc.tuple(fc.nat(n), fc.constant(n)))
    fc.assert(
      fc.property(fc.array(part), part, (parts, known) => {
        expect(calmParts([...parts, known], known)).toContain(known)
        for (const each of calmParts(parts, known)) expect(deviance(...each, ...known)).toBeLessThan(NOTABLE)
      }),
    )
  })
  it('wander more than by chance where a share jumps from stretch to stretch', () => {
    expect(dispersion(calm)).toBe(1)
    expect(dispersion([[0, 20], [20, 20], [0, 20], [20, 20], [10, 20]])).toBeGreaterThan(5)
  })
  it('drift where each stretch goes beyond all before it', () => {
    const rising = Array.from({ length: 10 }, (_, i): Part => [i * 4, 40])
    expect(drift(rising)).toBeGreaterThan(10)
    expect(drift(Array.from({ length: 10 }, (): Part => [4, 40]))).toBe(1)
    expect(drift([[3, 4]])).toBe(1)
  })
})
