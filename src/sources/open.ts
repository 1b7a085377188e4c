/** Opens a customer's database as a `Source`: read-only, in processes of its own, errors in our words. */
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { fork } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../contracts/index.ts'
import { Pool } from './pool.ts'
import type { Catalogue, Selected, Source } from './source.ts'
import type { Reply, Request, Trouble } from './sqlite/protocol.ts'
import type { Rows } from './sqlite/select.ts'

export interface OpenOptions {
  /** one query may run away without the next one waiting for it; more would only compete for the same disk */
  readonly processes?: number
  /** a whole schema with its samples; generous, as it happens once per source */
  readonly introspectTimeoutMs?: number
  readonly openTimeoutMs?: number
}

/** Rejects with `source_unavailable` when there is no such file or it is not a database. */
export async function openSource(path: string, options: OpenOptions = {}): Promise<Source> {
  const { processes = 2, introspectTimeoutMs = 60_000, openTimeoutMs = 10_000 } = options
  // resolved first: SQLite would read `file:...?mode=rwc` as a URI and `:memory:` as no file at all
  const file = resolve(path)
  await mustBeFile(path, file)
  const pool = new Pool({ size: processes, start: startReader, greeting: { kind: 'open', path: file } satisfies Request, read })
  const ask = (request: Request, deadline: { timeoutMs: number; signal?: AbortSignal }) => pool.run(request, deadline)
  try {
    await ask({ kind: 'select', query: { sql: 'select 1', params: [] }, maxRows: 1 }, { timeoutMs: openTimeoutMs })
  } catch (error) {
    await pool.close()
    throw error
  }
  return {
    dialect: 'sqlite',
    introspect: async () => (await ask({ kind: 'introspect' }, { timeoutMs: introspectTimeoutMs })) as Catalogue,
    select: async (query, { maxRows, timeoutMs, signal }): Promise<Selected> => {
      const started = performance.now()
      const deadline = { timeoutMs, ...(signal === undefined ? {} : { signal }) }
      const rows = (await ask({ kind: 'select', query, maxRows }, deadline)) as Rows
      return { ...rows, ms: performance.now() - started }
    },
    examineRole: async () => ({ engine: `SQLite ${process.versions['sqlite'] ?? ''}`.trim(), dangers: [], notes: ['opened read-only in a process of its own'] }),
    close: () => pool.close(),
  }
}

async function mustBeFile(asked: string, file: string): Promise<void> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(asked)) {
    throw unavailable('only SQLite files can be opened', 'give the path of a SQLite database file')
  }
  const found = await stat(file).catch((cause: unknown) => {
    throw unavailable('there is no database file at the configured place', 'check the path of this source', cause)
  })
  if (!found.isFile()) throw unavailable('the configured place is not a file', 'give the path of a SQLite database file')
}

function startReader(): ChildProcess {
  // the extension follows this file: .ts in development, .js once built
  const reader = fileURLToPath(new URL('./sqlite/worker' + import.meta.url.slice(-3), import.meta.url))
  const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc']
  return fork(reader, [], { serialization: 'advanced', execArgv: [], stdio, env: bareEnvironment() })
}

/** A reader needs a place for temporary files and nothing else: no provider key has any business in that process. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}

const UNAVAILABLE: Readonly<Record<Exclude<Trouble, 'refused' | 'failed'>, readonly [detail: string, hint: string]>> = {
  not_a_database: ['the file is not a SQLite database', 'check the path of this source; an encrypted file cannot be read'],
  corrupt: ['the database file is damaged', 'restore it from a backup; nothing was changed here'],
  locked: ['the database is locked by another program', 'try again when the other program has finished writing'],
  unreadable: ['the database file cannot be read', 'check that the file is whole and may be read by this user'],
}

function read(answer: unknown): unknown {
  const reply = answer as Reply
  if (reply.ok) return reply.value
  const cause = new Error(reply.message)
  // a statement of ours that SQLite will not run is a bug and is shown as one
  if (reply.trouble === 'refused' || reply.trouble === 'failed') {
    throw new Error('the database refused a compiled statement', { cause })
  }
  throw unavailable(...UNAVAILABLE[reply.trouble], cause)
}

const unavailable = (detail: string, hint: string, cause?: unknown): ServiceError =>
  new ServiceError('source_unavailable', detail, { hint, cause })
