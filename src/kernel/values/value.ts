/** What a term is worth in a comparison. Joins look at terms, comparisons at values: 1 and 1.0 are two terms and one number. */
import { termKey, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { parseMoment } from './calendar.ts'
import type { MomentKind } from './calendar.ts'
import { compareDecimals, parseDecimal, parseInteger } from './decimal.ts'
import { parseDouble } from './double.ts'
import { compareDurations, isEqual, parseDuration } from './duration.ts'
import type { Duration, DurationKind } from './duration.ts'

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

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
  /** seconds of UTC where the zone is known */
  | { readonly kind: MomentKind; readonly zoned: boolean; readonly seconds: number; readonly fraction: string }
  | { readonly kind: 'duration'; readonly duration: Duration }
  | { readonly kind: 'string'; readonly text: string }
  /** comparable for identity only: IRIs, blank nodes, language strings, unknown datatypes, malformed literals */
  | { readonly kind: 'opaque'; readonly key: string }

export const INTEGERS: ReadonlySet<string> = new Set(
  ['integer', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger', 'nonPositiveInteger', 'negativeInteger']
    .concat(['unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'])
    .map((name) => XSD + name),
)

export function valueOf(term: Term): Value {
  const known = term.kind === 'literal' && term.language === undefined ? literalValue(term.value, term.datatype) : undefined
  return known ?? { kind: 'opaque', key: termKey(term) }
}

const TYPED = new Set(
  ['decimal', 'double', 'float', 'boolean', 'date', 'dateTime', 'time']
    .concat(['duration', 'yearMonthDuration', 'dayTimeDuration'])
    .map((name) => XSD + name),
)

/** Whether a datatype is one whose values are compared as more than text. */
export const isTyped = (datatype: string): boolean => INTEGERS.has(datatype) || TYPED.has(datatype)

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
  if (left.kind === 'exact' && right.kind === 'exact') return compareDecimals(left, right)
  if ((left.kind === 'exact' || left.kind === 'double') && (right.kind === 'exact' || right.kind === 'double')) {
    if (Number.isNaN(left.number) || Number.isNaN(right.number)) return 'different'
    return order(left.number, right.number)
  }
  if (left.kind === 'boolean' && right.kind === 'boolean') return order(Number(left.value), Number(right.value))
  if (left.kind === 'string' && right.kind === 'string') return order(left.text, right.text)
  if (left.kind === 'duration' && right.kind === 'duration') {
    return isEqual(left.duration, right.duration) ? 0 : (compareDurations(left.duration, right.duration) ?? 'different')
  }
  if (isMoment(left) && isMoment(right)) {
    if (left.kind !== right.kind) return 'different'
    if (left.zoned !== right.zoned) return 'undecided'
    return order(left.seconds, right.seconds) || order(left.fraction, right.fraction)
  }
  return left.kind === 'opaque' && right.kind === 'opaque' && left.key === right.key ? 0 : 'different'
}

const order = <T extends number | string | bigint>(x: T, y: T): number => (x < y ? -1 : x > y ? 1 : 0)

type MomentValue = Extract<Value, { readonly zoned: boolean }>

const isMoment = (value: Value): value is MomentValue => 'zoned' in value

function literalValue(text: string, datatype: string): Value | undefined {
  if (datatype === `${XSD}string`) return { kind: 'string', text }
  if (INTEGERS.has(datatype)) {
    const digits = parseInteger(text)
    return digits === undefined ? undefined : { kind: 'exact', digits, scale: 0, integer: true, number: Number(text) }
  }
  switch (datatype) {
    case `${XSD}decimal`: {
      const decimal = parseDecimal(text)
      return decimal && { kind: 'exact', ...decimal, integer: false, number: Number(text) }
    }
    case `${XSD}double`:
    case `${XSD}float`: {
      const number = parseDouble(text)
      return number === undefined ? undefined : { kind: 'double', number }
    }
    case `${XSD}boolean`:
      return /^(true|false|0|1)$/.test(text) ? { kind: 'boolean', value: text === 'true' || text === '1' } : undefined
    case `${XSD}date`:
    case `${XSD}dateTime`:
    case `${XSD}time`:
      return moment(text, datatype.slice(XSD.length) as MomentKind)
    case `${XSD}duration`:
    case `${XSD}yearMonthDuration`:
    case `${XSD}dayTimeDuration`: {
      const duration = parseDuration(text, datatype.slice(XSD.length) as DurationKind)
      return duration && { kind: 'duration', duration }
    }
    default:
      return undefined
  }
}

function moment(text: string, kind: MomentKind): Value | undefined {
  const found = parseMoment(text, kind)
  if (found === undefined) return undefined
  const { seconds, fraction, offset } = found
  return { kind, zoned: offset !== undefined, seconds: seconds - (offset ?? 0) * 60, fraction }
}
