/** What the example generators share: a database file written whole, rows by name into a table, and chance from a seed. */
import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

type Value = string | number | null
export type Insert = (table: string, row: Readonly<Record<string, Value>>) => number

/** Replaces `file` as a whole: whoever reads meanwhile sees the old rows or the new ones. */
export function writeExample(file: string, schema: string, seed: number, fill: (insert: Insert, chance: Chance) => void): void {
  const draft = `${file}.${process.pid}.tmp`
  rmSync(draft, { force: true })
  const db = new DatabaseSync(draft)
  try {
    db.exec(schema)
    db.exec('BEGIN')
    fill(inserter(db), new Chance(seed))
    db.exec('COMMIT')
    db.close()
    renameSync(draft, file)
  } catch (error) {
    if (db.isOpen) db.close()
    rmSync(draft, { force: true })
    throw error
  }
}

function inserter(db: DatabaseSync): Insert {
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  return (table, row) => {
    const columns = Object.keys(row)
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `:${name}`).join(', ')})`
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return Number(statement.run(row).lastInsertRowid)
  }
}

/** Chance from a seed: mulberry32, 32 bits of state, good enough to scatter rows. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }

  /** `count` different ones */
  some<T>(from: readonly T[], count: number): T[] {
    const left = [...from]
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(this.below(left.length), 1)[0] as T)
  }
}
