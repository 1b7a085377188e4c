/** The review queue as callers see it: cut to their ceiling, most consequential first. */
import { type Proposal, type ProposalState, type ProposalType, ServiceError, type Tier, within } from '../contracts/index.ts'
import type { Workspace } from '../store/index.ts'

/** What log discovery proposes; older kinds of proposal live in the same table and not in this queue. */
export const LOG_KINDS = [
  'LOG_EVENT', 'LOG_ENTITY', 'LOG_RELATIONSHIP', 'LOG_CAUSAL_EDGE',
] as const satisfies readonly ProposalType[]

export interface QueueSummary {
  /** whether logs were ever mined into this store */
  readonly available: boolean
  readonly by_kind: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly anomalies: number
  readonly drift: number
  readonly last_run: string | null
}

export interface CandidatePage {
  readonly candidates: Proposal[]
  readonly next_cursor: string | null
  readonly total: number
}

export interface QueueQuery {
  readonly kind?: ProposalType
  readonly status?: ProposalState
  readonly limit?: number
  readonly cursor?: string
  readonly maxTier?: Tier
}

const PAGE = 50
const MAX_PAGE = 500

export function summary(workspace: Workspace, { maxTier = 'Restricted' }: { maxTier?: Tier } = {}): QueueSummary {
  const counts = workspace.proposals.counts(maxTier)
  const kinds = LOG_KINDS.flatMap((kind) => (counts.by_kind[kind] === undefined ? [] : [[kind, counts.by_kind[kind]] as const]))
  const lastRun = workspace.logs.lastRun()
  return {
    available: lastRun !== null || kinds.length > 0,
    by_kind: Object.fromEntries(kinds),
    anomalies: counts.by_strategy['HMM_SEQUENCE_ANOMALY'] ?? 0,
    drift: counts.by_strategy['DRIFT_ON_NEW_TEMPLATE'] ?? 0,
    last_run: lastRun,
  }
}

export function candidates(workspace: Workspace, ask: QueueQuery = {}): CandidatePage {
  const { kind, status = 'PENDING', cursor, maxTier = 'Restricted' } = ask
  const limit = Math.min(MAX_PAGE, Math.max(1, ask.limit ?? PAGE))
  const { proposals, total } = workspace.proposals.list({
    kinds: kind === undefined ? LOG_KINDS : LOG_KINDS.filter((each) => each === kind),
    status,
    maxTier,
    limit: limit + 1, // one more tells whether there is a next page
    ...(cursor === undefined ? {} : { after: readCursor(cursor) }),
  })
  const page = proposals.slice(0, limit)
  const last = page.at(-1)
  return { candidates: page, next_cursor: proposals.length > limit && last !== undefined ? writeCursor(last) : null, total }
}

/** One candidate; above the ceiling it is as unknown as one that never was. */
export function candidate(workspace: Workspace, pid: string, { maxTier = 'Restricted' }: { maxTier?: Tier } = {}): Proposal {
  const proposal = workspace.proposals.get(pid)
  if (proposal === undefined || !within(proposal.tier, maxTier)) throw new ServiceError('not_found', 'no candidate by that id')
  return proposal
}

/** A cursor names the last candidate of a page, so that decisions taken meanwhile skip nothing on the next. */
const writeCursor = ({ score, pid }: Proposal): string => Buffer.from(JSON.stringify([score, pid])).toString('base64url')

function readCursor(cursor: string): { score: number; pid: string } {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const [score, pid]: unknown[] = Array.isArray(value) ? value : []
    if (typeof score === 'number' && typeof pid === 'string') return { score, pid }
  } catch {
    // told below, together with cursors that are JSON of another shape
  }
  throw new ServiceError('invalid_request', 'this cursor was not made by us', {
    errors: [{ path: 'cursor', message: 'unreadable' }],
  })
}
