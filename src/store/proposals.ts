/** Review candidates at rest. A status never changes without its line in the audit, and a re-seed never undoes a decision. */
import { sql } from 'kysely'
import {
  PROPOSAL_TYPES, type Proposal, type ProposalState, type ProposalType, ServiceError, type Tier,
} from '../contracts/index.ts'
import { objectOf } from './json.ts'
import { type ClusterRole, proposalsOver } from './proposal-clusters.ts'
import { type Projection, type ProposalFacts, projectionOf, Touched } from './proposal-projection.ts'
import { columns, offered, proposalOf, type Selected, tiersWithin } from './proposal-row.ts'
import { type NewCandidate, type Seeded, upsert } from './proposal-seed.ts'
import { PROPOSALS } from './schema.ts'
import { type Connection, query } from './sqlite-dialect.ts'

export interface ProposalQuery {
  readonly kinds?: readonly ProposalType[]
  readonly kind?: ProposalType
  readonly name?: string
  readonly status?: ProposalState
  readonly maxTier?: Tier
  readonly limit?: number
  /** the last proposal of the page before */
  readonly after?: { readonly score: number; readonly pid: string }
}

export interface ProposalCounts {
  /** kind -> status -> how many; words of an older program that this one does not know are counted under their own name */
  readonly by_kind: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly by_strategy: Readonly<Record<string, number>>
}

/** Columns that a reviewer's edit, a merge or their undoing may change. */
export type Changes = Partial<
  Pick<Proposal, 'name' | 'title' | 'proposal_type' | 'tier' | 'consequence' | 'candidate_turtle' | 'edits' | 'merged_into'>
>

/** One step of a proposal's life, as the audit keeps it. */
export interface ProposalEvent {
  readonly id: number
  readonly pid: string
  readonly action: string
  readonly from_status: string
  readonly to_status: string
  readonly reviewer_id: string
  readonly note: string | null
  /** `set`: what the reviewer asked to change; `before`: columns as they were, from which an undo restores them */
  readonly edits: Readonly<Record<string, unknown>>
  /** the proposal whose decision brought this step about, when it was not decided on its own */
  readonly via: string | null
  readonly at: string
}

export interface ProposalStep {
  readonly action: string
  readonly to: ProposalState
  readonly reviewer: string
  readonly note?: string | null
  readonly via?: string | null
  readonly at: string
  /** who stands on the row afterwards; an undo restores the reviewer before, by default it is this step's */
  readonly signed?: { readonly reviewer: string | null; readonly note: string | null; readonly at: string | null }
  readonly changes?: Changes
  /** further words for the audit */
  readonly about?: Readonly<Record<string, unknown>>
}

export interface Proposals {
  upsert(candidates: readonly NewCandidate[], now: string): Seeded
  get(pid: string): Proposal | undefined
  /** those that exist, in the order of the ids */
  some(pids: readonly string[]): Proposal[]
  /** queue order: confidence times consequence, descending, then pid */
  list(ask?: ProposalQuery): { readonly proposals: Proposal[]; readonly total: number }
  counts(maxTier?: Tier): ProposalCounts
  /** by pid */
  named(kinds: readonly ProposalType[], name: string): Proposal[]
  /** that speak of any of these templates in one of these roles, by pid */
  over(clusters: readonly string[], roles: readonly ClusterRole[]): Proposal[]
  /** by pid */
  mergedInto(pid: string): Proposal[]
  /** moves a proposal and writes its audit line; refused as stale when the row is no longer at that version */
  update(pid: string, version: number, step: ProposalStep): Proposal
  audit(pid: string): ProposalEvent[]
  /** every proposal in brief, kept in memory; `fields` are the keys of the evidence that it is made from */
  projection<Brief>(fields: readonly string[], read: (facts: ProposalFacts) => Brief): Projection<Brief>
}

const score = sql<number>`confidence * consequence`
const PIDS_PER_STATEMENT = 500

