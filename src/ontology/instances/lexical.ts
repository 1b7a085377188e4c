/**
 * Database values as typed literals in the canonical spelling of XML Schema. A value that is not of the type its column claims
 * (SQLite promises nothing) keeps what it is under a type that fits it: no literal is ever ill-typed, and shapes see the breach.
 */
import type { Term } from '../../kernel/term.ts'
import { XSD, literal } from '../../kernel/term.ts'
import type { Cell } from '../../sources/index.ts'

/** NULL is no literal at all. `range` is the XSD datatype that the column is said to have. */
export function literalOf(cell: Cell, range: string): Term | null {
  if (cell === null) return null
  const spelled = SPELLINGS[range.startsWith(XSD) ? range.slice(XSD.length) : '']?.(cell) ?? null
  return spelled === null ? plainLiteral(cell) : literal(spelled, range)
}

/** A value by its own kind, where no column speaks for it. */
export function plainLiteral(cell: Exclude<Cell, null>): Term {
  if (typeof cell === 'string') return literal(cell)
  if (typeof cell === 'boolean') return literal(String(cell), `${XSD}boolean`)
  if (cell instanceof Uint8Array) return literal(hexBinary(cell), `${XSD}hexBinary`)
  if (typeof cell === 'bigint' || Number.isInteger(cell)) return literal(integer(cell) ?? String(cell), `${XSD}integer`)
  const exact = decimal(cell)
  return exact === null ? literal(double(cell) ?? String(cell), `${XSD}double`) : literal(exact, `${XSD}decimal`)
}

type Spelling = (cell: Exclude<Cell, null>) => string | null

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  integer,
  decimal,
  double,
  boolean,
  date: (cell) => (typeof cell === 'string' ? date(cell.trim()) : null),
  dateTime: (cell) => (typeof cell === 'string' ? dateTime(cell.trim()) : null),
  time: (cell) => (typeof cell === 'string' ? time(cell.trim()) : null),
  hexBinary: (cell) => (cell instanceof Uint8Array ? hexBinary(cell) : null),
  string: (cell) => (cell instanceof Uint8Array ? null : String(cell)),
}

function integer(cell: Exclude<Cell, null>): string | null {
  const text = decimal(cell)
  return text === null || text.includes('.') ? null : text
}

/** No exponent, no needless zero, no plus sign: `1.50` is `1.5` and `2.00` is `2`. */
function decimal(cell: Exclude<Cell, null>): string | null {
  if (typeof cell === 'boolean') return cell ? '1' : '0'
  if (cell instanceof Uint8Array) return null
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(String(cell).trim())
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts ?? []
  if (parts === null || whole + fraction === '') return null
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  const left = (point <= 0 ? '' : digits.slice(0, point).padEnd(point, '0')).replace(/^0+(?=\d)/, '') || '0'
  const right = (point >= 0 ? digits.slice(point) : digits.padStart(digits.length - point, '0')).replace(/0+$/, '')
  const plain = right === '' ? left : `${left}.${right}`
  return sign === '-' && plain !== '0' ? `-${plain}` : plain
}

/** One digit before the point, at least one after it: `30` is `3.0E1`. */
function double(cell: Exclude<Cell, null>): string | null {
  if (cell instanceof Uint8Array) return null
  const number = typeof cell === 'string' ? doubleIn(cell.trim()) : Number(cell)
  if (number === null) return null
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'NaN' : number > 0 ? 'INF' : '-INF'
  const [mantissa = '0', exponent = '0'] = number.toExponential().split('e')
  const sign = Object.is(number, -0) ? '-' : ''
  return `${sign}${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`
}

const NAMED: Readonly<Record<string, number>> = {
  nan: NaN,
  inf: Infinity,
  '-inf': -Infinity,
  infinity: Infinity,
  '-infinity': -Infinity,
}

function doubleIn(text: string): number | null {
  return NAMED[text.toLowerCase()] ?? (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : null)
}

const TRUE = new Set(['1', 'true', 't', 'yes', 'y', 'on'])
const FALSE = new Set(['0', 'false', 'f', 'no', 'n', 'off'])

/** Engines without a type for it keep truth as a number or a word. */
function boolean(cell: Exclude<Cell, null>): string | null {
  if (cell instanceof Uint8Array) return null
  const word = String(cell).trim().toLowerCase()
  return TRUE.has(word) ? 'true' : FALSE.has(word) ? 'false' : null
}

function date(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  return isDay(Number(year), Number(month), Number(day)) ? text : null
}

/** `2026-03-01 09:30` is `2026-03-01T09:30:00`; a zone is kept, and UTC is spelled `Z`. */
function dateTime(text: string): string | null {
  const [, day = '', clock = ''] = /^(\d{4}-\d{2}-\d{2})[T ](.+)$/.exec(text) ?? []
  const [on, at] = [date(day), time(clock)]
  return on === null || at === null ? null : `${on}T${at}`
}

function time(text: string): string | null {
  const parts = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i.exec(text)
  if (parts === null) return null
  const [, hour = '', minute = '', second = '00', fraction = '', offset = ''] = parts
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const zone = zoneOf(offset)
  const part = fraction.replace(/0+$/, '')
  return zone === null ? null : `${hour}:${minute}:${second}${part === '' ? '' : `.${part}`}${zone}`
}

function zoneOf(offset: string): string | null {
  if (offset === '') return ''
  if (offset.toUpperCase() === 'Z') return 'Z'
  const [hours, minutes] = [offset.slice(1, 3), offset.slice(3).replace(':', '') || '00']
  if (Number(hours) > 14 || Number(minutes) > 59) return null
  return `${hours}${minutes}` === '0000' ? 'Z' : `${offset[0]}${hours}:${minutes}`
}

/** Year 0000, month 00 and the 30th of February stand in real tables; none of them is a day. */
function isDay(year: number, month: number, day: number): boolean {
  const days = [31, year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return year >= 1 && day >= 1 && day <= (days[month - 1] ?? 0)
}

export function hexBinary(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex').toUpperCase()
}
