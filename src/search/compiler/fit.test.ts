import { type Expression, type SqlBool, expressionBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Filter, Scalar } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import { type AnyTables, type Dialect, compileQuery, queryBuilder } from '../../sources/index.ts'
import { fit, measured } from './fit.ts'

function shown(dialect: Dialect, range: string, op: Filter['op'], value: Scalar): [string, unknown] {
  const { column, filter } = fit(dialect, XSD + range, sql.id('c'), { path: ['c'], op, value })
  const condition = expressionBuilder<AnyTables, string>()(column, filter.op as '=', filter.value) as Expression<SqlBool>
  const { sql: text, params } = compileQuery(dialect, queryBuilder(dialect).selectFrom('t').selectAll().where(condition).toOperationNode())
  return [text.slice(text.indexOf('where ') + 6).replaceAll(/["`]/g, ''), params[0]]
}

describe('PostgreSQL', () => {
  it.each([
    ['string', '=', 'x', 'cast(c as text) = $1', 'x'],
    ['string', '=', 7, 'cast(c as text) = $1', '7'],
    ['integer', '=', 7, 'c = $1', 7],
    ['integer', '>', 2.5, 'cast(c as numeric) > $1', 2.5],
    ['integer', '=', 3_000_000_000, 'cast(c as numeric) = $1', 3_000_000_000],
    ['integer', '=', ' 12 ', 'c = $1', 12],
    ['integer', '=', 'twelve', 'cast(c as text) = $1', 'twelve'],
    ['decimal', '<', 0.5, 'c < $1', 0.5],
    ['boolean', '=', true, 'c = $1', 1],
    ['boolean', '=', 'no', 'c = $1', 0],
    ['boolean', '=', 'perhaps', 'cast(c as text) = $1', 'perhaps'],
    ['date', '>=', '2026-03-01', 'c >= $1', '2026-03-01'],
    ['date', '>=', '2026-02-30', 'cast(c as text) >= $1', '2026-02-30'],
    ['date', '>=', '2026', 'cast(c as text) >= $1', '2026'],
    ['dateTime', '<', '2026-03-01T08:00:00Z', 'c < $1', '2026-03-01T08:00:00Z'],
    ['date', 'like', '2026-%', 'lower(cast(c as text)) like $1', '2026-%'],
    ['string', 'like', '%Oslo%', 'lower(cast(c as text)) like $1', '%oslo%'],
  ] as const)('%s %s %j', (range, op, value, text, param) => {
    expect(shown('postgres', range, op, value)).toEqual([text, param])
  })
})

describe('MySQL', () => {
  it.each([
    ['string', '=', 7, 'c = ?', '7'],
    ['integer', '>', 2.5, 'c > ?', 2.5],
    ['integer', '=', 'twelve', 'cast(c as char) = ?', 'twelve'],
    ['boolean', '=', 'true', 'c = ?', 1],
    ['dateTime', '<', '2026-03-01T08:00:00Z', 'c < ?', '2026-03-01 08:00:00'],
    ['dateTime', '<', '2026-03-01T08:00:00+02:00', 'c < ?', '2026-03-01 06:00:00'],
    ['date', '=', 'soon', 'cast(c as char) = ?', 'soon'],
    ['string', 'like', '%Oslo%', 'lower(c) like ?', '%oslo%'],
  ] as const)('%s %s %j', (range, op, value, text, param) => {
    expect(shown('mysql', range, op, value)).toEqual([text, param])
  })
})

it('SQLite is left as it is, but for half a date', () => {
  expect(shown('sqlite', 'date', '>=', '2026')).toEqual(['cast(c as text) >= ?', '2026'])
  expect(shown('sqlite', 'date', '>=', '2026-01-01')).toEqual(['c >= ?', '2026-01-01'])
  expect(shown('sqlite', 'integer', '=', 'twelve')).toEqual(['c = ?', 'twelve'])
  expect(shown('sqlite', 'string', 'like', '%Oslo%')).toEqual(['c like ?', '%Oslo%'])
})

it('every value of a list has to fit, and a gap in it stays', () => {
  const { filter } = fit('postgres', `${XSD}integer`, sql.id('c'), { path: ['c'], op: 'in', value: ['1', null, 2] })
  expect(filter.value).toEqual([1, null, 2])
})

it('averages are computed in binary on every engine', () => {
  const of = (dialect: Dialect) => {
    const expression = measured(dialect, `${XSD}decimal`, sql.id('c'), 'avg')
    return compileQuery(dialect, queryBuilder(dialect).selectFrom('t').select(sql`avg(${expression})`.as('a')).toOperationNode()).sql
  }
  expect(of('sqlite')).toContain('avg("c")')
  expect(of('postgres')).toContain('avg(cast("c" as double precision))')
  expect(of('mysql')).toContain('avg(cast(`c` as double))')
})

it('a text that is a number adds up, and one that is none is unknown', () => {
  const of = (dialect: Dialect, aggregate: string) => {
    const expression = measured(dialect, `${XSD}string`, sql.id('c'), aggregate)
    return compileQuery(dialect, queryBuilder(dialect).selectFrom('t').select(sql`${sql.raw(aggregate)}(${expression})`.as('a')).toOperationNode()).sql
  }
  expect(of('sqlite', 'sum')).toContain(`sum(case when ("c" glob '[0-9]*' or "c" glob '-[0-9]*') and substr("c", 2) not glob '*[^0-9.]*' and "c" not like '%.%.%' and "c" not like '%.' then cast("c" as real) end)`)
  expect(of('postgres', 'avg')).toContain(`avg(case when "c" ~ '^-?[0-9]+([.][0-9]+)?$' then cast("c" as double precision) end)`)
  expect(of('mysql', 'avg')).toContain("avg(case when `c` regexp '^-?[0-9]+([.][0-9]+)?$' then cast(`c` as double) end)")
  expect(of('sqlite', 'max')).toContain('max("c" collate binary)')
})
