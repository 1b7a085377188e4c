/** Reads a SQLite schema: tables and views, columns with a few samples, keys declared and keys inferred. */
import type { DatabaseSync } from 'node:sqlite'
import { compareText } from '../../kernel/term.ts'
import { withInferredKeys } from '../infer-keys.ts'
import { ROWS_LOOKED_AT, SAMPLES, SAMPLE_CHARS } from '../look.ts'
import type { Catalogue, Column, ForeignKey, Table } from '../source.ts'
import { valueTypeOf } from '../value-type.ts'
import { checksOf } from './checks.ts'

type Row = readonly (string | bigint | number | null)[]

export function introspect(db: DatabaseSync): Catalogue {
  const tables = tableNames(db)
    .toSorted((x, y) => compareText(x.name, y.name))
    .flatMap(({ name, kind }) => {
      const table = readTable(db, name, kind)
      return table === null ? [] : [table]
    })
  const resolved = tables.map((table) => ({ ...table, foreignKeys: foreignKeys(db, table, tables) }))
  return { dialect: 'sqlite', tables: withInferredKeys(resolved, (candidate) => countOrphans(db, candidate)) }
}

/** Neither SQLite's own tables nor the shadow tables behind a virtual one. */
export function tableNames(db: DatabaseSync): { name: string; kind: Table['kind'] }[] {
  return rowsOf(db, 'PRAGMA main.table_list').flatMap(([schema, name, type]) => {
    const usable = schema === 'main' && type !== 'shadow' && !String(name).toLowerCase().startsWith('sqlite_')
    return usable ? [{ name: String(name), kind: type === 'view' ? 'view' : 'table' } as const] : []
  })
}

function readTable(db: DatabaseSync, name: string, kind: Table['kind']): Table | null {
  try {
    const info = rowsOf(db, `PRAGMA main.table_xinfo(${quoted(name)})`).filter(([, , , , , , hidden]) => hidden !== 1n)
    if (info.length === 0) return null
    const primaryKey = info
      .filter(([, , , , , pk]) => Number(pk) > 0)
      .toSorted((x, y) => Number(x[5]) - Number(y[5]))
      .map(([, column]) => String(column))
    const [count] = rowsOf(db, `SELECT count(*) FROM ${quoted(name)}`)
    const rowCount = Number(count?.[0] ?? 0)
    const order = rowOrder(db, name, info.map(([, column]) => String(column)), primaryKey)
    const columns = info.map(([, column, type, notNull, , , hidden]): Column => {
      const seen = look(db, name, String(column), order, rowCount)
      const rowidAlias = primaryKey.length === 1 && primaryKey[0] === column && String(type).toUpperCase() === 'INTEGER'
      return {
        name: String(column),
        declaredType: String(type ?? ''),
        valueType: valueTypeOf(String(type ?? ''), seen),
        nullable: notNull === 0n && !rowidAlias,
        generated: hidden === 2n || hidden === 3n,
        comment: null,
        samples: seen.samples,
      }
    })
    return {
      name, kind, columns, primaryKey, uniques: uniques(db, name), foreignKeys: [], rowCount, comment: null,
      checks: kind === 'table' ? checks(db, name) : [],
    }
  } catch (error) {
    // a view over a table that is gone, a virtual table whose module is not here: SQLITE_ERROR, and the rest stays readable
    if (isPlainError(error)) return null
    throw error
  }
}

/**
 * What rows are looked at in the order of, or null where only a column's own values can order it. Left to itself SQLite reads
 * whatever index covers the column, and an index led by another column would let that one choose the samples.
 */
function rowOrder(db: DatabaseSync, table: string, columns: readonly string[], primaryKey: readonly string[]): readonly string[] | null {
  const about = rowsOf(db, `PRAGMA main.table_list(${quoted(table)})`).find(([schema]) => schema === 'main')
  if (about?.[2] !== 'table') return null
  if (about[4] === 1n) return primaryKey.map(quoted)
  const rowid = ['rowid', '_rowid_', 'oid'].find((name) => !columns.some((column) => sameName(column, name)))
  return rowid === undefined ? null : [rowid]
}

interface Seen {
  readonly storage: Set<string>
  readonly values: string[]
  readonly samples: string[]
}