export function proposalsOf(store: Connection): Proposals {
  const touched = new Touched()
  const all = () => query.selectFrom(PROPOSALS).select(columns)
  const get = (pid: string): Proposal | undefined => {
    const row = store.first(all().where('pid', '=', pid))
    return row === undefined ? undefined : proposalOf(row)
  }
  const some = (pids: readonly string[]): Proposal[] => {
    const found = new Map<string, Proposal>()
    for (let from = 0; from < pids.length; from += PIDS_PER_STATEMENT) {
      const rows = store.rows(all().where('pid', 'in', pids.slice(from, from + PIDS_PER_STATEMENT)))
      for (const row of rows.map(proposalOf)) found.set(row.pid, row)
    }
    return pids.flatMap((pid) => found.get(pid) ?? [])
  }
  return {
    get,
    some,
    upsert: (candidates, now) => store.transaction(() => upsert(store, candidates, now, touched.add)),
    list({ limit = 200, after, ...filters } = {}) {
      const counted = query.selectFrom(PROPOSALS).select(({ fn }) => fn.countAll<number>().as('n'))
      const total = store.first(filtered(counted, filters))?.n ?? 0
      let page = filtered(all(), filters)
      if (after !== undefined) {
        const { score: last, pid } = after
        page = page.where((is) => is.or([is(score, '<', last), is.and([is(score, '=', last), is('pid', '>', pid)])]))
      }
      return { proposals: store.rows(page.orderBy(score, 'desc').orderBy('pid').limit(limit)).map(proposalOf), total }
    },
    counts: (maxTier = 'Restricted') => counts(store, maxTier),
    named: (kinds, name) =>
      store.rows(offered(all()).where('proposal_type', 'in', kinds).where('name', '=', name).orderBy('pid')).map(proposalOf),
    over: (clusters, roles) => some(proposalsOver(store, clusters, roles)),
    mergedInto: (pid) => store.rows(offered(all()).where('merged_into', '=', pid).orderBy('pid')).map(proposalOf),
    update: (pid, version, step) =>
      store.transaction(() => {
        update(store, get(pid), version, step)
        touched.add(pid)
        return get(pid)!
      }),
    audit: (pid) =>
      store
        .rows(query.selectFrom('proposal_events').selectAll().where('pid', '=', pid).orderBy('id'))
        .map((row) => ({ ...row, edits: objectOf(row.edits) })),
    projection: (fields, read) => projectionOf(store, touched, fields, read),
  }
}

function filtered<O>(from: Selected<O>, { kind, kinds, name, status, maxTier }: ProposalQuery): Selected<O> {
  let ask = offered(from).where('proposal_type', 'in', kind === undefined ? (kinds ?? PROPOSAL_TYPES) : [kind])
  if (status !== undefined) ask = ask.where('status', '=', status)
  if (name !== undefined) ask = ask.where('name', '=', name)
  return ask.where('tier', 'in', tiersWithin(maxTier ?? 'Restricted'))
}

function counts(store: Connection, maxTier: Tier): ProposalCounts {
  const rows = store.rows(
    query
      .selectFrom(PROPOSALS)
      .select(['proposal_type', 'status', 'detection_strategy', ({ fn }) => fn.countAll<number>().as('n')])
      .where('tier', 'in', tiersWithin(maxTier))
      .groupBy(['proposal_type', 'status', 'detection_strategy'])
      .orderBy('proposal_type')
      .orderBy('status'),
  )
  const byKind: Record<string, Record<string, number>> = {}
  const byStrategy: Record<string, number> = {}
  for (const { proposal_type: kind, status, detection_strategy: strategy, n } of rows) {
    const states = (byKind[kind] ??= {})
    states[status] = (states[status] ?? 0) + n
    if (strategy !== null) byStrategy[strategy] = (byStrategy[strategy] ?? 0) + n
  }
  return { by_kind: byKind, by_strategy: byStrategy }
}

function update(store: Connection, proposal: Proposal | undefined, version: number, step: ProposalStep): void {
  if (proposal === undefined) throw new ServiceError('not_found', 'no proposal by that id')
  if (proposal.version !== version) {
    throw new ServiceError('stale', 'the proposal has changed meanwhile', { hint: 'read it again' })
  }
  const note = step.note ?? null
  const signed = step.signed ?? { reviewer: step.reviewer, note, at: step.at }
  const { edits, ...plain } = step.changes ?? {}
  store.change(
    query
      .updateTable(PROPOSALS)
      .set({
        ...plain, ...(edits === undefined ? {} : { edits: JSON.stringify(edits) }),
        status: step.to, reviewer_id: signed.reviewer, review_note: signed.note, reviewed_at: signed.at, version: version + 1,
        updated_at: step.at,
      })
      .where('pid', '=', proposal.pid),
  )
  const before = Object.fromEntries(Object.keys(step.changes ?? {}).map((column) => [column, proposal[column as keyof Changes]]))
  const about = { ...step.about, ...(step.changes === undefined ? {} : { before }) }
  store.change(
    query.insertInto('proposal_events').values({
      pid: proposal.pid, action: step.action, from_status: proposal.status, to_status: step.to, reviewer_id: step.reviewer, note,
      edits: JSON.stringify(about), via: step.via ?? null, at: step.at,
    }),
  )
}
