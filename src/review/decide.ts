/** Decisions on candidates. Proposal, session and audit change in one transaction, or not at all. */
import { LOG_DISCOVERY, type Proposal, type ProposalState, ServiceError, type Session, type Tier, within } from '../contracts/index.ts'
import type { ProposalStep, Workspace } from '../store/index.ts'
import {
  addCausalRule, addEnd, addEntity, addEvent, addRelationship, type Added, eventOf, removeCausalRule, removeEntries, type SessionEntry,
} from './entries.ts'
import { EdgeEvidence, type EdgeEnd, endsOf, EventEvidence, readEvidence } from './evidence.ts'
import { lastDecision } from './history.ts'

export const ACTIONS = ['approve', 'reject', 'defer', 'undo'] as const
export type Action = (typeof ACTIONS)[number]

export interface DecideOptions {
  readonly reviewer: string
  /** ISO 8601 */
  readonly now: string
  readonly baseIri: string
  readonly note?: string
  /** what the reviewer may see; a candidate above it does not exist for them */
  readonly maxTier?: Tier
}

export interface Decision {
  readonly proposal: Proposal
  /** what an approval added to the session */
  readonly session_entry?: SessionEntry
  /** event proposals that an edge took with it, into the session or out of it */
  readonly brought_along: readonly string[]
}

const ALL = Number.MAX_SAFE_INTEGER
const TARGET = { approve: 'APPROVED', reject: 'REJECTED', defer: 'DEFERRED' } as const satisfies Record<string, ProposalState>

export function decide(workspace: Workspace, pid: string, action: Action, options: DecideOptions): Decision {
  return workspace.transaction(() => {
    const proposal = workspace.proposals.get(pid)
    if (proposal === undefined || !within(proposal.tier, options.maxTier ?? 'Restricted')) {
      throw new ServiceError('not_found', 'no candidate by that id')
    }
    const { version, session } = workspace.session.load()
    const review = new Review(workspace, session, options)
    const entry = action === 'undo' ? review.undo(proposal) : review.take(proposal, action)
    if (review.session !== session) workspace.session.save(review.session, version)
    return {
      proposal: workspace.proposals.get(pid) ?? proposal,
      ...(entry === undefined ? {} : { session_entry: entry }),
      brought_along: review.broughtAlong,
    }
  })
}

/** One decision in the making: owns the session while its entries change. */
class Review {
  session: Session
  readonly broughtAlong: string[] = []
  readonly #workspace: Workspace
  readonly #options: DecideOptions

  constructor(workspace: Workspace, session: Session, options: DecideOptions) {
    this.#workspace = workspace
    this.session = session
    this.#options = options
  }

  take(proposal: Proposal, action: keyof typeof TARGET): SessionEntry | undefined {
    if (proposal.status !== 'PENDING' && proposal.status !== 'DEFERRED') {
      throw new ServiceError('conflict', `this candidate is ${proposal.status}; only PENDING and DEFERRED ones can be decided`, {
        hint: 'undo the earlier decision first',
      })
    }
    const entry = action === 'approve' ? this.#approve(proposal) : undefined
    this.#move(proposal, action, TARGET[action], null)
    return entry
  }

  undo(proposal: Proposal): undefined {
    const last = lastDecision(this.#workspace.audit(proposal.pid))
    if (last === undefined) throw new ServiceError('conflict', 'there is no decision to undo on this candidate')
    if (proposal.status === 'APPROVED') this.#takeBack(proposal)
    this.#move(proposal, 'undo', last.from, null, last.signed)
  }

  #approve(proposal: Proposal): SessionEntry {
    switch (proposal.proposal_type) {
      case 'LOG_EVENT':
        return this.#keep(addEvent(this.session, proposal))
      case 'LOG_ENTITY':
        return this.#keep(addEntity(this.session, proposal))
      case 'LOG_RELATIONSHIP':
        return this.#keep(addRelationship(this.session, proposal))
      case 'LOG_CAUSAL_EDGE': {
        const edge = readEvidence(EdgeEvidence, proposal)
        for (const end of endsOf(edge)) this.#bringIn(end, proposal)
        return this.#keep(addCausalRule(this.session, proposal, edge, this.#options.baseIri))
      }
      default:
        throw new ServiceError('conflict', `a ${proposal.proposal_type} proposal does not come from logs and cannot be approved here`, {
          hint: 'reject or defer it',
        })
    }
  }

