/** Decisions on candidates. Proposal, session and audit change in one transaction, or not at all. */
import {
  LOG_DISCOVERY, type Proposal, type ProposalState, ServiceError, type Session, type SessionEvent, type Tier, within,
} from '../contracts/index.ts'
import type { ProposalStep, Workspace } from '../store/index.ts'
import {
  addCausalRule, addEnd, addEntity, addEvent, addRelationship, type Added, removeCausalRule, removeEntries, type SessionEntry,
} from './entries.ts'
import { EdgeEvidence, type EdgeEnd, endsOf, EventEvidence, isAnomaly, readEvidence } from './evidence.ts'
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
        const [from, to] = endsOf(edge)
        const cause = this.#bringIn(from, proposal)
        const effect = this.#bringIn(to, proposal)
        return this.#keep(addCausalRule(this.session, proposal, edge, { cause, effect, baseIri: this.#options.baseIri }))
      }
      default:
        throw new ServiceError('conflict', `a ${proposal.proposal_type} does not come from logs and cannot be approved here`, {
          hint: 'reject or defer it',
        })
    }
  }

  /** Approving an edge approves its two events, unless the session knows them already. */
  #bringIn(end: EdgeEnd, edge: Proposal): SessionEvent {
    const { entry, event } = this.#known(end)
    if (entry !== undefined) return entry
    if (event === undefined) return this.#keep(addEnd(this.session, end, edge))
    if (event.status === 'REJECTED' || event.status === 'MERGED') {
      throw new ServiceError('conflict', `the event ${JSON.stringify(end.name)} of this edge is ${event.status}`, {
        hint: 'undo that decision first, or reject the edge as well',
      })
    }
    const added = this.#keep(addEvent(this.session, event))
    if (event.status !== 'APPROVED') {
      this.#move(event, 'approve', 'APPROVED', edge.pid)
      this.broughtAlong.push(event.pid)
    } // otherwise somebody took it out of the session by hand, and the edge needs it again
    return added
  }

  /** The event at the end of an edge: its proposal, if mining made one, and its entry in the session, if it has one. */
  #known({ name, cluster }: EdgeEnd): { entry: SessionEvent | undefined; event: Proposal | undefined } {
    const named = this.#workspace.proposals.list({ kind: 'LOG_EVENT', name, limit: ALL }).proposals
    const event = named.find((each) => clustersOf(each).includes(cluster))
    const entry = this.session.events.find((each) =>
      event === undefined ? each.name === name && each.templates.includes(cluster) : each.pid === event.pid,
    )
    return { entry, event }
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
  #letGo(end: EdgeEnd, edge: Proposal): void {
    if (this.#edgesOver([end.cluster]).some(({ pid }) => pid !== edge.pid)) return
    const { entry, event } = this.#known(end)
    if (event === undefined) {
      const brought = entry?.source === LOG_DISCOVERY // by this edge or by one that has left before
      if (brought) this.session = { ...this.session, events: this.session.events.filter((each) => each !== entry) }
      return
    }
    const last = event.status === 'APPROVED' ? lastDecision(this.#workspace.audit(event.pid)) : undefined
    if (last === undefined || last.via === null) return
    this.session = removeEntries(this.session, event.pid)
    this.#move(event, 'undo', last.from, edge.pid, last.signed)
    this.broughtAlong.push(event.pid)
  }

  #refuseWhileNeeded(event: Proposal): void {
    const needing = this.#edgesOver(clustersOf(event))
    if (needing.length === 0) return
    throw new ServiceError('conflict', 'an approved causal edge speaks of this event', {
      hint: `undo first: ${needing.map(({ title }) => title).join(', ')}`,
    })
  }

  /** Approved causal edges that begin or end at one of these templates. */
  #edgesOver(clusters: readonly string[]): Proposal[] {
    const { proposals } = this.#workspace.proposals.list({ kind: 'LOG_CAUSAL_EDGE', status: 'APPROVED', limit: ALL })
    return proposals.filter((edge) => endsOf(readEvidence(EdgeEvidence, edge)).some(({ cluster }) => clusters.includes(cluster)))
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

/** Templates for which an event proposal is the class; an unusual sequence only shares them with their everyday class. */
function clustersOf(event: Proposal): readonly string[] {
  const read = EventEvidence.safeParse(event.evidence)
  return read.success && !isAnomaly(event) ? read.data.clusters : []
}
