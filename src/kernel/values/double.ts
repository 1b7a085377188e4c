/** Binary floating-point numbers of 64 and 32 bits: how they are read, written and made exact. */
import { parseDecimal } from './decimal.ts'
import type { Decimal } from './decimal.ts'

const LEXICAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

export function parseDouble(text: string): number | undefined {
  const [, sign] = /^([+-]?)INF$/.exec(text) ?? []
  if (sign !== undefined) return sign === '-' ? -Infinity : Infinity
  return text === 'NaN' ? NaN : LEXICAL.test(text) ? Number(text) : undefined
}

/** All digits, without an exponent, so that one number has one spelling. */
export function printDouble(number: number): string {
  if (Number.isNaN(number)) return 'NaN'
  if (!Number.isFinite(number)) return number > 0 ? 'INF' : '-INF'
  if (Object.is(number, -0)) return '-0'
  const text = String(number)
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (exponent === undefined) return text
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${digits}` : sign + digits.padEnd(point, '0')
}

/** The fewest digits that name this 32-bit number and no other. */
export function printFloat(number: number): string {
  if (!Number.isFinite(number) || number === 0) return printDouble(number)
  const isExact = (candidate: number): boolean => Math.fround(candidate) === number
  for (let precision = 1; precision < 9; precision++) {
    const [digits = '', exponent = ''] = number.toExponential(precision - 1).split('e')
    // below a power of two numbers lie closer together than above it, so the next digit up may do where the nearest does not
    const up = `${digits.slice(0, -1)}${Number(digits.at(-1)) + 1}e${exponent}`
    const found = [Number(`${digits}e${exponent}`), Number(digits.endsWith('9') ? NaN : up)].find(isExact)
    if (found !== undefined) return printDouble(found)
  }
  return printDouble(Number(number.toPrecision(9)))
}

/** What the number is exactly: every finite one has an end in decimals. undefined for the others. */
export function exactly(number: number): Decimal | undefined {
  if (!Number.isFinite(number)) return undefined
  if (Number.isInteger(number)) return { digits: BigInt(number), scale: 0 }
  let halvings = 0
  while (!Number.isInteger(number)) [number, halvings] = [number * 2, halvings + 1]
  return { digits: BigInt(number) * 5n ** BigInt(halvings), scale: halvings }
}

/** The number as it is written, 0.1 for what is only nearly a tenth. */
export const asWritten = (number: number): Decimal | undefined =>
  Number.isFinite(number) ? parseDecimal(printDouble(number)) : undefined
