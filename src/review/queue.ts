/** The review queue as callers see it: cut to their ceiling, filtered, sorted, grouped, page by page. */
import { type Candidate, type Proposal, type QueueSort, type QueueSummary, ServiceError, type Tier, within } from '../contracts/index.ts'
import type { Workspace } from '../store/index.ts'
import { type Brief, LOG_KINDS } from './brief.ts'
import { cutProposal } from './cut.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { matching, type QueueFilter, queueOf } from './queue-view.ts'
import { ordering, type Placed, topOf } from './queue-order.ts'

export interface CandidatePage {
  readonly candidates: Candidate[]
  readonly next_cursor: string | null
  readonly total: number
}

export interface QueueQuery extends QueueFilter {
  readonly sort?: QueueSort
  readonly grouped?: boolean
  readonly limit?: number
  readonly cursor?: string
  readonly maxTier?: Tier
}

const PAGE = 50
export const MAX_PAGE = 500

export function summary(workspace: Workspace, { maxTier = 'Restricted' }: { maxTier?: Tier } = {}): QueueSummary {
  const rows = queueOf(workspace).visible(maxTier)
  const byKind: Record<string, Record<string, number>> = {}
  const counted = { anomalies: 0, drift: 0 }
  for (const { kind, status, strategy } of rows) {
    const states = (byKind[kind] ??= {})
    states[status] = (states[status] ?? 0) + 1
    if (strategy === 'HMM_SEQUENCE_ANOMALY') counted.anomalies += 1
    if (strategy === 'DRIFT_ON_NEW_TEMPLATE') counted.drift += 1
  }
  const sorted = LOG_KINDS.flatMap((kind) => {
    const states = byKind[kind]
    return states === undefined ? [] : [[kind, Object.fromEntries(Object.entries(states).toSorted())] as const]
  })
  const lastRun = workspace.logs.lastRun(maxTier)
  return {
    available: lastRun !== null || sorted.length > 0,
    by_kind: Object.fromEntries(sorted),
    ...counted,
    last_run: lastRun,
    ranking: queueOf(workspace).ranker(maxTier).ranking,
  }
}

export function candidates(workspace: Workspace, ask: QueueQuery = {}): CandidatePage {
  const { sort = 'score', grouped = false, cursor, maxTier = 'Restricted' } = ask
  const limit = Math.min(MAX_PAGE, Math.max(1, ask.limit ?? PAGE))
  const queue = queueOf(workspace)
  const after = cursor === undefined ? null : readCursor(cursor, sort)
  const ranker = sort === 'learned' ? queue.ranker(maxTier, after?.trained) : null
  const groups = queue.groups(maxTier)
  const found = matching(queue.visible(maxTier), groups, { status: 'PENDING', ...ask })
  const order = ordering(sort, ranker?.odds ?? null)
  const rows: readonly Placed[] = grouped ? leadersOf(found, groups, order.key) : found.map((brief) => ({ brief, key: order.key(brief), members: null }))
  const left = after === null ? rows : rows.filter((row) => order.compare(row, { key: after.key, brief: { pid: after.pid } }) > 0)
  const page = topOf(left, order.compare, limit + 1) // one more tells whether there is a next page
  const last = page.length > limit ? page[limit - 1] : undefined
  const proposals = new Map(workspace.proposals.some(page.slice(0, limit).map(({ brief }) => brief.pid)).map((each) => [each.pid, each]))
  return {
    candidates: page.slice(0, limit).flatMap(({ brief: { pid }, members }) => {
      const proposal = proposals.get(pid)
      if (proposal === undefined) return []
      const group = { group: groups.get(pid) ?? pid, ...(members === null ? {} : { group_size: members.length, group_members: members }) }
      return [{ ...cutProposal(workspace, proposal, maxTier), ...group }]
    }),
    next_cursor: last === undefined ? null : writeCursor({ sort, key: last.key, pid: last.brief.pid, ...(ranker === null ? {} : { trained: ranker.trainedOn }) }),
    total: rows.length,
  }
}

/** One row for each group: its best member that matches, and all that do. */
function leadersOf(found: readonly Brief[], groups: ReadonlyMap<string, string>, key: (brief: Brief) => number | string): Placed[] {
  const rows = new Map<string, { brief: Brief; key: number | string; members: string[] }>()
  for (const brief of found) {
    const group = groups.get(brief.pid) ?? brief.pid
    const row = rows.get(group)
    if (row === undefined) rows.set(group, { brief, key: key(brief), members: [brief.pid] })
    else row.members.push(brief.pid)
  }
  return [...rows.values()]
}

/** One candidate; above the ceiling it is as unknown as one that never was. */
export function candidate(workspace: Workspace, pid: string, { maxTier = 'Restricted' }: { maxTier?: Tier } = {}): Candidate {
  const proposal = visibleProposal(workspace, pid, maxTier)
  return { ...cutProposal(workspace, proposal, maxTier), group: queueOf(workspace).groups(maxTier).get(pid) ?? pid }
}

export function visibleProposal(workspace: Workspace, pid: string, ceiling: Tier): Proposal {
  const proposal = workspace.proposals.get(pid)
  if (proposal === undefined || !within(proposal.tier, ceiling)) throw new ServiceError('not_found', 'no candidate by that id')
  return proposal
}

/** Members of a group that still wait for a decision. */
export function waitingIn(workspace: Workspace, group: string, ceiling: Tier): string[] {
  const queue = queueOf(workspace)
  const groups = queue.groups(ceiling)
  const of = groups.get(group)
  const members = queue.visible(ceiling).filter(({ pid }) => of !== undefined && groups.get(pid) === of)
  if (members.length === 0) throw new ServiceError('not_found', 'no candidate by that id')
  return members.filter(({ status }) => status === 'PENDING' || status === 'DEFERRED').map(({ pid }) => pid)
}
