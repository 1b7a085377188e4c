import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aucOf, fitRidgeLogistic, logistic, oddsOf } from './logistic.ts'

const rows = (...values: number[]) => values.map((value) => Float64Array.of(value))

describe('ridge logistic regression', () => {
  it('worked by hand: without a penalty the odds of each group are those of its outcomes', () => {
    // without the sign 2 of 10, with it 9 of 12
    const [without, withSign] = [Array.from({ length: 10 }, (_, i) => i < 2), Array.from({ length: 12 }, (_, i) => i < 9)]
    const { weights } = fitRidgeLogistic([...rows(...without.map(() => 0)), ...rows(...withSign.map(() => 1))], [...without, ...withSign], { penalty: 1e-9 })
    expect(weights[1]).toBeCloseTo(Math.log(2 / 8), 4)
    expect(weights[0]! + weights[1]!).toBeCloseTo(Math.log(9 / 3), 4)
  })

  it('stays finite where one sign tells all, and says nothing of nothing', () => {
    const { weights } = fitRidgeLogistic(rows(0, 0, 1, 1), [false, false, true, true])
    expect(Number.isFinite(weights[0])).toBe(true)
    expect(logistic(oddsOf(weights, Float64Array.of(1)))).toBeGreaterThan(0.5)
    expect([...fitRidgeLogistic([], []).weights]).toEqual([0])
  })

  it('finds the same least wherever it begins', () => {
    const x = rows(0.1, 0.9, 0.4, 0.7, 0.2, 0.8)
    const y = [false, true, true, false, false, true]
    const one = fitRidgeLogistic(x, y).weights
    const other = fitRidgeLogistic(x, y, { start: Float64Array.of(2, -1) }).weights
    for (const [i, weight] of one.entries()) expect(other[i]).toBeCloseTo(weight, 5)
  })
})

describe('the area under the ROC curve', () => {
  it.each([
    ['all in order', [1, 2, 3, 4], [false, false, true, true], 1],
    ['all upside down', [4, 3, 2, 1], [false, false, true, true], 0],
    ['all alike', [1, 1, 1, 1], [false, true, false, true], 0.5],
    ['by hand: three of four pairs', [1, 3, 2, 4], [false, false, true, true], 0.75],
  ])('%s', (_, scores, labels, auc) => {
    expect(aucOf(scores, labels)?.auc).toBeCloseTo(auc, 12)
  })

  it('is not there for one kind of outcome', () => {
    expect(aucOf([1, 2], [true, true])).toBeNull()
  })

  it('counts pairs, whatever the scores', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.boolean()), { minLength: 2, maxLength: 30 }), (cases) => {
        const pairs = cases.filter(([, label]) => label).flatMap(([x]) => cases.filter(([, label]) => !label).map(([y]) => (x > y ? 1 : x === y ? 0.5 : 0)))
        const auc = aucOf(cases.map(([score]) => score), cases.map(([, label]) => label))
        if (pairs.length === 0) expect(auc).toBeNull()
        else expect(auc?.auc).toBeCloseTo(pairs.reduce<number>((sum, each) => sum + each, 0) / pairs.length, 9)
      }),
    )
  })
})
