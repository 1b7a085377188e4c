/**
 * Makes a comparison one that every engine takes and answers alike. SQLite compares anything with anything; a server gives a
 * parameter the type of the column beside it, and then refuses 2.5 for an integer column (PostgreSQL) or finds 'abc' equal to 0
 * (MySQL). What does not fit the column's type is compared as text, which is what SQLite comes to.
 */
import { type AliasableExpression, type Expression, sql } from 'kysely'
import type { Filter, Scalar } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { Dialect } from '../../sources/index.ts'

export interface Fitted {
  readonly column: Expression<unknown>
  readonly filter: Filter
}

/** `range` is the datatype of the property behind the column. */
export function fit(dialect: Dialect, range: string, column: Expression<unknown>, filter: Filter): Fitted {
  const values = (Array.isArray(filter.value) ? filter.value : [filter.value ?? null]).filter((value) => value !== null)
  if (values.length === 0) return { column, filter }
  if (dialect === 'sqlite') {
    // a DATE column has numeric affinity: it would read '2026' as a number, which every text is above
    const bare = (range === `${XSD}date` || range === `${XSD}dateTime`) && values.some(isNumeric)
    return { column: bare ? sql`cast(${column} as text)` : column, filter: bare ? withValues(filter, String) : filter }
  }
  if (filter.op === 'like' || filter.op === 'not_like') {
    // as in SQLite, upper and lower case are alike; PostgreSQL would take a backslash for an escape
    const literal = (text: string) => (dialect === 'postgres' ? text.replaceAll('\\', '\\\\') : text)
    return { column: sql`lower(${asText(dialect, column, range)})`, filter: withValues(filter, (value) => literal(String(value).toLowerCase())) }
  }
  const type = range.startsWith(XSD) ? range.slice(XSD.length) : ''
  switch (type) {
    case 'integer':
    case 'decimal': {
      if (!values.every(isNumeric)) break
      const wide = dialect === 'postgres' && type === 'integer' && !values.every((value) => isSmallInteger(Number(value)))
      return { column: wide ? sql`cast(${column} as numeric)` : column, filter: withValues(filter, toNumber) }
    }
    case 'boolean':
      if (!values.every((value) => truthOf(value) !== null)) break
      return { column, filter: withValues(filter, (value) => truthOf(value) ?? 0) }
    case 'date':
    case 'dateTime':
      if (!values.every(isMoment)) break
      return { column, filter: dialect === 'mysql' ? withValues(filter, (value) => plainMoment(String(value))) : filter }
    case 'hexBinary':
      return { column, filter }
  }
  return { column: asText(dialect, column, range), filter: withValues(filter, String) }
}

/** The column as text. PostgreSQL keeps enums, uuids and the like in types that texts do not compare with. */
export function asText(dialect: Dialect, column: Expression<unknown>, range = `${XSD}string`): AliasableExpression<string> {
  if (dialect === 'postgres') return sql<string>`cast(${column} as text)`
  if (dialect === 'mysql' && range !== `${XSD}string`) return sql<string>`cast(${column} as char)`
  return sql<string>`${column}`
}

/** Whatever it is, as text on every engine: for values of two kinds that are compared with each other. */
export const toText = (dialect: Dialect, of: Expression<unknown>): AliasableExpression<string> =>
  dialect === 'mysql' ? sql<string>`cast(${of} as char)` : sql<string>`cast(${of} as text)`

/**
 * A column whose equal values are the same text: under NOCASE SQLite takes one spelling for all that are alike, and which one
 * it takes would depend on the index it reads, which another column may lead.
 */
export const spelled = <T extends Expression<unknown>>(dialect: Dialect, range: string, column: T): T | AliasableExpression<unknown> =>
  dialect === 'sqlite' && range === `${XSD}string` ? sql`${column} collate binary` : column

/** The same on every engine, whatever the type: what is equal in such an order cannot be told apart. */
export function byteOrder(dialect: Dialect, range: string, column: Expression<unknown>): Expression<unknown> {
  if (range !== `${XSD}string`) return column
  if (dialect === 'postgres') return sql`cast(${column} as text) collate "C"`
  return dialect === 'mysql' ? sql`cast(convert(${column} using utf8mb4) as binary)` : spelled(dialect, range, column)
}

