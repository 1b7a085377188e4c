/** Folds the values of an aggregate into one term. Whole numbers and decimals are folded exactly, doubles in ascending order. */
import { compareText, literal, termKey, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import type { Aggregate, AggregateFunction } from './program.ts'
import { atScale, compareValues, foldSparql, valueOf } from '../values/index.ts'
import type { Value } from '../values/index.ts'

/** Fraction digits of an average, unless the sum has more. */
const AVERAGE_DIGITS = 18

/** The value of an aggregate over its matches: the folded variable's value in each, and for `latest` what it goes by. */
export function foldMatches({ fn, sparql }: Aggregate, terms: readonly Term[], by: readonly Term[]): Term | null {
  if (sparql !== undefined && fn !== 'latest') return foldSparql({ fn, ...sparql }, terms) ?? null
  return fn === 'latest' ? latest(terms, by) : fold(fn, terms)
}

/** A tie between different values is no answer, and neither is one among moments that cannot be compared. */
function latest(terms: readonly Term[], by: readonly Term[]): Term | null {
  const keys = by.map(valueOf)
  let best = 0
  for (const [n, key] of keys.entries()) {
    const order = compareValues(key, keys[best] ?? key)
    if (typeof order !== 'number' || key.kind === 'opaque') return null
    if (order > 0) best = n
  }
  const top = terms.filter((_, n) => {
    const [one, other] = [keys[n], keys[best]]
    return one !== undefined && other !== undefined && compareValues(one, other) === 0
  })
  return new Set(top.map(termKey)).size === 1 ? (top[0] ?? null) : null
}

/** null when there is nothing to fold, or when the values cannot be added or ordered; `count` looks at no value. */
export function fold(fn: AggregateFunction, terms: readonly Term[]): Term | null {
  if (fn === 'count') return literal(String(terms.length), `${XSD}integer`)
  if (terms.length === 0 || fn === 'latest' || fn === 'sample' || fn === 'concat') return null
  return fn === 'min' || fn === 'max' ? extreme(fn, terms) : total(fn, terms.map(valueOf))
}

function extreme(fn: 'min' | 'max', terms: readonly Term[]): Term | null {
  // where 1 and 1.0 tie, the spelling decides, so that the order of the matches does not
  const keyed = terms.map((term) => ({ term, value: valueOf(term), key: termKey(term) }))
  const candidates = keyed.toSorted((x, y) => compareText(x.key, y.key))
  let best = candidates[0]
  for (const candidate of candidates) {
    if (best === undefined || candidate.value.kind === 'opaque') return null
    const order = compareValues(candidate.value, best.value)
    if (typeof order !== 'number') return null
    if (fn === 'min' ? order < 0 : order > 0) best = candidate
  }
  return best?.term ?? null
}

function total(fn: 'sum' | 'avg', values: readonly Value[]): Term | null {
  const exact = values.filter((value) => value.kind === 'exact')
  if (exact.length < values.length) return totalOfDoubles(fn, values)
  const scale = exact.reduce((most, value) => Math.max(most, value.scale), 0)
  const digits = exact.reduce((sum, value) => sum + atScale(value, scale), 0n)
  if (fn === 'avg') {
    const places = Math.max(scale, AVERAGE_DIGITS)
    return decimal(divide(digits * 10n ** BigInt(places - scale), BigInt(exact.length)), places)
  }
  return exact.every((value) => value.integer) ? literal(String(digits), `${XSD}integer`) : decimal(digits, scale)
}

function totalOfDoubles(fn: 'sum' | 'avg', values: readonly Value[]): Term | null {
  const numbers: number[] = []
  for (const value of values) {
    if (value.kind !== 'exact' && value.kind !== 'double') return null
    numbers.push(value.number)
  }
  // addition of doubles depends on the order: fix it
  const sum = numbers.toSorted((x, y) => x - y).reduce((x, y) => x + y, 0)
  const result = fn === 'sum' ? sum : sum / numbers.length
  const text = Number.isFinite(result) ? String(result) : Number.isNaN(result) ? 'NaN' : result > 0 ? 'INF' : '-INF'
  return literal(text, `${XSD}double`)
}

/** Rounds half away from zero; the divisor is positive. */
export function divide(dividend: bigint, divisor: bigint): bigint {
  const doubled = 2n * dividend + (dividend < 0n ? -divisor : divisor)
  return doubled / (2n * divisor)
}

export function decimal(digits: bigint, scale: number): Term {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  const whole = text.slice(0, text.length - scale)
  const sign = digits < 0n ? '-' : ''
  return literal(`${sign}${whole}${scale > 0 && fraction !== '' ? `.${fraction}` : ''}`, `${XSD}decimal`)
}
