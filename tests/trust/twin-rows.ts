/** The rows of a draft, and those of its twin: equal within the ceiling, different in everything above it that can differ. */
import { DatabaseSync } from 'node:sqlite'
import { Chance } from '../../examples/seeded.ts'
import type { Tier } from '../../src/contracts/index.ts'
import { type ColumnDraft, type Draft, type TableDraft, capital, hiddenAt } from './twin-draft.ts'

export type Value = string | number | bigint | null | Uint8Array
export type Row = Readonly<Record<string, Value>>
export type Rows = ReadonlyMap<string, readonly Row[]>

const WORDS = ['amber', 'blue', 'coral', 'dusk', 'ember', 'fern'] as const

export function rowsOf(draft: Draft): Rows {
  const chance = new Chance(draft.seed * 104_729 + 7)
  const count = new Map(draft.tables.map(({ name, rows }) => [name, rows]))
  return new Map(
    draft.tables.map((table) => [
      table.name, distinctKeys(table, Array.from({ length: table.rows }, (_, at) => rowOf(table, at, chance, count, ''))),
    ]),
  )
}

/** The same rows, but every place above the ceiling holds something else; tables above it also have another number of rows. */
export function twinOf(draft: Draft, rows: Rows, ceiling: Tier): Rows {
  const chance = new Chance(draft.seed * 31 + ceiling.length)
  const hidden = hiddenAt(draft, ceiling)
  const whole = new Set(hidden.tables.map(({ name }) => name))
  const count = new Map(draft.tables.map(({ name, rows: size }) => [name, size]))
  return new Map(
    draft.tables.map((table) => {
      if (whole.has(table.name)) {
        const size = chance.below(table.rows * 2)
        const other = Array.from({ length: size }, (_, at) => rowOf(table, at + (chance.below(2) === 0 ? 0 : 1000), chance, count, 'x'))
        return [table.name, distinctKeys(table, other)]
      }
      const columns = hidden.columns.filter(([owner]) => owner === table).map(([, column]) => column)
      const same = rows.get(table.name) ?? []
      return [table.name, same.map((row) => ({ ...row, ...Object.fromEntries(columns.map((column) => [column.name, otherValue(column, row, chance)])) }))]
    }),
  )
}

function rowOf({ name, columns }: TableDraft, at: number, chance: Chance, count: ReadonlyMap<string, number>, mark: string): Row {
  return Object.fromEntries(columns.map((column): [string, Value] => [column.name, valueOf(name, column, at, chance, count, mark)]))
}

function valueOf(table: string, { name, kind, to }: ColumnDraft, at: number, chance: Chance, count: ReadonlyMap<string, number>, mark: string): Value {
  if (to !== undefined) return 1 + chance.below(count.get(to) ?? 1)
  if (name === 'id') return at + 1
  if (kind === 'integer') return chance.below(1000)
  if (kind === 'real') return chance.below(1_000_000) / 1000 + chance.below(7) * 1e9
  if (kind === 'date') return `2026-0${1 + chance.below(9)}-1${chance.below(10)}`
  if (kind === 'word') return chance.pick(WORDS) + mark
  if (kind === 'untyped') return chance.below(2) === 0 ? chance.below(50) : `badge ${chance.below(50)}`
  if (name.endsWith('email')) return `${mark}${table}.${at}@mail.example`
  return `${capital(table)} ${capital(chance.pick(WORDS))} ${at + 1}${mark}`
}

/** Another value: of another length, of another type, or none. */
function otherValue({ kind, name, to }: ColumnDraft, row: Row, chance: Chance): Value {
  const before = row[name] ?? null
  const turn = chance.below(5)
  if (turn === 0) return null
  if (to !== undefined) return turn < 3 ? 900 + chance.below(50) : 1 + chance.below(4)
  if (kind === 'untyped') return [new Uint8Array([1, 2, 3]), 3.25, `other ${chance.below(9)}`, 7][turn - 1] ?? null
  if (kind === 'integer') return turn === 1 ? 2n ** 60n : Number(before) * 3 + 1
  if (kind === 'real') return turn === 1 ? -1e300 : Number(before) / 7
  if (kind === 'date') return turn === 1 ? 'not a day' : `19${10 + chance.below(89)}-02-03`
  if (name.endsWith('email')) return `other.${chance.below(1000)}@elsewhere.example`
  return turn === 1 ? 'long '.repeat(200) : `${chance.pick(WORDS)} other ${chance.below(1000)}`
}

function distinctKeys({ key }: TableDraft, rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [key.map((column) => String(row[column])).join('\0'), row])).values()]
}

const TYPES = { text: 'TEXT', word: 'TEXT', integer: 'INTEGER', real: 'REAL', date: 'DATE', untyped: '' } as const

/** The database file, with what is said about it in a table of its own, as older projects have it. */
export function writeDatabase(file: string, draft: Draft, rows: Rows): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  try {
    db.exec('PRAGMA journal_mode = off; PRAGMA synchronous = off; BEGIN')
    for (const table of draft.tables) {
      db.exec(tableSql(table))
      const names = table.columns.map(({ name }) => name)
      const insert = db.prepare(`insert into ${table.name} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
      for (const row of rows.get(table.name) ?? []) insert.run(...names.map((name) => row[name] ?? null))
    }
    for (const [at, [table, columns]] of draft.indexes.entries()) db.exec(`create index i${at} on ${table} (${columns.join(', ')})`)
    if (draft.view !== null) db.exec(`create view ${draft.view.name} as select ${draft.view.columns.join(', ')} from ${draft.tables[0]?.name}`)
    db.exec('create table ontology_metadata (target_type text, table_name text, column_name text, sensitivity_tier text)')
    const say = db.prepare('insert into ontology_metadata values (?, ?, ?, ?)')
    for (const { name, tier, columns } of draft.tables) {
      if (tier !== null) say.run('table', name, null, tier)
      for (const column of columns) if (column.said !== null) say.run('column', name, column.name, column.said)
    }
    db.exec(`COMMIT; ${draft.analyse ? 'analyze' : ''}`)
  } finally {
    db.close()
  }
}

function tableSql({ name, key, columns }: TableDraft): string {
  const lines = columns.map((column) => `${column.name} ${TYPES[column.kind]}`)
  const references = columns.flatMap(({ name: from, to, undeclared }) => {
    return to === undefined || undeclared === true ? [] : [`foreign key (${from}) references ${to} (id)`]
  })
  return `create table ${name} (${[...lines, `primary key (${key.join(', ')})`, ...references].join(', ')})`
}