/** Several columns as one value, NULL where one of them is: no two different lists of values give the same. */
export function oneText(dialect: Dialect, columns: readonly Expression<unknown>[]): Expression<unknown> {
  const [only] = columns
  if (columns.length === 1 && only !== undefined) return only
  // each text after its length, so that ('a', 'bc') and ('ab', 'c') differ
  const parts = columns.flatMap((column) => {
    const text = toText(dialect, column)
    return [toText(dialect, sql`length(${text})`), sql`${sql.lit(':')}`, text]
  })
  return dialect === 'mysql' ? sql`concat(${sql.join(parts)})` : sql.join(parts, sql` || `)
}

/** The column as something that can be summed or averaged: in binary, as SQLite does, and truth values as 1 and 0. */
export function measured(dialect: Dialect, range: string, column: Expression<unknown>, aggregate: string): Expression<unknown> {
  if (range === `${XSD}string` && (aggregate === 'sum' || aggregate === 'avg')) return figure(dialect, column)
  if (dialect === 'sqlite') return aggregate === 'sum' || aggregate === 'avg' || aggregate === 'count' ? column : spelled(dialect, range, column)
  const number = dialect === 'postgres' && range === `${XSD}boolean` ? sql`cast(${column} as integer)` : column
  if (aggregate !== 'avg') return number
  // the average of decimals is otherwise cut after a few digits (MySQL) or given with twenty (PostgreSQL)
  return dialect === 'postgres' ? sql`cast(${number} as double precision)` : sql`cast(${number} as double)`
}

/** The number that a text is, NULL where it is none. */
function figure(dialect: Dialect, column: Expression<unknown>): Expression<unknown> {
  if (dialect === 'postgres') return sql`case when ${column} ~ '^-?[0-9]+([.][0-9]+)?$' then cast(${column} as double precision) end`
  if (dialect === 'mysql') return sql`case when ${column} regexp '^-?[0-9]+([.][0-9]+)?$' then cast(${column} as double) end`
  const begins = sql`(${column} glob '[0-9]*' or ${column} glob '-[0-9]*')`
  const goesOn = sql`substr(${column}, 2) not glob '*[^0-9.]*' and ${column} not like '%.%.%' and ${column} not like '%.'`
  return sql`case when ${begins} and ${goesOn} then cast(${column} as real) end`
}

const withValues = (filter: Filter, change: (value: Exclude<Scalar, null>) => Scalar): Filter => {
  const changed = (value: Scalar): Scalar => (value === null ? null : change(value))
  return { ...filter, value: Array.isArray(filter.value) ? filter.value.map(changed) : changed(filter.value ?? null) }
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i
const isNumeric = (value: Scalar): boolean => typeof value !== 'string' || NUMBER.test(value)
const isSmallInteger = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31

/** Digits that a number cannot hold stay digits. */
const toNumber = (value: Exclude<Scalar, null>): Scalar => {
  if (typeof value !== 'string') return Number(value)
  const number = Number(value)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? value.trim() : number
}

const TRUTHS: Readonly<Record<string, 0 | 1>> = { '1': 1, true: 1, t: 1, yes: 1, y: 1, on: 1, '0': 0, false: 0, f: 0, no: 0, n: 0, off: 0 }
const truthOf = (value: Scalar): 0 | 1 | null => TRUTHS[String(value).trim().toLowerCase()] ?? null

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** A day that exists, alone or with a time of day. */
function isMoment(value: Scalar): boolean {
  const [, year, month, day] = MOMENT.exec(String(value)) ?? []
  if (year === undefined) return false
  const read = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return Number(year) > 0 && !Number.isNaN(read.getTime()) && read.getUTCDate() === Number(day)
}

/** MySQL knows neither the T nor the zone: its times are taken in UTC. */
function plainMoment(text: string): string {
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.exec(text.slice(10))
  const local = text.replace('T', ' ')
  if (zoned === null || zoned[0] === 'Z') return local.replace(/Z$/, '')
  const utc = new Date(text.replace(' ', 'T').replace(/([+-]\d{2}):?(\d{2})$/, '$1:$2'))
  return utc.toISOString().replace('T', ' ').replace(/(?:\.000)?Z$/, '')
}
