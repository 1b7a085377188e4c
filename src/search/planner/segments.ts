/** Cuts a question into segments: terms with their possible meanings, operations, and words that found no place. */
import { type LexiconEntry, type Meaning, meaningKey } from './lexicon.ts'
import { type Token, straySigns, textOf } from './tokens.ts'
import type { FoundValue } from './values.ts'
import { AGGREGATE_WORDS, ASKS_FOR_ALL, COMPARISON_PHRASES, COUNT_PHRASES, FUNCTION_WORDS, GROUPING, NEGATIONS, WHY_WORDS, isGlue } from './words.ts'

export type Operation =
  | { readonly kind: 'count' }
  | { readonly kind: 'why' }
  | { readonly kind: 'negation' }
  | { readonly kind: 'per' }
  | { readonly kind: 'or' }
  /** "who": a person is asked for, which only a rule's head can answer here */
  | { readonly kind: 'who' }
  /** "customers and their subscriptions": what follows is to be shown as well */
  | { readonly kind: 'also' }
  | { readonly kind: 'aggregate'; readonly fn: 'avg' | 'sum' | 'max' | 'min' }
  | { readonly kind: 'compare'; readonly op: '>' | '>=' | '<' | '<='; readonly value: number }

export interface Segment {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly meanings: readonly Meaning[]
  readonly operation: Operation | null
}

export interface Segmented {
  readonly segments: readonly Segment[]
  /** content words that nothing covers, as written */
  readonly uncovered: readonly string[]
}

export function segment(
  question: string,
  tokens: readonly Token[],
  lexicon: readonly LexiconEntry[],
  values: readonly FoundValue[],
): Segmented {
  const segments: Segment[] = []
  const uncovered: string[] = straySigns(question, tokens)
  for (let at = 0; at < tokens.length; ) {
    const operation = operationAt(tokens, at)
    const term = termAt(tokens, at, lexicon, values)
    // "the average order total": an aggregate word that is also a term is the term once an aggregate has been asked for
    const folded = operation?.operation.kind === 'aggregate' && segments.some((other) => other.operation?.kind === 'aggregate')
    if (operation !== null && operation.length >= term.length && !(folded && term.length > 0)) {
      segments.push({ start: at, end: at + operation.length, text: textOf(question, tokens, at, at + operation.length), meanings: [], operation: operation.operation })
      at += operation.length
    } else if (term.length > 0) {
      segments.push({ start: at, end: at + term.length, text: textOf(question, tokens, at, at + term.length), meanings: term.meanings, operation: null })
      at += term.length
    } else {
      const token = tokens[at]!
      const allOfThem = token.lower === 'all' && (at === 0 || ASKS_FOR_ALL.has(tokens[at - 1]?.lower ?? ''))
      if (token.quoted || (!isGlue(token.lower) && !allOfThem)) uncovered.push(token.text)
      at += 1
    }
  }
  return { segments, uncovered }
}

const startsWith = (tokens: readonly Token[], at: number, words: readonly string[]) =>
  words.every((word, i) => tokens[at + i]?.quoted === false && tokens[at + i]?.lower === word)

function operationAt(tokens: readonly Token[], at: number): { length: number; operation: Operation } | null {
  const token = tokens[at]!
  if (token.quoted) return null
  const count = COUNT_PHRASES.find((words) => startsWith(tokens, at, words))
  if (count !== undefined) return { length: count.length, operation: { kind: 'count' } }
  for (const [words, op] of COMPARISON_PHRASES) {
    const number = tokens[at + words.length]
    if (startsWith(tokens, at, words) && number !== undefined && /^-?\d+(\.\d+)?$/.test(number.lower)) {
      return { length: words.length + 1, operation: { kind: 'compare', op, value: Number(number.lower) } }
    }
  }
  const fn = AGGREGATE_WORDS[token.lower]
  if (fn !== undefined) return { length: 1, operation: { kind: 'aggregate', fn } }
  if (WHY_WORDS.has(token.lower)) return { length: 1, operation: { kind: 'why' } }
  if (NEGATIONS.has(token.lower)) return { length: 1, operation: { kind: 'negation' } }
  if (GROUPING.has(token.lower)) return { length: 1, operation: { kind: 'per' } }
  if (token.lower === 'or') return { length: 1, operation: { kind: 'or' } }
  if (token.lower === 'who' || token.lower === 'whom') return { length: 1, operation: { kind: 'who' } }
  if (startsWith(tokens, at, ['and', 'their']) || startsWith(tokens, at, ['and', 'its'])) return { length: 2, operation: { kind: 'also' } }
  return null
}

/** The longest term that starts here, with everything it may mean. */
function termAt(tokens: readonly Token[], at: number, lexicon: readonly LexiconEntry[], values: readonly FoundValue[]) {
  const found: { length: number; meaning: Meaning }[] = values
    .filter((value) => value.start === at)
    .map((value) => ({ length: value.end - value.start, meaning: value.entry.meaning }))
  for (const { words, meaning } of lexicon) {
    if (words.length === 1 && FUNCTION_WORDS.has(tokens[at]!.lower)) continue
    if (words.every((word, i) => tokens[at + i]?.quoted === false && tokens[at + i]?.lemma === word)) {
      found.push({ length: words.length, meaning })
    }
  }
  const length = Math.max(0, ...found.map((candidate) => candidate.length))
  const meanings = new Map(found.filter((c) => c.length === length).map((c) => [meaningKey(c.meaning), c.meaning]))
  return { length, meanings: [...meanings.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, meaning]) => meaning) }
}
