/** Every stretch of a question that may mean something, with everything it may mean. Which of them hold together comes later. */
import { splitIdentifier } from '../../kernel/text/index.ts'
import type { FoundValue } from '../values/find-values.ts'
import type { OntologyClass } from '../../ontology/index.ts'
import type { ClassElement, Element, Link, PropertyElement } from './elements.ts'
import { operationsAt } from './operators.ts'
import { type Saying, sayingsOf } from './sayings.ts'
import { type Term, type TermIndex, termKey } from './term-index.ts'
import { type Token, numberOf } from './tokens.ts'
import { describersOf, isInflectedVerb } from './word-kinds.ts'
import { FUNCTION_WORDS, isGlue } from './words.ts'

/** A weak link to less than the better part of a name says nothing. */
const LEAST_WEAK = 0.25

type SayingsAt = (at: number) => readonly Saying[]

/** What one more element costs: of two readings the one with fewer, longer parts is the likelier. */
const PIECE = 0.15
const VALUE_WORTH: Readonly<Record<FoundValue['how'], number>> = { exact: 1.05, folded: 1, form: 0.75, part: 0.45, fuzzy: 0.3 }

/** `them` is the class of the records that "them" and "those" refer back to. */
export function mentionsOf(
  tokens: readonly Token[],
  index: TermIndex,
  values: readonly FoundValue[],
  time: (at: number) => Element | null,
  them: OntologyClass | null = null,
): Element[] {
  const describes = describersOf(tokens)
  const known = sayingsOf(tokens, index)
  const sayings = (at: number) => known[at] ?? []
  return [
    ...tokens.flatMap((_, at) => termsAt(tokens, at, index, sayings)),
    ...meantValues(values).filter((value) => !isYearSaid(tokens, value)).map((value) => valueElement(tokens, value, describes)),
    ...tokens.flatMap((token, at): Element[] => {
      const number = numberOf(token)
      const found: Element[] = operationsAt(tokens, at).map(({ length, operation }) => ({
        kind: 'operation', start: at, end: at + length, score: 0.8 + (operation.kind === 'count' || operation.kind === 'most' ? 1.2 : 0.7) * (length - 1) - PIECE, operation,
      }))
      if (them !== null && (BACK.has(token.lower) || isTheirs(tokens, at, index))) {
        found.push({ kind: 'class', start: at, end: at + 1, score: 1.5, cls: them, weight: 1, link: 'whole', back: true })
      }
      const when = time(at)
      const isYear = when !== null && YEAR.test(token.text) && PERIOD_WORDS.has(tokens[at - 1]?.lower ?? '')
      if (number !== null && !isYear) found.push({ kind: 'number', start: at, end: at + 1, score: 0.7 - PIECE, value: number })
      if (token.quoted) found.push({ kind: 'text', start: at, end: at + 1, score: 0.2, text: token.text })
      if (when !== null) found.push(when)
      return found
    }),
  ]
}

function termsAt(tokens: readonly Token[], at: number, index: TermIndex, sayings: SayingsAt): Element[] {
  const token = tokens[at]!
  if (token.quoted) return []
  const best = new Map<string, Element>()
  const keep = (term: Term, element: Omit<PropertyElement | ClassElement, 'kind' | 'cls' | 'property'> & { readonly qualified: boolean }) => {
    const key = `${element.end} ${termKey(term)} ${element.link === 'half'}`
    if ((best.get(key)?.score ?? -Infinity) < element.score) best.set(key, { ...term, ...element } as Element)
  }
  const firsts = new Set(sayings(at).map(({ words }) => words[0]!))
  const shared = sharedNoun(tokens, at)
  for (const first of firsts) {
    for (const { words, term, weight, qualified, before, after } of index.get(first) ?? []) {
      if (before !== undefined && tokens[at + 1]?.lemma !== before) continue
      if (after !== undefined && tokens[at - 1]?.lower !== after) continue
      const half = before !== undefined || after !== undefined
      // "first and last name": the noun belongs to both
      if (words.length === 2 && words[1] === shared && weight >= 0.9 && (first === token.lemma || first === token.lower)) {
        keep(term, { start: at, end: at + 1, score: weight * 1.6 - PIECE, weight, link: 'whole', qualified: false })
      }
      if (words.length === 1 && (FUNCTION_WORDS.has(token.lower) || (DENIALS.has(token.lower) && weight < 0.9))) continue
      // "the last loan" is not half a last name
      if (words.length === 1 && weight < 0.9 && !half && PLACES_IN_ORDER.has(token.lower)) continue
      const match = matchOf(tokens, at, words, sayings)
      if (match === null) continue
      const { end, nearness, link } = match
      // "sent by": who did it is asked for, not when
      if (term.kind === 'property' && tokens[end]?.lower === 'by' && isInflectedVerb(tokens[end - 1]!.lower)) continue
      if (link !== null && weight * Math.min(...nearness) < LEAST_WEAK) continue
      // a verb that sounds like a column is a verb more often
      const verb = end === at + 1 && term.kind === 'property' && isInflectedVerb(token.lower) ? 0.75 : 1
      keep(term, {
        start: at, end, score: weight * verb * nearness.reduce((sum, each) => sum + each, 0) - PIECE,
        weight: weight * Math.min(...nearness), link: link ?? (half ? 'half' : weight >= 0.9 ? 'whole' : 'part'), qualified: qualified === true,
      })
    }
  }
  return [...best.values()]
}

