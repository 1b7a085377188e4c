import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dot } from '../../search/index.ts'
import { type Choice, fitRanker } from './ranker.ts'

const choice = (right: boolean, evidence: Record<string, number>): Choice => ({ right, evidence })

/** Of all questions with a right reading: the mean log of the probability of the right ones together. */
function likelihood(questions: readonly (readonly Choice[])[], weights: Record<string, number>): number {
  const told = questions.filter((choices) => choices.some(({ right }) => right))
  const logs = told.map((choices) => {
    const weighed = choices.map(({ right, evidence }) => ({ right, weight: Math.exp(dot(weights, evidence)) }))
    const sum = (of: typeof weighed) => of.reduce((total, { weight }) => total + weight, 0)
    return Math.log(sum(weighed.filter(({ right }) => right)) / sum(weighed))
  })
  return logs.reduce((total, log) => total + log, 0) / Math.max(1, told.length)
}

describe('a ranker', () => {
  it('worked by hand: three to one is a weight of log 3', () => {
    // of four questions with a near and a far reading the near one is right in three: p = 3/4, so the weight is log(3)
    const questions = [true, true, true, false].map((near) => [choice(near, { near: 1 }), choice(!near, {})])
    expect(fitRanker(questions, { penalty: 0 })['near']).toBeCloseTo(Math.log(3), 3)
    // the penalty pulls towards 0
    const pulled = fitRanker(questions, { penalty: 0.1 })['near'] ?? 0
    expect(pulled).toBeGreaterThan(0.2)
    expect(pulled).toBeLessThan(Math.log(3))
  })

  it('two right readings count together', () => {
    const questions = [[choice(true, { a: 1 }), choice(true, { b: 1 }), choice(false, { c: 1 })]]
    const weights = fitRanker(questions, { penalty: 0.01 })
    expect(weights['a']).toBeCloseTo(weights['b'] ?? Number.NaN, 6)
    expect(weights['c']).toBeLessThan(0)
  })

  it.each([
    { name: 'no questions', questions: [] },
    { name: 'no readings', questions: [[]] },
    { name: 'none right', questions: [[choice(false, { a: 1 }), choice(false, {})]] },
    { name: 'all right', questions: [[choice(true, { a: 1 })], [choice(true, {}), choice(true, { b: 2 })]] },
  ])('$name teach nothing', ({ questions }) => {
    expect(fitRanker(questions)).toEqual({})
  })

  it('a large amount of evidence overflows nothing', () => {
    const weights = fitRanker([[choice(true, { a: 1e6 }), choice(false, { a: -1e6, b: 1e9 })]])
    expect(Object.values(weights).every(Number.isFinite)).toBe(true)
  })

  it('is likelier than knowing nothing, and the order of the questions does not matter', () => {
    const amount = fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4)
    const readings = fc.array(fc.tuple(fc.boolean(), amount, amount), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(readings, { maxLength: 12 }), (drawn) => {
        const questions = drawn.map((each) => each.map(([right, a, b]) => choice(right, { a, b })))
        const weights = fitRanker(questions, { penalty: 0.01 })
        const again = fitRanker(questions.toReversed(), { penalty: 0.01 })
        expect(likelihood(questions, weights)).toBeGreaterThanOrEqual(likelihood(questions, {}) - 1e-9)
        expect(again['a'] ?? 0).toBeCloseTo(weights['a'] ?? 0, 2)
      }),
      { numRuns: 60 },
    )
  })
})
