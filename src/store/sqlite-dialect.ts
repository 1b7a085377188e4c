/**
 * Queries are built with kysely and run synchronously on node:sqlite. kysely's own driver is asynchronous: another caller's
 * statement could slip between two statements of a transaction. Compiling only keeps a transaction one uninterrupted block.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type Compilable, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { ServiceError } from '../contracts/index.ts'
import type { Tables } from './schema.ts'

/** Builds queries and never runs them; another engine would bring its own compiler here. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

const KEPT_STATEMENTS = 128 // the product knows some thirty; the cap only guards against lists of changing length

/** One connection to a SQLite file of our own. */
export class Connection {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #depth = 0

  constructor(file: string, busyMs: number) {
    this.#db = translated(() => new DatabaseSync(file, { timeout: busyMs, enableForeignKeyConstraints: true }))
    try {
      this.exec('PRAGMA journal_mode = WAL')
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  rows<Row>(compilable: Compilable<Row>): Row[] {
    const { sql, parameters } = compilable.compile()
    return translated(() => this.#statement(sql).all(...bindable(parameters))) as Row[]
  }

  first<Row>(compilable: Compilable<Row>): Row | undefined {
    return this.rows(compilable)[0]
  }

  /** Runs a statement that changes rows and tells how many. */
  change(compilable: Compilable): number {
    const { sql, parameters } = compilable.compile()
    return Number(translated(() => this.#statement(sql).run(...bindable(parameters))).changes)
  }

  /** Schema statements; never with text that came from outside. */
  exec(sql: string): void {
    translated(() => this.#db.exec(sql))
  }

  /** All or nothing. A transaction inside a transaction is a savepoint of the outer one. */
  transaction<Result>(work: () => Result): Result {
    const name = `level_${this.#depth}`
    this.exec(this.#depth === 0 ? 'BEGIN IMMEDIATE' : `SAVEPOINT ${name}`)
    this.#depth += 1
    try {
      const result = work()
      if (result instanceof Promise) throw new Error('a transaction is one synchronous block')
      this.exec(this.#depth === 1 ? 'COMMIT' : `RELEASE ${name}`)
      return result
    } catch (error) {
      // a full disk may have rolled everything back already; the first failure is the one to tell
      if (this.#db.isTransaction) this.#db.exec(this.#depth === 1 ? 'ROLLBACK' : `ROLLBACK TO ${name}; RELEASE ${name}`)
      throw error
    } finally {
      this.#depth -= 1
    }
  }

  /** whether what is read now may yet be taken back */
  get inTransaction(): boolean {
    return this.#depth > 0
  }

  close(): void {
    if (!this.#db.isOpen) return
    this.#statements.clear()
    this.#db.close()
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    if (this.#statements.size >= KEPT_STATEMENTS) this.#statements.clear()
    const prepared = this.#db.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }
}

/** node:sqlite reads an object in first place as named parameters and silently binds NULL: such a value is a bug of ours. */
function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
    if (value instanceof Uint8Array) return value
    throw new Error(`a ${value instanceof Date ? 'Date' : typeof value} cannot be bound to a statement`)
  })
}

/** SQLite's result codes that a caller can do something about. */
const FAILURES: Readonly<Record<number, () => ServiceError>> = {
  5: () => new ServiceError('conflict', 'another process is writing to the store', { hint: 'wait until it has finished' }),
  6: () => new ServiceError('conflict', 'another process is writing to the store', { hint: 'wait until it has finished' }),
  11: () => new ServiceError('source_unavailable', 'the store is damaged', { hint: 'restore it from a backup' }),
  13: () => new ServiceError('storage_full', 'no room left for the store; nothing was changed'),
  14: () => new ServiceError('source_unavailable', 'the store cannot be opened', { hint: 'check its folder and its rights' }),
  26: () => new ServiceError('source_unavailable', 'the store is not a SQLite database', { hint: 'name another file' }),
}

/** Runs `work` and turns SQLite's failures into ours. */
export function translated<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : -1
    const known = FAILURES[code]?.()
    if (known === undefined) throw error
    throw new ServiceError(known.code, known.message, { ...known.about, cause: error })
  }
}
