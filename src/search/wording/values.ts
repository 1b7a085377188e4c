/** A value of the database as it reads in a sentence. The exact value stands in the results; prose may shorten it. */
import type { Scalar } from '../../contracts/index.ts'
import { type Term, XSD } from '../../kernel/term.ts'
import { splitIdentifier } from '../../kernel/text/index.ts'
import type { OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import type { Cell } from '../../sources/index.ts'
import { wireCell } from '../context.ts'
import { inSentence } from '../records.ts'
import { grouped } from './english.ts'
import { type Unit, isNumeric } from './units.ts'

/** What is known of a column: the property behind it, and what to do with its numbers. */
export interface Column {
  readonly property: OntologyProperty | null
  readonly cls: OntologyClass | null
  /** counts and sums are amounts whatever the property is called */
  readonly amount: boolean
  readonly unit: Unit | null
}

const MAX_TEXT = 120
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const SIGNIFICANT = 6
/** Numbers below this may be years, ports or room numbers: they stay as they are. */
const SEPARATED_FROM = 10_000

/** null and undefined are for the caller to say: "no vendor" needs the name of what is missing. */
export function sayValue(value: Cell | Scalar | undefined, column: Column): string {
  if (value instanceof Uint8Array) return `${value.length} bytes`
  const cell = value === undefined ? null : wireCell(value)
  if (cell === null || (typeof cell === 'number' && !Number.isFinite(cell))) return 'unknown'
  const range = column.property?.range ?? ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  if (range === `${XSD}boolean` && !column.amount && /^([01]|true|false)$/.test(String(cell))) return isYes(cell) ? 'yes' : 'no'
  const number = numberOf(cell, column)
  if (number !== null) return withUnit(sayNumber(number, column), number, column.unit)
  if (range === `${XSD}date` || range === `${XSD}dateTime`) return sayDate(String(cell)) ?? sayText(String(cell))
  return sayText(String(cell))
}

export const isYes = (cell: Cell | Scalar): boolean => /^(1|true)$/.test(String(cell))

/** True when the sentence says less than the whole number. */
export function isShortened(value: Cell, column: Column): boolean {
  const number = numberOf(wireCell(value), column)
  if (number === null) return false
  const short = shortened(number)
  return Number(short) !== Number(number) || (/^-?\d{13,}\./.test(number) && short !== number)
}

/** The digits of a number, as the database gave them; null for what is none. */
function numberOf(cell: Scalar, { property, amount }: Column): string | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(Object.is(cell, -0) ? 0 : cell) : null
  const numeric = amount || isNumeric(property)
  return typeof cell === 'string' && numeric && /^-?\d+(\.\d+)?$/.test(cell) ? cell : null
}

function sayNumber(digits: string, { property, cls, amount, unit }: Column): string {
  if (!amount && property !== null && isCode(property, cls)) return digits
  const short = shortened(digits)
  const separated = amount || unit !== null || Math.abs(Number(short)) >= SEPARATED_FROM
  return separated ? grouped(short) : short
}

/** Six significant digits, and never fewer than the whole part with two behind the point. */
function shortened(digits: string): string {
  if (/^-?\d+$/.test(digits)) return digits
  // digits that no number holds are cut as text, so that those before the point stay what they are
  if (/^-?\d{13,}\./.test(digits)) return digits.replace(/(\.\d\d)\d+$/, '$1')
  const number = Number(digits)
  const whole = Math.abs(number) < 1 ? 0 : String(Math.trunc(Math.abs(number))).length
  if (/e/i.test(digits) || whole === 0) return String(Number(number.toPrecision(SIGNIFICANT)))
  return String(Number(number.toFixed(Math.max(2, SIGNIFICANT - whole))))
}

const CODE_WORDS = new Set(
  `id code number no num nr year zip zipcode postcode postal phone fax mobile port version vlan asn index pin isbn ean sku iban
  serial ref reference key rank seq sequence line row`.split(/\s+/),
)

/** Digits that name something: keys, references, codes, years. */
function isCode(property: OntologyProperty, cls: OntologyClass | null): boolean {
  if (property.kind === 'object' || property.columns.some((column) => cls?.key.includes(column))) return true
  return CODE_WORDS.has(splitIdentifier(property.name).at(-1) ?? '')
}

function withUnit(text: string, digits: string, unit: Unit | null): string {
  return unit === null ? text : `${text} ${digits === '1' || digits === '-1' ? unit.one : unit.many}`
}

/** "12 March 2026", "12 March 2026, 10:15"; seconds only where there are any. Null for what is no date. */
export function sayDate(text: string): string | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(text)
  if (match === null) return null
  const [, year, month, day, time, seconds = '', zone = ''] = match
  const name = MONTHS[Number(month) - 1]
  if (name === undefined || Number(day) < 1 || Number(day) > 31) return null
  const date = `${Number(day)} ${name} ${year}`
  if (time === undefined) return date
  const fine = /^:00(\.0+)?$/.test(seconds) ? '' : seconds.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
  return `${date}, ${time}${fine}${zone === '' ? '' : zone === 'Z' ? ' UTC' : ` ${zone}`}`
}

/** One line, no citation marks of its own, and cut where it grows long. */
export function sayText(text: string): string {
  const line = inSentence(text).trim()
  if (line === '') return '(empty)'
  const chars = [...line]
  return chars.length <= MAX_TEXT ? line : `${chars.slice(0, MAX_TEXT - 1).join('').trimEnd()}…`
}

/** A literal of a proof. Its digits stay: a reason like "132.61 breaks < 132.6" must not be rounded into nonsense. */
export function sayLiteral(term: Term): string {
  const dated = term.kind === 'literal' && (term.datatype === `${XSD}date` || term.datatype === `${XSD}dateTime`)
  return (dated ? sayDate(term.value) : null) ?? sayText(term.value)
}
