import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitHmm, selectHmm } from './hmm-fit.ts'
import { emStep, logLikelihood, softened } from './hmm.ts'
import type { Hmm } from './hmm.ts'
import { rng } from './rng.ts'

/** A model from rows, as people write it. */
function hmm(start: number[], transition: number[][], emission: number[][]): Hmm {
  const [states, symbols] = [start.length, emission[0]?.length ?? 0]
  const turned = Array.from({ length: symbols }, (_, s) => emission.map((row) => row[s]!))
  const flat = (rows: number[][]) => Float64Array.from(rows.flat())
  return { states, symbols, start: Float64Array.from(start), transition: flat(transition), emission: flat(turned) }
}

const emissionOf = ({ states, emission }: Hmm, state: number): number[] => [...emission].filter((_, i) => i % states === state)
const transitionOf = ({ states, transition }: Hmm, state: number): number[] => [...transition.subarray(state * states, (state + 1) * states)]

const weather = hmm([0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.9, 0.1], [0.2, 0.8]])

/** Draws from a model: the tests know the truth that fitting has to find. */
function sample(model: Hmm, length: number, random: () => number): number[] {
  const pick = (weights: readonly number[]): number => {
    let left = random()
    for (const [i, weight] of weights.entries()) if ((left -= weight) < 0) return i
    return weights.length - 1
  }
  let state = pick([...model.start])
  return Array.from({ length }, () => {
    const symbol = pick(emissionOf(model, state))
    state = pick(transitionOf(model, state))
    return symbol
  })
}

function draws(model: Hmm, seed: number): number[][] {
  const random = rng(seed)
  return Array.from({ length: 30 }, () => sample(model, 20, random))
}

describe('logLikelihood', () => {
  it('matches the worked example', () => {
    // alpha1 = (.6 * .9, .4 * .2) = (.54, .08); alpha2 = ((.54 * .7 + .08 * .4) * .1, (.54 * .3 + .08 * .6) * .8) = (.041, .168)
    expect(Math.exp(logLikelihood(weather, [0, 1]))).toBeCloseTo(0.209, 12)
  })

  it.each([
    { name: 'the empty sequence is certain', sequence: [], is: 0 },
    { name: 'one symbol', sequence: [1], is: Math.log(0.6 * 0.1 + 0.4 * 0.8) },
    { name: 'a symbol out of range is impossible', sequence: [0, 9], is: -Infinity },
  ])('$name', ({ sequence, is }) => {
    expect(logLikelihood(weather, sequence)).toBeCloseTo(is, 9)
  })

  it('the probabilities of all sequences of one length sum to 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), (length) => {
        let sum = 0
        for (let bits = 0; bits < 2 ** length; bits += 1) {
          sum += Math.exp(logLikelihood(weather, Array.from({ length }, (_, i) => (bits >> i) & 1)))
        }
        expect(sum).toBeCloseTo(1, 9)
      }),
    )
  })

  it('does not underflow on a long sequence', () => {
    expect(Number.isFinite(logLikelihood(weather, sample(weather, 20_000, rng(7))))).toBe(true)
  })
})

