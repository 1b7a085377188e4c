/** A connection to a MySQL or MariaDB server that can only read, and the meaning of the server's errors. */
import { readFileSync } from 'node:fs'
import { type Connection, createConnection } from 'mysql2'
import type { ServerAddress, Tls } from '../address.ts'
import type { Trouble } from '../protocol.ts'
import { codeOf } from '../reader.ts'
import type { Cell } from '../source.ts'
import { type Field, readerOf } from './values.ts'

const CONNECT_TIMEOUT_MS = 8000

/** The engine behind the protocol: they name the limit on a statement's time differently. */
export interface Server {
  readonly connection: Connection
  readonly mariadb: boolean
  readonly version: string
}

/**
 * Quotes mean what they mean in standard SQL (see statement-check.ts), `||` joins texts, times are in UTC. `sql_mode` is set
 * whole, so that no two servers read the same statement differently.
 */
const SETTINGS = [
  `sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'`,
  `time_zone = '+00:00'`,
  'lock_wait_timeout = 5',
  'net_write_timeout = 30',
]

/** A connection that is ready for selects. */
export async function connect(address: ServerAddress): Promise<Server> {
  const connection = await dial(address)
  try {
    await run(connection, `SET SESSION ${SETTINGS.join(', SESSION ')}`)
    await run(connection, 'SET SESSION TRANSACTION READ ONLY')
    const [row] = await rowsOf(connection, 'SELECT version()')
    const version = String(row?.[0] ?? '')
    return { connection, mariadb: /mariadb/i.test(version), version }
  } catch (error) {
    connection.destroy()
    throw error
  }
}

/** A connection as the server gives it. */
export function dial(address: ServerAddress): Promise<Connection> {
  const connection = createConnection({
    ...(address.socket === null ? { host: address.host, port: address.port } : { socketPath: address.socket }),
    user: address.user,
    password: address.password,
    database: address.database,
    charset: 'utf8mb4',
    timezone: 'Z',
    connectTimeout: CONNECT_TIMEOUT_MS,
    multipleStatements: false,
    flags: ['-LOCAL_FILES'], // a server could otherwise ask this process for a file
    disableEval: true, // rows are read without making code from column names
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    maxPreparedStatements: 20,
    ...sslOf(address.tls),
  })
  // an idle connection that breaks must not take the process down; the next request notices
  connection.on('error', () => undefined)
  return new Promise((resolve, reject) => {
    connection.connect((error) => {
      if (error === null || error === undefined) resolve(connection)
      else reject(error)
    })
  })
}

function sslOf(tls: Tls): { ssl?: { rejectUnauthorized: boolean; ca?: string } } {
  if (tls.mode === 'disable') return {}
  const ca = tls.caFile === null ? {} : { ca: readFileSync(tls.caFile, 'utf8') }
  return { ssl: { rejectUnauthorized: tls.mode === 'verify-full', ...ca } }
}

/** A statement of this folder, without a result. */
export function run(connection: Connection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query(sql, (error) => (error === null ? resolve() : reject(error)))
  })
}

/** The rows of a statement of this folder. */
export function rowsOf(connection: Connection, sql: string, params: readonly unknown[] = []): Promise<Cell[][]> {
  return new Promise((resolve, reject) => {
    connection.query({ sql, values: [...params], rowsAsArray: true }, (error, rows, fields) => {
      if (error !== null) return reject(error)
      const readers = (fields as unknown as Field[]).map(readerOf)
      const cell = (value: unknown, at: number): Cell => (value === null ? null : (readers[at]?.(value) ?? null))
      resolve((rows as unknown as unknown[][]).map((row) => row.map(cell)))
    })
  })
}

export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

const TROUBLES: Readonly<Record<number, Trouble>> = {
  1040: 'overloaded', // too many connections
  1203: 'overloaded', // too many connections of this user
  1226: 'overloaded',
  1044: 'sign_in', // access denied to the database
  1045: 'sign_in', // access denied
  1049: 'no_such_database',
  1053: 'lost', // server shutdown in progress
  1077: 'lost',
  1142: 'not_permitted', // select denied for the table
  1143: 'not_permitted', // and for a column
  1356: 'not_permitted', // a view over something that may not be read
  1205: 'locked',
  1213: 'lost', // deadlock
  1317: 'deadline', // interrupted, by our own hand
  1927: 'lost', // connection was killed
  1969: 'deadline', // MariaDB: max_statement_time
  3024: 'deadline', // MySQL: max_execution_time
}

/** https://mariadb.com/kb/en/mariadb-error-code-reference/ */
export function troubleOf(error: unknown): Trouble | null {
  if (codeOf(error) === 'HANDSHAKE_NO_SSL_SUPPORT' || codeOf(error) === 'HANDSHAKE_SSL_ERROR') return 'insecure'
  if (!(error instanceof Error)) return null
  if (/closed state|connection is in closed|server closed the connection/i.test(error.message)) return 'lost'
  if (!('errno' in error) || typeof error.errno !== 'number' || !('sqlState' in error)) return null
  return TROUBLES[error.errno] ?? (/^(?:42|22|25)/.test(String(error.sqlState)) ? 'refused' : 'failed')
}
