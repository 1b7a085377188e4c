/** What an approved proposal is in the session, and how entries come, change and go. Pure: a session in, a session out. */
import {
  type CausalRule, LOG_DISCOVERY, type Proposal, ServiceError, type Session, type SessionEntity, type SessionEvent,
  type SessionRelationship,
} from '../contracts/index.ts'
import { camelCase, splitIdentifier } from '../kernel/text/index.ts'
import { compileCausalRule } from '../rules/index.ts'
import { type EdgeEnd, type EdgeEvidence, EntityEvidence, readEvidence } from './evidence.ts'
import { RCA_TERMS } from './vocabulary.ts'

export type SessionEntry = SessionEvent | SessionEntity | SessionRelationship | CausalRule

/** Templates of a class, and the severities of those that merging brought in where they are not the class's own. */
export interface Coverage {
  readonly templates: readonly string[]
  readonly severity: string
  readonly severities: Readonly<Record<string, string>>
  readonly service: string
}

/** `bgp peer lost` for BgpPeerLost: how the class reads to people. */
export const labelOf = (name: string): string => splitIdentifier(name).join(' ')

/** The label a reviewer gave, or the one that the name makes. */
export const labelFor = ({ name, edits }: Pick<Proposal, 'name' | 'edits'>): string =>
  typeof edits['label'] === 'string' ? edits['label'] : labelOf(name)

export function eventEntry(proposal: Proposal, { templates, severity, severities, service }: Coverage): SessionEvent {
  const { name, pid } = proposal
  const entry = { name, label: labelFor(proposal), templates: [...templates], severity, service, source: LOG_DISCOVERY, pid }
  return Object.keys(severities).length === 0 ? entry : { ...entry, severities: { ...severities } }
}

/** An event that is known only as the end of an edge. */
export const endEntry = ({ name, cluster, severity, service }: EdgeEnd, { pid }: Proposal): SessionEvent =>
  ({ name, label: labelOf(name), templates: [cluster], severity, service, source: LOG_DISCOVERY, pid })

export function entityEntry(proposal: Proposal, mergedSlots: readonly string[]): SessionEntity {
  const { slot } = readEvidence(EntityEvidence, proposal)
  const entry = { name: proposal.name, key_slot: slot, source: LOG_DISCOVERY, pid: proposal.pid }
  const further = mergedSlots.filter((each) => each !== slot)
  return further.length === 0 ? entry : { ...entry, merged_slots: further }
}

export const relationshipEntry = (proposal: Proposal, from: string, to: string): SessionRelationship =>
  ({ name: propertyName(proposal.name, from, to), from, to, source: LOG_DISCOVERY, pid: proposal.pid })

/** A property needs a name of its own; two classes with an arrow between them make none. */
export const propertyName = (name: string, from: string, to: string): string =>
  /^[a-z][A-Za-z0-9_]*$/.test(name) ? name : camelCase(`${from} related to ${to}`)

/** The rule speaks of the two classes under the names they have in the session. */
export function causalEntry(
  proposal: Proposal,
  edge: EdgeEvidence,
  about: { readonly id: string; readonly cause: SessionEvent; readonly effect: SessionEvent; readonly baseIri: string },
): CausalRule {
  const { id, cause, effect, baseIri } = about
  const rule = compileCausalRule({
    id, pid: proposal.pid, causeClass: cause.name, effectClass: effect.name, windowSeconds: edge.window_seconds,
    sharedEntity: edge.shared_entity, baseIri,
  })
  return typeof proposal.edits['label'] === 'string' ? { ...rule, label: proposal.edits['label'] } : rule
}

const ID_CHARS = 64

/** `causal-link-down-bgp-peer-lost`; a number behind it only where that name is taken. It also becomes a file name. */
export function ruleIdFor(session: Session, cause: string, effect: string, pid: string): string {
  const words = ['causal', ...splitIdentifier(cause), ...splitIdentifier(effect)].map((word) => word.replaceAll(/[^a-z0-9]/g, ''))
  const id = words.filter((word) => word !== '').join('-').slice(0, ID_CHARS)
  if (![...session.rules, ...session.causal_rules].some((rule) => rule.id === id)) return id
  const mark = `-${pid.replaceAll('-', '').slice(0, 12)}`
  return `${id.slice(0, ID_CHARS - mark.length)}${mark}`
}

export type EntryList = 'events' | 'entities' | 'relationships' | 'causal_rules'

const isOf = (pid: string) => (entry: { pid?: string | undefined; source: string }) => entry.pid === pid && entry.source === LOG_DISCOVERY

export const placeOf = (session: Session, list: EntryList, pid: string): number => session[list].findIndex(isOf(pid))

/** At that place, or behind the last. */
export function inserted<List extends EntryList>(session: Session, list: List, entry: Session[List][number], at = Infinity): Session {
  const entries: readonly Session[List][number][] = session[list]
  return { ...session, [list]: entries.toSpliced(Math.min(at, entries.length), 0, entry) }
}

/** Changes the entry that this approval made, where it is still there; somebody may have taken it out by hand. */
export function changed<List extends EntryList>(
  session: Session,
  list: List,
  pid: string,
  change: (entry: Session[List][number]) => Session[List][number],
): Session {
  const at = placeOf(session, list, pid)
  const entries: readonly Session[List][number][] = session[list]
  const entry = entries[at]
  return entry === undefined ? session : { ...session, [list]: entries.with(at, change(entry)) }
}

/** What the approval put into this list is gone; nothing else is touched. */
export const removed = (session: Session, list: EntryList, pid: string): Session => {
  const mine = isOf(pid)
  const entries: readonly { pid?: string | undefined; source: string }[] = session[list]
  return entries.some(mine) ? { ...session, [list]: entries.filter((entry) => !mine(entry)) } : session
}

/** Events, entities and relationships become terms of one ontology: a name can mean one thing only. */
export function refuseTaken(session: Session, name: string, self?: string): void {
  const used = (entry: { name: string; pid?: string | undefined }) => entry.name === name && (self === undefined || entry.pid !== self)
  if (RCA_TERMS.has(name) || session.events.some(used) || session.entities.some(used) || session.relationships.some(used)) refuseName(name)
}

/** Says nothing of what holds the name: it may be above the reviewer's ceiling. */
export function refuseName(name: string): never {
  throw new ServiceError('conflict', `the name ${JSON.stringify(name)} is already used`, {
    hint: 'choose another name with an edit, undo the approval that uses it, or reject this one',
  })
}

/** Lines and records are different things: under one class, each would be taken for the other. */
export function refuseTableName(name: string): never {
  throw new ServiceError('conflict', `the name ${JSON.stringify(name)} is that of the class of a table`, {
    hint: `choose another name with an edit, such as ${JSON.stringify(`${name}Event`)}, or reject this candidate`,
  })
}

/** A rule that people wrote names its classes in its text, which a new name would silently leave behind. Rules above the ceiling are told of nowhere. */
export function refuseMentioned(session: Session, name: string): void {
  const word = new RegExp(`(?<![A-Za-z0-9_])${name.replaceAll(/[^A-Za-z0-9_]/g, '\\$&')}(?![A-Za-z0-9_])`)
  const ids = session.rules.filter(({ body }) => word.test(body)).map(({ id }) => id)
  if (ids.length === 0) return
  throw new ServiceError('conflict', `rules of the session speak of ${JSON.stringify(name)}`, {
    hint: `change or remove these rules first: ${ids.join(', ')}`,
  })
}
