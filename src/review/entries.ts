/** What an approved proposal is in the session. Pure: a session and a proposal in, a session and the new entry out. */
import {
  type CausalRule, LOG_DISCOVERY, type Proposal, ServiceError, type Session, type SessionEntity, type SessionEvent,
  type SessionRelationship,
} from '../contracts/index.ts'
import { camelCase, splitIdentifier } from '../kernel/text/index.ts'
import { compileCausalRule } from '../rules/index.ts'
import {
  AnomalyEvidence, type EdgeEnd, type EdgeEvidence, EntityEvidence, EventEvidence, isAnomaly, readEvidence, RelationshipEvidence,
} from './evidence.ts'
import { RCA_TERMS } from './vocabulary.ts'

export type SessionEntry = SessionEvent | SessionEntity | SessionRelationship | CausalRule

export interface Added<Entry extends SessionEntry = SessionEntry> {
  readonly session: Session
  readonly entry: Entry
}

export function addEvent(session: Session, proposal: Proposal): Added<SessionEvent> {
  const { clusters: templates, severity, service } = readEvidence(isAnomaly(proposal) ? AnomalyEvidence : EventEvidence, proposal)
  const { name, pid } = proposal
  return withEvent(session, { name, label: labelOf(name), templates, severity, service, source: LOG_DISCOVERY, pid })
}

/** An event that is known only as the end of an edge. */
export function addEnd(session: Session, { name, cluster, severity, service }: EdgeEnd, { pid }: Proposal): Added<SessionEvent> {
  return withEvent(session, { name, label: labelOf(name), templates: [cluster], severity, service, source: LOG_DISCOVERY, pid })
}

/** `bgp peer lost` for BgpPeerLost: how the class reads to people. */
export const labelOf = (name: string): string => splitIdentifier(name).join(' ')

function withEvent(session: Session, entry: SessionEvent): Added<SessionEvent> {
  refuseTaken(session, entry.name)
  return { session: { ...session, events: [...session.events, entry] }, entry }
}

export function addEntity(session: Session, proposal: Proposal): Added<SessionEntity> {
  const { slot } = readEvidence(EntityEvidence, proposal)
  refuseTaken(session, proposal.name)
  const entry: SessionEntity = { name: proposal.name, key_slot: slot, source: LOG_DISCOVERY, pid: proposal.pid }
  return { session: { ...session, entities: [...session.entities, entry] }, entry }
}

export function addRelationship(session: Session, proposal: Proposal): Added<SessionRelationship> {
  const { cause: from, effect: to } = readEvidence(RelationshipEvidence, proposal)
  const name = propertyName(proposal.name, from, to)
  refuseTaken(session, name)
  const entry: SessionRelationship = { name, from, to, source: LOG_DISCOVERY, pid: proposal.pid }
  return { session: { ...session, relationships: [...session.relationships, entry] }, entry }
}

/** A property needs a name of its own; two classes with an arrow between them make none. */
export const propertyName = (name: string, from: string, to: string): string =>
  /^[a-z][A-Za-z0-9_]*$/.test(name) ? name : camelCase(`${from} related to ${to}`)

/** The rule speaks of the two classes under the names they have in the session. */
export function addCausalRule(
  session: Session,
  { pid }: Proposal,
  edge: EdgeEvidence,
  { cause, effect, baseIri }: { readonly cause: SessionEvent; readonly effect: SessionEvent; readonly baseIri: string },
): Added<CausalRule> {
  const entry = compileCausalRule({
    id: ruleId(session, cause.name, effect.name, pid),
    pid,
    causeClass: cause.name,
    effectClass: effect.name,
    windowSeconds: edge.window_seconds,
    sharedEntity: edge.shared_entity,
    baseIri,
  })
  return { session: { ...session, causal_rules: [...session.causal_rules, entry] }, entry }
}

/** Everything that the approval of this event, entity or relationship put into the session is gone; nothing else is touched. */
export function removeEntries(session: Session, pid: string): Session {
  return {
    ...session,
    events: without(session.events, pid),
    entities: without(session.entities, pid),
    relationships: without(session.relationships, pid),
  }
}

/** The same for an edge; its events are another matter, since further edges may need them. */
export const removeCausalRule = (session: Session, pid: string): Session => ({
  ...session,
  causal_rules: without(session.causal_rules, pid),
})

const without = <Entry extends { pid?: string | undefined; source: string }>(entries: readonly Entry[], pid: string): Entry[] =>
  entries.filter((entry) => entry.pid !== pid || entry.source !== LOG_DISCOVERY)

/** Events, entities and relationships become terms of one ontology: a name can mean one thing only. */
function refuseTaken(session: Session, name: string): void {
  const taken = [...session.events, ...session.entities, ...session.relationships].some((entry) => entry.name === name)
  if (!taken && !RCA_TERMS.has(name)) return
  throw new ServiceError('conflict', `the name ${JSON.stringify(name)} is already used in the session`, {
    hint: 'undo the approval that uses it, or reject this one',
  })
}

const ID_CHARS = 64

/** `causal-link-down-bgp-peer-lost`; a number behind it only where that name is taken. It also becomes a file name. */
function ruleId(session: Session, cause: string, effect: string, pid: string): string {
  const words = ['causal', ...splitIdentifier(cause), ...splitIdentifier(effect)].map((word) => word.replaceAll(/[^a-z0-9]/g, ''))
  const id = words.filter((word) => word !== '').join('-').slice(0, ID_CHARS)
  if (![...session.rules, ...session.causal_rules].some((rule) => rule.id === id)) return id
  const mark = `-${pid.replaceAll('-', '').slice(0, 12)}`
  return `${id.slice(0, ID_CHARS - mark.length)}${mark}`
}
