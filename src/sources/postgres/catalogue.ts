/** What PostgreSQL's system tables say about one schema, read in a handful of queries whatever the number of tables. */
import type { Client } from 'pg'
import type { Cell } from '../source.ts'
import { read } from './select.ts'

export interface Relation {
  readonly oid: number
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly comment: string | null
  /** rows by the server's last look; -1 when it never looked */
  readonly estimate: number
  readonly bytes: number
}

export interface Attribute {
  readonly relation: number
  readonly number: number
  readonly name: string
  readonly declared: string
  readonly type: string
  readonly scale: number | null
  readonly notNull: boolean
  readonly generated: boolean
  readonly comment: string | null
}

export interface Constraint {
  readonly relation: number
  readonly kind: 'p' | 'u' | 'f' | 'c'
  /** numbers of the columns, in key order */
  readonly columns: readonly number[]
  readonly refRelation: number
  readonly refColumns: readonly number[]
  readonly text: string
}

const ALL = 10_000_000

/** Tables and views that the role may read at least one column of. What an extension brought along is the extension's. */
export async function relations(client: Client, schema: string): Promise<Relation[]> {
  const rows = await rowsOf(
    client,
    `SELECT c.oid, c.relname, c.relkind, obj_description(c.oid, 'pg_class'), c.reltuples, ` +
      `CASE WHEN c.relkind IN ('r', 'm') THEN pg_relation_size(c.oid) ELSE 0 END ` +
      `FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace ` +
      `WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition ` +
      `AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT') ` +
      `AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`,
    schema,
  )
  return rows.map(([oid, name, kind, comment, estimate, bytes]) => ({
    oid: Number(oid), name: String(name), kind: kind === 'v' || kind === 'm' ? 'view' : 'table',
    comment: textOrNull(comment), estimate: Number(estimate), bytes: Number(bytes),
  }))
}

/** Columns that the role may read, in their order; a domain counts as the type below it. */
export async function attributes(client: Client, schema: string): Promise<Attribute[]> {
  const rows = await rowsOf(
    client,
    `WITH RECURSIVE base AS (SELECT oid, oid AS type, typtypmod FROM pg_type UNION ALL ` +
      `SELECT base.oid, t.typbasetype, CASE WHEN base.typtypmod >= 0 THEN base.typtypmod ELSE t.typtypmod END ` +
      `FROM base JOIN pg_type t ON t.oid = base.type WHERE t.typtype = 'd') ` +
      `SELECT a.attrelid, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), t.typname, ` +
      `CASE WHEN a.atttypmod >= 0 THEN a.atttypmod ELSE base.typtypmod END, a.attnotnull, a.attgenerated, ` +
      `col_description(a.attrelid, a.attnum) ` +
      `FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace ` +
      `JOIN base ON base.oid = a.atttypid JOIN pg_type t ON t.oid = base.type AND t.typtype <> 'd' ` +
      `WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped ` +
      `AND has_column_privilege(a.attrelid, a.attnum, 'SELECT') ORDER BY a.attrelid, a.attnum`,
    schema,
  )
  return rows.map(([relation, number, name, declared, type, modifier, notNull, generated, comment]) => ({
    relation: Number(relation), number: Number(number), name: String(name), declared: String(declared), type: String(type),
    // numeric(p, s) is kept as ((p << 16) | s) + 4, and s may be negative since PostgreSQL 15
    scale: type === 'numeric' && Number(modifier) >= 4 ? (((Number(modifier) - 4) & 0x7ff) ^ 1024) - 1024 : null,
    notNull: notNull === 1, generated: generated !== '', comment: textOrNull(comment),
  }))
}

/** Keys and checks; unique indexes stand in for unique constraints, which are made of them. */
export async function constraints(client: Client, schema: string): Promise<Constraint[]> {
  const rows = await rowsOf(
    client,
    `SELECT o.conrelid, o.contype, array_to_string(o.conkey, ' '), o.confrelid, array_to_string(o.confkey, ' '), ` +
      `CASE WHEN o.contype = 'c' THEN pg_get_expr(o.conbin, o.conrelid) ELSE '' END ` +
      `FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace ` +
      `WHERE n.nspname = $1 AND o.contype IN ('p', 'f', 'c') ` +
      `UNION ALL SELECT i.indrelid, 'u', array_to_string((i.indkey::int2[])[0:i.indnkeyatts - 1], ' '), 0, '', '' ` +
      `FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace ` +
      `WHERE n.nspname = $1 AND i.indisunique AND NOT i.indisprimary AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL`,
    schema,
  )
  return rows.map(([relation, kind, columns, refRelation, refColumns, text]) => ({
    relation: Number(relation), kind: kind as Constraint['kind'], columns: numbers(columns), refRelation: Number(refRelation),
    refColumns: numbers(refColumns), text: String(text),
  }))
}

async function rowsOf(client: Client, sql: string, schema: string): Promise<readonly (readonly Cell[])[]> {
  return (await read(client, { sql, params: [schema] }, ALL)).rows
}

const numbers = (text: unknown): number[] => (text === '' || text === null ? [] : String(text).split(' ').map(Number))
const textOrNull = (cell: Cell | undefined): string | null => (typeof cell === 'string' ? cell : null)
