/** One or more decisions in the making: owns the session while its entries change. Runs inside a transaction of the caller. */
import {
  LOG_DISCOVERY, type Proposal, type ProposalEdits, type ProposalState, type ReviewAction, ServiceError, type Session,
  type SessionEvent, type Tier, within,
} from '../contracts/index.ts'
import type { Changes, ProposalStep, Workspace } from '../store/index.ts'
import { changesOf } from './edits.ts'
import { cutSession } from './cut.ts'
import {
  causalEntry, changed, endEntry, entityEntry, eventEntry, inserted, labelFor, placeOf, propertyName, refuseMentioned, refuseName,
  refuseTableName, refuseTaken, relationshipEntry, removed, ruleIdFor, type EntryList, type SessionEntry,
} from './entries.ts'
import { EdgeEvidence, type EdgeEnd, endsOf, isAnomaly, readEvidence, RelationshipEvidence } from './evidence.ts'
import { isDemoted, lastDecision, standingApproval } from './history.ts'
import { refuseDecided, refuseTarget } from './refusals.ts'
import { clustersOf, coverageOf, eventOf, knownEnd, mergedSlots } from './known-events.ts'

export interface Signing {
  readonly reviewer: string
  readonly now: string
  readonly baseIri: string
  readonly note?: string
  readonly maxTier?: Tier
  /** names of classes that tables have */
  readonly taken?: ReadonlySet<string>
}

const TARGET = { approve: 'APPROVED', reject: 'REJECTED', defer: 'DEFERRED' } as const satisfies Record<string, ProposalState>
const LIST_OF: Partial<Record<Proposal['proposal_type'], EntryList>> = {
  LOG_EVENT: 'events', LOG_ENTITY: 'entities', LOG_RELATIONSHIP: 'relationships', LOG_CAUSAL_EDGE: 'causal_rules',
}

export class Review {
  session: Session
  #broughtAlong: string[] = []
  readonly #workspace: Workspace
  readonly #options: Signing

  constructor(workspace: Workspace, session: Session, options: Signing) {
    this.#workspace = workspace
    this.session = session
    this.#options = options
  }

  takeBroughtAlong(): string[] {
    const taken = this.#broughtAlong
    this.#broughtAlong = []
    return taken
  }

  decide(proposal: Proposal, action: ReviewAction, edits?: ProposalEdits): SessionEntry | undefined {
    if (action === 'undo') return this.#undo(proposal)
    refuseDecided(proposal)
    const changes = action === 'approve' && edits !== undefined ? this.#changes(proposal, edits) : undefined
    this.#move(proposal, action, TARGET[action], changes === undefined ? {} : { changes, about: { set: edits } })
    if (action !== 'approve') return undefined
    const approved: Proposal = { ...proposal, ...changes }
    const entry = this.#approve(approved)
    this.#renameEdges(proposal, approved)
    return entry
  }

  /** Keeps the state; where it is approved, what stands in the session follows. */
  edit(proposal: Proposal, edits: ProposalEdits): SessionEntry | undefined {
    if (proposal.status === 'REJECTED' || proposal.status === 'MERGED') {
      throw new ServiceError('conflict', `this candidate is ${proposal.status} and cannot be edited`, { hint: 'undo that decision first' })
    }
    const changes = this.#changes(proposal, edits)
    const place = placeOf(this.session, 'causal_rules', proposal.pid)
    const rule = this.session.causal_rules[place]
    // where the rule stood, so that taking a demotion back puts it there again
    const about = { set: edits, ...(rule === undefined ? {} : { place, rule_id: rule.id }) }
    this.#move(proposal, 'edit', proposal.status, { changes, about })
    return this.#follow(proposal, { ...proposal, ...changes })
  }

  merge(proposal: Proposal, target: Proposal): undefined {
    refuseDecided(proposal)
    refuseTarget(proposal, target)
    this.#refuseWhileNeeded(proposal)
    const before = this.#coverage(target)
    this.#move(proposal, 'merge', 'MERGED', { changes: { merged_into: target.pid } })
    this.#cover(target, before, proposal)
  }

