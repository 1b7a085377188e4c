/** What a function sees of a term: its value and the kind of number or text it is, and how values are written as terms. */
import { literal, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { parseMoment, printMoment } from './calendar.ts'
import type { Moment, MomentKind } from './calendar.ts'
import { isReasonable, parseDecimal, parseInteger, printDecimal, whole } from './decimal.ts'
import type { Decimal } from './decimal.ts'
import { parseDouble, printDouble, printFloat } from './double.ts'
import { parseDuration, printDuration } from './duration.ts'
import type { Duration, DurationKind } from './duration.ts'
import { INTEGERS } from './value.ts'

export type Exact = { readonly kind: 'integer' | 'decimal' } & Decimal
export type Binary = { readonly kind: 'float' | 'double'; readonly number: number }
export type Numeric = Exact | Binary

/** Text with or without a language; the tag in lower case, as its case means nothing. */
export interface Text {
  readonly kind: 'text'
  readonly text: string
  readonly language?: string
}

export type Scalar =
  | Numeric
  | Text
  | { readonly kind: 'boolean'; readonly value: boolean }
  | Moment
  | Duration
  /** an IRI or a blank node */
  | { readonly kind: 'node' }
  /** a literal of a datatype that nothing is known about, or one that is malformed */
  | { readonly kind: 'unknown' }

/** Longer texts are refused: a rule that repeats its own result would double their length each round. */
const MAX_TEXT = 2 ** 24

export const RDF_LANG_STRING = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'

export function scalarOf(term: Term): Scalar {
  if (term.kind !== 'literal') return { kind: 'node' }
  if (term.language !== undefined) return { kind: 'text', text: term.value, language: term.language.toLowerCase() }
  if (INTEGERS.has(term.datatype)) return parsed(term.value, 'integer')
  return term.datatype.startsWith(XSD) ? parsed(term.value, term.datatype.slice(XSD.length)) : { kind: 'unknown' }
}

/** The value that a text has in one of the types of XML Schema. */
export function parsed(text: string, type: string): Scalar {
  return read(text, type) ?? { kind: 'unknown' }
}

function read(text: string, type: string): Scalar | undefined {
  switch (type) {
    case 'string':
      return { kind: 'text', text }
    case 'integer': {
      const digits = parseInteger(text)
      return digits === undefined ? undefined : { kind: type, ...whole(digits) }
    }
    case 'decimal': {
      const decimal = parseDecimal(text)
      return decimal && { kind: type, ...decimal }
    }
    case 'float':
    case 'double': {
      const number = parseDouble(text)
      return number === undefined ? undefined : { kind: type, number: type === 'float' ? Math.fround(number) : number }
    }
    case 'boolean':
      return /^(true|false|0|1)$/.test(text) ? { kind: type, value: text === 'true' || text === '1' } : undefined
    case 'date':
    case 'dateTime':
    case 'time':
      return parseMoment(text, type)
    case 'duration':
    case 'yearMonthDuration':
    case 'dayTimeDuration':
      return parseDuration(text, type)
    default:
      return undefined
  }
}

const MOMENTS: ReadonlySet<string> = new Set<MomentKind>(['date', 'dateTime', 'time'])
const DURATIONS: ReadonlySet<string> = new Set<DurationKind>(['duration', 'yearMonthDuration', 'dayTimeDuration'])

export const isExact = (value: Scalar): value is Exact => value.kind === 'integer' || value.kind === 'decimal'
export const isBinary = (value: Scalar): value is Binary => value.kind === 'float' || value.kind === 'double'
export const isNumeric = (value: Scalar): value is Numeric => isExact(value) || isBinary(value)
export const isMoment = (value: Scalar): value is Moment => MOMENTS.has(value.kind)
export const isDuration = (value: Scalar): value is Duration => DURATIONS.has(value.kind)
export const isPlain = (value: Scalar): value is Text => value.kind === 'text' && value.language === undefined

export const toNumber = (value: Numeric): number => (isBinary(value) ? value.number : Number(printDecimal(value)))

/** The text of a value that has one, in the spelling that all equal values of its type share. */
export function printed(value: Exclude<Scalar, { readonly kind: 'node' | 'unknown' }>): string {
  if (value.kind === 'text') return value.text
  if (value.kind === 'boolean') return String(value.value)
  if (isMoment(value)) return printMoment(value)
  if (isDuration(value)) return printDuration(value)
  if (isExact(value)) return printDecimal(value)
  return value.kind === 'float' ? printFloat(value.number) : printDouble(value.number)
}

/** undefined for what has no term of its own, and for what has grown beyond all reason. */
export function termOf(value: Scalar | undefined): Term | undefined {
  if (value === undefined || value.kind === 'node' || value.kind === 'unknown') return undefined
  if (value.kind === 'text') return textTerm(value.text, value.language)
  if (isExact(value) && !isReasonable(value)) return undefined
  return literal(printed(value), XSD + value.kind)
}

export function textTerm(text: string, language?: string): Term | undefined {
  if (text.length > MAX_TEXT) return undefined
  return language === undefined ? literal(text) : { kind: 'literal', value: text, datatype: RDF_LANG_STRING, language }
}

export const booleanTerm = (value: boolean): Term => literal(String(value), `${XSD}boolean`)
export const integerTerm = (value: number | bigint): Term => literal(String(value), `${XSD}integer`)
