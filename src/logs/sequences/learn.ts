/**
 * What is ordinary, learned from sequences, and how far another one is from it. Simple detectors and a hidden Markov model
 * judge side by side; each says how rare its strangeness is among ordinary sequences it has not learned from. The harmonic mean
 * of these p-values (Wilson 2019) is ranked among those of ordinary sequences in the same way: one detector that is sure counts
 * whatever the others say, and their sum (Fisher 1932) found fewer planted sequences.
 */
import { type HmmSelection, type Ranking, integerIn, rankingOf, rng } from '../../kernel/stats/index.ts'
import { countVector } from './count-vector.ts'
import type { Detector, Strangeness } from './detector.ts'
import { hiddenMarkov, learnHiddenMarkov, relearned } from './hidden-markov.ts'
import { markov } from './markov.ts'
import { type RarestTemplate, rarityAmong } from './rarity.ts'
import { unseenEvent } from './unseen-event.ts'
import { type Vocabulary, vocabularyOf } from './vocabulary.ts'

export const SIMPLE: readonly Detector[] = [countVector, unseenEvent, markov]
export const DETECTORS: readonly string[] = [...SIMPLE.map(({ name }) => name), hiddenMarkov.name]

const FOLDS = 5
/** A nat: scores that are logarithms of probabilities fall no faster than this. */
const NAT = 1

/** How strange a sequence is to each detector, and how rare that is among ordinary ones. */
export interface Judged {
  /** in the order of DETECTORS */
  readonly scores: readonly number[]
  readonly ps: readonly number[]
  /** minus the logarithm of the harmonic mean of the ps */
  readonly combined: number
}

export interface SequenceModel {
  readonly vocabulary: Vocabulary
  readonly selection: HmmSelection
  /** of every learned sequence, judged by detectors that have not learned from it */
  readonly heldOut: readonly Judged[]
  readonly rankings: readonly Ranking[]
  readonly ranking: Ranking
  /** chance in [0, 1) picks the detectors that judge: so the sequence is treated as one more that was held out */
  readonly judge: (templates: readonly string[], chance: number) => Judged
  /** of one more sequence, counted among those that were learned */
  readonly rarity: (templates: readonly string[]) => RarestTemplate
}

/** Pure: the same sequences in the same order give the same model. */
export function learnOrdinary(sequences: readonly (readonly string[])[], seed: number): SequenceModel {
  const vocabulary = vocabularyOf(sequences)
  const { size } = vocabulary
  const encoded = sequences.map((each) => vocabulary.encode(each))
  const learning = () => ({ size, random: rng(seed) })
  const { selection } = learnHiddenMarkov(encoded, learning())
  const folds = foldsOf(encoded.length, seed)
  const withoutFold = Array.from({ length: Math.max(1, Math.min(FOLDS, encoded.length)) }, (_, fold) => {
    const rest = encoded.filter((_, i) => folds[i] !== fold)
    return [...SIMPLE.map((detector) => detector.learn(rest, learning())), relearned(selection.best.model, rest, size)]
  })
  const scores = encoded.map((sequence, i) => scored(sequence, withoutFold[folds[i]!]!))
  const rankings = DETECTORS.map((_, d) => rankingOf(scores.map((each) => each[d]!), { smallest: d < SIMPLE.length ? NAT : 1e-3 }))
  const heldOut = scores.map((each) => judged(each, rankings))
  return {
    vocabulary, selection, heldOut, rankings,
    ranking: rankingOf(heldOut.map(({ combined }) => combined), { smallest: NAT }),
    rarity: rarityAmong(sequences),
    judge: (templates, chance) =>
      judged(scored(vocabulary.encode(templates), withoutFold[Math.floor(chance * withoutFold.length)] ?? []), rankings),
  }
}

const scored = (sequence: readonly number[], detectors: readonly Strangeness[]): number[] =>
  detectors.map((strangeness) => strangeness(sequence))

function judged(scores: readonly number[], rankings: readonly Ranking[]): Judged {
  const ps = scores.map((score, d) => rankings[d]!.tail(score))
  const inverse = ps.reduce((sum, p) => sum + 1 / p, 0)
  return { scores, ps, combined: Math.log(inverse / ps.length) }
}

/** Each sequence gets a fold by chance, all folds equally large. */
function foldsOf(count: number, seed: number): Uint8Array {
  const random = rng(seed)
  const folds = Uint8Array.from({ length: count }, (_, i) => i % FOLDS)
  for (let i = count - 1; i > 0; i -= 1) {
    const j = integerIn(random, 0, i + 1)
    const swap = folds[i]!
    folds[i] = folds[j]!
    folds[j] = swap
  }
  return folds
}