/** The noun that this word shares with the one it is joined to: "first and last name", "start, end or due date". */
function sharedNoun(tokens: readonly Token[], at: number): string | null {
  let next = at + 1
  while (tokens[next]?.paused === true && tokens[next + 1] !== undefined && tokens[next]?.lower !== 'and') next += 1
  if (tokens[next]?.lower !== 'and' && tokens[next]?.lower !== 'or') return null
  const noun = tokens[next + 2]
  return noun === undefined || noun.quoted ? null : noun.lemma
}

interface Match {
  readonly end: number
  /** of each word but "of" */
  readonly nearness: readonly number[]
  /** the weakest, unless every word stands there itself */
  readonly link: Link | null
}

/** The words, or others for them, stand here one after the other; articles and "of" between them may be passed over. */
function matchOf(tokens: readonly Token[], at: number, words: readonly string[], sayings: SayingsAt, from = 0): Match | null {
  if (from === words.length) return { end: at, nearness: [], link: null }
  const word = words[from]!
  const next = from > 0 && word !== 'of' ? passed(tokens, at, word) : at
  const token = tokens[next]
  if (token === undefined || token.quoted || (from > 0 && (token.opens || token.paused))) return null
  let best: Match | null = null
  for (const saying of sayings(next)) {
    if (!saying.words.every((each, i) => words[from + i] === each)) continue
    const rest = matchOf(tokens, next + saying.length, words, sayings, from + saying.words.length)
    if (rest === null) continue
    const own = word === 'of' ? [] : [saying.nearness]
    const sure = saying.link === 'whole' ? null : saying.link
    const match = { end: rest.end, nearness: [...own, ...rest.nearness], link: sure ?? rest.link }
    if (best === null || worthOf(match) > worthOf(best)) best = match
  }
  return best
}
const worthOf = ({ nearness }: Match): number => nearness.reduce((sum, each) => sum + each, 0)

/** "their names" speaks of the earlier answer unless the question has named something before it. */
const isTheirs = (tokens: readonly Token[], at: number, index: TermIndex): boolean =>
  tokens[at]?.lower === 'their' && !tokens.slice(0, at).some(({ lemma }) => namesClass(index, lemma))

const namesClass = (index: TermIndex, lemma: string): boolean =>
  index.get(lemma)?.some(({ term, weight }) => term.kind === 'class' && weight >= 0.9) === true

function passed(tokens: readonly Token[], at: number, word: string): number {
  let next = at
  while (tokens[next] !== undefined && tokens[next]!.lower !== word && PASSED.has(tokens[next]!.lower)) next += 1
  return next
}

/** Never the better part of a name: "no" is not the number of something. */
const DENIALS: ReadonlySet<string> = new Set(['no', 'not', 'never', 'none', 'nor', 'without'])

const PLACES_IN_ORDER: ReadonlySet<string> = new Set(['first', 'last', 'next', 'previous'])

const BACK: ReadonlySet<string> = new Set(['them', 'those', 'these', 'they', 'ones'])

const PASSED: ReadonlySet<string> = new Set(['of', 'the', 's'])

/** "in 2010": a year, whatever else is written so, unless the column is one of years. */
function isYearSaid(tokens: readonly Token[], { start, end, property }: FoundValue): boolean {
  const token = tokens[start]!
  if (end !== start + 1 || token.quoted || !YEAR.test(token.text)) return false
  return PERIOD_WORDS.has(tokens[start - 1]?.lower ?? '') && !splitIdentifier(property.name).some((word) => /^(?:year|date)s?$/i.test(word))
}
const YEAR = /^(?:19|20)\d\d$/
const PERIOD_WORDS: ReadonlySet<string> = new Set(['in', 'since', 'before', 'after', 'during', 'until', 'of'])

/** Where the words are a value as they stand, neither a part of them nor what resembles them is meant. */
function meantValues(values: readonly FoundValue[]): FoundValue[] {
  const sure = values.filter(({ how }) => how === 'exact' || how === 'folded')
  return values.filter((value) => {
    const guess = value.how === 'part' || value.how === 'fuzzy'
    return !sure.some(({ start, end }) => {
      const inside = start <= value.start && end >= value.end
      return inside && (end - start > value.end - value.start || guess)
    })
  })
}

function valueElement(tokens: readonly Token[], found: FoundValue, describes: (at: number) => boolean): Element {
  const { start, end, cls, property, value, how } = found
  const span = tokens.slice(start, end)
  const content = span.filter(({ lower, quoted }) => quoted || !FUNCTION_WORDS.has(lower)).length
  const plain = span.length === 1 && !span[0]!.quoted && /^\p{Ll}/u.test(span[0]!.text)
  // a common word in small letters that happens to stand in a column says little; in quotation marks it says everything
  const glue = span.every((token) => !token.quoted && isGlue(token))
  const trust = plain ? (how === 'exact' ? 0.9 : 0.65) : 1
  const worth = VALUE_WORTH[how] * Math.max(1, content) * trust + (span[0]!.quoted ? 0.5 : 0) - (glue ? 0.8 : 0) - PIECE
  return { kind: 'value', start, end, score: worth, cls, property, value, how, plain, describes: plain && describes(start) }
}