/** The first values; of a table with more rows than that also the last, for what came later may be of another kind. */
function look(db: DatabaseSync, table: string, column: string, order: readonly string[] | null, rowCount: number): Seen {
  const from = (direction: 'ASC' | 'DESC'): Row[] => {
    const by = (order ?? [`${quoted(column)} COLLATE BINARY`]).map((each) => `${each} ${direction}`).join(', ')
    return rowsOf(
      db,
      `SELECT DISTINCT typeof(v), CASE WHEN typeof(v) = 'blob' OR length(v) >= ${SAMPLE_CHARS} THEN NULL ELSE v END COLLATE BINARY FROM (` +
        `SELECT ${quoted(column)} AS v FROM ${quoted(table)} WHERE ${quoted(column)} IS NOT NULL ORDER BY ${by} LIMIT ${ROWS_LOOKED_AT})`,
    )
  }
  const [first, last] = [from('ASC'), order === null || rowCount <= ROWS_LOOKED_AT ? [] : from('DESC')]
  const [early, late] = [textsOf(first), textsOf(last)]
  const values = [...new Set([...early, ...late])]
  const later = values.slice(early.length, early.length + Math.max(SAMPLES / 2, SAMPLES - early.length))
  return {
    storage: new Set([...first, ...last].map(([type]) => String(type))),
    values,
    samples: [...early.slice(0, SAMPLES - later.length), ...later],
  }
}

const textsOf = (rows: readonly Row[]): string[] =>
  [...new Set(rows.flatMap(([, value]) => (value === null || value === undefined ? [] : [String(value)])))]

function checks(db: DatabaseSync, table: string): string[] {
  const [row] = db.prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?").all(table) as unknown as Row[]
  return checksOf(String(row?.[0] ?? ''))
}

/** Whole unique indexes over plain columns; a partial index or one over an expression identifies nothing. */
function uniques(db: DatabaseSync, table: string): string[][] {
  return rowsOf(db, `PRAGMA main.index_list(${quoted(table)})`)
    .filter(([, , unique, origin, partial]) => unique === 1n && origin !== 'pk' && partial === 0n)
    .map(([, index]) => rowsOf(db, `PRAGMA main.index_info(${quoted(String(index))})`).map(([, , column]) => column ?? null))
    .filter((columns) => columns.length > 0 && columns.every((column) => column !== null))
    .map((columns) => columns.map(String))
    .toSorted((x, y) => compareText(x.join('\0'), y.join('\0')))
}

/** Declared keys whose other side exists. SQLite checks neither table nor column when a key is declared, nor their case. */
function foreignKeys(db: DatabaseSync, table: Table, tables: readonly Table[]): ForeignKey[] {
  const byId = new Map<string, Row[]>()
  for (const row of rowsOf(db, `PRAGMA main.foreign_key_list(${quoted(table.name)})`)) {
    const id = String(row[0])
    byId.set(id, [...(byId.get(id) ?? []), row])
  }
  const keys = [...byId.values()].flatMap((parts): ForeignKey[] => {
    const ordered = parts.toSorted((x, y) => Number(x[1]) - Number(y[1]))
    const target = tables.find(({ name }) => sameName(name, String(ordered[0]?.[2])))
    if (target === undefined) return []
    const columns = ordered.map((part) => columnNamed(table, part[3]))
    const implicit = ordered.every((part) => part[4] === null)
    const refColumns = implicit ? target.primaryKey : ordered.map((part) => columnNamed(target, part[4]))
    if (!allNames(columns) || !allNames(refColumns) || columns.length !== refColumns.length) return []
    return [{ columns, refTable: target.name, refColumns, inferred: null }]
  })
  const spelled = new Map(keys.map((key) => [`${key.columns.join('\0')}\0\0${key.refTable}`, key]))
  return [...spelled].toSorted(([x], [y]) => compareText(x, y)).map(([, key]) => key)
}

function countOrphans(
  db: DatabaseSync,
  { table, column, refTable, refColumn }: { table: string; column: string; refTable: string; refColumn: string },
): { values: number; orphans: number } {
  const [row] = rowsOf(
    db,
    `SELECT count(*), sum(CASE WHEN r.${quoted(refColumn)} IS NULL THEN 1 ELSE 0 END) FROM ${quoted(table)} AS t ` +
      `LEFT JOIN ${quoted(refTable)} AS r ON r.${quoted(refColumn)} = t.${quoted(column)} WHERE t.${quoted(column)} IS NOT NULL`,
  )
  return { values: Number(row?.[0] ?? 0), orphans: Number(row?.[1] ?? 0) }
}

const rowsOf = (db: DatabaseSync, sql: string): Row[] => db.prepare(sql).all() as unknown as Row[]
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const sameName = (x: string, y: string): boolean => x.toLowerCase() === y.toLowerCase()
const columnNamed = (table: Table, name: unknown): string | undefined =>
  table.columns.find((column) => sameName(column.name, String(name)))?.name
const allNames = (names: readonly (string | undefined)[]): names is readonly string[] =>
  names.length > 0 && names.every((name) => name !== undefined)
const isPlainError = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === 1
