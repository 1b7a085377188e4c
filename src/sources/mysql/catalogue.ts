/** What information_schema says about one MySQL or MariaDB database, read in a handful of queries whatever the number of tables. */
import type { Cell } from '../source.ts'
import { type Server, rowsOf } from './connect.ts'

export interface Relation {
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly comment: string | null
  /** rows as the engine estimates them */
  readonly estimate: number
}

export interface Attribute {
  readonly relation: string
  readonly name: string
  readonly declared: string
  readonly notNull: boolean
  readonly generated: boolean
  readonly comment: string | null
}

export interface Index {
  readonly relation: string
  readonly primary: boolean
  readonly columns: readonly string[]
}

export interface Reference {
  readonly relation: string
  readonly columns: readonly string[]
  readonly refRelation: string
  readonly refColumns: readonly string[]
}

export interface Check {
  readonly relation: string
  readonly text: string
}

export async function relations({ connection }: Server): Promise<Relation[]> {
  const rows = await rowsOf(
    connection,
    `SELECT table_name, table_type, table_comment, table_rows FROM information_schema.tables ` +
      `WHERE table_schema = database() AND table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')`,
  )
  return rows.map(([name, type, comment, estimate]) => ({
    name: String(name),
    kind: type === 'VIEW' ? 'view' : 'table',
    comment: type === 'VIEW' ? null : textOrNull(comment), // the comment of every view is the word VIEW
    estimate: Number(estimate ?? 0),
  }))
}

/** Columns that the role may read, in their order: information_schema shows no others. */
export async function attributes({ connection }: Server): Promise<Attribute[]> {
  const rows = await rowsOf(
    connection,
    `SELECT table_name, column_name, column_type, is_nullable, extra, generation_expression, column_comment, privileges ` +
      `FROM information_schema.columns WHERE table_schema = database() ORDER BY table_name, ordinal_position`,
  )
  return rows
    .filter(([, , , , extra, , , privileges]) => /\bselect\b/i.test(String(privileges)) && !/\bINVISIBLE\b/i.test(String(extra)))
    .map(([relation, name, declared, nullable, extra, expression, comment]) => ({
      relation: String(relation), name: String(name), declared: String(declared), notNull: nullable === 'NO',
      generated: /GENERATED$/i.test(String(extra)) || textOrNull(expression) !== null,
      comment: textOrNull(comment),
    }))
}

/** Unique indexes over whole columns; one over a prefix or an expression identifies nothing. */
export async function indexes({ connection }: Server): Promise<Index[]> {
  const rows = await rowsOf(
    connection,
    `SELECT table_name, index_name, column_name, sub_part FROM information_schema.statistics ` +
      `WHERE table_schema = database() AND non_unique = 0 ORDER BY table_name, index_name, seq_in_index`,
  )
  return grouped(rows, ([relation, index]) => `${String(relation)}\0${String(index)}`)
    .filter((parts) => parts.every(([, , column, prefix]) => column !== null && prefix === null))
    .map((parts) => ({
      relation: String(parts[0]?.[0]),
      primary: parts[0]?.[1] === 'PRIMARY',
      columns: parts.map(([, , column]) => String(column)),
    }))
}

export async function references({ connection }: Server): Promise<Reference[]> {
  const rows = await rowsOf(
    connection,
    `SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name ` +
      `FROM information_schema.key_column_usage WHERE table_schema = database() AND referenced_table_schema = database() ` +
      `ORDER BY table_name, constraint_name, ordinal_position`,
  )
  return grouped(rows, ([relation, constraint]) => `${String(relation)}\0${String(constraint)}`).map((parts) => ({
    relation: String(parts[0]?.[0]), columns: parts.map(([, , column]) => String(column)),
    refRelation: String(parts[0]?.[3]), refColumns: parts.map((part) => String(part[4])),
  }))
}

/** MariaDB says which table a check belongs to; MySQL, since 8.0.16, only through a second view. */
export async function checks({ connection, mariadb }: Server): Promise<Check[]> {
  const sql = mariadb
    ? `SELECT table_name, check_clause FROM information_schema.check_constraints WHERE constraint_schema = database()`
    : `SELECT t.table_name, c.check_clause FROM information_schema.check_constraints c JOIN information_schema.table_constraints t ` +
      `ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name ` +
      `WHERE c.constraint_schema = database() AND t.constraint_type = 'CHECK'`
  const rows = await rowsOf(connection, sql).catch(() => []) // older servers parse checks and forget them
  return rows
    .map(([relation, text]) => ({ relation: String(relation), text: String(text) }))
    .filter(({ text }) => !/^json_valid\((?:`[^`]*`|"[^"]*")\)$/i.test(text)) // how MariaDB spells the type JSON
}

function grouped(rows: readonly (readonly Cell[])[], keyOf: (row: readonly Cell[]) => string): (readonly Cell[])[][] {
  const groups = new Map<string, (readonly Cell[])[]>()
  for (const row of rows) {
    const known = groups.get(keyOf(row))
    if (known === undefined) groups.set(keyOf(row), [row])
    else known.push(row)
  }
  return [...groups.values()]
}

const textOrNull = (cell: Cell | undefined): string | null => (typeof cell === 'string' && cell !== '' ? cell : null)