  #undo(proposal: Proposal): undefined {
    const last = lastDecision(this.#workspace.audit(proposal.pid))
    if (last === undefined) {
      throw new ServiceError('conflict', 'there is no decision to undo on this candidate', { hint: 'nobody has decided on it or edited it' })
    }
    const restored: Proposal = { ...proposal, ...last.before }
    this.#refuseClash(proposal, restored)
    const step = { signed: last.signed, about: { undoes: last.id }, ...(last.before === undefined ? {} : { changes: last.before }) }
    switch (last.action) {
      case 'edit':
        this.#move(proposal, 'undo', proposal.status, step) // not `last.from`: the edge that brought it in may have left since
        this.#follow(proposal, restored, last.about)
        return
      case 'merge': {
        const target = proposal.merged_into === null ? undefined : this.#workspace.proposals.get(proposal.merged_into)
        if (target?.status === 'MERGED') {
          throw new ServiceError('conflict', 'what this candidate was merged into has been merged on', { hint: 'undo that merge first' })
        }
        this.#refuseWhileNeeded(proposal)
        const before = target === undefined ? null : this.#coverage(target)
        this.#move(proposal, 'undo', last.from, step)
        if (target !== undefined) this.#cover(target, before, restored)
        return
      }
      default:
        if (proposal.status === 'APPROVED') this.#takeBack(proposal)
        this.#move(proposal, 'undo', last.from, step)
        this.#renameEdges(proposal, restored)
    }
  }

  #changes(proposal: Proposal, edits: ProposalEdits): Changes {
    const changes = changesOf(proposal, edits, this.#options.baseIri)
    if (changes.tier !== undefined && !within(changes.tier, this.#options.maxTier ?? 'Restricted')) {
      throw new ServiceError('invalid_request', 'this severity lies above what you may see', { errors: [{ path: 'edits.severity', message: 'above your ceiling' }] })
    }
    if (changes.name !== proposal.name && changes.name !== undefined && changes.proposal_type !== 'LOG_CAUSAL_EDGE') this.#refuseName(proposal, changes.name)
    return changes
  }

  /** A new name must be free in the session and among the candidates that may still come into it. */
  #refuseName({ pid }: Proposal, name: string): void {
    this.#refuseTaken(name, pid)
    if (this.#openNamed(name).some((each) => each.pid !== pid)) refuseName(name)
  }

  #openNamed(name: string): Proposal[] {
    const named = this.#workspace.proposals.named(['LOG_EVENT', 'LOG_ENTITY', 'LOG_RELATIONSHIP'], name)
    return named.filter(({ status }) => status !== 'REJECTED' && status !== 'MERGED')
  }

