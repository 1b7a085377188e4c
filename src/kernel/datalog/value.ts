/** What a term is worth in a comparison. Joins look at terms, comparisons at values: 1 and 1.0 are two terms and one number. */
import { termKey, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import type { Comparison } from './program.ts'

/** digits / 10^scale; `number` is the nearest double, for comparisons with doubles. */
interface Exact {
  readonly kind: 'exact'
  readonly digits: bigint
  readonly scale: number
  readonly integer: boolean
  readonly number: number
}

export type Value =
  | Exact
  | { readonly kind: 'double'; readonly number: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'date' | 'dateTime'; readonly zoned: boolean; readonly seconds: number; readonly fraction: string }
  | { readonly kind: 'string'; readonly text: string }
  /** comparable for identity only: IRIs, blank nodes, language strings, unknown datatypes, malformed literals */
  | { readonly kind: 'opaque'; readonly key: string }

const INTEGERS = new Set(
  ['integer', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger', 'nonPositiveInteger', 'negativeInteger']
    .concat(['unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'])
    .map((name) => XSD + name),
)
const DOUBLE = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/
const MOMENT = /^(-?\d{4,})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?$/

export function valueOf(term: Term): Value {
  const known = term.kind === 'literal' && term.language === undefined ? literalValue(term.value, term.datatype) : undefined
  return known ?? { kind: 'opaque', key: termKey(term) }
}

/** Whether a datatype is one whose values are compared as more than text. */
export const isTyped = (datatype: string): boolean =>
  INTEGERS.has(datatype) || ['decimal', 'double', 'float', 'boolean', 'date', 'dateTime'].some((name) => datatype === XSD + name)

/**
 * Whether `left op right` holds. Values of two classes are unequal and have no order; a moment with a zone and one without
 * cannot be compared at all, so then not even `!=` holds.
 */
export function satisfies(op: Comparison, left: Value, right: Value): boolean {
  const order = compareValues(left, right)
  if (order === 'undecided') return false
  if (order === 'different') return op === '!='
  if (op === '=') return order === 0
  if (op === '!=') return order !== 0
  if (op === '<') return order < 0
  if (op === '<=') return order <= 0
  if (op === '>') return order > 0
  return order >= 0
}

export function compareValues(left: Value, right: Value): number | 'different' | 'undecided' {
  if (left.kind === 'exact' && right.kind === 'exact') return compareExact(left, right)
  if ((left.kind === 'exact' || left.kind === 'double') && (right.kind === 'exact' || right.kind === 'double')) {
    if (Number.isNaN(left.number) || Number.isNaN(right.number)) return 'different'
    return order(left.number, right.number)
  }
  if (left.kind === 'boolean' && right.kind === 'boolean') return order(Number(left.value), Number(right.value))
  if (left.kind === 'string' && right.kind === 'string') return order(left.text, right.text)
  if ((left.kind === 'date' && right.kind === 'date') || (left.kind === 'dateTime' && right.kind === 'dateTime')) {
    if (left.zoned !== right.zoned) return 'undecided'
    return order(left.seconds, right.seconds) || order(left.fraction, right.fraction)
  }
  return left.kind === 'opaque' && right.kind === 'opaque' && left.key === right.key ? 0 : 'different'
}

const order = <T extends number | string | bigint>(x: T, y: T): number => (x < y ? -1 : x > y ? 1 : 0)

function compareExact(left: Exact, right: Exact): number {
  if (left.scale === right.scale) return order(left.digits, right.digits)
  const scale = Math.max(left.scale, right.scale)
  return order(atScale(left, scale), atScale(right, scale))
}

export const atScale = (value: Pick<Exact, 'digits' | 'scale'>, scale: number): bigint =>
  value.digits * 10n ** BigInt(scale - value.scale)

function literalValue(text: string, datatype: string): Value | undefined {
  if (datatype === `${XSD}string`) return { kind: 'string', text }
  if (INTEGERS.has(datatype)) {
    if (!/^[+-]?\d+$/.test(text)) return undefined
    return { kind: 'exact', digits: bigInt(text), scale: 0, integer: true, number: Number(text) }
  }
  switch (datatype) {
    case `${XSD}decimal`: {
      const [, whole, fraction = ''] = /^([+-]?\d*)(?:\.(\d*))?$/.exec(text) ?? []
      if (whole === undefined || !/\d/.test(text)) return undefined
      return { kind: 'exact', digits: bigInt(whole + fraction), scale: fraction.length, integer: false, number: Number(text) }
    }
    case `${XSD}double`:
    case `${XSD}float`: {
      const special = /^([+-]?)INF$/.exec(text)
      if (special) return { kind: 'double', number: special[1] === '-' ? -Infinity : Infinity }
      return text === 'NaN' || DOUBLE.test(text) ? { kind: 'double', number: Number(text) } : undefined
    }
    case `${XSD}boolean`:
      return /^(true|false|0|1)$/.test(text) ? { kind: 'boolean', value: text === 'true' || text === '1' } : undefined
    case `${XSD}date`:
      return moment(text, 'date')
    case `${XSD}dateTime`:
      return moment(text, 'dateTime')
    default:
      return undefined
  }
}

// BigInt refuses a leading plus
const bigInt = (text: string): bigint => BigInt(text.startsWith('+') ? text.slice(1) : text)

function moment(text: string, kind: 'date' | 'dateTime'): Value | undefined {
  const found = MOMENT.exec(text)
  if (!found || (found[4] === undefined) !== (kind === 'date')) return undefined
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number, number, number, number, number, number,
  ]
  const fraction = (found[7] ?? '').replace(/0+$/, '')
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  const midnightOfNextDay = hour === 24 && minute === 0 && second === 0 && fraction === ''
  if ((hour > 23 && !midnightOfNextDay) || minute > 59 || second > 59) return undefined
  const offset = offsetMinutes(found[8])
  if (offset === undefined) return undefined
  const seconds = ((daysSinceEpoch(year, month, day) * 24 + hour) * 60 + minute - offset) * 60 + second
  return { kind, zoned: found[8] !== undefined, seconds, fraction }
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  if (Number(zone.slice(4, 6)) > 59 || minutes > 14 * 60) return undefined
  return zone.startsWith('-') ? -minutes : minutes
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Counts in years that start in March, so that a leap day is the last of its year. `Date` would lose years beyond 275760. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const days = marchYear * 365 + Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return days + dayOfYear - 719468
}
