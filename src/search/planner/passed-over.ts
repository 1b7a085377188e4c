/**
 * Words that may be passed over though nothing here is called by them, at a price: they stand beside a term and say no more of
 * it than what it is. What stands alone, and what restricts, may not: names, figures, operations, words that say how things are.
 */
import { isLemma } from '../language/wordnet.ts'
import { type Element, type Passed, type WordElement, isTerm } from './elements.ts'
import { operationsAt } from './operators.ts'
import { type Token, numberOf } from './tokens.ts'
import { partsOfSpeech } from './word-kinds.ts'
import { WEAK_NOUNS } from './words.ts'

const PRICE: Readonly<Record<Passed, number>> = { weak: -0.35, apposition: -0.9, verb: -0.9 }

/** How the word at a token may be passed over after these elements and before those; null: it may not. */
export function passedOver(tokens: readonly Token[], at: number, before: readonly Element[], after: readonly Element[]): WordElement | null {
  if (!isPlainWord(tokens, at)) return null
  const how = asNoun(tokens, at, before, after)
  if (how === null) return null
  return { kind: 'word', start: at, end: at + 1, score: PRICE[how], lower: tokens[at]!.lower, content: 'none', passed: how }
}

/** In small letters, no figure, and no part of an operation. */
function isPlainWord(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]!
  if (token.quoted || token.opens || !/^\p{Ll}/u.test(token.text) || numberOf(token) !== null) return false
  return operationsAt(tokens, at).length === 0
}

/** "staff member", "the savings balance"; "the company X": what it is called by says which. */
function asNoun(tokens: readonly Token[], at: number, before: readonly Element[], after: readonly Element[]): Passed | null {
  const token = tokens[at]!
  const weak = WEAK_NOUNS.has(token.lemma)
  if (!weak && partsOfSpeech(tokens)[at] !== 'noun') return null
  if (!isLemma(token.lemma, 'noun') && !isLemma(token.lower, 'noun')) return null
  const follows = !token.paused && before.some(isTerm)
  const names = tokens[at + 1]?.paused === false && after.some((element) => element.kind === 'value' || element.kind === 'text')
  if (!follows && !names) return null
  return weak ? 'weak' : 'apposition'
}
