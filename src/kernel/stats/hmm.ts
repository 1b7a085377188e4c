/**
 * Categorical hidden Markov models: Baum-Welch in scaled space (Rabiner 1989), the number of states by BIC.
 *
 * Symbols are 0..symbols-1. Fitting depends on its start, so each size is fitted from several random ones and the best is
 * kept; the random ones come from the caller's seed, so the same sequences always give the same model.
 */
import type { Rng } from './rng.ts'

export interface Hmm {
  readonly states: number
  readonly symbols: number
  readonly start: readonly number[]
  /** transition[i][j]: from i to j */
  readonly transition: readonly (readonly number[])[]
  /** emission[i][s]: symbol s in state i */
  readonly emission: readonly (readonly number[])[]
}

export interface HmmFit {
  readonly model: Hmm
  readonly logLikelihood: number
  readonly bic: number
  readonly iterations: number
}

export interface HmmOptions {
  readonly symbols: number
  readonly random: Rng
  readonly restarts?: number // 4: fewer miss the true number of states now and then
  readonly iterations?: number
  readonly tolerance?: number
}

/** No probability falls below this, so a sequence never seen before is unlikely, not impossible. */
const FLOOR = 1e-6

/** The natural logarithm of the probability of a sequence; 0 for the empty one. */
export function logLikelihood(model: Hmm, sequence: readonly number[]): number {
  const { scales } = forward(flat(model), sequence)
  return scales.reduce((sum, scale) => sum + Math.log(scale), 0)
}

/** The best of several fits with a given number of states. */
export function fitHmm(sequences: readonly (readonly number[])[], states: number, options: HmmOptions): HmmFit {
  const { symbols, random, restarts = 4, iterations = 100, tolerance = 1e-6 } = options
  let best: HmmFit | undefined
  for (let attempt = 0; attempt < (states === 1 ? 1 : restarts); attempt += 1) {
    let model = randomModel(states, symbols, random)
    let before = -Infinity
    let round = 0
    for (let step = reestimate(model, sequences); round < iterations; step = reestimate(model, sequences)) {
      if (step.logLikelihood - before <= tolerance * Math.abs(step.logLikelihood)) break
      before = step.logLikelihood
      model = step.model
      round += 1
    }
    const likelihood = sequences.reduce((sum, sequence) => sum + logLikelihood(model, sequence), 0)
    const fit = { model, logLikelihood: likelihood, bic: bic(model, likelihood, sequences), iterations: round }
    if (best === undefined || fit.logLikelihood > best.logLikelihood) best = fit
  }
  if (best === undefined) throw new Error('an HMM needs at least one attempt')
  return best
}

/** Fits 1, 2, ... states and keeps the size with the lowest BIC; the smaller one when two are equal. */
export function selectHmm(sequences: readonly (readonly number[])[], maxStates: number, options: HmmOptions): HmmFit {
  let best = fitHmm(sequences, 1, options)
  for (let states = 2; states <= maxStates; states += 1) {
    const fit = fitHmm(sequences, states, options)
    if (fit.bic < best.bic) best = fit
  }
  return best
}

/** Schwarz's criterion: free parameters times ln n, less twice the log-likelihood. n counts symbols, not sequences. */
function bic({ states, symbols }: Hmm, likelihood: number, sequences: readonly (readonly number[])[]): number {
  const parameters = states - 1 + states * (states - 1) + states * (symbols - 1)
  const n = sequences.reduce((sum, sequence) => sum + sequence.length, 0)
  return parameters * Math.log(Math.max(1, n)) - 2 * likelihood
}

function randomModel(states: number, symbols: number, random: Rng): Hmm {
  // exponential draws, normalised: uniform over all distributions
  const distribution = (size: number): number[] => normalise(Array.from({ length: size }, () => -Math.log(1 - random())))
  const rows = (size: number): number[][] => Array.from({ length: states }, () => distribution(size))
  return { states, symbols, start: distribution(states), transition: rows(states), emission: rows(symbols) }
}

