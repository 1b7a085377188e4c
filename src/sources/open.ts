/** Opens a customer's database as a `Source`: read-only, in processes of its own, errors in our words. */
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { fork } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { type Address, readAddress } from './address.ts'
import type { Rows } from './cells.ts'
import { Pool } from './pool.ts'
import { type Request, clockMs } from './protocol.ts'
import type { Catalogue, Dialect, RoleReport, Selected, Source } from './source.ts'
import { watchFile } from './sqlite/version.ts'
import { readReply, unavailable } from './troubles.ts'

export interface OpenOptions {
  /** one query may run away without the next one waiting for it; more would only compete for the same disk */
  readonly processes?: number
  /** a whole schema with its samples; generous, as it happens once per source */
  readonly introspectTimeoutMs?: number
  readonly openTimeoutMs?: number
  /** where `env:NAME` is looked up */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * A readers' process that only waits for a server can end the statement there before it goes, so it gets a moment.
 * SQLite works inside the process: it hears nothing until it is done, and killing it is what stops the statement.
 */
const GRACE_MS: Readonly<Record<Dialect, number>> = { sqlite: 0, postgres: 150, mysql: 150 }
const EXAMINE_TIMEOUT_MS = 10_000

/** Takes a path or an address (see address.ts). Rejects with `source_unavailable` when no database answers there. */
export async function openSource(pathOrUrl: string, options: OpenOptions = {}): Promise<Source> {
  const { processes = 2, introspectTimeoutMs = 60_000, openTimeoutMs = 10_000, env = process.env } = options
  const address = readAddress(pathOrUrl, env)
  if (address.dialect === 'sqlite') await mustBeFile(address.file)
  const pool = poolOf(address, processes)
  type Deadline = { readonly timeoutMs: number; readonly signal?: AbortSignal }
  const ask = (request: (dueAt: number) => Request, deadline: Deadline): Promise<unknown> => {
    const dueAt = clockMs() + deadline.timeoutMs
    return pool.run(request(dueAt), deadline)
  }
  const select: Source['select'] = async (query, { maxRows, timeoutMs, signal }): Promise<Selected> => {
    const started = performance.now()
    const deadline = { timeoutMs, ...(signal === undefined ? {} : { signal }) }
    const rows = (await ask((dueAt) => ({ kind: 'select', query, maxRows, dueAt }), deadline)) as Rows
    return { ...rows, ms: performance.now() - started }
  }
  try {
    await select({ sql: 'select 1', params: [] }, { maxRows: 1, timeoutMs: openTimeoutMs })
  } catch (error) {
    await pool.close()
    throw error
  }
  const watch = address.dialect === 'sqlite' ? watchFile(address.file) : null
  return {
    dialect: address.dialect,
    introspect: async () =>
      (await ask((dueAt) => ({ kind: 'introspect', dueAt }), { timeoutMs: introspectTimeoutMs })) as Catalogue,
    examineRole: async () =>
      (await ask((dueAt) => ({ kind: 'examine', dueAt }), { timeoutMs: EXAMINE_TIMEOUT_MS })) as RoleReport,
    version: async () => watch?.version() ?? null,
    select,
    close: async () => {
      watch?.close()
      await pool.close()
    },
  }
}

const poolOf = (address: Address, size: number): Pool<Request> =>
  new Pool({
    size,
    start: () => startReader(address.dialect),
    greeting: { kind: 'open', address },
    read: readReply,
    graceMs: GRACE_MS[address.dialect],
  })

async function mustBeFile(file: string): Promise<void> {
  const found = await stat(file).catch((cause: unknown) => {
    throw unavailable('there is no database file at the configured place', 'check the path of this source', cause)
  })
  if (!found.isFile()) throw unavailable('the configured place is not a file', 'give the path of a SQLite database file')
}

function startReader(dialect: Dialect): ChildProcess {
  // the extension follows this file: .ts in development, .js once built
  const reader = fileURLToPath(new URL(`./${dialect}/worker` + import.meta.url.slice(-3), import.meta.url))
  const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc']
  return fork(reader, [], { serialization: 'advanced', execArgv: [], stdio, env: bareEnvironment() })
}

/** A reader needs a place for temporary files and nothing else: no provider key has any business in that process. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}
