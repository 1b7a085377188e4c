/**
 * The process that holds a connection to a database server. It takes one request at a time, answers it, and when it is no
 * longer wanted ends on the server what it had begun there: a server does not notice by itself that nobody waits any more.
 */
import type { Address, ServerAddress } from './address.ts'
import type { Rows } from './cells.ts'
import { type Reply, type Request, type Trouble, Refused, Troubled, clockMs } from './protocol.ts'
import type { Catalogue, RoleReport, SqlQuery } from './source.ts'

/** The time that is left when it is asked: the closer to the statement, the closer the server's own limit is to the deadline. */
export type LeftMs = () => number

/** One dialect's connection. A lost connection is made anew by the next request. */
export interface Session {
  connect(address: ServerAddress): Promise<void>
  select(query: SqlQuery, maxRows: number, leftMs: LeftMs): Promise<Rows>
  introspect(leftMs: LeftMs): Promise<Catalogue>
  examine(leftMs: LeftMs): Promise<RoleReport>
  /** stops a statement of ours that still runs on the server */
  abandon(): Promise<void>
  /** what an engine's error means, or null for one that is not the engine's */
  troubleOf(error: unknown): Trouble | null
}

const LEAVE_WITHIN_MS = 1000

export function serve(session: Session): void {
  let busy = false
  let turn = Promise.resolve()
  process.on('message', (request: Request) => {
    turn = turn.then(async () => {
      busy = true
      const reply = await answer(session, request)
      busy = false
      if (process.connected) process.send?.(reply)
    })
  })
  process.on('disconnect', () => {
    setTimeout(() => process.exit(0), LEAVE_WITHIN_MS)
    const left = busy ? session.abandon() : Promise.resolve()
    left.catch(() => undefined).finally(() => process.exit(0))
  })
}

async function answer(session: Session, request: Request): Promise<Reply> {
  try {
    return { ok: true, value: await perform(session, request) }
  } catch (error) {
    return { ok: false, trouble: troubleOf(session, error), message: wordsOf(error) }
  }
}

function perform(session: Session, request: Request): Promise<unknown> {
  switch (request.kind) {
    case 'open':
      return session.connect(serverOf(request.address))
    case 'select':
      return session.select(request.query, request.maxRows, leftUntil(request.dueAt))
    case 'introspect':
      return session.introspect(leftUntil(request.dueAt))
    case 'examine':
      return session.examine(leftUntil(request.dueAt))
  }
}

const leftUntil = (dueAt: number): LeftMs => () => Math.max(1, Math.ceil(dueAt - clockMs()))

function serverOf(address: Address): ServerAddress {
  if (address.dialect === 'sqlite') throw new Error('this reader connects to servers')
  return address
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOENT', 'EACCES', 'EADDRNOTAVAIL',
])
const LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST'])

function troubleOf(session: Session, error: unknown): Trouble {
  if (error instanceof Refused) return 'refused'
  if (error instanceof Troubled) return error.trouble
  const known = session.troubleOf(error)
  if (known !== null) return known
  // several addresses of one name are tried in turn, and their errors come together
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const code = codeOf(one)
  if (UNREACHABLE.has(code)) return 'unreachable'
  if (LOST.has(code)) return 'lost'
  return /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code) ? 'insecure' : 'failed'
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ')
  return error instanceof Error ? `${codeOf(error)} ${error.message}`.trim() : String(error)
}