  /**
   * A candidate that comes back under a name must not meet one that took it meanwhile. Two that mining gave the same name stay as
   * they were: only one of them can be approved.
   */
  #refuseClash(was: Proposal, restored: Proposal): void {
    const { pid, name, edits, proposal_type: kind } = restored
    const isBack = was.name !== name || was.status === 'REJECTED' || was.status === 'MERGED'
    if (!isBack || kind === 'LOG_CAUSAL_EDGE') return
    const others = this.#openNamed(name).filter((each) => each.pid !== pid)
    if (others.some((each) => edits['name'] === name || each.edits['name'] === name)) refuseName(name)
  }

  #refuseTaken(name: string, self?: string): void {
    refuseTaken(this.session, name, self)
    if (this.#options.taken?.has(name) === true) refuseTableName(name)
  }

  #approve(proposal: Proposal): SessionEntry {
    switch (proposal.proposal_type) {
      case 'LOG_EVENT':
        return this.#addEvent(proposal)
      case 'LOG_ENTITY': {
        this.#refuseTaken(proposal.name)
        return this.#add('entities', entityEntry(proposal, mergedSlots(this.#workspace, proposal)))
      }
      case 'LOG_RELATIONSHIP':
        return this.#addRelationship(proposal)
      case 'LOG_CAUSAL_EDGE':
        return this.#addRule(proposal)
      default:
        throw new ServiceError('conflict', `a ${proposal.proposal_type} does not come from logs and cannot be approved here`, {
          hint: 'reject or defer it',
        })
    }
  }

  #addEvent(proposal: Proposal): SessionEvent {
    this.#refuseTaken(proposal.name)
    return this.#add('events', eventEntry(proposal, coverageOf(this.#workspace, proposal)))
  }

  #addRelationship(proposal: Proposal): SessionEntry {
    const [from, to] = this.#classNames(proposal)
    refuseTaken(this.session, propertyName(proposal.name, from, to))
    return this.#add('relationships', relationshipEntry(proposal, from, to))
  }

  /** `again` is where the rule stood and what it was called, when a demotion is taken back. */
  #addRule(proposal: Proposal, again: { place?: number; rule_id?: string } = {}): SessionEntry {
    const edge = readEvidence(EdgeEvidence, proposal)
    const [from, to] = endsOf(edge)
    const cause = this.#bringIn(from, proposal)
    const effect = this.#bringIn(to, proposal)
    const free = ruleIdFor(this.session, cause.name, effect.name, proposal.pid)
    const taken = [...this.session.rules, ...this.session.causal_rules].some(({ id }) => id === again.rule_id)
    const id = again.rule_id === undefined || taken ? free : again.rule_id
    return this.#add('causal_rules', causalEntry(proposal, edge, { id, cause, effect, baseIri: this.#options.baseIri }), again.place)
  }

  /** Approving an edge approves its two events, unless the session knows them already. */
  #bringIn(end: EdgeEnd, edge: Proposal): SessionEvent {
    const { entry, event } = knownEnd(this.#workspace, this.session, end)
    this.#refuseHidden(event, end.name)
    if (entry !== undefined) return entry
    if (event === undefined) {
      this.#refuseTaken(end.name)
      return this.#add('events', endEntry(end, edge))
    }
    if (event.status === 'REJECTED' || event.status === 'MERGED') {
      throw new ServiceError('conflict', `the event ${JSON.stringify(end.name)} of this edge is ${event.status}`, {
        hint: 'undo that decision first, or reject the edge as well',
      })
    }
    const added = this.#addEvent(event)
    if (event.status !== 'APPROVED') {
      this.#move(event, 'approve', 'APPROVED', { via: edge.pid })
      this.#broughtAlong.push(event.pid)
    } // otherwise somebody took it out of the session by hand, and the edge needs it again
    return added
  }

  #takeBack(proposal: Proposal): void {
    if (proposal.proposal_type === 'LOG_EVENT') this.#refuseWhileNeeded(proposal)
    const list = LIST_OF[proposal.proposal_type]
    if (list !== undefined) this.session = removed(this.session, list, proposal.pid)
    if (proposal.proposal_type !== 'LOG_CAUSAL_EDGE') return
    for (const end of endsOf(readEvidence(EdgeEvidence, proposal))) this.#letGo(end, proposal)
  }

  /** An event that an edge brought in leaves with the last edge that needs it; one that was approved on its own stays. */
  #letGo(end: EdgeEnd, edge: Proposal): void {
    const { entry, event } = knownEnd(this.#workspace, this.session, end)
    const clusters = event === undefined ? [end.cluster] : clustersOf(this.#workspace, event)
    const needs = ({ pid, proposal_type: kind }: Proposal) => kind === 'LOG_CAUSAL_EDGE' || isDemoted(this.#workspace.audit(pid))
    if (this.#edgesOver(clusters).some((each) => each.pid !== edge.pid && needs(each))) return
    if (event === undefined) {
      const brought = entry?.source === LOG_DISCOVERY // by this edge or by one that has left before
      if (brought) this.session = { ...this.session, events: this.session.events.filter((each) => each !== entry) }
      return
    }
    const approval = event.status === 'APPROVED' ? standingApproval(this.#workspace.audit(event.pid)) : undefined
    if (approval === undefined || approval.via === null) return
    this.session = removed(this.session, 'events', event.pid)
    // what somebody has edited since stays edited
    this.#move(event, 'undo', approval.from, { via: edge.pid, signed: approval.signed, about: { undoes: approval.id } })
    if (this.#sees(event)) this.#broughtAlong.push(event.pid)
  }

  #sees({ tier }: Proposal): boolean {
    return within(tier, this.#options.maxTier ?? 'Restricted')
  }

  /** An event within the ceiling may have been merged into one above it: all that may be told is that it was merged. */
  #refuseHidden(event: Proposal | undefined, name: string): void {
    if (event === undefined || this.#sees(event)) return
    throw new ServiceError('conflict', `the event ${JSON.stringify(name)} is MERGED`, { hint: 'undo that decision first, or reject this candidate as well' })
  }

  #refuseWhileNeeded(event: Proposal): void {
    if (event.proposal_type !== 'LOG_EVENT' || isAnomaly(event)) return
    const needing = this.#edgesOver(clustersOf(this.#workspace, event)).filter(({ proposal_type: kind }) => kind === 'LOG_CAUSAL_EDGE')
    if (needing.length === 0) return
    const named = needing.filter((each) => this.#sees(each)).map(({ title }) => title)
    throw new ServiceError('conflict', 'an approved causal edge speaks of this event', {
      hint: `undo first: ${named.length === 0 ? 'the approval of that edge' : named.join(', ')}`,
    })
  }

  /** Approved edges and relationships that begin or end at one of these templates. */
  #edgesOver(clusters: readonly string[]): Proposal[] {
    return this.#workspace.proposals.over(clusters, ['cause', 'effect']).filter(({ status }) => status === 'APPROVED')
  }

  /** What the session says of a candidate after an edit, or after taking one back. */
  #follow(was: Proposal, now: Proposal, about: { place?: number; rule_id?: string } = {}): SessionEntry | undefined {
    if (was.status === 'APPROVED') this.#followEntry(was, now, about)
    this.#renameEdges(was, now)
    const list = LIST_OF[now.proposal_type]
    return was.status === 'APPROVED' && list !== undefined ? this.session[list][placeOf(this.session, list, now.pid)] : undefined
  }

  #followEntry(was: Proposal, now: Proposal, about: { place?: number; rule_id?: string }): void {
    const { pid, name } = now
    const renamed = name !== was.name
    if (renamed && was.proposal_type !== 'LOG_CAUSAL_EDGE') refuseMentioned(cutSession(this.session, this.#options.maxTier ?? 'Restricted'), was.name)
    if (renamed && now.proposal_type !== 'LOG_CAUSAL_EDGE') refuseTaken(this.session, name, pid)
    if (was.proposal_type !== now.proposal_type) {
      this.session = removed(this.session, LIST_OF[was.proposal_type] ?? 'relationships', pid)
      if (now.proposal_type === 'LOG_CAUSAL_EDGE') this.#addRule(now, about)
      else this.#addRelationship(now)
      return
    }
    switch (now.proposal_type) {
      case 'LOG_EVENT': {
        const [before, after] = [coverageOf(this.#workspace, was), coverageOf(this.#workspace, now)]
        this.session = changed(this.session, 'events', pid, (entry) => ({
          ...covering(entry, before, after), name: renamed ? name : entry.name, label: entry.label === labelFor(was) ? labelFor(now) : entry.label,
          severity: after.severity,
        }))
        return
      }
      case 'LOG_ENTITY':
        this.session = changed(this.session, 'entities', pid, (entry) => ({ ...entry, name: renamed ? name : entry.name }))
        return
      case 'LOG_RELATIONSHIP':
        this.session = changed(this.session, 'relationships', pid, (entry) => {
          const property = propertyName(name, entry.from, entry.to)
          refuseTaken(this.session, property, pid)
          return { ...entry, name: property }
        })
        return
      default:
        this.#renameIn([now])
    }
  }

  #renameEdges(was: Proposal, now: Proposal): void {
    if (now.proposal_type === 'LOG_EVENT' && was.name !== now.name) this.#renameIn(this.#edgesOver(clustersOf(this.#workspace, now)))
  }

  /** Writes rules and properties anew under the present names of their classes; ids and places stay. */
  #renameIn(edges: readonly Proposal[]): void {
    for (const edge of edges) {
      if (edge.proposal_type === 'LOG_RELATIONSHIP') {
        const [from, to] = this.#classNames(edge)
        this.session = changed(this.session, 'relationships', edge.pid, (entry) => ({ ...entry, from, to }))
        continue
      }
      const read = readEvidence(EdgeEvidence, edge)
      const [cause, effect] = endsOf(read).map((end) => knownEnd(this.#workspace, this.session, end).entry)
      if (cause === undefined || effect === undefined) continue
      const { baseIri } = this.#options
      this.session = changed(this.session, 'causal_rules', edge.pid, ({ id, enabled }) => ({ ...causalEntry(edge, read, { id, cause, effect, baseIri }), enabled }))
    }
  }

  /** The two classes of a relationship under the names that their events have by now. */
  #classNames(proposal: Proposal): [from: string, to: string] {
    const { cause, effect, cause_cluster: a, effect_cluster: b } = readEvidence(RelationshipEvidence, proposal)
    const named = (name: string, cluster: string | undefined): string => {
      const event = cluster === undefined ? undefined : eventOf(this.#workspace, { name, cluster })
      if (proposal.status !== 'APPROVED') this.#refuseHidden(event, name)
      return this.session.events.find((each) => each.pid !== undefined && each.pid === event?.pid)?.name ?? event?.name ?? name
    }
    return [named(cause, a), named(effect, b)]
  }

  #coverage(target: Proposal): Covered | null {
    if (target.status !== 'APPROVED') return null
    if (target.proposal_type === 'LOG_EVENT') return coverageOf(this.#workspace, target)
    return target.proposal_type === 'LOG_ENTITY' ? { slots: mergedSlots(this.#workspace, target) } : null
  }

  /** An approved target covers what was merged into it, and covers it no longer when that is undone. */
  #cover(target: Proposal, before: Covered | null, merged: Proposal): void {
    const after = this.#coverage(target)
    if (before !== null && after !== null) {
      if ('slots' in after && 'slots' in before) {
        this.session = changed(this.session, 'entities', target.pid, ({ merged_slots: slots = [], ...entry }) => {
          const now = difference(slots, before.slots, after.slots)
          return now.length === 0 ? entry : { ...entry, merged_slots: now }
        })
      } else if ('templates' in after && 'templates' in before) {
        this.session = changed(this.session, 'events', target.pid, (entry) => covering(entry, before, after))
      }
    }
    if (merged.proposal_type === 'LOG_EVENT') this.#renameIn(this.#edgesOver(clustersOf(this.#workspace, merged)))
  }

  #add<List extends EntryList>(list: List, entry: Session[List][number], at?: number): Session[List][number] {
    this.session = inserted(this.session, list, entry, at)
    return entry
  }

  #move(proposal: Proposal, action: string, to: ProposalState, more: Partial<ProposalStep> = {}): void {
    const { reviewer, note, now } = this.#options
    // a note is on the candidate that was decided; those it brings along may be open to people who may not see that one
    const own = (more.via ?? null) === null ? (note ?? null) : null
    this.#workspace.proposals.update(proposal.pid, proposal.version, { action, to, reviewer, note: own, at: now, ...more })
  }
}

type Covered = ReturnType<typeof coverageOf> | { readonly slots: readonly string[] }

/** The entry with what was added and without what was taken away; what people wrote into it by hand stays. */
function covering(entry: SessionEvent, before: ReturnType<typeof coverageOf>, after: ReturnType<typeof coverageOf>): SessionEvent {
  const { severities: stood = {}, ...rest } = entry
  const own = Object.entries(stood).filter(([template]) => !before.templates.includes(template))
  const severities = { ...Object.fromEntries(own), ...after.severities }
  const templates = difference(entry.templates, before.templates, after.templates)
  return Object.keys(severities).length === 0 ? { ...rest, templates } : { ...rest, templates, severities }
}

const difference = (stood: readonly string[], before: readonly string[], after: readonly string[]): string[] => {
  const kept = stood.filter((each) => !before.includes(each) || after.includes(each))
  return [...kept, ...after.filter((each) => !before.includes(each) && !kept.includes(each))]
}
