/** Constraints that look at one value and nothing else, as expressions over it. */
import type { Argument, Expr } from '../datalog/index.ts'
import { SH, XSD } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { literal } from '../term.ts'
import { isFunction } from '../values/index.ts'
import { call, constant } from './bodies.ts'

/** An expression over a value, true where the value fits. An error counts as not fitting. */
export type ValueTest = (value: Argument) => Expr

const text = (value: string): Expr => constant(literal(value))
const number = (value: string): Expr => constant(literal(value, `${XSD}integer`))
const either = (first: Expr, ...more: readonly Expr[]): Expr => more.reduce((left, right) => call('||', left, right), first)
const both = (first: Expr, ...more: readonly Expr[]): Expr => more.reduce((left, right) => call('&&', left, right), first)

const NODE_KINDS: Readonly<Record<string, readonly string[]>> = {
  IRI: ['isiri'],
  BlankNode: ['isblank'],
  Literal: ['isliteral'],
  BlankNodeOrIRI: ['isblank', 'isiri'],
  BlankNodeOrLiteral: ['isblank', 'isliteral'],
  IRIOrLiteral: ['isiri', 'isliteral'],
}

export function nodeKindTest(kind: Term): ValueTest | undefined {
  const [first, ...more] = NODE_KINDS[kind.value.startsWith(SH) ? kind.value.slice(SH.length) : ''] ?? []
  if (first === undefined) return undefined
  return (value) => either(call(first, value), ...more.map((name) => call(name, value)))
}

/** The whole numbers that XML Schema derives from xsd:integer: from, to. */
const WHOLE: Readonly<Record<string, readonly [string | null, string | null]>> = {
  integer: [null, null],
  nonNegativeInteger: ['0', null],
  positiveInteger: ['1', null],
  nonPositiveInteger: [null, '0'],
  negativeInteger: [null, '-1'],
  long: ['-9223372036854775808', '9223372036854775807'],
  int: ['-2147483648', '2147483647'],
  short: ['-32768', '32767'],
  byte: ['-128', '127'],
  unsignedLong: ['0', '18446744073709551615'],
  unsignedInt: ['0', '4294967295'],
  unsignedShort: ['0', '65535'],
  unsignedByte: ['0', '255'],
}

const ZONE = '(Z|[+-][0-9][0-9]:[0-9][0-9])?'
/** Spellings of the datatypes that no function casts to. */
const SPELLINGS: Readonly<Record<string, string>> = {
  time: `^[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?${ZONE}$`,
  gYear: `^-?[0-9]{4,}${ZONE}$`,
  gYearMonth: `^-?[0-9]{4,}-(0[1-9]|1[0-2])${ZONE}$`,
  gMonthDay: `^--(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])${ZONE}$`,
  gDay: `^---(0[1-9]|[12][0-9]|3[01])${ZONE}$`,
  gMonth: `^--(0[1-9]|1[0-2])${ZONE}$`,
  hexBinary: '^([0-9a-fA-F]{2})*$',
}
const CASTS = ['boolean', 'decimal', 'float', 'double', 'dateTime', 'date', 'duration', 'dayTimeDuration', 'yearMonthDuration']

/** The value has the datatype, and its text is a spelling of it where we know the spellings. */
export function datatypeTest(datatype: Term): ValueTest {
  const typed: ValueTest = (value) => call('sameterm', call('datatype', value), constant(datatype))
  const name = datatype.value.startsWith(XSD) ? datatype.value.slice(XSD.length) : ''
  const spelled = (value: Argument, pattern: string) => call('regex', call('str', value), text(pattern))
  const range = WHOLE[name]
  if (range !== undefined) {
    return (value) => {
      const whole = call(`${XSD}integer`, call('str', value))
      const [from, to] = range
      const parts = [spelled(value, '^[+-]?[0-9]+$')]
      if (from !== null) parts.push(call('>=', whole, number(from)))
      if (to !== null) parts.push(call('<=', whole, number(to)))
      return both(typed(value), ...parts)
    }
  }
  const pattern = SPELLINGS[name]
  if (pattern !== undefined) return (value) => both(typed(value), spelled(value, pattern))
  if (!CASTS.includes(name) || !isFunction(datatype.value, 1)) return typed
  // a cast of a malformed text is an error
  return (value) => both(typed(value), call('isliteral', call(datatype.value, call('str', value))))
}

export const boundTest =
  (op: '<' | '<=' | '>' | '>=', bound: Term): ValueTest =>
  (value) =>
    call(op, value, constant(bound))

export const lengthTest =
  (op: '>=' | '<=', length: number): ValueTest =>
  (value) =>
    call(op, call('strlen', call('str', value)), number(String(length)))

export const patternTest =
  (pattern: string, flags: string | undefined): ValueTest =>
  (value) =>
    call('regex', call('str', value), text(pattern), ...(flags === undefined ? [] : [text(flags)]))

export const languageTest =
  (ranges: readonly string[]): ValueTest =>
  (value) => {
    const [first, ...more] = ranges.map((range) => call('langmatches', call('lang', value), text(range)))
    return first === undefined ? constant(literal('false', `${XSD}boolean`)) : either(first, ...more)
  }

/** One of the terms, by identity. Long lists are better kept as a relation. */
export const oneOfTest =
  (terms: readonly Term[]): ValueTest =>
  (value) => {
    const [first, ...more] = terms.map((term) => call('sameterm', value, constant(term)))
    return first === undefined ? constant(literal('false', `${XSD}boolean`)) : either(first, ...more)
  }

export const NO_LANGUAGE = constant(literal(''))
