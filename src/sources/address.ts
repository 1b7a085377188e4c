/**
 * Where a database is: a SQLite file, or a server by URL. `env:NAME` takes either from an environment variable, so that no
 * configuration file needs to hold a password.
 *
 *   postgres://user:password@host:5432/database?schema=sales&sslmode=verify-full
 *   mysql://user:password@host:3306/database      (mariadb:// is the same)
 *   env:ORDERS_DB
 */
import { resolve } from 'node:path'
import { ServiceError } from '../contracts/index.ts'
import type { Dialect } from './source.ts'

export interface FileAddress {
  readonly dialect: 'sqlite'
  readonly file: string
}

export interface ServerAddress {
  readonly dialect: Exclude<Dialect, 'sqlite'>
  readonly host: string
  readonly port: number
  /** a Unix socket instead of host and port: a folder for PostgreSQL, the socket itself for MySQL */
  readonly socket: string | null
  readonly user: string
  readonly password: string
  readonly database: string
  /** PostgreSQL only: the schema whose tables are read */
  readonly schema: string
  readonly tls: Tls
}

/** As PostgreSQL names them. `require` encrypts without asking who the server is. */
export type Tls = { readonly mode: 'disable' } | { readonly mode: 'require' | 'verify-full'; readonly caFile: string | null }

export type Address = FileAddress | ServerAddress

const SCHEMES: Readonly<Record<string, readonly [dialect: ServerAddress['dialect'], port: number]>> = {
  'postgres:': ['postgres', 5432],
  'postgresql:': ['postgres', 5432],
  'mysql:': ['mysql', 3306],
  'mariadb:': ['mysql', 3306],
}
const SETTINGS: Readonly<Record<ServerAddress['dialect'], readonly string[]>> = {
  postgres: ['schema', 'socket', 'sslmode', 'sslrootcert'],
  mysql: ['socket', 'sslmode', 'sslrootcert'],
}
const LOOKS_LIKE_URL = /^[a-z][a-z0-9+.-]+:\/\//i
const BY_VARIABLE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/

/** True for what is no path of a file: it must not be made absolute, and it has no file to look at. */
export const isServerAddress = (text: string): boolean => LOOKS_LIKE_URL.test(text) || BY_VARIABLE.test(text)

/** Throws `source_unavailable`; nothing of the address is in the message, as a password may be anywhere in a broken one. */
export function readAddress(text: string, env: Readonly<Record<string, string | undefined>>): Address {
  const variable = BY_VARIABLE.exec(text)?.[1]
  if (variable !== undefined) {
    const value = env[variable]?.trim()
    if (value === undefined || value === '') {
      throw wrong('the environment variable that holds the address of this source is not set', `set ${variable}`)
    }
    if (BY_VARIABLE.test(value)) {
      throw wrong('the address of this source leads to a second variable', `put the address itself into ${variable}`)
    }
    return readAddress(value, env)
  }
  if (LOOKS_LIKE_URL.test(text)) return readUrl(text)
  // resolved: SQLite would read `file:...?mode=rwc` as a URI and `:memory:` as no file at all
  return { dialect: 'sqlite', file: resolve(text) }
}

function readUrl(text: string): ServerAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  const scheme = SCHEMES[(/^[^:]+:/.exec(text)?.[0] ?? '').toLowerCase()]
  if (scheme === undefined) {
    throw wrong('no database of this kind can be opened', 'give the path of a SQLite file, or a postgres:// or mysql:// address')
  }
  if (url === null) throw wrong('the address of this source is not a valid URL', 'write special characters of a password as %XX')
  const [dialect, port] = scheme
  const unknown = [...url.searchParams.keys()].find((name) => !SETTINGS[dialect].includes(name))
  if (unknown !== undefined) {
    throw wrong('the address of this source has a setting that is not known', `known: ${SETTINGS[dialect].join(', ')}`)
  }
  const database = decoded(url.pathname.slice(1))
  if (database === '' || database.includes('\0')) {
    throw wrong('the address of this source names no database', 'end it with /name-of-the-database')
  }
  return {
    dialect,
    host: hostOf(url),
    port: url.port === '' ? port : Number(url.port),
    socket: url.searchParams.get('socket'),
    user: decoded(url.username),
    password: decoded(url.password),
    database,
    schema: url.searchParams.get('schema') ?? 'public',
    tls: readTls(url.searchParams),
  }
}

/** An IPv6 address stands in brackets in a URL and without them everywhere else. */
const hostOf = (url: URL): string => decoded(url.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost'

function readTls(settings: URLSearchParams): Tls {
  const mode = settings.get('sslmode') ?? 'disable'
  const caFile = settings.get('sslrootcert')
  if (mode === 'disable') return { mode }
  if (mode === 'require' || mode === 'verify-full') return { mode, caFile }
  throw wrong('the address of this source asks for an encryption mode that is not known', 'sslmode: disable, require or verify-full')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (cause) {
    throw wrong('the address of this source is not a valid URL', 'write a % as %25', cause)
  }
}

const wrong = (detail: string, hint: string, cause?: unknown): ServiceError =>
  new ServiceError('source_unavailable', detail, { hint, cause })
