/** Decisions on candidates. Proposal, session and audit change in one transaction, or not at all. */
import {
  type Proposal, type ProposalEdits, type ReviewAction, REVIEW_ACTIONS, ServiceError, type Tier, within,
} from '../contracts/index.ts'
import type { Workspace } from '../store/index.ts'
import type { SessionEntry } from './entries.ts'
import { unknownCandidate } from './queue.ts'
import { Review } from './reviewing.ts'

export const ACTIONS = REVIEW_ACTIONS
export type Action = ReviewAction

export interface DecideOptions {
  readonly reviewer: string
  /** ISO 8601 */
  readonly now: string
  readonly baseIri: string
  readonly note?: string
  /** what the reviewer may see; a candidate above it does not exist for them */
  readonly maxTier?: Tier
  /** whether the reviewer looked at this version; without it, any will do */
  readonly ifVersion?: (version: number) => boolean
  /** names of classes that tables have */
  readonly taken?: ReadonlySet<string>
}

export interface Decision {
  readonly proposal: Proposal
  /** what an approval added to the session */
  readonly session_entry?: SessionEntry
  /** event proposals that an edge took with it, into the session or out of it */
  readonly brought_along: readonly string[]
}

export type Deciding = DecideOptions & { readonly edits?: ProposalEdits }

/** Edits come with an approval only: who approves a corrected candidate decides once. */
export const decide = (workspace: Workspace, pid: string, action: Action, options: Deciding): Decision =>
  reviewing(workspace, pid, options, (review, proposal) => review.decide(proposal, action, options.edits))

export const edit = (workspace: Workspace, pid: string, edits: ProposalEdits, options: DecideOptions): Decision =>
  reviewing(workspace, pid, options, (review, proposal) => review.edit(proposal, edits))

export interface Merging extends Decision {
  readonly merged_into: Proposal
}

/** `into` is the pid of a candidate of the same kind, or its name. */
export function merge(workspace: Workspace, pid: string, into: string, options: DecideOptions): Merging {
  let target: Proposal | undefined
  const decision = reviewing(workspace, pid, options, (review, proposal) => {
    target = targetOf(workspace, proposal, into, options.maxTier ?? 'Restricted')
    return review.merge(proposal, target)
  })
  return { ...decision, merged_into: workspace.proposals.get(target!.pid)! }
}

function reviewing(
  workspace: Workspace,
  pid: string,
  options: DecideOptions,
  work: (review: Review, proposal: Proposal) => SessionEntry | undefined,
): Decision {
  return workspace.transaction(() => {
    const { version, session } = workspace.session.load()
    const review = new Review(workspace, session, options)
    const decision = stepOf(workspace, review, pid, options, work)
    if (review.session !== session) workspace.session.save(review.session, version)
    return decision
  })
}

/** One step on a session that may go on changing. */
export function stepOf(
  workspace: Workspace,
  review: Review,
  pid: string,
  { maxTier = 'Restricted', ifVersion = () => true }: DecideOptions,
  work: (review: Review, proposal: Proposal) => SessionEntry | undefined,
): Decision {
  const proposal = workspace.proposals.get(pid)
  if (proposal === undefined || !within(proposal.tier, maxTier)) throw unknownCandidate()
  if (!ifVersion(proposal.version)) {
    throw new ServiceError('stale', 'the candidate has changed meanwhile', { hint: 'read it again and decide on what it says now' })
  }
  const entry = work(review, proposal)
  return {
    proposal: workspace.proposals.get(pid) ?? proposal,
    ...(entry === undefined ? {} : { session_entry: entry }),
    brought_along: review.takeBroughtAlong(),
  }
}

function targetOf({ proposals }: Workspace, proposal: Proposal, into: string, ceiling: Tier): Proposal {
  const seen = (each: Proposal | undefined): each is Proposal => each !== undefined && within(each.tier, ceiling)
  const byId = proposals.get(into)
  if (seen(byId)) return byId
  const named = proposals.named([proposal.proposal_type], into).filter((each) => seen(each) && each.pid !== proposal.pid)
  const open = named.filter(({ status }) => status !== 'MERGED' && status !== 'REJECTED')
  const [found, second] = open.length > 0 ? open : named
  if (found === undefined && proposal.name === into) return proposal // refused as a merge into itself
  if (found === undefined) throw unknownCandidate()
  if (second === undefined) return found
  throw new ServiceError('conflict', 'more than one candidate has that name', { hint: 'name the target by its pid' })
}
