/**
 * The process that holds one customer database open, read-only. It answers one request at a time and may be killed at any
 * moment: a runaway statement inside SQLite can be stopped in no other way.
 */
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { Mode } from './authorizer.ts'
import { authorizer } from './authorizer.ts'
import { introspect, tableNames } from './introspect.ts'
import { type Reply, type Request, type Trouble, Refused } from '../protocol.ts'
import { examineRole } from './role.ts'
import { select } from './select.ts'

let db: DatabaseSync | null = null
/** the tables that were there when the file was opened */
let known: ReadonlySet<string> = new Set()
let file = ''
let mode: Mode = 'select'

process.on('message', (request: Request) => {
  const reply = answer(request)
  process.send?.(reply)
})
process.on('disconnect', () => process.exit(0))
const watch = new URL('./orphan-watch' + import.meta.url.slice(-3), import.meta.url)
new Worker(watch, { workerData: { parent: process.ppid } }).unref()

function answer(request: Request): Reply {
  try {
    return { ok: true, value: perform(request) }
  } catch (error) {
    return { ok: false, trouble: troubleOf(error), message: error instanceof Error ? error.message : String(error) }
  }
}

function perform(request: Request): unknown {
  if (request.kind === 'open') {
    if (request.address.dialect !== 'sqlite') throw new Error('this reader opens SQLite files')
    return open(request.address.file)
  }
  if (db === null) throw new Error('no database is open')
  if (request.kind === 'select') return select(db, request.query, request.maxRows)
  if (request.kind === 'examine') return examineRole(file)
  mode = 'introspect'
  try {
    return introspect(db)
  } finally {
    mode = 'select'
  }
}

function open(path: string): null {
  const opened = new DatabaseSync(path, {
    readOnly: true,
    readBigInts: true,
    returnArrays: true, // objects would lose one of two columns of the same name
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
    timeout: 1000,
    limits: { attach: 0, sqlLength: 1_000_000 },
  })
  opened.enableDefensive(true)
  opened.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
  known = new Set(tableNames(opened).map(({ name }) => name.toLowerCase()))
  opened.setAuthorizer(authorizer(() => mode, known))
  db = opened
  file = path
  return null
}

const BUSY = 5
const LOCKED = 6
const CORRUPT = 11
const NOT_A_DATABASE = 26

function troubleOf(error: unknown): Trouble {
  if (error instanceof Refused) return 'refused'
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 'failed'
  switch (error.errcode & 0xff) {
    case NOT_A_DATABASE:
      return 'not_a_database'
    case CORRUPT:
      return 'corrupt'
    case BUSY:
    case LOCKED:
      return 'locked'
    case 1: // SQLITE_ERROR: the statement, which we wrote; a table that was there and is not any more: the file changed beneath us
      return known.has(/^no such table: (.+)$/.exec(error.message)?.[1]?.toLowerCase() ?? '') ? 'unreadable' : 'refused'
    case 23: // SQLITE_AUTH
    case 25: // SQLITE_RANGE: parameters
      return 'refused'
    default:
      return 'unreadable'
  }
}
