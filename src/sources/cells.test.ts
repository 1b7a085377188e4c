import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimalCell, floatCell, integerCell, timestampCell } from './cells.ts'

it.each([
  ['0', 0],
  ['10.00', 10],
  ['-0.5000', -0.5],
  ['.25', 0.25],
  ['007.10', 7.1],
  ['123456789012.345', 123456789012.345],
  ['1234567890123.456', '1234567890123.456'],
  ['0.00000000000000000012', 1.2e-19],
  ['9007199254740993', 9007199254740993n],
  ['9007199254740991.000', 9007199254740991],
  ['-12345678901234567890', -12345678901234567890n],
  ['3.1415926535897932384', '3.1415926535897932384'],
  ['NaN', 'NaN'],
  ['-Infinity', '-Infinity'],
])('the decimal %s is %s', (text, cell) => {
  expect(decimalCell(text)).toEqual(cell)
})

it('a decimal that becomes a number prints as the same decimal', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.integer({ min: 1, max: 999_999 }), (whole, fraction) => {
      const text = `${whole}.${String(fraction).padStart(6, '0').replace(/0+$/, '')}`
      expect(String(decimalCell(text))).toBe(text)
    }),
  )
})

it('integers stay exact on both sides of 2^53', () => {
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      expect(String(integerCell(String(value)))).toBe(String(value))
    }),
  )
})

it('a short float is the decimal that was meant', () => {
  expect(floatCell(Math.fround(0.1), 4)).toBe(0.1)
  expect(floatCell(Math.fround(16777216), 4)).toBe(16777216)
  expect(floatCell(0.1)).toBe(0.1)
  expect(floatCell(Number.POSITIVE_INFINITY)).toBe('Infinity')
  fc.assert(fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
    expect(Math.fround(Number(floatCell(value, 4)))).toBe(value === 0 ? 0 : value)
  }))
})

it.each([
  ['2026-03-01 08:00:00', '2026-03-01 08:00:00'],
  ['2026-03-01T08:00:00', '2026-03-01 08:00:00'],
  ['2026-03-01 08:00:00.250000', '2026-03-01 08:00:00.25'],
  ['2026-03-01 08:00:00.000000', '2026-03-01 08:00:00'],
  ['2026-03-01 08:00:00.100Z', '2026-03-01 08:00:00.1Z'],
  ['infinity', 'infinity'],
])('the timestamp %s is %s', (text, cell) => {
  expect(timestampCell(text)).toBe(cell)
})
