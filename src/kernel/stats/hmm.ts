/**
 * Categorical hidden Markov models: the likelihood of a sequence and one round of Baum-Welch, both in scaled space
 * (Rabiner 1989). Matrices are flat and read along the states, because these two loops are where fitting spends its time.
 */
import { type Packed, type Symbols, packSequences } from './hmm-data.ts'

export interface Hmm {
  readonly states: number
  readonly symbols: number
  readonly start: Float64Array
  /** from i to j at i * states + j */
  readonly transition: Float64Array
  /** symbol s in state i at s * states + i: the states of one symbol lie together */
  readonly emission: Float64Array
}

/** The natural logarithm of the probability of a sequence; 0 for the empty one, -Infinity for one the model excludes. */
export function logLikelihood(model: Hmm, sequence: Symbols): number {
  const { states: n, transition, emission } = model
  let before = new Float64Array(n)
  let here = new Float64Array(n)
  let sum = 0
  for (let t = 0; t < sequence.length; t += 1) {
    const at = sequence[t]! * n
    let scale = 0
    for (let j = 0; j < n; j += 1) {
      let arrives = 0
      if (t === 0) arrives = model.start[j]!
      else for (let i = 0; i < n; i += 1) arrives += before[i]! * transition[i * n + j]!
      const value = arrives * (emission[at + j] ?? 0) // a symbol the model has never heard of
      here[j] = value
      scale += value
    }
    if (scale === 0) return -Infinity
    for (let j = 0; j < n; j += 1) here[j] = here[j]! / scale
    sum += Math.log(scale)
    const swap = before
    before = here
    here = swap
  }
  return sum
}

export interface EmStep {
  readonly model: Hmm
  /** of the sequences under the model that was given, not the one returned */
  readonly logLikelihood: number
}

/** One round of expectation and maximisation. */
export const emStep = (model: Hmm, sequences: readonly Symbols[]): EmStep =>
  emStepPacked(model, packSequences(sequences, model.symbols))

export function emStepPacked(model: Hmm, { data, offsets, weights, longest }: Packed): EmStep {
  const { states: n, symbols, transition, emission } = model
  const alpha = new Float64Array(longest * n)
  const scales = new Float64Array(longest)
  const beta = new Float64Array(n)
  const ahead = new Float64Array(n)
  const start = new Float64Array(n)
  // sums of alpha(i) x what lies ahead of j; times the transition itself at the end, once, instead of at every symbol
  const pairs = new Float64Array(n * n)
  const emitted = new Float64Array(symbols * n)
  let likelihood = 0
  for (let s = 0; s < weights.length; s += 1) {
    const from = offsets[s]!
    const length = offsets[s + 1]! - from
    const weight = weights[s]!
    likelihood += weight * forward(model, data, from, length, alpha, scales)
    beta.fill(1)
    for (let t = length - 1; t >= 0; t -= 1) {
      const at = data[from + t]! * n
      const row = t * n
      for (let j = 0; j < n; j += 1) emitted[at + j]! += weight * alpha[row + j]! * beta[j]!
      if (t === 0) {
        for (let j = 0; j < n; j += 1) start[j]! += weight * alpha[j]! * beta[j]!
        break
      }
      const scale = scales[t]!
      for (let j = 0; j < n; j += 1) ahead[j] = (emission[at + j]! * beta[j]!) / scale
      for (let i = 0; i < n; i += 1) {
        const before = weight * alpha[row - n + i]!
        let sum = 0
        for (let j = 0; j < n; j += 1) {
          const next = ahead[j]!
          sum += transition[i * n + j]! * next
          pairs[i * n + j]! += before * next
        }
        beta[i] = sum
      }
    }
  }
  for (let k = 0; k < n * n; k += 1) pairs[k]! *= transition[k]!
  return {
    model: {
      states: n, symbols, start: normalised(start, model.start, 1, n), transition: normalised(pairs, transition, n, n),
      emission: byState(emitted, emission, n, symbols),
    },
    logLikelihood: likelihood,
  }
}

/** Forward probabilities into `alpha`, each step scaled to sum to 1; the scales multiply to the probability of the sequence. */
function forward(model: Hmm, data: Uint32Array, from: number, length: number, alpha: Float64Array, scales: Float64Array): number {
  const { states: n, start, transition, emission } = model
  let sum = 0
  for (let t = 0; t < length; t += 1) {
    const at = data[from + t]! * n
    const row = t * n
    let scale = 0
    for (let j = 0; j < n; j += 1) {
      let arrives = 0
      if (t === 0) arrives = start[j]!
      else for (let i = 0; i < n; i += 1) arrives += alpha[row - n + i]! * transition[i * n + j]!
      const value = arrives * emission[at + j]!
      alpha[row + j] = value
      scale += value
    }
    if (scale === 0) throw new Error('the model excludes a sequence that it is to learn from')
    for (let j = 0; j < n; j += 1) alpha[row + j]! /= scale
    scales[t] = scale
    sum += Math.log(scale)
  }
  return sum
}

/** Rows that sum to 1; one that nothing was counted for stays as it was. */
function normalised(counts: Float64Array, given: Float64Array, rows: number, width: number): Float64Array {
  const out = Float64Array.from(given)
  for (let i = 0; i < rows; i += 1) {
    let sum = 0
    for (let j = 0; j < width; j += 1) sum += counts[i * width + j]!
    if (sum > 0) for (let j = 0; j < width; j += 1) out[i * width + j] = counts[i * width + j]! / sum
  }
  return out
}

function byState(counts: Float64Array, given: Float64Array, n: number, symbols: number): Float64Array {
  const out = Float64Array.from(given)
  for (let i = 0; i < n; i += 1) {
    let sum = 0
    for (let s = 0; s < symbols; s += 1) sum += counts[s * n + i]!
    if (sum > 0) for (let s = 0; s < symbols; s += 1) out[s * n + i] = counts[s * n + i]! / sum
  }
  return out
}

/** A little of everything mixed in, so that a sequence never seen before is unlikely, not impossible. */
export function softened(model: Hmm, share: number): Hmm {
  const mixed = (values: Float64Array, width: number): Float64Array => values.map((value) => (1 - share) * value + share / width)
  const { states, symbols, start, transition, emission } = model
  return { states, symbols, start: mixed(start, states), transition: mixed(transition, states), emission: mixed(emission, symbols) }
}
