/**
 * How a question that is being typed may go on: terms of the cut ontology and values of its text columns that complete the last
 * words. What is above the ceiling is in neither, so a completion cannot tell that it exists.
 */
import type { Flavor } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import { straySigns, tokenise } from './planner/tokens.ts'
import { isGlue } from './planner/words.ts'
import { spansOf } from './values/spans.ts'

export const SUGGESTION_KINDS = ['class', 'property', 'value', 'question'] as const
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number]

export interface Suggestion {
  /** the term or value as people know it */
  readonly text: string
  readonly kind: SuggestionKind
  /** the whole question once the suggestion is taken */
  readonly insert: string
}

/** Something that may complete a question. */
export interface Candidate {
  readonly text: string
  readonly kind: SuggestionKind
}

/** The last words of the question, as far back as `from`. */
export interface Fragment {
  /** in lower case, with one blank between words; a blank at the end says that the last word is whole */
  readonly text: string
  readonly from: number
  readonly words: number
  /** a quotation mark is open: only a value can be meant */
  readonly quoted: boolean
}

const MAX_WORDS = 5 // as many as the planner reads as one value
const MIN_CHARS = 2 // one letter stands inside nearly everything
const WORD = /[\p{L}\p{N}][^\s,;?!()"“”]*/gu

/** What may be completed, the longest first: of "open alarms of crt-0" it is the last five words, then four, and so on. */
export function fragmentsOf(question: string): Fragment[] {
  const open = openQuote(question)
  if (open !== null) {
    const text = plain(question.slice(open + 1)).trimStart()
    return text === '' ? [] : [{ text, from: open, words: text.split(' ').length, quoted: true }]
  }
  const words = [...question.matchAll(WORD)].map((match) => ({ from: match.index, to: match.index + match[0].length }))
  const rest = question.slice(words.at(-1)?.to ?? 0)
  if (words.length === 0 || rest.trim() !== '') return []
  return words.slice(-MAX_WORDS).flatMap(({ from }, at, last) => {
    const text = plain(question.slice(from))
    return /["“”?!;]/.test(text) ? [] : [{ text, from, words: last.length - at, quoted: false }]
  })
}

/** Labels and synonyms of what the ontology holds, with the words of the trade for them. */
export function termsOf(ontology: Ontology, flavor: Flavor): Candidate[] {
  const extra = (term: string) => flavor.synonyms[term] ?? []
  return ontology.classes.flatMap((cls) => [
    ...[cls.label, ...cls.synonyms, ...extra(cls.name)].map((text) => ({ text, kind: 'class' as const })),
    ...cls.properties
      .flatMap(({ name, label, synonyms }) => [label, ...synonyms, ...extra(`${cls.name}.${name}`)])
      .map((text) => ({ text, kind: 'property' as const })),
  ])
}

/** The questions that a flavor gives as examples: what to offer before anything is typed. */
export const exampleQuestions = ({ example }: Flavor): Suggestion[] =>
  example === undefined ? [] : [{ text: example, kind: 'question', insert: example }]

/** Best first: the whole begins so, a word of it does, it stands inside; then more words at once, then kind, then name. */
export function rankSuggestions(question: string, candidates: readonly Candidate[], limit: number): Suggestion[] {
  const fragments = fragmentsOf(question)
  const ranked = candidates
    .flatMap((candidate) => {
      const fits = fragments.flatMap((fragment) => {
        const place = placeIn(candidate, fragment)
        const insert = place === null ? null : inserted(question, fragment, candidate)
        return place === null || insert === null ? [] : [{ place, words: fragment.words, insert, ...candidate }]
      })
      return fits.toSorted((a, b) => a.place - b.place || b.words - a.words).slice(0, 1)
    })
    .filter(({ insert }) => insert !== question)
    .toSorted((a, b) => a.place - b.place || b.words - a.words || rankOf(a.kind) - rankOf(b.kind) || byName(a.text, b.text))
  const seen = new Set<string>()
  return ranked
    .filter(({ insert }) => !seen.has(insert) && seen.add(insert))
    .slice(0, limit)
    .map(({ text, kind, insert }) => ({ text, kind, insert }))
}

/** 0: at the beginning, 1: at the beginning of a word, 2: inside, null: nowhere. */
function placeIn({ text, kind }: Candidate, fragment: Fragment): 0 | 1 | 2 | null {
  if (fragment.quoted && kind !== 'value') return null
  const whole = plain(text)
  if (whole.startsWith(fragment.text)) return 0
  let inside = false
  for (let at = whole.indexOf(fragment.text); at !== -1; at = whole.indexOf(fragment.text, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(whole.charAt(at - 1))) return 1
    inside = true
  }
  return inside && mayStandInside(fragment) ? 2 : null
}

/** Whether a fragment says enough to be looked for among values. */
export const saysEnough = ({ text }: Fragment): boolean => text.trim().length >= MIN_CHARS

/** Whether it says enough to be looked for anywhere in a text: "as" may become "Aster", but "phase" is not what it means. */
export const mayStandInside = (fragment: Fragment): boolean =>
  saysEnough(fragment) && !fragment.text.trim().split(' ').every((word) => isGlue({ lower: word, text: word }))

/** The question with the fragment completed; a value that the planner would not read as one is put in quotation marks. */
function inserted(question: string, { from, quoted }: Fragment, { text, kind }: Candidate): string | null {
  const written = kind === 'value' ? writtenValue(text, quoted) : inSentence(text, question.charAt(from))
  return written === null ? null : question.slice(0, from) + written
}

function writtenValue(text: string, quoted: boolean): string | null {
  const tokens = tokenise(text)
  const whole = spansOf(text, tokens).some((span) => span.end - span.start === tokens.length && span.text.toLowerCase() === text.toLowerCase())
  if (!quoted && whole && !/["“”]/.test(text) && straySigns(text, tokens).length === 0) return text
  if (!text.includes('"')) return `"${text}"`
  return /[“”]/.test(text) ? null : `“${text}”`
}

/** "Maintenance window" is how a label stands alone; who typed a small letter goes on with one. "VLAN" stays as it is. */
const inSentence = (label: string, typed: string): string =>
  typed !== typed.toUpperCase() && /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

function openQuote(question: string): number | null {
  let open: number | null = null
  for (let at = 0; at < question.length; at += 1) {
    const sign = question.charAt(at)
    if (sign === '"') open = open === null ? at : null
    else if (sign === '“') open ??= at
    else if (sign === '”') open = null
  }
  return open
}

const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ').toLowerCase()
const rankOf = (kind: SuggestionKind): number => SUGGESTION_KINDS.indexOf(kind)
const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byName = (a: string, b: string): number => byCodeUnit(plain(a), plain(b)) || byCodeUnit(a, b)
