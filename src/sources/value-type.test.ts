import fc from 'fast-check'
import { expect, it } from 'vitest'
import { declaredValueType, valueTypeOf } from './value-type.ts'

it.each([
  ['INTEGER', 'integer'],
  ['bigint unsigned', 'integer'],
  ['VARCHAR(80)', 'text'],
  ['NUMERIC(10,2)', 'decimal'],
  ['DOUBLE PRECISION', 'decimal'],
  ['BOOLEAN', 'boolean'],
  ['DATE', 'date'],
  ['DATETIME', 'datetime'],
  ['timestamp with time zone', 'datetime'],
  ['BLOB', 'blob'],
  ['', null],
  ['GEOMETRY', null],
])('a column declared %j is %s', (declared, type) => {
  expect(declaredValueType(declared)).toBe(type)
})

it.each([
  ['text that is all dates', 'TEXT', ['text'], ['2026-03-01', '2026-04-01'], 'date'],
  ['text that is all points in time', 'TEXT', ['text'], ['2026-03-01T08:00:00Z', '2026-03-01 09:30:00.250'], 'datetime'],
  ['text with one value that is no date', 'TEXT', ['text'], ['2026-03-01', 'soon'], 'text'],
  ['dates kept as seconds', 'DATE', ['integer'], ['1772352000'], 'integer'],
  ['an untyped column of whole numbers', '', ['integer'], ['1', '2'], 'integer'],
  ['an untyped column of mixed numbers', '', ['integer', 'real'], ['1', '2.5'], 'decimal'],
  ['an integer column that also holds words', 'INTEGER', ['integer', 'text'], ['1', 'n/a'], 'text'],
  ['an integer column that also holds fractions', 'INTEGER', ['integer', 'real'], ['1', '1.5'], 'decimal'],
  ['flags kept as 0 and 1', 'BOOLEAN', ['integer'], ['0', '1'], 'boolean'],
  ['a declared type with nothing but NULL in it', 'REAL', [], [], 'decimal'],
  ['no type and nothing but NULL', '', [], [], 'text'],
  ['bytes in an untyped column', '', ['blob'], [], 'blob'],
] as const)('%s', (_, declared, storage, values, type) => {
  expect(valueTypeOf(declared, { storage: new Set<string>(storage), values })).toBe(type)
})

it('does not depend on the order in which values are seen', () => {
  const value = fc.constantFrom('2026-03-01', '2026-03-01T08:00:00Z', 'x', '')
  fc.assert(
    fc.property(fc.constantFrom('TEXT', 'DATE', ''), fc.array(value), (declared, values) => {
      const storage = new Set(values.length > 0 ? ['text'] : [])
      expect(valueTypeOf(declared, { storage, values: values.toReversed() })).toBe(valueTypeOf(declared, { storage, values }))
    }),
  )
})
