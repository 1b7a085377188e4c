/** Reads one MySQL or MariaDB database: tables and views, columns with a few samples, keys declared and keys inferred. */
import { compareText } from '../../kernel/term.ts'
import { type KeyCandidate, inferKeys } from '../infer-keys.ts'
import { COUNTED_ROWS, ROWS_LOOKED_AT, SAMPLE_CHARS, VALUES_COMPARED, samplesOf } from '../look.ts'
import type { LeftMs } from '../reader.ts'
import type { Catalogue, Cell, Column, ForeignKey, Table } from '../source.ts'
import {
  type Attribute, type Check, type Index, type Reference, type Relation, attributes, checks, indexes, references, relations,
} from './catalogue.ts'
import { type Server, quoted, rowsOf, run } from './connect.ts'
import { timeLimit } from './select.ts'
import { valueTypeOf } from './values.ts'

/** A view gets this long to show and to count its rows. */
const VIEW_MS = 3000

interface Schema {
  readonly columns: readonly Attribute[]
  readonly indexes: readonly Index[]
  readonly references: readonly Reference[]
  readonly checks: readonly Check[]
}

export async function introspect(server: Server, leftMs: LeftMs): Promise<Catalogue> {
  const { connection } = server
  await run(connection, `SET SESSION ${timeLimit(server, leftMs())}, SESSION sql_select_limit = DEFAULT`)
  await run(connection, 'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ')
  await run(connection, 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
  try {
    const found = (await relations(server)).toSorted((x, y) => compareText(x.name, y.name))
    const schema = {
      columns: await attributes(server), indexes: await indexes(server), references: await references(server), checks: await checks(server),
    }
    const tables: Table[] = []
    for (const relation of found) {
      const table = await readTable(server, relation, schema, leftMs)
      if (table !== null) tables.push(table)
    }
    const resolved = tables.map((table) => ({ ...table, foreignKeys: foreignKeys(table, tables, schema.references) }))
    return { dialect: 'mysql', tables: await inferKeys(resolved, (candidate) => compare(server, candidate, resolved, leftMs)) }
  } finally {
    await run(connection, 'ROLLBACK').catch(() => undefined)
  }
}

async function readTable(server: Server, relation: Relation, schema: Schema, leftMs: LeftMs): Promise<Table | null> {
  const columns = schema.columns.filter((column) => column.relation === relation.name)
  if (columns.length === 0) return null
  const readable = new Set(columns.map(({ name }) => name))
  const own = schema.indexes.filter((index) => index.relation === relation.name && index.columns.every((name) => readable.has(name)))
  const ms = relation.kind === 'view' ? VIEW_MS : leftMs()
  // a view over a table that is gone or that takes too long has no samples; its columns are known
  const primaryKey = own.find(({ primary }) => primary)?.columns ?? []
  const samples = (await attempt(server, ms, relation.kind === 'view', () => look(server, relation, columns, primaryKey))) ?? columns.map(() => [])
  return {
    name: relation.name,
    kind: relation.kind,
    columns: columns.map((column, at): Column => ({
      name: column.name,
      declaredType: column.declared,
      valueType: valueTypeOf(column.declared),
      nullable: !column.notNull || relation.kind === 'view',
      generated: column.generated,
      comment: column.comment,
      samples: samples[at] ?? [],
    })),
    primaryKey,
    uniques: own.filter(({ primary }) => !primary).map((index) => index.columns).toSorted(byText),
    foreignKeys: [],
    rowCount: await countOf(server, relation, ms),
    comment: relation.comment,
    checks: schema.checks.filter((check) => check.relation === relation.name).map(({ text }) => text).toSorted(compareText),
  }
}

/** One look at the first rows serves all columns; a column that showed nothing there is asked for its own first values. */
async function look(server: Server, relation: Relation, columns: readonly Attribute[], key: readonly string[]): Promise<string[][]> {
  const shown = columns.map(sampled)
  const rows = await rowsOf(
    server.connection,
    `SELECT ${shown.map((expression) => expression ?? 'NULL').join(', ')} FROM ${quoted(relation.name)}${inOrderOf(key)} LIMIT ${ROWS_LOOKED_AT}`,
  )
  const samples: string[][] = []
  for (const [at, column] of columns.entries()) {
    const expression = shown[at] ?? null
    const seen = rows.map((row) => row[at] ?? null)
    const bare = expression !== null && rows.length === ROWS_LOOKED_AT && seen.every((cell) => cell === null)
    samples.push(samplesOf(bare ? await ownValues(server, relation, column, expression, key) : seen))
  }
  return samples
}

async function ownValues(server: Server, relation: Relation, column: Attribute, expression: string, key: readonly string[]): Promise<Cell[]> {
  const rows = await rowsOf(
    server.connection,
    `SELECT ${expression} FROM ${quoted(relation.name)} WHERE ${quoted(column.name)} IS NOT NULL${inOrderOf(key)} LIMIT ${ROWS_LOOKED_AT}`,
  )
  return rows.map(([cell]) => cell ?? null)
}

/** Which rows come first must not be up to an index that another column leads. */
const inOrderOf = (key: readonly string[]): string => (key.length === 0 ? '' : ` ORDER BY ${key.map(quoted).join(', ')}`)

/** Long texts are cut on the server: samples take none of them anyway. */
function sampled(column: Attribute): string | null {
  const type = valueTypeOf(column.declared)
  if (type === 'blob') return null
  return type === 'text' ? `left(${quoted(column.name)}, ${SAMPLE_CHARS})` : quoted(column.name)
}

async function countOf(server: Server, relation: Relation, ms: number): Promise<number> {
  if (relation.kind === 'table' && relation.estimate > COUNTED_ROWS) return relation.estimate
  const counted = await attempt(server, ms, relation.kind === 'view', async () => {
    const [row] = await rowsOf(server.connection, `SELECT count(*) FROM ${quoted(relation.name)}`)
    return Number(row?.[0] ?? 0)
  })
  return counted ?? 0
}

/** Declared keys whose other side may be read. A server may keep the names of tables in another case than the key spells. */
function foreignKeys(table: Table, tables: readonly Table[], all: readonly Reference[]): ForeignKey[] {
  return all
    .filter((reference) => reference.relation === table.name)
    .flatMap((reference): ForeignKey[] => {
      const { refRelation } = reference
      const target = tables.find(({ name }) => name === refRelation) ?? tables.find(({ name }) => sameName(name, refRelation))
      if (target === undefined) return []
      const columns = namesIn(table, reference.columns)
      const refColumns = namesIn(target, reference.refColumns)
      return columns === null || refColumns === null ? [] : [{ columns, refTable: target.name, refColumns, inferred: null }]
    })
    .toSorted((x, y) => compareText(keyText(x), keyText(y)))
    .filter((key, at, keys) => at === 0 || keyText(key) !== keyText(keys[at - 1] ?? key))
}

async function compare(
  server: Server, key: KeyCandidate, tables: readonly Table[], leftMs: LeftMs,
): Promise<{ values: number; orphans: number }> {
  const large = (tables.find(({ name }) => name === key.table)?.rowCount ?? 0) > COUNTED_ROWS
  const sql =
    `SELECT count(*), sum(CASE WHEN r.v IS NULL THEN 1 ELSE 0 END) FROM (SELECT ${quoted(key.column)} AS v FROM ${quoted(key.table)} ` +
    `WHERE ${quoted(key.column)} IS NOT NULL${large ? ` LIMIT ${VALUES_COMPARED}` : ''}) AS t ` +
    `LEFT JOIN (SELECT ${quoted(key.refColumn)} AS v FROM ${quoted(key.refTable)}) AS r ON r.v = t.v`
  const rows = await attempt(server, leftMs(), true, () => rowsOf(server.connection, sql))
  return { values: Number(rows?.[0]?.[0] ?? 0), orphans: Number(rows?.[0]?.[1] ?? 0) }
}

const OVER_TIME: readonly unknown[] = [1969, 3024]

/** A step with its own time limit. Where it may fail, what the schema itself forbids or the limit stops is null. */
async function attempt<T>(server: Server, ms: number, mayFail: boolean, step: () => Promise<T>): Promise<T | null> {
  await run(server.connection, `SET SESSION ${timeLimit(server, ms)}`)
  try {
    return await step()
  } catch (error) {
    const { errno, sqlState } = error as { errno?: unknown; sqlState?: unknown }
    if (mayFail && (OVER_TIME.includes(errno) || /^(?:42|22|HY)/.test(String(sqlState)))) return null
    throw error
  }
}

function namesIn(table: Table, wanted: readonly string[]): string[] | null {
  const names = wanted.flatMap((name) => table.columns.find((column) => sameName(column.name, name))?.name ?? [])
  return names.length === wanted.length ? names : null
}

const sameName = (x: string, y: string): boolean => x.toLowerCase() === y.toLowerCase()
const keyText = (key: ForeignKey): string => `${key.columns.join('\0')}\0\0${key.refTable}`
const byText = (x: readonly string[], y: readonly string[]): number => compareText(x.join('\0'), y.join('\0'))
