/** One compiled select as a prepared statement, which is a single statement, up to a cap of rows. */
import mysql, { type Connection } from 'mysql2'
import { MAX_TEXT_UNITS, type Rows, sizeOf } from '../cells.ts'
import { Refused } from '../protocol.ts'
import type { LeftMs } from '../reader.ts'
import type { Cell, SqlQuery } from '../source.ts'
import { refusal } from '../statement-check.ts'
import { type Server, run } from './connect.ts'
import { type Field, readerOf } from './values.ts'

const MAX_ROWS_PASSED_OVER = 1000

/** The server stops the statement at its deadline, whatever becomes of this process. */
export async function select(
  server: Server,
  query: SqlQuery,
  { maxRows, leftMs, names }: { readonly maxRows: number; readonly leftMs: LeftMs; readonly names: ReadonlySet<string> },
): Promise<Rows> {
  const why = refusal(query.sql, names)
  if (why !== null) throw new Refused(`not a plain select: ${why}`)
  const { connection } = server
  await run(connection, 'START TRANSACTION READ ONLY')
  try {
    await prepare(connection, query.sql)
    // the cap is set beside the statement and not as a LIMIT in it, so the SQL that is shown is the SQL that was meant
    await run(connection, `SET SESSION ${timeLimit(server, leftMs())}, SESSION sql_select_limit = ${maxRows + 1}`)
    return await read(connection, query, maxRows)
  } finally {
    await run(connection, 'ROLLBACK').catch(() => connection.destroy()) // a closed connection has rolled back already
  }
}

/** For everything that runs on this connection from now on. */
export const timeLimit = ({ mariadb }: Server, timeoutMs: number): string =>
  mariadb
    ? `max_statement_time = ${(Math.max(1, timeoutMs) / 1000).toFixed(3)}`
    : `max_execution_time = ${Math.max(1, Math.ceil(timeoutMs))}`

/** Ahead of the limits, so that nothing but the statement itself comes after them; `execute` takes what was prepared. */
function prepare(connection: Connection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { sql, rowsAsArray: true } as unknown as string // the declared type knows only the text
    connection.prepare(options, (error) => (error === null ? resolve() : reject(error)))
  })
}

function read(connection: Connection, query: SqlQuery, maxRows: number): Promise<Rows> {
  return new Promise((resolve, reject) => {
    let columns: string[] = []
    let readers: ((value: unknown) => Cell)[] = []
    const rows: Cell[][] = []
    let units = 0
    let beyond = 0
    const command = connection.execute({ sql: query.sql, values: query.params.map(bindable), rowsAsArray: true })
    const finish = (truncated: boolean): void => resolve({ columns, rows, truncated })
    command.on('fields', (fields: unknown) => {
      columns = (fields as Field[]).map(({ name }) => name)
      readers = (fields as Field[]).map(readerOf)
    })
    command.on('result', (row: unknown) => {
      if (rows.length >= maxRows || units > MAX_TEXT_UNITS) {
        finish(true)
        // only a LIMIT above the cap, or very wide rows, bring more than was asked for; many more are not worth waiting for
        beyond += 1
        if (beyond === MAX_ROWS_PASSED_OVER) connection.destroy()
        return
      }
      const cells = (row as unknown[]).map((value, at) => (value === null ? null : (readers[at]?.(value) ?? null)))
      units += cells.reduce<number>((sum, cell) => sum + sizeOf(cell), 0)
      rows.push(cells)
    })
    command.on('error', reject)
    command.on('end', () => finish(false))
  })
}

/** The driver would send every number as a double, and a big integer as text that the server compares as a double. */
function bindable(value: string | number | bigint | null): mysql.TypedParameterValue | string | number | null {
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? mysql.TypedParameter.BIGINT(value) : value
  if (value >= -(2n ** 63n) && value < 2n ** 63n) return mysql.TypedParameter.BIGINT(value)
  return value >= 0n && value < 2n ** 64n ? mysql.TypedParameter.BIGINT.unsigned(value) : String(value)
}
