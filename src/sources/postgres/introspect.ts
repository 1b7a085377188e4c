/** Reads one schema of a PostgreSQL database: tables and views, columns with a few samples, keys declared and keys inferred. */
import type { Client } from 'pg'
import { compareText } from '../../kernel/term.ts'
import { type KeyCandidate, inferKeys } from '../infer-keys.ts'
import { COUNTED_ROWS, ROWS_LOOKED_AT, SAMPLE_CHARS, VALUES_COMPARED, samplesOf } from '../look.ts'
import type { LeftMs } from '../reader.ts'
import type { Catalogue, Cell, Column, ForeignKey, Table } from '../source.ts'
import { type Attribute, type Constraint, type Relation, attributes, constraints, relations } from './catalogue.ts'
import { quoted } from './connect.ts'
import { read } from './select.ts'
import { valueTypeOf } from './values.ts'

/** A table that was never analysed is counted up to this size; a view gets this long. */
const COUNTED_BYTES = 256 * 1024 * 1024
const VIEW_MS = 3000

export async function introspect(client: Client, schema: string, leftMs: LeftMs): Promise<Catalogue> {
  await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${leftMs()}`)
  try {
    const parts = { columns: byRelation(await attributes(client, schema)), constraints: byRelation(await constraints(client, schema)) }
    const found = (await relations(client, schema)).toSorted((x, y) => compareText(x.name, y.name))
    const tables: Table[] = []
    for (const relation of found) {
      const table = await readTable(client, relation, parts.columns.get(relation.oid) ?? [], parts.constraints.get(relation.oid) ?? [])
      if (table !== null) tables.push(table)
    }
    const resolved = tables.map((table) => ({ ...table, foreignKeys: foreignKeys(table, found, parts) }))
    return { dialect: 'postgres', tables: await inferKeys(resolved, (candidate) => compare(client, candidate, resolved)) }
  } finally {
    await client.query('ROLLBACK').catch(() => undefined)
  }
}

interface Parts {
  readonly columns: ReadonlyMap<number, readonly Attribute[]>
  readonly constraints: ReadonlyMap<number, readonly Constraint[]>
}

async function readTable(
  client: Client, relation: Relation, columns: readonly Attribute[], rules: readonly Constraint[],
): Promise<Table | null> {
  if (columns.length === 0) return null
  const slow = relation.kind === 'view' ? VIEW_MS : null
  const key = rules.find(({ kind }) => kind === 'p')
  const primaryKey = key === undefined ? [] : namesOf(columns, key.columns)
  const looked = await attempt(client, slow, () => look(client, relation, columns, primaryKey))
  // a view over a table that the role may not read, or one that takes too long, has no samples; its columns are known
  const samples = looked ?? columns.map(() => [])
  const names = (numbers: readonly number[]): string[] => namesOf(columns, numbers)
  return {
    name: relation.name,
    kind: relation.kind,
    columns: columns.map((column, at): Column => ({
      name: column.name,
      declaredType: column.declared,
      valueType: valueTypeOf({ name: column.type, scale: column.scale }),
      nullable: !column.notNull || relation.kind === 'view',
      generated: column.generated,
      comment: column.comment,
      samples: samples[at] ?? [],
    })),
    primaryKey,
    uniques: rules.flatMap(({ kind, columns: parts }) => (kind === 'u' && names(parts).length > 0 ? [names(parts)] : [])).toSorted(byText),
    foreignKeys: [],
    rowCount: await countOf(client, relation),
    comment: relation.comment,
    checks: rules.filter(({ kind }) => kind === 'c').map(({ text }) => withoutBrackets(text)).toSorted(compareText),
  }
}

/** One look at the first rows serves all columns; a column that showed nothing there is asked for its own first values. */
async function look(client: Client, relation: Relation, columns: readonly Attribute[], key: readonly string[]): Promise<string[][]> {
  const shown = columns.map((column) => (valueTypeOf({ name: column.type, scale: column.scale }) === 'blob' ? null : sampled(column)))
  const list = shown.map((expression) => expression ?? 'NULL').join(', ')
  const sql = `SELECT ${list} FROM ${quoted(relation.name)}${inOrderOf(key)} LIMIT ${ROWS_LOOKED_AT}`
  const { rows } = await read(client, plain(sql), ROWS_LOOKED_AT)
  const samples: string[][] = []
  for (const [at, column] of columns.entries()) {
    const expression = shown[at] ?? null
    const seen = rows.map((row) => row[at] ?? null)
    const bare = expression !== null && rows.length === ROWS_LOOKED_AT && seen.every((cell) => cell === null)
    samples.push(samplesOf(bare ? await ownValues(client, relation, column, expression, key) : seen))
  }
  return samples
}

async function ownValues(client: Client, relation: Relation, column: Attribute, expression: string, key: readonly string[]): Promise<Cell[]> {
  const known = `${quoted(relation.name)} WHERE ${quoted(column.name)} IS NOT NULL`
  const sql = `SELECT ${expression} FROM ${known}${inOrderOf(key)} LIMIT ${ROWS_LOOKED_AT}`
  return (await read(client, plain(sql), ROWS_LOOKED_AT)).rows.map(([cell]) => cell ?? null)
}

/** Which rows come first must not be up to an index that another column leads. */
const inOrderOf = (key: readonly string[]): string => (key.length === 0 ? '' : ` ORDER BY ${key.map(quoted).join(', ')}`)

/** Long texts are cut on the server: samples take none of them anyway. */
const sampled = (column: Attribute): string =>
  valueTypeOf({ name: column.type, scale: column.scale }) === 'text'
    ? `left(${quoted(column.name)}::text, ${SAMPLE_CHARS})`
    : quoted(column.name)

async function countOf(client: Client, relation: Relation): Promise<number> {
  const cheap = relation.estimate >= 0 ? relation.estimate <= COUNTED_ROWS : relation.bytes <= COUNTED_BYTES
  if (relation.kind === 'table' && !cheap) return Math.max(Math.round(relation.estimate), COUNTED_ROWS)
  const counted = await attempt(client, relation.kind === 'view' ? VIEW_MS : null, async () => {
    const [row] = (await read(client, plain(`SELECT count(*) FROM ${quoted(relation.name)}`), 1)).rows
    return Number(row?.[0] ?? 0)
  })
  return counted ?? (await planned(client, relation))
}

/** How many rows the planner expects, for a view that cannot be counted in time. */
async function planned(client: Client, relation: Relation): Promise<number> {
  const explain = plain(`EXPLAIN SELECT * FROM ${quoted(relation.name)}`)
  const lines = await attempt(client, VIEW_MS, async () => (await read(client, explain, 1)).rows)
  return Number(/rows=(\d+)/.exec(String(lines?.[0]?.[0] ?? ''))?.[1] ?? 0)
}

/** Declared keys whose other side is in this schema and may be read. */
function foreignKeys(table: Table, found: readonly Relation[], { columns, constraints: rules }: Parts): ForeignKey[] {
  const own = found.find(({ name }) => name === table.name)
  if (own === undefined) return []
  return (rules.get(own.oid) ?? [])
    .filter(({ kind }) => kind === 'f')
    .flatMap((rule): ForeignKey[] => {
      const target = found.find(({ oid }) => oid === rule.refRelation)
      if (target === undefined) return []
      const from = namesOf(columns.get(own.oid) ?? [], rule.columns)
      const to = namesOf(columns.get(target.oid) ?? [], rule.refColumns)
      return from.length === 0 || to.length === 0 ? [] : [{ columns: from, refTable: target.name, refColumns: to, inferred: null }]
    })
    .toSorted((x, y) => compareText(keyText(x), keyText(y)))
    .filter((key, at, all) => at === 0 || keyText(key) !== keyText(all[at - 1] ?? key))
}

async function compare(client: Client, key: KeyCandidate, tables: readonly Table[]): Promise<{ values: number; orphans: number }> {
  const large = (tables.find(({ name }) => name === key.table)?.rowCount ?? 0) > COUNTED_ROWS
  const sql =
    `SELECT count(*), count(*) FILTER (WHERE r.v IS NULL) FROM (SELECT ${quoted(key.column)} AS v FROM ${quoted(key.table)} ` +
    `WHERE ${quoted(key.column)} IS NOT NULL${large ? ` LIMIT ${VALUES_COMPARED}` : ''}) AS t ` +
    `LEFT JOIN (SELECT ${quoted(key.refColumn)} AS v FROM ${quoted(key.refTable)}) AS r ON r.v = t.v`
  const rows = await attempt(client, null, async () => (await read(client, plain(sql), 1)).rows)
  // types that do not compare are no key
  return { values: Number(rows?.[0]?.[0] ?? 0), orphans: Number(rows?.[0]?.[1] ?? 0) }
}

/** Runs a step that may fail without losing the transaction. null when it failed. */
async function attempt<T>(client: Client, ms: number | null, step: () => Promise<T>): Promise<T | null> {
  await client.query(`SAVEPOINT step${ms === null ? '' : `; SET LOCAL statement_timeout = ${ms}`}`)
  try {
    const value = await step()
    // back to the savepoint either way: it also takes the time limit back
    await client.query('ROLLBACK TO SAVEPOINT step; RELEASE SAVEPOINT step')
    return value
  } catch (error) {
    const state = error instanceof Error && 'code' in error ? String(error.code) : ''
    const mine = state === '57014' && ms === null
    if (!/^(?:42|22|57014|55000|0A)/.test(state) || mine) throw error
    await client.query('ROLLBACK TO SAVEPOINT step; RELEASE SAVEPOINT step')
    return null
  }
}

/** All of the columns, or none when one of them may not be read. */
function namesOf(columns: readonly Attribute[], numbers: readonly number[]): string[] {
  const names = numbers.flatMap((number) => columns.find((column) => column.number === number)?.name ?? [])
  return names.length === numbers.length ? names : []
}

function byRelation<T extends { readonly relation: number }>(parts: readonly T[]): Map<number, T[]> {
  const map = new Map<number, T[]>()
  for (const part of parts) {
    const known = map.get(part.relation)
    if (known === undefined) map.set(part.relation, [part])
    else known.push(part)
  }
  return map
}

/** The server puts one pair of brackets around a condition. */
function withoutBrackets(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at === text.length - 1 && at > 0 ? text.slice(1, -1) : text
  }
  return text
}

const plain = (sql: string) => ({ sql, params: [] })
const keyText = (key: ForeignKey): string => `${key.columns.join('\0')}\0\0${key.refTable}`
const byText = (x: readonly string[], y: readonly string[]): number => compareText(x.join('\0'), y.join('\0'))