/** The model as flat arrays: the passes below run over every symbol of every sequence, many times. */
interface Flat {
  readonly n: number
  readonly m: number
  readonly start: Float64Array
  readonly transition: Float64Array
  readonly emission: Float64Array
}

const flat = (model: Hmm): Flat => ({
  n: model.states,
  m: model.symbols,
  start: Float64Array.from(model.start),
  transition: Float64Array.from(model.transition.flat()),
  emission: Float64Array.from(model.emission.flat()),
})

const emits = ({ m, emission }: Flat, state: number, symbol: number): number =>
  symbol < m ? (emission[state * m + symbol] ?? FLOOR) : FLOOR

const add = (to: Float64Array, i: number, value: number): void => {
  to[i] = (to[i] ?? 0) + value
}

/** Forward probabilities, each step scaled to sum to 1; the scales multiply to the probability of the sequence. */
function forward(model: Flat, sequence: readonly number[]): { alpha: Float64Array; scales: Float64Array } {
  const { n, start, transition } = model
  const alpha = new Float64Array(sequence.length * n)
  const scales = new Float64Array(sequence.length)
  for (const [t, symbol] of sequence.entries()) {
    const here = t * n
    let scale = 0
    for (let j = 0; j < n; j += 1) {
      let arrives = 0
      if (t === 0) arrives = start[j] ?? 0
      else for (let i = 0; i < n; i += 1) arrives += (alpha[here - n + i] ?? 0) * (transition[i * n + j] ?? 0)
      const value = arrives * emits(model, j, symbol)
      alpha[here + j] = value
      scale += value
    }
    for (let j = 0; j < n; j += 1) alpha[here + j] = (alpha[here + j] ?? 0) / scale
    scales[t] = scale
  }
  return { alpha, scales }
}

/** One round of expectation and maximisation: a better model, and how likely the given one made the sequences. */
function reestimate(given: Hmm, sequences: readonly (readonly number[])[]): { model: Hmm; logLikelihood: number } {
  const model = flat(given)
  const { n, m, transition } = model
  const counts = { start: new Float64Array(n), transition: new Float64Array(n * n), emission: new Float64Array(n * m) }
  let likelihood = 0
  for (const sequence of sequences) {
    const { alpha, scales } = forward(model, sequence)
    let beta = new Float64Array(n).fill(1)
    for (let t = sequence.length - 1; t >= 0; t -= 1) {
      const symbol = sequence[t] ?? 0
      likelihood += Math.log(scales[t] ?? 1)
      for (let j = 0; j < n; j += 1) {
        const here = (alpha[t * n + j] ?? 0) * (beta[j] ?? 0)
        add(counts.emission, j * m + symbol, here)
        if (t === 0) add(counts.start, j, here)
      }
      if (t === 0) break
      const earlier = new Float64Array(n)
      for (let i = 0; i < n; i += 1) {
        for (let j = 0; j < n; j += 1) {
          const path = ((transition[i * n + j] ?? 0) * emits(model, j, symbol) * (beta[j] ?? 0)) / (scales[t] ?? 1)
          add(earlier, i, path)
          add(counts.transition, i * n + j, (alpha[(t - 1) * n + i] ?? 0) * path)
        }
      }
      beta = earlier
    }
  }
  const rows = (values: Float64Array, width: number): number[][] =>
    Array.from({ length: n }, (_, i) => normalise([...values.subarray(i * width, (i + 1) * width)]))
  const better = { transition: rows(counts.transition, n), emission: rows(counts.emission, m) }
  return { model: { states: n, symbols: m, start: normalise([...counts.start]), ...better }, logLikelihood: likelihood }
}

function normalise(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, value) => total + value, 0)
  const floored = weights.map((value) => Math.max(sum > 0 ? value / sum : 1 / weights.length, FLOOR))
  const whole = floored.reduce((total, value) => total + value, 0)
  return floored.map((value) => value / whole)
}