describe('fitting', () => {
  const rotating = hmm(
    [1, 0, 0],
    [[0.05, 0.9, 0.05], [0.05, 0.05, 0.9], [0.9, 0.05, 0.05]],
    [[0.98, 0.01, 0.01], [0.01, 0.98, 0.01], [0.01, 0.01, 0.98]],
  )

  it('finds the number of states that made the sequences', () => {
    expect(selectHmm(draws(rotating, 7), 4, { symbols: 3, random: rng(7) }).best.model.states).toBe(3)
  })

  it('keeps one state for symbols without memory', () => {
    const { best } = selectHmm(draws(hmm([1], [[1]], [[0.5, 0.3, 0.2]]), 7), 3, { symbols: 3, random: rng(7) })
    expect(best.model.states).toBe(1)
    expect(best.model.emission[0]).toBeCloseTo(0.5, 1)
  })

  it.each([1, 2, 3])('never gets worse with another round, from start %d', (seed) => {
    const sequences = draws(rotating, 9)
    const after = [1, 2, 3, 4, 6, 8, 16].map((iterations) => {
      const options = { symbols: 3, random: rng(seed), restarts: 1, iterations, tolerance: -1 }
      return fitHmm(sequences, 3, options).logLikelihood
    })
    for (const [i, value] of after.slice(1).entries()) expect(value).toBeGreaterThanOrEqual((after[i] ?? 0) - 1e-9)
  })

  it('recovers the moves between the states', () => {
    const { model } = fitHmm(draws(rotating, 7), 3, { symbols: 3, random: rng(7) })
    const emitting = (symbol: number): number => [0, 1, 2].findIndex((state) => (emissionOf(model, state)[symbol] ?? 0) > 0.9)
    expect(transitionOf(model, emitting(0))[emitting(1)]).toBeCloseTo(0.9, 1)
    expect(transitionOf(model, emitting(2))[emitting(0)]).toBeCloseTo(0.9, 1)
  })

  it('rows of a fitted model are distributions, whatever the sequences', () => {
    const sequences = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(sequences, fc.integer({ min: 1, max: 3 }), (given, states) => {
        const { model } = fitHmm(given, states, { symbols: 4, random: rng(7), restarts: 1, iterations: 10 })
        const all = Array.from({ length: states }, (_, i) => [transitionOf(model, i), emissionOf(model, i)]).flat()
        for (const row of [[...model.start], ...all]) expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9)
      }),
      { numRuns: 40 },
    )
  })

  it('gives the same model for the same seed', () => {
    const sequences = draws(rotating, 7)
    const [first, second] = [1, 2].map(() => fitHmm(sequences, 3, { symbols: 3, random: rng(7) }))
    expect(second).toEqual(first)
  })

  it('counts equal sequences once each, as often as they come', () => {
    const sequences = draws(rotating, 3)
    const twice = emStep(weatherOf3(), [...sequences, ...sequences])
    const once = emStep(weatherOf3(), sequences)
    expect(twice.logLikelihood).toBeCloseTo(2 * once.logLikelihood, 6)
    for (const [i, value] of twice.model.transition.entries()) expect(value).toBeCloseTo(once.model.transition[i]!, 12)
  })

  it('stops looking for more states after two that are worse', () => {
    const { bics } = selectHmm(draws(hmm([1], [[1]], [[0.5, 0.3, 0.2]]), 7), 9, { symbols: 3, random: rng(7) })
    expect(bics.map(({ states }) => states)).toEqual([1, 2, 3])
  })

  it('counts only symbols that occur as parameters', () => {
    const of = (symbols: number) => fitHmm(draws(rotating, 5), 2, { symbols, random: rng(7), restarts: 1, iterations: 3 })
    const [small, wide] = [of(3), of(30)]
    expect(Math.abs(small.bic + 2 * small.logLikelihood - (wide.bic + 2 * wide.logLikelihood))).toBeLessThan(1e-6)
    const total = draws(rotating, 5).reduce((sum, each) => sum + each.length, 0)
    // one free start, two free transitions, two free emissions of each of the two states
    expect(small.bic + 2 * small.logLikelihood).toBeCloseTo(7 * Math.log(total), 6)
  })

  it('softened, nothing is impossible', () => {
    const certain = hmm([1, 0], [[0, 1], [1, 0]], [[1, 0], [0, 1]])
    expect(logLikelihood(certain, [1, 1])).toBe(-Infinity)
    expect(Number.isFinite(logLikelihood(softened(certain, 1e-3), [1, 1]))).toBe(true)
  })
})

const weatherOf3 = (): Hmm => hmm([0.5, 0.5], [[0.6, 0.4], [0.3, 0.7]], [[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])

describe('a vocabulary of many symbols', () => {
  it('is fitted in memory and time that do not grow with its square', () => {
    const random = rng(5)
    // even and odd in turn, 20,000 different symbols
    const sequences = Array.from({ length: 500 }, () => Array.from({ length: 20 }, (_, t) => 2 * Math.floor(random() ** 4 * 10_000) + (t % 2)))
    const { model, logLikelihood: fitted } = fitHmm(sequences, 2, { symbols: 20_000, random: rng(7), iterations: 5 })
    const { logLikelihood: single } = fitHmm(sequences, 1, { symbols: 20_000, random: rng(7), iterations: 5 })
    expect(model.emission).toHaveLength(40_000)
    expect(fitted).toBeGreaterThan(single)
    const again = fitHmm(sequences, 2, { symbols: 20_000, random: rng(7), iterations: 5 })
    expect(again.logLikelihood).toBe(fitted)
  })
})
