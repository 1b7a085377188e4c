/**
 * Copies a SQLite database to a server: the same tables with keys, NOT NULL, uniques and checks, and the same rows. Types follow
 * what the columns hold. Views are left out (their SQL is SQLite's), and so are keys that the server could not enforce.
 */
import { DatabaseSync } from 'node:sqlite'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { type Catalogue, type Column, type Table, openSource } from '../../src/sources/index.ts'

export interface CopyTarget {
  readonly dialect: 'postgres' | 'mysql'
  /** with the right to create tables */
  readonly adminUrl: string
}

type Value = string | number | bigint | Uint8Array | null
interface Writer {
  run(sql: string): Promise<void>
  insert(table: Table, rows: readonly (readonly unknown[])[]): Promise<void>
  close(): Promise<void>
}

export async function copySqlite(file: string, target: CopyTarget): Promise<void> {
  const source = await openSource(file, { processes: 1 })
  const catalogue = await source.introspect()
  await source.close()
  const db = new DatabaseSync(file, { readOnly: true, readBigInts: true, returnArrays: true })
  const writer = await (target.dialect === 'postgres' ? postgresWriter(target.adminUrl) : mysqlWriter(target.adminUrl))
  const tables = catalogue.tables.filter(({ kind }) => kind === 'table')
  try {
    for (const table of tables) {
      const rows = db.prepare(`SELECT ${table.columns.map(({ name }) => doubled(name)).join(', ')} FROM ${doubled(table.name)}`).all() as unknown as Value[][]
      const stored = table.columns.flatMap((column, at) => (column.generated ? [] : [at]))
      await writer.run(tableSql(table, target.dialect, rows, catalogue))
      const kept = { ...table, columns: stored.flatMap((at) => table.columns[at] ?? []) }
      await writer.insert(kept, rows.map((row) => stored.map((at) => converted(row[at] ?? null, table.columns[at], target.dialect))))
    }
    for (const table of tables) {
      for (const sql of keySql(table, target.dialect, catalogue)) await writer.run(sql)
    }
    if (target.dialect === 'postgres') await writer.run('ANALYZE')
  } finally {
    db.close()
    await writer.close()
  }
}

