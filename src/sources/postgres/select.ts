/** One compiled select over the extended protocol, which takes a single statement, up to a cap of rows. */
import type { Client, Connection, Submittable } from 'pg'
import { MAX_TEXT_UNITS, type Rows, sizeOf } from '../cells.ts'
import { Refused } from '../protocol.ts'
import type { LeftMs } from '../reader.ts'
import type { Cell, SqlQuery } from '../source.ts'
import { refusal } from '../statement-check.ts'
import { readerOf } from './values.ts'

/** The server stops the statement at its deadline, whatever becomes of this process. */
export async function select(
  client: Client,
  query: SqlQuery,
  { maxRows, leftMs, names }: { readonly maxRows: number; readonly leftMs: LeftMs; readonly names: ReadonlySet<string> },
): Promise<Rows> {
  const why = refusal(query.sql, names)
  if (why !== null) throw new Refused(`not a plain select: ${why}`)
  await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${leftMs()}`)
  try {
    return await read(client, query, maxRows)
  } finally {
    await client.query('ROLLBACK').catch(() => undefined) // a broken connection has rolled back already
  }
}

/** Without a look at the statement and without a transaction: for statements of this folder only. */
export function read(client: Client, query: SqlQuery, maxRows: number): Promise<Rows> {
  return new Promise((resolve, reject) => client.query(new CappedSelect(query, maxRows, resolve, reject)))
}

interface Field {
  readonly name: string
  readonly dataTypeID: number
}

/** The part of pg's connection that sends messages; its declared types ask for more than is sent. */
interface Wire {
  parse(message: { text: string; name: string; types: never[] }): void
  bind(message: { portal: string; statement: string; values: (string | null)[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
}

/**
 * Asks the server for one row more than the cap. The cap travels beside the statement and not as a LIMIT in it, so the SQL that
 * is shown is the SQL that was meant, and the server stops working when the cap is reached.
 */
class CappedSelect implements Submittable {
  readonly #query: SqlQuery
  readonly #maxRows: number
  readonly #resolve: (rows: Rows) => void
  readonly #reject: (error: unknown) => void
  #columns: string[] = []
  #readers: ((text: string) => Cell)[] = []
  #rows: Cell[][] = []
  #truncated = false
  #units = 0
  #error: unknown = null

  constructor(query: SqlQuery, maxRows: number, resolve: (rows: Rows) => void, reject: (error: unknown) => void) {
    this.#query = query
    this.#maxRows = maxRows
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire
    const values = this.#query.params.map((value) => (value === null ? null : String(value)))
    wire.parse({ text: this.#query.sql, name: '', types: [] })
    wire.bind({ portal: '', statement: '', values })
    wire.describe({ type: 'P', name: '' })
    wire.execute({ portal: '', rows: this.#maxRows + 1 })
    wire.sync()
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name }) => name)
    this.#readers = fields.map(({ dataTypeID }) => readerOf(dataTypeID))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#truncated || this.#error !== null) return
    if (this.#rows.length >= this.#maxRows || this.#units > MAX_TEXT_UNITS) {
      this.#truncated = true
      return
    }
    try {
      const cells = fields.map((text, at) => (text === null ? null : (this.#readers[at] ?? String)(text)))
      this.#units += cells.reduce<number>((sum, cell) => sum + sizeOf(cell), 0)
      this.#rows.push(cells)
    } catch (error) {
      this.#error = error
    }
  }

  handlePortalSuspended(): void {
    this.#truncated = true
  }
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  handleError(error: unknown): void {
    this.#reject(error)
  }

  handleReadyForQuery(): void {
    if (this.#error !== null) this.#reject(this.#error)
    else this.#resolve({ columns: this.#columns, rows: this.#rows, truncated: this.#truncated })
  }
}
