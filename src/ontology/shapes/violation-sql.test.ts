import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { XSD } from '../../kernel/term.ts'
import { type Cell, type Dialect, compileQuery, queryBuilder } from '../../sources/index.ts'
import { literalOf } from '../instances/lexical.ts'
import type { Constraint } from './constraints.ts'
import { cls, data } from './fixtures.test-support.ts'
import { violation } from './violation-sql.ts'

type Plain = Exclude<Constraint, { kind: 'unique' }>

const about = (type: string) => {
  const property = data('Thing', 'v', type)
  return { cls: cls('Thing', [property]), property, columns: ['v'], id: 'x', says: '' }
}
const datatype = (type: string): Plain => ({ ...about(type), kind: 'datatype', datatype: XSD + type })

function compiled(constraint: Plain, dialect: Dialect = 'sqlite') {
  const condition = violation(constraint, dialect)
  if (condition === null) return null
  return compileQuery(dialect, queryBuilder(dialect).selectFrom(sql<{ v: unknown }>`thing`.as('t0')).select(sql.lit(1).as('found')).where(condition).toOperationNode())
}

/** The column has no declared type, so that SQLite changes nothing of what is put in. */
const db = new DatabaseSync(':memory:', { readBigInts: true })
db.exec('create table thing (v)')

function breaks(constraint: Plain, cell: Cell): boolean {
  db.exec('delete from thing')
  db.prepare('insert into thing values (?)').run(cell as never)
  const query = compiled(constraint)
  return query !== null && db.prepare(query.sql).all(...(query.params as never[])).length === 1
}

const TYPES = ['integer', 'decimal', 'double', 'boolean', 'date', 'dateTime', 'time', 'string', 'hexBinary']
const ODD: readonly Cell[] = [
  null, 0, 1, 2, -1, 1.5, 1e21, -1e300, Infinity, -Infinity, 9007199254740993n, '', ' ', '7', ' 7 ', '007', '-7.0', '7.', '.5', '1e3', '1e', '0x10', '7abc',
  'true', 'T', ' yes', 'maybe', 'NaN', 'inf', '2024-02-29', '2023-02-29', '2023-02-30', '2023-13-01', '0000-01-01', '0001-01-01', '2023-1-1', '2024-02-29x',
  ' 2024-02-29', '2460000.5', 'now', '12:30', '12:30:15.25', '24:00', '12:60', '2024-02-29 12:30', '2024-02-29T12:30:59.123', '2024-02-29T12:30:60',
  '2024-02-29 12:30Z', '2024-02-29 12:30:00+02:00', '2024-02-29 12:30:00+0200', '2024-02-29 12:30:00-05', '2024-02-29 12:30:00+15:00', '2024-02-29 24:00:00',
  '2024-02-30 12:30', '2024-02-29t12:30', '2024-02-29 12:30x', '2024-02-29 1230', 'Größe', 'a\u0000b', new Uint8Array([1, 2]), new Uint8Array(),
]

describe('a value of the wrong type is one that cannot be written as a literal of that type', () => {
  const wrong = (cell: Cell, type: string): boolean => {
    const term = literalOf(cell, XSD + type)
    return term?.kind === 'literal' && term.datatype !== XSD + type
  }

  it.each(TYPES)('%s', (type) => {
    const found = ODD.filter((cell) => breaks(datatype(type), cell))
    expect(found).toEqual(ODD.filter((cell) => wrong(cell, type)))
  })

  it('for any number and any text that looks like a time', () => {
    const digits = (low: number, high: number) => fc.integer({ min: low, max: high }).map((n) => String(n).padStart(2, '0'))
    const zone = fc.oneof(fc.constant(''), fc.constant('Z'), fc.tuple(fc.constantFrom('+', '-'), digits(0, 16), fc.constantFrom('', ':'), digits(0, 70)).map((x) => x.join('')))
    const moment = fc
      .tuple(fc.constantFrom('1999', '2024', '1900', '2000', '0000'), digits(0, 14), digits(0, 33), fc.constantFrom('T', ' ', 't', ''), digits(0, 26), digits(0, 63), zone)
      .map(([year, month, day, mark, hour, minute, offset]) => `${year}-${month}-${day}${mark}${hour}:${minute}${offset}`)
    const cell = fc.oneof(moment, moment.map((text) => text.slice(0, 10)), fc.double({ noNaN: true }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String))
    fc.assert(
      fc.property(cell, fc.constantFrom(...TYPES), (value, type) => {
        // whole numbers are stored as they come: node:sqlite writes a JavaScript number as REAL
        expect(breaks(datatype(type), value)).toBe(wrong(value, type))
      }),
      { numRuns: 500 },
    )
  })
})

describe('the other demands', () => {
  const inList: Plain = { ...about('integer'), kind: 'in', values: [1, 2], terms: [] }
  const texts: Plain = { ...about('string'), kind: 'in', values: ["it's", 'b'], terms: [] }
  const atLeast: Plain = { ...about('integer'), kind: 'range', bound: '>=', value: 0, term: { kind: 'iri', value: '' } }
  const since: Plain = { ...about('date'), kind: 'range', bound: '>', value: '2020-01-01', term: { kind: 'iri', value: '' } }
  const like: Plain = { ...about('string'), kind: 'pattern', like: 'A_c%', pattern: '' }
  const meantInteger: Plain = { ...about('string'), kind: 'declared', declared: 'integer', pattern: '' }
  const meantDate: Plain = { ...about('string'), kind: 'declared', declared: 'date', pattern: '' }
  const required: Plain = { ...about('string'), kind: 'required' }

  it.each<[name: string, constraint: Plain, broken: Cell[], kept: Cell[]]>([
    ['required', required, [null], ['', 0, new Uint8Array()]],
    ['in a list of numbers', inList, [3, 'x', '', 1.5, new Uint8Array([49])], [1, 2, '1', null]],
    ['in a list of texts', texts, ['B', 'c', ''], ["it's", 'b', null]],
    ['at least 0', atLeast, [-1, -0.5, 'x', '', new Uint8Array()], [0, 1.5, '7', Infinity, null]],
    ['after a day', since, ['2020-01-01', '2019-12-31', 'never', 20210101, '2021-02-30'], ['2020-01-02', null]],
    ['like', like, ['Bc', 'Ac', 'xAbc', ''], ['Abc', 'aBC and more', null]],
    ['declared integer', meantInteger, ['n/a', '', 1.5], [7, -7, null]],
    ['declared date', meantDate, ['May 2010', '', 7, '2023-02-30'], ['2023-02-28', '2023-02-28 10:00:00', null]],
  ])('%s', (_, constraint, broken, kept) => {
    expect(broken.filter((cell) => !breaks(constraint, cell))).toEqual([])
    expect(kept.filter((cell) => breaks(constraint, cell))).toEqual([])
  })

  it('engines with types are asked only about what their types let through', () => {
    expect(compiled(datatype('integer'), 'postgres')).toBeNull()
    expect(compiled(datatype('string'), 'mysql')).toBeNull()
    expect(compiled(datatype('date'), 'postgres')?.sql).toContain('not isfinite("t0"."v")')
    expect(compiled(datatype('date'), 'mysql')?.sql).toContain('month(`t0`.`v`) = 0')
  })

  it('PostgreSQL compares an integer column with a bound that is none', () => {
    expect(compiled({ ...atLeast, value: 0.5 } as Plain, 'postgres')).toMatchObject({ sql: expect.stringContaining('>= cast($1 as numeric)'), params: ['0.5'] })
  })
})
