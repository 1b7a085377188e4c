/** The functions of text. Lengths and places count characters, not UTF-16 units. */
import type { Term } from '../term.ts'
import { iri } from '../term.ts'
import { md5, sha1, sha256, sha384, sha512 } from './digest.ts'
import { resolveIri } from './iri.ts'
import { compilePattern, matches, replaceAll } from './pattern.ts'
import { booleanTerm, integerTerm, isPlain, scalarOf, textTerm } from './scalar.ts'
import type { Text } from './scalar.ts'

const textOf = (term: Term): Text | undefined => {
  const value = scalarOf(term)
  return value.kind === 'text' ? value : undefined
}

/** The text of a literal without a language. */
const plainText = (term: Term): string | undefined => {
  const value = scalarOf(term)
  return isPlain(value) ? value.text : undefined
}

const integerOf = (term: Term): number | undefined => {
  const value = scalarOf(term)
  return value.kind === 'integer' ? Number(value.digits) : undefined
}

export function strlen(term: Term): Term | undefined {
  const value = textOf(term)
  return value && integerTerm(characters(value.text))
}

function characters(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++) if (isLow(text.charCodeAt(i)) && isHigh(text.charCodeAt(i - 1))) count--
  return count
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Places count from 1; what lies outside of the text adds nothing. */
export function substr(source: Term, start: Term, length?: Term): Term | undefined {
  const value = textOf(source)
  const from = integerOf(start)
  const count = length === undefined ? Infinity : integerOf(length)
  if (value === undefined || from === undefined || count === undefined) return undefined
  const all = Array.from(value.text)
  return textTerm(all.slice(Math.max(from - 1, 0), Math.max(from - 1 + count, 0)).join(''), value.language)
}

const mapped = (change: (text: string) => string) => (term: Term): Term | undefined => {
  const value = textOf(term)
  return value && textTerm(change(value.text), value.language)
}

export const ucase = mapped((text) => text.toUpperCase())
export const lcase = mapped((text) => text.toLowerCase())

export function encodeForUri(term: Term): Term | undefined {
  const value = textOf(term)
  if (value === undefined || !value.text.isWellFormed()) return undefined
  const escape = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return textTerm(encodeURIComponent(value.text).replace(/[!'()*]/g, escape))
}

export function concat(terms: readonly Term[]): Term | undefined {
  const values = terms.map(textOf)
  const known = values.filter((value) => value !== undefined)
  if (known.length < values.length) return undefined
  const language = known.every((value) => value.language === known[0]?.language) ? known[0]?.language : undefined
  // measured first: the engine cannot even hold the longest texts
  if (known.reduce((sum, { text }) => sum + text.length, 0) > 2 ** 26) return undefined
  return textTerm(known.map(({ text }) => text).join(''), language)
}

/** Two texts go together where the second has no language, or the language of the first. */
const paired = (relate: (left: Text, right: string) => Term | undefined) => (left: Term, right: Term): Term | undefined => {
  const [x, y] = [textOf(left), textOf(right)]
  if (x === undefined || y === undefined || (y.language !== undefined && y.language !== x.language)) return undefined
  return relate(x, y.text)
}

export const strstarts = paired(({ text }, start) => booleanTerm(text.startsWith(start)))
export const strends = paired(({ text }, end) => booleanTerm(text.endsWith(end)))
export const contains = paired(({ text }, part) => booleanTerm(text.includes(part)))
export const strbefore = paired(({ text, language }, part) => {
  const at = text.indexOf(part)
  return at < 0 ? textTerm('') : textTerm(text.slice(0, at), language)
})
export const strafter = paired(({ text, language }, part) => {
  const at = text.indexOf(part)
  return at < 0 ? textTerm('') : textTerm(text.slice(at + part.length), language)
})

export function langmatches(tag: Term, range: Term): Term | undefined {
  const [tags, ranges] = [plainText(tag)?.toLowerCase(), plainText(range)?.toLowerCase()]
  if (tags === undefined || ranges === undefined) return undefined
  return booleanTerm(ranges === '*' ? tags !== '' : tags === ranges || tags.startsWith(`${ranges}-`))
}

export function regex(text: Term, pattern: Term, flags?: Term): Term | undefined {
  const value = textOf(text)
  const compiled = patternOf(pattern, flags)
  return value && compiled && booleanTerm(matches(compiled, value.text))
}

export function replace(text: Term, pattern: Term, replacement: Term, flags?: Term): Term | undefined {
  const [value, by] = [textOf(text), plainText(replacement)]
  const compiled = patternOf(pattern, flags)
  if (value === undefined || by === undefined || compiled === undefined) return undefined
  const isLiteral = flags !== undefined && plainText(flags)?.includes('q') === true
  const replaced = replaceAll(compiled, value.text, by, isLiteral)
  return replaced === undefined ? undefined : textTerm(replaced, value.language)
}

function patternOf(pattern: Term, flags: Term | undefined) {
  const [source, options] = [plainText(pattern), flags === undefined ? '' : plainText(flags)]
  return source === undefined || options === undefined ? undefined : compilePattern(source, options)
}

export function toIri(term: Term, base?: Term): Term | undefined {
  if (term.kind === 'iri') return term
  const text = plainText(term)
  const from = base === undefined ? undefined : base.kind === 'iri' ? base.value : plainText(base)
  const resolved = text === undefined ? undefined : resolveIri(text, from)
  return resolved === undefined ? undefined : iri(resolved)
}

const TAG = /^(?:[A-Za-z]{2,8}|[IXix](?=-))(?:-[A-Za-z0-9]{1,8})*$/

export function strlang(text: Term, language: Term): Term | undefined {
  const [value, tag] = [plainText(text), plainText(language)]
  return value === undefined || tag === undefined || !TAG.test(tag) ? undefined : textTerm(value, tag.toLowerCase())
}

const digestBy = (digest: (text: string) => string) => (term: Term): Term | undefined => {
  const text = plainText(term)
  return text === undefined ? undefined : textTerm(digest(text))
}

export const DIGESTS = {
  md5: digestBy(md5),
  sha1: digestBy(sha1),
  sha256: digestBy(sha256),
  sha384: digestBy(sha384),
  sha512: digestBy(sha512),
} as const
