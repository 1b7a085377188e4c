/** What a SQLite file already holds, and how names and words are spelled in its schema statements. */
import { type RawBuilder, sql } from 'kysely'
import { type Connection, query } from './sqlite-dialect.ts'

export interface PresentColumn {
  readonly name: string
  readonly type: string
  /** 0 for an ordinary column; generated and hidden ones have other numbers */
  readonly hidden: number
}

const named = <Row>(raw: RawBuilder<Row>) => ({ compile: () => raw.compile(query) })

export function namesOf(store: Connection, type: 'table' | 'index' | 'trigger'): Set<string> {
  const raw = sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = ${type}`
  return new Set(store.rows(named(raw)).map(({ name }) => name))
}

export function columnsOf(store: Connection, table: string): PresentColumn[] {
  return store.rows(named(sql<PresentColumn>`SELECT name, type, hidden FROM pragma_table_xinfo(${table})`))
}

/** The statement that made a table. */
export function definitionOf(store: Connection, table: string): string {
  const raw = sql<{ sql: string }>`SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ${table}`
  return store.first(named(raw))?.sql ?? ''
}

/** The statements that made the indexes and triggers of a table; those that SQLite made by itself have none. */
export function companionsOf(store: Connection, table: string): string[] {
  const raw = sql<{ sql: string }>`
    SELECT sql FROM sqlite_master WHERE tbl_name = ${table} AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY name`
  return store.rows(named(raw)).map((row) => row.sql)
}

export function distinctText(store: Connection, table: string, column: string): string[] {
  const [from, ref] = [sql.table(table), sql.ref(column)]
  const raw = sql<{ word: string }>`SELECT DISTINCT CAST(${ref} AS TEXT) AS word FROM ${from} WHERE ${ref} IS NOT NULL ORDER BY 1`
  return store.rows(named(raw)).map(({ word }) => word)
}

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const word = (text: string): string => `'${text.replaceAll("'", "''")}'`
