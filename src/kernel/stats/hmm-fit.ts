/**
 * Fitting: several starts, the best of them carried to the end, and the number of states by BIC (Schwarz 1978).
 * Chance comes from the caller's seed, so the same sequences always give the same model.
 */
import { type Packed, type Symbols, packSequences } from './hmm-data.ts'
import { profileStart, randomStart } from './hmm-start.ts'
import { type Hmm, emStepPacked } from './hmm.ts'
import type { Rng } from './rng.ts'

export interface HmmFit {
  readonly model: Hmm
  readonly logLikelihood: number
  readonly bic: number
  /** rounds that the best start needed */
  readonly iterations: number
}

export interface HmmOptions {
  readonly symbols: number
  readonly random: Rng
  /** fewer than 4 miss the true number of states now and then */
  readonly restarts?: number
  readonly iterations?: number
  /** a round that gains less than this per symbol is the last */
  readonly tolerance?: number
}

/** Every start gets this many rounds; then only the best go on. */
const TRIAL_ROUNDS = 10
const FINALISTS = 2
/** Sizes in a row that may be worse than the best before the search for a size ends. */
const PATIENCE = 2

export interface HmmSelection {
  readonly best: HmmFit
  /** the criterion of every size that was tried */
  readonly bics: readonly { readonly states: number; readonly bic: number; readonly logLikelihood: number }[]
}

/** The best of several fits with a given number of states. */
export const fitHmm = (sequences: readonly Symbols[], states: number, options: HmmOptions): HmmFit =>
  fitPacked(packSequences(sequences, options.symbols), states, options)

/** Fits 1, 2, ... states and keeps the size with the lowest BIC; the smaller one when two are equal. */
export function selectHmm(sequences: readonly Symbols[], maxStates: number, options: HmmOptions): HmmSelection {
  const packed = packSequences(sequences, options.symbols)
  let best = fitPacked(packed, 1, options)
  const fits = [best]
  for (let states = 2, worse = 0; states <= maxStates && worse < PATIENCE; states += 1) {
    const fit = fitPacked(packed, states, options)
    fits.push(fit)
    worse = fit.bic < best.bic ? 0 : worse + 1
    if (fit.bic < best.bic) best = fit
  }
  return { best, bics: fits.map(({ model, bic, logLikelihood }) => ({ states: model.states, bic, logLikelihood })) }
}

interface Run {
  readonly model: Hmm
  readonly logLikelihood: number
  readonly rounds: number
  readonly done: boolean
}

function fitPacked(packed: Packed, states: number, options: HmmOptions): HmmFit {
  const { random, restarts = 4, iterations = 100, tolerance = 1e-6 } = options
  const enough = tolerance * Math.max(1, packed.total)
  const attempts = states === 1 ? 1 : Math.max(1, restarts)
  const trials: Run[] = []
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    // half of the starts owe nothing to the bigrams: those mislead where one symbol is at home in several states
    const blind = attempt % 2 === 1
    const model = blind ? randomStart(packed.symbols, states, random) : profileStart(packed, states, random)
    trials.push(climb({ model, logLikelihood: -Infinity, rounds: 0, done: false }, packed, Math.min(TRIAL_ROUNDS, iterations), enough))
  }
  const finalists = trials.toSorted((x, y) => y.logLikelihood - x.logLikelihood).slice(0, FINALISTS)
  // the last step of a trial is taken again, so what it was worth must not count as a gain of nothing
  const ends = finalists.map((run) => (run.done ? run : climb({ ...run, logLikelihood: -Infinity }, packed, iterations, enough)))
  const best = ends.toSorted((x, y) => y.logLikelihood - x.logLikelihood)[0]!
  const { model, logLikelihood } = best
  return { model, logLikelihood, bic: bic(model, logLikelihood, packed), iterations: best.rounds }
}

/** Rounds of EM up to a number of them, or until one gains too little. */
function climb(from: Run, packed: Packed, rounds: number, enough: number): Run {
  let { model, logLikelihood, rounds: round } = from
  for (; round <= rounds; round += 1) {
    const step = emStepPacked(model, packed)
    const gain = step.logLikelihood - logLikelihood
    logLikelihood = step.logLikelihood
    if (round > 0 && gain <= enough) return { model, logLikelihood, rounds: round, done: true }
    if (round === rounds) break
    model = step.model
  }
  return { model, logLikelihood, rounds: round, done: false }
}

/** Free parameters times ln n, less twice the log-likelihood; n counts symbols, and only symbols that occur are parameters. */
function bic({ states }: Hmm, likelihood: number, { observed, total }: Packed): number {
  const parameters = states - 1 + states * (states - 1) + states * Math.max(0, observed - 1)
  return parameters * Math.log(Math.max(1, total)) - 2 * likelihood
}
