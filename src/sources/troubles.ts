/** A reader's answer as the rest of the product sees it: the value, or an error in our words with the engine's in `cause`. */
import { ServiceError } from '../contracts/index.ts'
import type { Reply, Trouble } from './protocol.ts'

type Outside = Exclude<Trouble, 'refused' | 'failed' | 'deadline'>

const UNAVAILABLE: Readonly<Record<Outside, readonly [detail: string, hint: string]>> = {
  not_a_database: ['the file is not a SQLite database', 'check the path of this source; an encrypted file cannot be read'],
  corrupt: ['the database file is damaged', 'restore it from a backup; nothing was changed here'],
  locked: ['the database is locked by another program', 'try again when the other program has finished writing'],
  unreadable: ['the database file cannot be read', 'check that the file is whole and may be read by this user'],
  unreachable: ['the database server cannot be reached', 'check that it runs, and the host and port in the address of this source'],
  sign_in: ['the database server refused the sign-in', 'check user and password in the address of this source'],
  no_such_database: ['the server has no database of that name', 'check the last part of the address of this source'],
  no_such_schema: ['the database has no schema of that name', 'check `schema` in the address of this source'],
  insecure: ['no encrypted connection to the database server could be made', 'check `sslmode` and `sslrootcert` in the address'],
  overloaded: ['the database server accepts no more connections', 'try again later, or allow this role more connections'],
  lost: ['the connection to the database server was lost', 'ask again'],
  not_permitted: [
    'the role of this source may not read what was asked',
    'grant it SELECT on the tables and columns it shall read, then read the schema again',
  ],
}

/** The value of an answer; throws what went wrong. */
export function readReply(answer: unknown): unknown {
  const reply = answer as Reply
  if (reply.ok) return reply.value
  const cause = new Error(reply.message)
  if (reply.trouble === 'deadline') throw stoppedByServer(cause)
  // a statement of ours that the engine will not run is a bug and is shown as one
  if (reply.trouble === 'refused' || reply.trouble === 'failed') {
    throw new Error('the database refused a compiled statement', { cause })
  }
  throw unavailable(...UNAVAILABLE[reply.trouble], cause)
}

export const unavailable = (detail: string, hint: string, cause?: unknown): ServiceError =>
  new ServiceError('source_unavailable', detail, { hint, cause })

const stoppedByServer = (cause: unknown): ServiceError =>
  new ServiceError('deadline_exceeded', 'the database did not answer within the time allowed and the query was stopped', {
    hint: 'ask for less, or raise timeout_ms',
    cause,
  })
