/** How two terms compare as values: the operators of SPARQL, and the order that MIN and MAX go by. */
import { termKey } from '../term.ts'
import type { Term } from '../term.ts'
import { compareMoments } from './calendar.ts'
import { compareDecimals } from './decimal.ts'
import { compareDurations, isEqual } from './duration.ts'
import { isDuration, isExact, isMoment, isNumeric, RDF_LANG_STRING, scalarOf, toNumber } from './scalar.ts'
import type { Numeric, Scalar } from './scalar.ts'

/** undefined where nobody can say: a datatype that nothing is known about, a malformed literal, a zone that is missing. */
export function isSameValue(left: Term, right: Term): boolean | undefined {
  const [x, y] = [scalarOf(left), scalarOf(right)]
  if (isNumeric(x) && isNumeric(y)) return compareNumbers(x, y) === 0
  if (termKey(left) === termKey(right)) return true
  if (x.kind === 'node' || y.kind === 'node') return false
  // what is not known may be worth anything but a text in a language, which is worth itself
  if (x.kind === 'unknown' || y.kind === 'unknown') return hasLanguage(x) || hasLanguage(y) ? false : undefined
  if (x.kind === 'text' && y.kind === 'text') return x.text === y.text && x.language === y.language
  if (x.kind === 'boolean' && y.kind === 'boolean') return x.value === y.value
  if (isDuration(x) && isDuration(y)) return isEqual(x, y)
  if (isMoment(x) && isMoment(y) && x.kind === y.kind) {
    const order = compareMoments(x, y)
    return order === undefined ? undefined : order === 0
  }
  return false
}

const hasLanguage = (value: Scalar): boolean => value.kind === 'text' && value.language !== undefined

/** Negative where the left one comes first; NaN where a number is none; undefined for values that have no order. */
export function compareTerms(left: Term, right: Term): number | undefined {
  const [x, y] = [scalarOf(left), scalarOf(right)]
  if (isNumeric(x) && isNumeric(y)) return compareNumbers(x, y)
  if (x.kind === 'text' && y.kind === 'text') return x.language === y.language ? compareByCodePoint(x.text, y.text) : undefined
  if (x.kind === 'boolean' && y.kind === 'boolean') return Number(x.value) - Number(y.value)
  if (isDuration(x) && isDuration(y)) return compareDurations(x, y)
  if (isMoment(x) && isMoment(y)) return x.kind === y.kind ? compareMoments(x, y) : undefined
  return termKey(left) === termKey(right) ? 0 : undefined
}

function compareNumbers(left: Numeric, right: Numeric): number {
  if (isExact(left) && isExact(right)) return compareDecimals(left, right)
  let [x, y] = [toNumber(left), toNumber(right)]
  // a float and an exact number meet as floats, a float and a double as doubles
  if (left.kind !== 'double' && right.kind !== 'double') [x, y] = [Math.fround(x), Math.fround(y)]
  return Number.isNaN(x) || Number.isNaN(y) ? NaN : x < y ? -1 : x > y ? 1 : 0
}

/** By code point, as XPath does: UTF-16 would put an emoji before a private-use character. */
export function compareByCodePoint(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [left.charCodeAt(i), right.charCodeAt(i)]
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1
  }
  return left.length - right.length
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

const RANKS = { bnode: 0, iri: 1, literal: 2 } as const

/** The order of ORDER BY: blank nodes, IRIs, literals; those that have no order among themselves by their text, then datatype. */
export function sortOrder(left: Term, right: Term): number {
  if (left.kind !== 'literal' || right.kind !== 'literal') {
    return RANKS[left.kind] - RANKS[right.kind] || compareByCodePoint(left.value, right.value)
  }
  const order = compareTerms(left, right)
  if (order !== undefined && !Number.isNaN(order)) return order
  return (
    compareByCodePoint(left.value, right.value) ||
    compareByCodePoint(datatypeOf(left), datatypeOf(right)) ||
    compareByCodePoint(left.language ?? '', right.language ?? '')
  )
}

const datatypeOf = (term: Extract<Term, { kind: 'literal' }>): string =>
  term.language === undefined ? term.datatype : RDF_LANG_STRING
