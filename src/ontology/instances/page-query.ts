/** The queries behind `read.ts`: a page after a place, the number of rows in a place, and rows by the values of some columns. */
import type { AliasableExpression, Expression, SelectQueryBuilder, SqlBool } from 'kysely'
import { expressionBuilder, sql } from 'kysely'
import type { AnyTables, Cell, Dialect, SqlQuery, ValueType } from '../../sources/index.ts'
import { CAPABILITIES, compileQuery, queryBuilder } from '../../sources/index.ts'
import type { ReadColumn, ReadTable } from './read.ts'

interface OrderColumn {
  /** its position among the columns that are read */
  readonly at: number
  readonly by: Expression<unknown>
  readonly value: (cell: Cell) => Expression<unknown>
}

export interface Order {
  readonly columns: readonly OrderColumn[]
  /** by the table's key, and so by an index */
  readonly keyed: boolean
}

/**
 * By key where each of its values can be named in the next query; else by all columns of which that is true, compared byte by
 * byte: a collation that takes two texts for one would lose rows between pages.
 */
export function orderOf(dialect: Dialect, table: ReadTable): Order {
  const indexed = table.columns.map((column, at) => ({ column, at }))
  const key = table.key.map((name) => indexed.find(({ column }) => column.name === name))
  const plain = key.flatMap((part) => (part === undefined || part.column.type === 'blob' ? [] : [part]))
  if (key.length > 0 && plain.length === key.length) {
    const columns = plain.map(({ column, at }) => ({ at, by: reference(column.name), value: (cell: Cell) => sql`${cell}` }))
    return { columns, keyed: true }
  }
  const exact = indexed.filter(({ column }) => comesBackExactly(dialect, column.type))
  return { columns: exact.map(({ column, at }) => ({ at, ...bytewise(dialect, column) })), keyed: false }
}

/** MySQL's FLOAT compares as another number than the one it prints; bytes cannot be bound. */
const comesBackExactly = (dialect: Dialect, type: ValueType | null): boolean =>
  type !== 'blob' && !(dialect === 'mysql' && (type === 'decimal' || type === null))

function bytewise(dialect: Dialect, { name, type }: ReadColumn): Omit<OrderColumn, 'at'> {
  const column = reference(name)
  const asIs = (cell: Cell): Expression<unknown> => sql`${cell}`
  if (dialect === 'sqlite') return { by: sql`${column} collate binary`, value: asIs }
  if (type !== 'text') return { by: column, value: asIs }
  if (dialect === 'postgres') return { by: sql`cast(${column} as text) collate "C"`, value: asIs }
  return { by: sql`cast(convert(${column} using utf8mb4) as binary)`, value: (cell) => sql`cast(${cell} as binary)` }
}

/** A replacement character may stand for bytes that are no text, and such a text is not equal to what was read. */
export const isBindable = (cell: Cell): boolean =>
  typeof cell === 'string' ? !cell.includes('\uFFFD') : !(cell instanceof Uint8Array)

export function pageQuery(
  dialect: Dialect,
  table: ReadTable,
  order: Order,
  after: readonly Cell[] | null,
  rows: number,
): SqlQuery {
  let query = from(dialect, table.name)
  for (const { name } of table.columns) query = query.select(aliased(name))
  if (after !== null) query = query.where(beyond(dialect, order, after))
  // NULL first, as the other two engines have it; a key has none, and its index would not be used for it
  const nullsFirst = CAPABILITIES[dialect].nullsLast && !order.keyed
  for (const { by } of order.columns) query = query.orderBy(by, (how) => (nullsFirst ? how.asc().nullsFirst() : how.asc()))
  // written out: MySQL takes no bound number here
  return compileQuery(dialect, query.limit(sql.lit(rows)).toOperationNode())
}

export function countQuery(dialect: Dialect, table: ReadTable, order: Order, place: readonly Cell[]): SqlQuery {
  const query = from(dialect, table.name).select(sql<number>`count(*)`.as('rows'))
  const there = and(order.columns.map((column, at) => same(column, place[at] ?? null)))
  return compileQuery(dialect, query.where(there).toOperationNode())
}

/** Rows whose columns `by` hold one of the tuples. */
export function lookupQuery(
  dialect: Dialect,
  table: string,
  columns: readonly string[],
  by: readonly string[],
  tuples: readonly (readonly Cell[])[],
): SqlQuery {
  const eb = expressionBuilder<AnyTables, string>()
  let query = from(dialect, table)
  for (const name of columns) query = query.select(aliased(name))
  const [only, ...more] = by
  const wanted =
    only !== undefined && more.length === 0
      ? eb(reference(only), 'in', tuples.map(([cell]) => cell ?? null))
      : or(tuples.map((tuple) => and(by.map((name, at) => eb(reference(name), '=', tuple[at] ?? null)))))
  return compileQuery(dialect, query.where(wanted).toOperationNode())
}

/** Rows that come after a place. Row values use the index of a composite key; MySQL knows them but reads the whole table. */
function beyond(dialect: Dialect, { columns }: Order, place: readonly Cell[]): Expression<SqlBool> {
  const values = columns.map(({ value }, at) => value(place[at] ?? null))
  if (CAPABILITIES[dialect].comparesRows && !place.includes(null)) {
    return sql<SqlBool>`(${sql.join(columns.map(({ by }) => by))}) > (${sql.join(values)})`
  }
  return or(
    columns.map((column, at) => {
      const before = columns.slice(0, at).map((each, index) => same(each, place[index] ?? null))
      return and([...before, after(column, place[at] ?? null)])
    }),
  )
}

const same = ({ by, value }: OrderColumn, cell: Cell): Expression<SqlBool> =>
  cell === null ? sql<SqlBool>`${by} is null` : sql<SqlBool>`${by} = ${value(cell)}`
const after = ({ by, value }: OrderColumn, cell: Cell): Expression<SqlBool> =>
  cell === null ? sql<SqlBool>`${by} is not null` : sql<SqlBool>`${by} > ${value(cell)}`
const and = (parts: readonly Expression<SqlBool>[]): Expression<SqlBool> => expressionBuilder<AnyTables, string>().and([...parts])
const or = (parts: readonly Expression<SqlBool>[]): Expression<SqlBool> => expressionBuilder<AnyTables, string>().or([...parts])

const reference = (column: string): Expression<unknown> => sql.id('t0', column)
const aliased = (column: string) => (sql.id('t0', column) as AliasableExpression<unknown>).as(column)
const from = (dialect: Dialect, table: string) =>
  queryBuilder(dialect).selectFrom(sql<Record<string, unknown>>`${sql.id(table)}`.as('t0')) as unknown as SelectQueryBuilder<
    AnyTables,
    string,
    Record<string, unknown>
  >