function tableSql(table: Table, dialect: CopyTarget['dialect'], rows: readonly (readonly Value[])[], catalogue: Catalogue): string {
  const q = quoting(dialect)
  const lines = table.columns.flatMap((column, at) => {
    if (column.generated) return []
    const type = typeOf(column, dialect, rows.map((row) => row[at] ?? null), isKeyPart(table, column, catalogue))
    return [`${q(column.name)} ${type}${column.nullable && !table.primaryKey.includes(column.name) ? ' NULL' : ' NOT NULL'}`]
  })
  const list = (names: readonly string[]) => `(${names.map(q).join(', ')})`
  const checks = table.checks.filter((check) => !/["`[]|\bglob\b|\btypeof\b/i.test(check)).map((check) => `CHECK (${check})`)
  const keys = [...(table.primaryKey.length === 0 ? [] : [`PRIMARY KEY ${list(table.primaryKey)}`]), ...table.uniques.map((unique) => `UNIQUE ${list(unique)}`)]
  // SQLite compares texts byte by byte
  const ending = dialect === 'mysql' ? ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin' : ''
  return `CREATE TABLE ${q(table.name)} (${[...lines, ...keys, ...checks].join(', ')})${ending}`
}

function keySql(table: Table, dialect: CopyTarget['dialect'], catalogue: Catalogue): string[] {
  const q = quoting(dialect)
  const list = (names: readonly string[]) => `(${names.map(q).join(', ')})`
  return table.foreignKeys.flatMap((key) => {
    const parent = catalogue.tables.find(({ name }) => name === key.refTable)
    const same = (names: readonly string[]) => [...names].toSorted().join('\0') === [...key.refColumns].toSorted().join('\0')
    const enforceable = parent?.kind === 'table' && (same(parent.primaryKey) || parent.uniques.some(same))
    if (key.inferred !== null || !enforceable) return []
    return [`ALTER TABLE ${q(table.name)} ADD FOREIGN KEY ${list(key.columns)} REFERENCES ${q(key.refTable)} ${list(key.refColumns)}`]
  })
}

function isKeyPart(table: Table, { name }: Column, catalogue: Catalogue): boolean {
  const own = [table.primaryKey, ...table.uniques, ...table.foreignKeys.map(({ columns }) => columns)]
  const foreign = catalogue.tables.flatMap((other) => other.foreignKeys).filter(({ refTable }) => refTable === table.name)
  return [...own, ...foreign.map(({ refColumns }) => refColumns)].some((columns) => columns.includes(name))
}

function typeOf(column: Column, dialect: CopyTarget['dialect'], values: readonly Value[], key: boolean): string {
  const postgres = dialect === 'postgres'
  const size = /\(([^)]*)\)/.exec(column.declaredType)?.[1]
  switch (column.valueType) {
    case 'integer':
      return 'BIGINT'
    case 'boolean':
      return 'BOOLEAN'
    case 'decimal':
      if (/REAL|FLOA|DOUB/i.test(column.declaredType) || column.declaredType === '') return postgres ? 'DOUBLE PRECISION' : 'DOUBLE'
      return size?.includes(',') === true ? `NUMERIC(${size})` : postgres ? 'NUMERIC' : 'DECIMAL(30,10)'
    case 'date':
      return 'DATE'
    case 'datetime':
      if (!postgres) return 'DATETIME(6)'
      return values.some((value) => /(?:Z|[+-]\d\d:?\d\d)$/.test(String(value))) ? 'TIMESTAMPTZ' : 'TIMESTAMP'
    case 'blob':
      return postgres ? 'BYTEA' : 'LONGBLOB'
    case 'text':
      if (postgres) return /CHAR/i.test(column.declaredType) && size !== undefined ? `VARCHAR(${size})` : 'TEXT'
      return key || (/CHAR/i.test(column.declaredType) && size !== undefined) ? `VARCHAR(${size ?? 255})` : 'LONGTEXT'
  }
}

function converted(value: Value, column: Column | undefined, dialect: CopyTarget['dialect']): unknown {
  if (value === null) return null
  if (column?.valueType === 'boolean') return dialect === 'postgres' ? Boolean(Number(value)) : Number(value)
  if (column?.valueType === 'datetime' && dialect === 'mysql') return String(value).replace('T', ' ').replace(/Z$/, '')
  if (value instanceof Uint8Array) return column?.valueType === 'text' ? Buffer.from(value).toString('utf8') : Buffer.from(value)
  return typeof value === 'bigint' || column?.valueType === 'text' ? String(value) : value
}

async function postgresWriter(url: string): Promise<Writer> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    run: async (sql) => void (await client.query(sql)),
    insert: async ({ name, columns }, rows) => {
      const width = columns.length
      for (const chunk of chunked(rows, Math.max(1, Math.floor(20_000 / width)))) {
        const tuples = chunk.map((_, row) => `(${columns.map((__, at) => `$${row * width + at + 1}`).join(', ')})`)
        await client.query(`INSERT INTO ${doubled(name)} (${columns.map((column) => doubled(column.name)).join(', ')}) VALUES ${tuples.join(', ')}`, chunk.flat())
      }
    },
    close: () => client.end(),
  }
}

async function mysqlWriter(url: string): Promise<Writer> {
  const connection = await createConnection({ uri: url, timezone: 'Z' })
  // a foreign key is otherwise added by copying its table
  await connection.query('SET SESSION foreign_key_checks = 0')
  return {
    run: async (sql) => void (await connection.query(sql)),
    insert: async ({ name, columns }, rows) => {
      const q = quoting('mysql')
      for (const chunk of chunked(rows, 1000)) {
        await connection.query(`INSERT INTO ${q(name)} (${columns.map((column) => q(column.name)).join(', ')}) VALUES ?`, [chunk])
      }
    },
    close: () => connection.end(),
  }
}

function* chunked<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}

const doubled = (name: string): string => `"${name.replaceAll('"', '""')}"`
const quoting = (dialect: CopyTarget['dialect']) => (name: string): string =>
  dialect === 'postgres' ? doubled(name) : `\`${name.replaceAll('`', '``')}\``
