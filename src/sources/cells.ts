/**
 * Values as they leave a source, the same from every engine:
 *
 *   what the column holds             becomes
 *   integer, also decimals of scale 0 number; bigint beyond 2^53
 *   decimal, numeric                  number up to 15 significant digits, which a number holds exactly; else the digits as text
 *   real, double                      number; 'NaN' and the infinities as text
 *   boolean                           1 or 0, as SQLite keeps them
 *   date                              'YYYY-MM-DD'
 *   timestamp, datetime               'YYYY-MM-DD HH:MM:SS', with a fraction only where there is one
 *   timestamp with time zone          the same in UTC, followed by 'Z'
 *   bytes                             Uint8Array
 *   text, and whatever else there is  text as the engine spells it (uuid, enum, json, arrays, times, intervals, ...)
 *
 * SQLite has no dates: its columns bring back the text that was put in.
 */
import type { Cell } from './source.ts'

export interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly truncated: boolean
}

/** A reply has to fit through a pipe and into memory whatever the rows hold; past this, reading stops as at the row cap. */
export const MAX_TEXT_UNITS = 64 * 1024 * 1024

export function sizeOf(cell: Cell): number {
  if (typeof cell === 'string') return cell.length
  return cell instanceof Uint8Array ? cell.byteLength : 8
}

/** Integers come as bigint so that none is rounded; those a number can hold become numbers again. */
export function plainCell(value: Cell): Cell {
  if (typeof value !== 'bigint') return value
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}

export const integerCell = (text: string): Cell => plainCell(BigInt(text))

/** Decimal digits as an engine prints them, `-12.3400` or `1E+20`; other spellings (NaN, Infinity) stay text. */
export function decimalCell(text: string): Cell {
  const parts = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(text)
  if (parts === null) return text
  const [, sign = '', whole = '', fraction = ''] = parts
  if (fraction === '') return integerCell(`${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}`)
  const significant = `${whole}${fraction}`.replace(/^0+/, '').length
  const plain = `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}.${fraction}`
  return significant <= 15 ? Number(plain) : plain
}

/** Binary floating point. A 4-byte float is meant as the shortest decimal that reads back as the same float. */
export function floatCell(value: number, bytes: 4 | 8 = 8): Cell {
  if (!Number.isFinite(value)) return String(value)
  if (bytes === 8) return value
  for (let digits = 6; digits <= 9; digits += 1) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === Math.fround(value)) return shorter
  }
  return value
}

/** `2026-03-01T08:00:00.250000` as `2026-03-01 08:00:00.25`. */
export const timestampCell = (text: string): string =>
  text.replace(/^(\d{4}-\d{2}-\d{2})T/, '$1 ').replace(/(\.\d*?)0+(?=$|[Z+-])/, '$1').replace(/\.(?=$|[Z+-])/, '')
