/** The proof checker's own reading of values: what the engine does with them, by other means, so that a slip in one shows. */
import { compareText, literal, termKey, XSD } from '../../term.ts'
import type { Term } from '../../term.ts'
import { compareDurations, readDuration, readMoment } from './moments.ts'
import type { DurationReading, MomentReading } from './moments.ts'
import type { AggregateFunction, Comparison } from '../program.ts'

export interface Fraction {
  readonly above: bigint
  readonly below: bigint
}

export type Reading =
  | ({ readonly of: 'number'; readonly type: 'integer' | 'decimal'; readonly text: string } & Fraction)
  | { readonly of: 'number'; readonly type: 'double'; readonly text: string }
  | { readonly of: 'boolean' | 'string'; readonly text: string }
  | MomentReading
  | DurationReading
  | { readonly of: 'name'; readonly text: string }

type Ordering = 'less' | 'equal' | 'greater' | 'unequal' | 'unclear'

const ALLOWED: Readonly<Record<Comparison, readonly Ordering[]>> = {
  '=': ['equal'],
  '!=': ['less', 'greater', 'unequal'],
  '<': ['less'],
  '<=': ['less', 'equal'],
  '>': ['greater'],
  '>=': ['greater', 'equal'],
}

const INTEGER = /^(integer|long|int|short|byte|(positive|negative|nonPositive|nonNegative)Integer|unsigned(Long|Int|Short|Byte))$/

export const conditionHolds = (op: Comparison, left: Term, right: Term): boolean => readingsHold(op, read(left), read(right))

export const readingsHold = (op: Comparison, left: Reading, right: Reading): boolean => ALLOWED[op].includes(ordering(left, right))

function ordering(x: Reading, y: Reading): Ordering {
  if (x.of === 'number' && y.of === 'number') {
    if (x.type !== 'double' && y.type !== 'double') return ranked(x.above * y.below, y.above * x.below)
    const [a, b] = [toDouble(x.text), toDouble(y.text)]
    return a === a && b === b ? ranked(a, b) : 'unequal'
  }
  if (x.of === 'duration' && y.of === 'duration') {
    const order = compareDurations(x, y)
    return order === undefined ? 'unequal' : ranked(order, 0)
  }
  if ('zoned' in x && 'zoned' in y) {
    if (x.of !== y.of) return 'unequal'
    if (x.zoned !== y.zoned) return 'unclear'
    if (x.day !== y.day) return ranked(x.day, y.day)
    return x.second === y.second ? ranked(x.rest, y.rest) : ranked(x.second, y.second)
  }
  if (x.of === 'boolean' && y.of === 'boolean') return ranked(x.text, y.text)
  if (x.of === 'string' && y.of === 'string') return ranked(x.text, y.text)
  return x.of === 'name' && y.of === 'name' && x.text === y.text ? 'equal' : 'unequal'
}

const ranked = <T extends bigint | number | string>(x: T, y: T): Ordering => (x === y ? 'equal' : x < y ? 'less' : 'greater')

export const toDouble = (text: string): number => Number(text.replace('INF', 'Infinity'))

export function read(term: Term): Reading {
  const name: Reading = { of: 'name', text: termKey(term) }
  if (term.kind !== 'literal' || term.language !== undefined || !term.datatype.startsWith(XSD)) return name
  const text = term.value
  const type = term.datatype.slice(XSD.length)
  if (type === 'string') return { of: 'string', text }
  if (type === 'boolean') {
    // f < t, as false < true
    if (text === 'true' || text === '1') return { of: 'boolean', text: 't' }
    return text === 'false' || text === '0' ? { of: 'boolean', text: 'f' } : name
  }
  if (type === 'double' || type === 'float') {
    const isNumber = ['INF', '+INF', '-INF', 'NaN'].includes(text) || /^[-+]?(?=\.?\d)\d*\.?\d*(e[-+]?\d+)?$/i.test(text)
    return isNumber ? { of: 'number', type: 'double', text } : name
  }
  if (type === 'decimal') {
    return /^[-+]?(?=\.?\d)\d*\.?\d*$/.test(text) ? { of: 'number', type: 'decimal', text, ...fraction(text) } : name
  }
  if (type === 'date' || type === 'dateTime' || type === 'time') return readMoment(text, type) ?? name
  if (type === 'duration' || type === 'dayTimeDuration' || type === 'yearMonthDuration') return readDuration(text, type) ?? name
  return INTEGER.test(type) && /^[-+]?\d+$/.test(text) ? { of: 'number', type: 'integer', text, ...fraction(text) } : name
}

function fraction(text: string): Fraction {
  const [whole = '', behind = ''] = text.replace(/^[-+]/, '').split('.')
  const above = BigInt(`0${whole}${behind}`)
  return { above: text.startsWith('-') ? -above : above, below: BigInt(`1${'0'.repeat(behind.length)}`) }
}

/** The aggregate's result over these values, or null where the aggregate has none. */
export function refold(fn: AggregateFunction, terms: readonly Term[]): Term | null {
  if (fn === 'count') return literal(`${terms.length}`, `${XSD}integer`)
  if (fn === 'min' || fn === 'max') return extreme(fn, terms)
  if (fn !== 'sum' && fn !== 'avg') return null
  const readings = terms.map(read)
  const numbers = readings.filter((reading) => reading.of === 'number')
  if (numbers.length < terms.length || terms.length === 0) return null
  if (numbers.some(({ type }) => type === 'double')) {
    let sum = 0
    for (const number of Float64Array.from(numbers, ({ text }) => toDouble(text)).toSorted()) sum += number
    return literal(String(fn === 'avg' ? sum / numbers.length : sum).replace('Infinity', 'INF'), `${XSD}double`)
  }
  const exact = numbers.filter((number) => number.type !== 'double')
  const below = exact.reduce((most, number) => (number.below > most ? number.below : most), 1n)
  const above = exact.reduce((sum, number) => sum + number.above * (below / number.below), 0n)
  if (fn === 'avg') return literal(quotient(above, below * BigInt(exact.length), below), `${XSD}decimal`)
  return literal(quotient(above, below, below), exact.every(({ type }) => type === 'integer') ? `${XSD}integer` : `${XSD}decimal`)
}

function extreme(fn: 'min' | 'max', terms: readonly Term[]): Term | null {
  const better: Ordering = fn === 'min' ? 'less' : 'greater'
  let best = terms[0]
  for (const term of terms) if (best !== undefined && ordering(read(term), read(best)) === better) best = term
  if (best === undefined) return null
  const reading = read(best)
  const orders = terms.map((term) => ordering(reading, read(term)))
  if (reading.of === 'name' || orders.some((order) => order !== better && order !== 'equal')) return null
  const ties = terms.filter((_, i) => orders[i] === 'equal')
  return ties.reduce((x, y) => (compareText(termKey(x), termKey(y)) <= 0 ? x : y))
}

/** A fraction as a decimal, with 18 digits behind the point or as many as the exact sum has, rounded half away from zero. */
export function quotient(above: bigint, below: bigint, unit: bigint): string {
  const scale = unit > 10n ** 18n ? unit : 10n ** 18n
  const positive = above < 0n ? -above : above
  const rounded = (2n * positive * scale + below) / (2n * below)
  const behind = (rounded % scale).toString().padStart(scale.toString().length - 1, '0').replace(/0+$/, '')
  return `${above < 0n && rounded !== 0n ? '-' : ''}${rounded / scale}${behind === '' ? '' : `.${behind}`}`
}
