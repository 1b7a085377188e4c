import { expect, it } from 'vitest'
import { readerOf as mysqlReader, valueTypeOf as mysqlType } from './mysql/values.ts'
import { readerOf as postgresReader, valueTypeOf as postgresType } from './postgres/values.ts'

it.each([
  ['bool', null, 'tinyint(1)', 'boolean'],
  ['int4', null, 'int(11)', 'integer'],
  ['int8', null, 'bigint(20) unsigned', 'integer'],
  ['numeric', 0, 'decimal(10,0)', 'integer'],
  ['numeric', 2, 'decimal(10,2)', 'decimal'],
  ['numeric', null, 'double', 'decimal'],
  ['float4', null, 'float(7,2)', 'decimal'],
  ['date', null, 'date', 'date'],
  ['timestamptz', null, 'timestamp', 'datetime'],
  ['timestamp', null, 'datetime(6)', 'datetime'],
  ['bytea', null, 'varbinary(16)', 'blob'],
  ['varchar', null, 'varchar(80)', 'text'],
  ['uuid', null, "enum('a','b')", 'text'],
  ['jsonb', null, 'json', 'text'],
  ['_int4', null, 'time', 'text'],
] as const)('%s(%s) and %s are %s on both servers', (name, scale, declared, type) => {
  expect(postgresType({ name, scale })).toBe(type)
  expect(mysqlType(declared)).toBe(type)
})

it.each([
  [16, 't', 1],
  [16, 'f', 0],
  [20, '9007199254740993', 9007199254740993n],
  [17, '\\x00ff', new Uint8Array([0, 255])],
  [1042, 'ab   ', 'ab'],
  [1184, '2026-03-01 08:00:00.5+00', '2026-03-01 08:00:00.5Z'],
  [1700, '1.50', 1.5],
  [701, 'NaN', 'NaN'],
  [2950, 'a-uuid', 'a-uuid'],
])('PostgreSQL type %i: %s', (type, text, cell) => {
  expect(postgresReader(type)(text)).toEqual(cell)
})

it.each([
  [1, 1, 1],
  [8, '18446744073709551615', 18446744073709551615n],
  [246, '1.50', 1.5],
  [4, Math.fround(0.1), 0.1],
  [12, '2026-03-01 08:00:00.000000', '2026-03-01 08:00:00'],
  [16, Buffer.from([1, 0]), 256],
  [252, Buffer.from([0, 255]), new Uint8Array([0, 255])],
  [253, 'text', 'text'],
])('MySQL type %i: %s', (columnType, value, cell) => {
  expect(mysqlReader({ name: 'x', columnType })(value)).toEqual(cell)
})
