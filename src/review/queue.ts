/** The review queue as callers see it: cut to their ceiling, filtered, sorted, grouped, page by page. */
import { type Candidate, type Proposal, type QueueSort, type QueueSummary, ServiceError, type Tier, within } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { Workspace } from '../store/index.ts'
import { type Brief, LOG_KINDS } from './brief.ts'
import { cutProposal } from './cut.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { firstFrom } from './queue-order.ts'
import { type QueueFilter, queueOf } from './queue-view.ts'

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
  const { byKind, byStrategy } = queueOf(workspace).counts(maxTier)
  const sorted = LOG_KINDS.flatMap((kind) => {
    const states = [...(byKind.get(kind) ?? [])]
    return states.length === 0 ? [] : [[kind, Object.fromEntries(states.toSorted(([x], [y]) => compareText(x, y)))] as const]
  })
  const lastRun = workspace.logs.lastRun(maxTier)
  return {
    available: lastRun !== null || sorted.length > 0,
    by_kind: Object.fromEntries(sorted),
    anomalies: byStrategy.get('HMM_SEQUENCE_ANOMALY') ?? 0,
    drift: byStrategy.get('DRIFT_ON_NEW_TEMPLATE') ?? 0,
    last_run: lastRun,
    ranking: queueOf(workspace).ranker(maxTier).ranking,
  }
}

export function candidates(workspace: Workspace, ask: QueueQuery = {}): CandidatePage {
  const { sort = 'score', grouped = false, cursor, maxTier = 'Restricted', status = 'PENDING' } = ask
  const limit = Math.min(MAX_PAGE, Math.max(1, ask.limit ?? PAGE))
  const queue = queueOf(workspace)
  const after = cursor === undefined ? null : readCursor(cursor, sort)
  const ranker = sort === 'learned' ? queue.ranker(maxTier, after?.trained) : undefined
  const ordered = queue.ordered(maxTier, { ...ask, status }, sort, ranker)
  const groups = queue.groups(maxTier)
  const members = grouped ? queue.members(ordered, maxTier) : null
  const { order } = ordered
  const from = after === null ? 0 : firstFrom(ordered.rows, (row) => order.compareTo(row, after) > 0)
  // one more tells whether there is a next page
  const found = members === null ? ordered.rows.slice(from, from + limit + 1) : leadersFrom(ordered.rows, groups, from, limit + 1)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const trained = ranker === undefined ? {} : { trained: ranker.trainedOn }
  return {
    candidates: queue.shown.of(workspace.proposals, page).map((proposal) => {
      const group = groups.get(proposal.pid) ?? proposal.pid
      const alike = members?.get(group)
      return {
        ...cutProposal(workspace, proposal, maxTier), group,
        ...(alike === undefined ? {} : { group_size: alike.size, group_members: [...alike].toSorted(compareText) }),
      }
    }),
    next_cursor: last !== undefined && found.length > limit ? writeCursor({ sort, key: order.key(last), pid: last.pid, ...trained }) : null,
    total: members === null ? ordered.rows.length : members.size,
  }
}

/** The best of each group in their order, from a place on, and no more of them than are asked for. */
function leadersFrom(rows: readonly Brief[], groups: ReadonlyMap<string, string>, from: number, count: number): Brief[] {
  const seen = new Set<string>()
  const leaders: Brief[] = []
  for (const [at, brief] of rows.entries()) {
    if (leaders.length === count) break
    const group = groups.get(brief.pid) ?? brief.pid
    if (seen.has(group)) continue
    seen.add(group)
    if (at >= from) leaders.push(brief)
  }
  return leaders
}

/** One candidate; above the ceiling it is as unknown as one that never was. */
export function candidate(workspace: Workspace, pid: string, { maxTier = 'Restricted' }: { maxTier?: Tier } = {}): Candidate {
  const proposal = visibleProposal(workspace, pid, maxTier)
  return { ...cutProposal(workspace, proposal, maxTier), group: queueOf(workspace).groups(maxTier).get(pid) ?? pid }
}

export function visibleProposal(workspace: Workspace, pid: string, ceiling: Tier): Proposal {
  const proposal = workspace.proposals.get(pid)
  if (proposal === undefined || !within(proposal.tier, ceiling)) throw unknownCandidate()
  return proposal
}

export const unknownCandidate = (): ServiceError =>
  new ServiceError('not_found', 'no candidate by that id', { hint: 'wherefore review list shows the ids; --status APPROVED those already decided' })

const SHORTEST_START = 8

/** The whole id of the one candidate that begins so, for people who type; what is no such beginning stays as it is. */
export function wholePid(workspace: Workspace, start: string, ceiling: Tier): string {
  if (start.length < SHORTEST_START) return start
  const found = queueOf(workspace).visible(ceiling).filter(({ pid }) => pid.startsWith(start))
  const [first, second] = found
  if (first === undefined || found.some(({ pid }) => pid === start)) return start
  if (second === undefined) return first.pid
  throw new ServiceError('conflict', 'more than one candidate has an id that begins so', { hint: 'type more of it' })
}

/** Members of a group that still wait for a decision. */
export function waitingIn(workspace: Workspace, group: string, ceiling: Tier): string[] {
  const queue = queueOf(workspace)
  const groups = queue.groups(ceiling)
  const of = groups.get(group)
  const members = queue.visible(ceiling).filter(({ pid }) => of !== undefined && groups.get(pid) === of)
  if (members.length === 0) throw unknownCandidate()
  return members.filter(({ status }) => status === 'PENDING' || status === 'DEFERRED').map(({ pid }) => pid)
}
