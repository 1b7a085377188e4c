/** One type of XML Schema made from another. A value that the other type cannot hold is refused, never cut down to fit. */
import { XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { midnightOf } from './calendar.ts'
import { truncate, whole, ZERO } from './decimal.ts'
import { exactly } from './double.ts'
import { isBinary, isDuration, isExact, isNumeric, isPlain, parsed } from './scalar.ts'
import { printed, scalarOf, termOf, textTerm, toNumber } from './scalar.ts'
import type { Scalar } from './scalar.ts'

type Cast = (value: Scalar) => Scalar | undefined

const CAST_TO: Readonly<Record<string, Cast>> = {
  boolean: (value) => {
    if (isExact(value)) return { kind: 'boolean', value: value.digits !== 0n }
    if (isBinary(value)) return { kind: 'boolean', value: value.number !== 0 && !Number.isNaN(value.number) }
    return value.kind === 'boolean' ? value : undefined
  },
  integer: (value) => {
    const number = isBinary(value) ? exactly(value.number) : isExact(value) ? value : fromBoolean(value)
    return number && { kind: 'integer', ...whole(truncate(number)) }
  },
  decimal: (value) => {
    const number = isBinary(value) ? exactly(value.number) : isExact(value) ? value : fromBoolean(value)
    return number && { kind: 'decimal', digits: number.digits, scale: number.scale }
  },
  float: (value) => binary('float', value),
  double: (value) => binary('double', value),
  date: (value) => {
    if (value.kind === 'dateTime') return { ...midnightOf(value), kind: 'date' }
    return value.kind === 'date' ? value : undefined
  },
  dateTime: (value) => (value.kind === 'date' || value.kind === 'dateTime' ? { ...value, kind: 'dateTime' } : undefined),
  time: (value) => {
    if (value.kind === 'dateTime') return { ...value, kind: 'time', seconds: value.seconds - midnightOf(value).seconds }
    return value.kind === 'time' ? value : undefined
  },
  duration: (value) => (isDuration(value) ? { ...value, kind: 'duration' } : undefined),
  yearMonthDuration: (value) => {
    if (value.kind === 'duration' && value.seconds.digits === 0n) return { ...value, kind: 'yearMonthDuration', seconds: ZERO }
    return value.kind === 'yearMonthDuration' ? value : undefined
  },
  dayTimeDuration: (value) => {
    if (value.kind === 'duration' && value.months === 0n) return { ...value, kind: 'dayTimeDuration' }
    return value.kind === 'dayTimeDuration' ? value : undefined
  },
}

const fromBoolean = (value: Scalar) => (value.kind === 'boolean' ? whole(value.value ? 1n : 0n) : undefined)

function binary(kind: 'float' | 'double', value: Scalar): Scalar | undefined {
  const exact = fromBoolean(value)
  const number = isNumeric(value) ? toNumber(value) : exact && Number(exact.digits)
  return number === undefined ? undefined : { kind, number: kind === 'float' ? Math.fround(number) : number }
}

function toText(term: Term): Term | undefined {
  if (term.kind === 'iri') return textTerm(term.value)
  const value = scalarOf(term)
  if (value.kind === 'unknown' && term.kind === 'literal') return textTerm(term.value)
  return value.kind === 'node' || value.kind === 'unknown' ? undefined : textTerm(printed(value))
}

/** By the IRI of the type. */
export const CASTS: ReadonlyMap<string, (term: Term) => Term | undefined> = new Map([
  [`${XSD}string`, toText],
  ...Object.entries(CAST_TO).map(([type, cast]): [string, (term: Term) => Term | undefined] => [
    XSD + type,
    (term) => {
      const value = scalarOf(term)
      return termOf(isPlain(value) ? parsed(value.text, type) : cast(value))
    },
  ]),
])
