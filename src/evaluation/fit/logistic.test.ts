import { describe, expect, it } from 'vitest'
import { type Example, fitLogistic, probability } from './logistic.ts'

const seen = (right: number, wrong: number, evidence: Record<string, number>): Example[] => [
  ...Array.from({ length: right }, () => ({ right: true, evidence })), ...Array.from({ length: wrong }, () => ({ right: false, evidence })),
]

describe('log odds', () => {
  it('worked by hand: the odds of each group, as its outcomes have them', () => {
    // without the sign 1 : 4, with it 3 : 1
    const { bias, weights } = fitLogistic([...seen(2, 8, {}), ...seen(9, 3, { sign: 2 })], 0)
    expect(bias).toBeCloseTo(Math.log(1 / 4), 3)
    expect(bias + 2 * (weights['sign'] ?? 0)).toBeCloseTo(Math.log(3), 3)
  })

  it('of one kind of outcome are large and bounded; of none, even', () => {
    expect(fitLogistic(seen(5, 0, { a: 1 }))).toEqual({ bias: 6, weights: {} })
    expect(fitLogistic(seen(0, 5, { a: 1 }))).toEqual({ bias: -6, weights: {} })
    expect(fitLogistic([])).toEqual({ bias: 0, weights: {} })
  })

  it('stay finite where one sign tells all', () => {
    const { weights } = fitLogistic([...seen(5, 0, { a: 1 }), ...seen(0, 5, {})])
    expect(weights['a']).toBeGreaterThan(1)
    expect(Number.isFinite(weights['a'])).toBe(true)
  })

  it.each([[0, 0.5], [800, 1], [-800, 0]])('%f is %f', (odds, expected) => {
    expect(probability(odds)).toBeCloseTo(expected, 10)
  })
})
