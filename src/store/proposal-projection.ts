/**
 * All proposals in brief, in memory: a queue is filtered, counted and sorted on every call, and reading twenty thousand rows
 * with their evidence for that would take longer than the reviewer's patience. Rows that this connection writes are read again
 * when next asked for; when another connection has written, everything is.
 */
import { sql } from 'kysely'
import type { Proposal } from '../contracts/index.ts'
import { listOf } from './json.ts'
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

/** A proposal without its long texts, and of its evidence only what was asked for. */
export type ProposalFacts = Omit<Proposal, 'candidate_turtle' | 'evidence_sample'> & {
  /** whose decision brought the approval that stands about, when it was not decided on its own */
  readonly via: string | null
}

const PIDS_PER_STATEMENT = 500
const SHORT = columns.filter((column) => column !== 'evidence' && column !== 'candidate_turtle' && column !== 'evidence_sample')
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

/** `fields` are the keys of the evidence that `read` looks at: the store picks them out, so that the rest need not be read here. */
export function projectionOf<Brief>(
  store: Connection,
  touched: Touched,
  fields: readonly string[],
  read: (facts: ProposalFacts) => Brief,
): Projection<Brief> {
  const rows = new Map<string, Brief>()
  const stale = new Set<string>()
  let seen = -1
  let revision = 0
  let changed: readonly string[] | null = null
  touched.listen((pid) => stale.add(pid))

  const paths = sql.join(fields.map((field) => sql.val(`$.${field}`)))
  // what is no JSON has no fields either
  const picked = sql<string | null>`case when json_valid(evidence) then json_extract(evidence, ${paths}) end`.as('picked')
  const lastApproval = sql`(select via from proposal_events where pid = ${sql.ref(`${PROPOSALS}.pid`)} and action = 'approve' order by id desc limit 1)`
  const via = sql<string | null>`case when status = 'APPROVED' then ${lastApproval} end`.as('via')
  const facts = () => offered(query.selectFrom(PROPOSALS).select(SHORT).select([picked, via]))

  function take(found: ReturnType<typeof facts>): void {
    for (const { picked: values, via: along, ...row } of store.rows(found)) {
      const evidence: Record<string, unknown> = {}
      for (const [at, value] of (values === null ? [] : listOf(values)).entries()) if (value !== null) evidence[fields[at]!] = value
      const proposal = { ...proposalOf({ ...row, evidence: '', candidate_turtle: '', evidence_sample: '' }), evidence, via: along }
      rows.set(proposal.pid, read(proposal))
    }
  }

  function readAll(): void {
    rows.clear()
    take(facts())
  }

  function readAgain(pids: readonly string[]): void {
    for (let from = 0; from < pids.length; from += PIDS_PER_STATEMENT) {
      const some = pids.slice(from, from + PIDS_PER_STATEMENT)
      for (const pid of some) rows.delete(pid) // a change that was rolled back may have been an insertion
      take(facts().where('pid', 'in', some))
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
      if (!store.inTransaction) stale.clear() // otherwise it is read once more when that has ended, one way or the other
      revision += 1
      return { rows, revision, changed }
    },
  }
}
