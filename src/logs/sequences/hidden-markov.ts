/**
 * How unlikely a hidden Markov model finds a sequence, per template. The number of states is chosen by BIC; the end of a
 * sequence is a symbol of its own, so that breaking off counts.
 */
import { type Hmm, type HmmSelection, type Rng, emStepPacked, logLikelihood, packSequences, selectHmm, softened } from '../../kernel/stats/index.ts'
import type { Detector, Learning, Strangeness } from './detector.ts'

export const MAX_STATES = 8
const RESTARTS = 4
/** Gain per symbol below which fitting ends: finer fits rank sequences no better. */
const TOLERANCE = 1e-4
/** Share of every distribution that is left for what was never seen. */
const UNSEEN = 1e-4
/** Rounds that take a model of all sequences to one of most of them. */
const REFIT_ROUNDS = 5
/** Symbols in different sequences that a model is fitted to; of more, a part stands for all. */
const MAX_SYMBOLS = 15_000

export interface HiddenMarkov {
  readonly selection: HmmSelection
  readonly strangeness: Strangeness
}

/** The model of all sequences. */
export function learnHiddenMarkov(sequences: readonly (readonly number[])[], { size, random }: Learning): HiddenMarkov {
  const selection = selectHmm(some(sequences.map((each) => [...each, size])), MAX_STATES, options(size, random))
  return { selection, strangeness: strangenessUnder(selection.best.model, size) }
}

/** The same model without some of the sequences: moved on by a few rounds over the others. */
export function relearned(model: Hmm, sequences: readonly (readonly number[])[], size: number): Strangeness {
  let moved = softened(model, UNSEEN)
  const packed = packSequences(some(sequences.map((each) => [...each, size])), size + 1)
  for (let round = 0; round < REFIT_ROUNDS; round += 1) moved = emStepPacked(moved, packed).model
  return strangenessUnder(moved, size)
}

export const hiddenMarkov: Detector = {
  name: 'hmm',
  learn: (sequences, learning) => learnHiddenMarkov(sequences, learning).strangeness,
}

const options = (size: number, random: Rng) => ({ symbols: size + 1, random, restarts: RESTARTS, tolerance: TOLERANCE })

function strangenessUnder(model: Hmm, size: number): Strangeness {
  const soft = softened(model, UNSEEN)
  const unknown = -Math.log(UNSEEN / (size + 1)) // what a symbol outside the model costs
  return (sequence) => {
    const known = sequence.filter((symbol) => symbol < size)
    return (-logLikelihood(soft, [...known, size]) + (sequence.length - known.length) * unknown) / (sequence.length + 1)
  }
}

/** Every so-many-th sequence, where there are too many; equal ones cost nothing, so only different ones count. */
function some(sequences: readonly number[][]): readonly number[][] {
  const different = new Map(sequences.map((each) => [each.join(' '), each.length]))
  const symbols = different.values().reduce((sum, length) => sum + length, 0)
  const step = Math.ceil(symbols / MAX_SYMBOLS)
  return step <= 1 ? sequences : sequences.filter((_, i) => i % step === 0)
}
