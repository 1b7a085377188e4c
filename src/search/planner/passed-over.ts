/**
 * Words that may be passed over though nothing here is called by them, at a price: they stand beside a term and say no more of
 * it than what it is. What stands alone, and what restricts, may not: names, figures, operations, words that say how things are.
 */
import { lemmaOf } from '../language/lemma.ts'
import { isLemma } from '../language/wordnet.ts'
import { type Element, type Passed, type WordElement, isTerm } from './elements.ts'
import { operationsAt } from './operators.ts'
import { type Token, numberOf } from './tokens.ts'
import { partsOfSpeech } from './word-kinds.ts'
import { WEAK_NOUNS } from './words.ts'

const PRICE: Readonly<Record<Passed, number>> = { weak: -0.35, apposition: -0.9, verb: -0.9 }

/** What stands right before and right after a word, and what of the sentence lies further on either side. */
export interface Around {
  readonly before: readonly Element[]
  readonly after: readonly Element[]
  readonly said: readonly Element[]
  readonly coming: readonly Element[]
}

/** How the word at a token may be passed over; null: it may not. */
export function passedOver(tokens: readonly Token[], at: number, { before, after, said, coming }: Around): WordElement | null {
  if (!isPlainWord(tokens, at) || RECIPROCAL.has(lemmaOf(tokens[at]!.lower, 'verb'))) return null
  const how = asNoun(tokens, at, before, after) ?? asVerb(tokens, at, said, coming)
  if (how === null) return null
  return { kind: 'word', start: at, end: at + 1, score: PRICE[how], lower: tokens[at]!.lower, content: how === 'verb' ? 'verb' : 'none', passed: how }
}

/** In small letters, no figure, and no part of an operation. */
function isPlainWord(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]!
  if (token.quoted || token.opens || !/^\p{Ll}/u.test(token.text) || numberOf(token) !== null) return false
  return operationsAt(tokens, at).every(({ operation }) => operation.kind === 'everything')
}

/** "staff member", "the savings balance"; "the company X": what it is called by says which. */
function asNoun(tokens: readonly Token[], at: number, before: readonly Element[], after: readonly Element[]): Passed | null {
  const token = tokens[at]!
  // what has one name has it in full
  if (token.lower === 'full' && tokens[at + 1]?.lemma === 'name') return 'weak'
  // "fantasy and crime" are two; "3 hours" is a measure
  const previous = tokens[at - 1]
  if (previous !== undefined && (previous.lower === 'and' || previous.lower === 'or' || numberOf(previous) !== null)) return null
  const weak = WEAK_NOUNS.has(token.lemma)
  if (!weak && partsOfSpeech(tokens)[at] !== 'noun') return null
  if (!isLemma(token.lemma, 'noun') && !isLemma(token.lower, 'noun')) return null
  const follows = !token.paused && before.some(isTerm)
  const names = tokens[at + 1]?.paused === false && after.some((element) => (element.kind === 'value' && element.plain !== true) || element.kind === 'text')
  if (!follows && !names) return null
  return weak ? 'weak' : 'apposition'
}

/** What two have in common is a condition that no plan here can say. */
const RECIPROCAL: ReadonlySet<string> = new Set(['share', 'match', 'resemble', 'differ', 'equal'])

/** "guests rating lamps": between two terms, so that a way between them may be what it means. */
function asVerb(tokens: readonly Token[], at: number, said: readonly Element[], coming: readonly Element[]): Passed | null {
  const lemma = lemmaOf(tokens[at]!.lower, 'verb')
  if (WEAK_NOUNS.has(lemma) || !isLemma(lemma, 'verb') || (partsOfSpeech(tokens)[at] !== 'verb' && lemma === tokens[at]!.lower)) return null
  return said.some(isTerm) && coming.some(isTerm) ? 'verb' : null
}
