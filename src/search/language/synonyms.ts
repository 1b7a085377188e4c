/** Other words for a word: the same meaning, a broader or a narrower one, and words of the same root or the same quantity. */
import { compareText } from '../../kernel/term.ts'
import { degreeAdjectivesOf, degreesOf } from './degrees.ts'
import { WORD_CLASSES, derivedFrom, senseAt, sensesBelow, sensesOf } from './wordnet.ts'
import type { WordClass } from './wordnet.ts'

export interface WeighedWord {
  readonly lemma: string
  /** from 0 to 1: how likely one word is meant by the other */
  readonly weight: number
}

/** A vehicle may be a car, but need not be one. */
const OF_A_KIND = 0.6
const SAME_ROOT = 0.7
const SAME_QUANTITY = 0.8

/** Words that share a meaning, best first: `synonymsOf('buy', 'verb')` has purchase. The weight is the same both ways. */
export const synonymsOf = (lemma: string, pos?: WordClass): readonly WeighedWord[] =>
  throughSenses(lemma, pos, 1, (place) => [place])

/** What a noun is a kind of and the plainer word for an adjective: `broaderOf('car')` has vehicle. */
export const broaderOf = (lemma: string, pos?: WordClass): readonly WeighedWord[] =>
  throughSenses(lemma, pos, OF_A_KIND, (place) => senseAt(place).above)

/** The other way round: `narrowerOf('vehicle')` has car. */
export const narrowerOf = (lemma: string, pos?: WordClass): readonly WeighedWord[] =>
  throughSenses(lemma, pos, OF_A_KIND, sensesBelow)

/** Words of another class with the same root (write, writer) and the quantity an adjective speaks of (old, age), both ways. */
export function relatedOf(lemma: string, pos?: WordClass): readonly WeighedWord[] {
  const found = new Map<string, number>()
  for (const each of pos === undefined ? WORD_CLASSES : [pos]) {
    for (const other of derivedFrom(lemma, each)) keepBest(found, other, SAME_ROOT)
  }
  if (pos === undefined || pos === 'adj') {
    for (const { nouns } of degreesOf(lemma)) for (const noun of nouns) keepBest(found, noun, SAME_QUANTITY)
  }
  if (pos === undefined || pos === 'noun') {
    for (const adjective of degreeAdjectivesOf(lemma)) keepBest(found, adjective, SAME_QUANTITY)
  }
  return sorted(found, lemma)
}

function throughSenses(
  lemma: string,
  pos: WordClass | undefined,
  factor: number,
  reach: (place: number) => readonly number[],
): readonly WeighedWord[] {
  const found = new Map<string, number>()
  for (const each of pos === undefined ? WORD_CLASSES : [pos]) {
    for (const place of sensesOf(lemma, each)) {
      const own = senseAt(place).words.find((word) => word.lemma === lemma)?.worth ?? 0
      const reached = reach(place).flatMap((other) => senseAt(other).words)
      for (const word of reached) keepBest(found, word.lemma, factor * own * word.worth)
    }
  }
  return sorted(found, lemma)
}

function keepBest(found: Map<string, number>, lemma: string, weight: number): void {
  if (weight > (found.get(lemma) ?? 0)) found.set(lemma, weight)
}

const sorted = (found: ReadonlyMap<string, number>, without: string): readonly WeighedWord[] =>
  [...found]
    .filter(([lemma]) => lemma !== without)
    .map(([lemma, weight]) => ({ lemma, weight }))
    .toSorted((x, y) => y.weight - x.weight || compareText(x.lemma, y.lemma))
