/** A connection to a PostgreSQL server that can only read, and the meaning of the server's errors. */
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import type { ServerAddress, Tls } from '../address.ts'
import { type Trouble, Troubled } from '../protocol.ts'
import { codeOf } from '../reader.ts'

const CONNECT_TIMEOUT_MS = 8000

/** A role that may write still cannot by accident, and a wait that nobody would sit out ends by itself. */
const SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['default_transaction_read_only', 'on'],
  ['standard_conforming_strings', 'on'],
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO, YMD'],
  ['IntervalStyle', 'iso_8601'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
  ['lock_timeout', '5s'],
  ['idle_in_transaction_session_timeout', '10s'],
]

/** A connection that is ready for selects. */
export async function connect(address: ServerAddress): Promise<Client> {
  const client = await dial(address)
  try {
    await setUp(client, address.schema)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  return client
}

/** A connection as the server gives it. */
export async function dial(address: ServerAddress): Promise<Client> {
  const client = new Client({
    host: address.socket ?? address.host,
    port: address.port,
    user: address.user,
    password: address.password,
    database: address.database,
    ssl: sslOf(address.tls),
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'wherefore',
  })
  // an idle connection that breaks must not take the process down; the next request notices
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function setUp(client: Client, schema: string): Promise<void> {
  const pairs = SETTINGS.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`)
  await client.query(`SELECT ${pairs.join(', ')}`, SETTINGS.flat())
  // the server looks whether we are still there while a statement runs: since PostgreSQL 14, and not on every platform
  await client.query(`SELECT set_config('client_connection_check_interval', '100ms', false)`).catch(() => undefined)
  const found = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (found.rows.length === 0) throw new Troubled('no_such_schema', 'no such schema')
  await client.query(`SELECT set_config('search_path', $1, false)`, [quoted(schema)])
}

function sslOf(tls: Tls): false | { rejectUnauthorized: boolean; ca?: string } {
  if (tls.mode === 'disable') return false
  return { rejectUnauthorized: tls.mode === 'verify-full', ...(tls.caFile === null ? {} : { ca: readFileSync(tls.caFile, 'utf8') }) }
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** SQLSTATE by class and code: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function troubleOf(error: unknown): Trouble | null {
  const state = codeOf(error)
  if (error instanceof Error && /timeout expired|Connection terminated|not queryable/i.test(error.message)) {
    return /expired|due to connection timeout/.test(error.message) ? 'unreachable' : 'lost'
  }
  if (error instanceof Error && /SSL connection/i.test(error.message)) return 'insecure'
  if (!/^[0-9A-Z]{5}$/.test(state) || !(error instanceof Error) || !('severity' in error)) return null
  if (state.startsWith('28')) return 'sign_in'
  if (state === '3D000') return 'no_such_database'
  if (state === '53300' || state === '53400') return 'overloaded'
  if (state === '57014') return 'deadline'
  if (state === '55P03') return 'locked'
  if (state === '42501') return 'not_permitted'
  if (state.startsWith('08') || state.startsWith('57P') || state.startsWith('40') || state === '25P03') return 'lost'
  return state.startsWith('42') || state.startsWith('22') || state.startsWith('25') ? 'refused' : 'failed'
}
