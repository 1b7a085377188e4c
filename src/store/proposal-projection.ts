/**
 * All proposals in brief, in memory: a queue is filtered, counted and sorted on every call, and reading twenty thousand rows
 * with their evidence for that would take longer than the reviewer's patience. Rows that this connection writes are read again
 * when next asked for; when another connection has written, everything is.
 */
import { sql } from 'kysely'
import type { Proposal } from '../contracts/index.ts'
import { columns, offered, proposalOf } from './proposal-row.ts'
import { PROPOSALS } from './schema.ts'
import { type Connection, query } from './sqlite-dialect.ts'

export interface Projection<Brief> {
  /** as of now; `revision` is the same as long as nothing has changed */
  current(): {
    readonly rows: ReadonlyMap<string, Brief>
    readonly revision: number
    /** what the last change touched; null: it may be anything */
    readonly changed: readonly string[] | null
  }
}

const PIDS_PER_STATEMENT = 500
const dataVersion = { compile: () => sql<{ data_version: number }>`PRAGMA data_version`.compile(query) }

/** What this connection has written since the projections last looked. */
export class Touched {
  readonly #listeners = new Set<(pid: string) => void>()

  readonly add = (pid: string): void => {
    for (const listen of this.#listeners) listen(pid)
  }

  listen(listener: (pid: string) => void): void {
    this.#listeners.add(listener)
  }
}

export function projectionOf<Brief>(store: Connection, touched: Touched, read: (proposal: Proposal) => Brief): Projection<Brief> {
  const rows = new Map<string, Brief>()
  const stale = new Set<string>()
  let seen = -1
  let revision = 0
  let changed: readonly string[] | null = null
  touched.listen((pid) => stale.add(pid))

  function readAll(): void {
    rows.clear()
    for (const row of store.rows(offered(query.selectFrom(PROPOSALS).select(columns)))) {
      const proposal = proposalOf(row)
      rows.set(proposal.pid, read(proposal))
    }
  }

  function readAgain(pids: readonly string[]): void {
    for (let from = 0; from < pids.length; from += PIDS_PER_STATEMENT) {
      const some = pids.slice(from, from + PIDS_PER_STATEMENT)
      for (const pid of some) rows.delete(pid) // a change that was rolled back may have been an insertion
      for (const row of store.rows(offered(query.selectFrom(PROPOSALS).select(columns).where('pid', 'in', some)))) {
        const proposal = proposalOf(row)
        rows.set(proposal.pid, read(proposal))
      }
    }
  }

  return {
    current() {
      const version = store.first(dataVersion)?.data_version ?? 0
      if (version === seen && stale.size === 0) return { rows, revision, changed }
      changed = version === seen ? [...stale] : null
      if (changed === null) readAll()
      else readAgain(changed)
      seen = version
      stale.clear()
      revision += 1
      return { rows, revision, changed }
    },
  }
}