  /** Approving an edge approves its two events, unless the session knows them already. */
  #bringIn(end: EdgeEnd, edge: Proposal): void {
    if (eventOf(this.session, end.cluster) !== undefined) return
    const event = this.#eventProposal(end)
    if (event === undefined) {
      this.#keep(addEnd(this.session, end, edge))
      return
    }
    if (event.status === 'REJECTED' || event.status === 'MERGED') {
      throw new ServiceError('conflict', `the event ${JSON.stringify(end.name)} of this edge is ${event.status}`, {
        hint: 'undo that decision first, or reject the edge as well',
      })
    }
    this.#keep(addEvent(this.session, event))
    if (event.status === 'APPROVED') return // somebody took it out of the session by hand; the edge needs it again
    this.#move(event, 'approve', 'APPROVED', edge.pid)
    this.broughtAlong.push(event.pid)
  }

  #eventProposal({ name, cluster }: EdgeEnd): Proposal | undefined {
    const { proposals } = this.#workspace.proposals.list({ kind: 'LOG_EVENT', name, limit: ALL })
    return proposals.find(({ evidence, detection_strategy: strategy }) => {
      const read = EventEvidence.safeParse(evidence)
      return strategy !== 'HMM_SEQUENCE_ANOMALY' && read.success && read.data.clusters.includes(cluster)
    })
  }

  #takeBack(proposal: Proposal): void {
    if (proposal.proposal_type === 'LOG_EVENT') this.#refuseWhileNeeded(proposal)
    if (proposal.proposal_type !== 'LOG_CAUSAL_EDGE') {
      this.session = removeEntries(this.session, proposal.pid)
      return
    }
    this.session = removeCausalRule(this.session, proposal.pid)
    for (const end of endsOf(readEvidence(EdgeEvidence, proposal))) this.#letGo(end, proposal)
  }

  /** An event that an edge brought in leaves with the last edge that needs it; one that was approved on its own stays. */
  #letGo({ cluster }: EdgeEnd, edge: Proposal): void {
    const entry = eventOf(this.session, cluster)
    if (entry?.pid === undefined || entry.source !== LOG_DISCOVERY) return
    if (this.#edgesOver(entry.templates).some(({ pid }) => pid !== edge.pid)) return
    const owner = this.#workspace.proposals.get(entry.pid)
    if (owner?.proposal_type === 'LOG_CAUSAL_EDGE') {
      this.session = { ...this.session, events: this.session.events.filter((each) => each !== entry) }
      return
    }
    const last = owner?.status === 'APPROVED' ? lastDecision(this.#workspace.audit(owner.pid)) : undefined
    if (owner === undefined || last === undefined || last.via === null) return
    this.session = removeEntries(this.session, owner.pid)
    this.#move(owner, 'undo', last.from, edge.pid, last.signed)
    this.broughtAlong.push(owner.pid)
  }

  #refuseWhileNeeded({ pid }: Proposal): void {
    const templates = this.session.events.filter((entry) => entry.pid === pid).flatMap((entry) => entry.templates)
    const needing = this.#edgesOver(templates)
    if (needing.length === 0) return
    throw new ServiceError('conflict', 'an approved causal edge speaks of this event', {
      hint: `undo first: ${needing.map(({ title }) => title).join(', ')}`,
    })
  }

  /** Approved causal edges that begin or end at one of these templates. */
  #edgesOver(templates: readonly string[]): Proposal[] {
    const { proposals } = this.#workspace.proposals.list({ kind: 'LOG_CAUSAL_EDGE', status: 'APPROVED', limit: ALL })
    return proposals.filter((edge) => endsOf(readEvidence(EdgeEvidence, edge)).some(({ cluster }) => templates.includes(cluster)))
  }

  #keep<Entry extends SessionEntry>({ session, entry }: Added<Entry>): Entry {
    this.session = session
    return entry
  }

  #move(proposal: Proposal, action: Action, to: ProposalState, via: string | null, signed?: ProposalStep['signed']): void {
    const { reviewer, note, now } = this.#options
    this.#workspace.proposals.update(proposal.pid, proposal.version, {
      action, to, reviewer, note: note ?? null, via, at: now, ...(signed === undefined ? {} : { signed }),
    })
  }
}
