/** Which event stands behind a template, through merges, and which templates stand behind an event. Reads the store, changes nothing. */
import type { Proposal, Session, SessionEvent } from '../contracts/index.ts'
import type { Workspace } from '../store/index.ts'
import type { Coverage } from './entries.ts'
import { AnomalyEvidence, type EdgeEnd, EntityEvidence, EventEvidence, isAnomaly, readEvidence } from './evidence.ts'

type Reads = Pick<Workspace, 'proposals'>

/** The proposal for the class of this template, if mining made one; where it was merged, the one it went into. */
export function eventOf({ proposals }: Reads, { cluster, name }: Pick<EdgeEnd, 'cluster' | 'name'>): Proposal | undefined {
  const classes = proposals.over([cluster], ['class']).filter((each) => each.proposal_type === 'LOG_EVENT' && !isAnomaly(each))
  const rank = ({ status, name: own }: Proposal): number =>
    (status === 'APPROVED' ? 0 : status === 'REJECTED' ? 4 : 2) + (own === name ? 0 : 1)
  return mergeTarget({ proposals }, classes.toSorted((x, y) => rank(x) - rank(y))[0])
}

/** Where a merged proposal has gone in the end. */
export function mergeTarget({ proposals }: Reads, proposal: Proposal | undefined): Proposal | undefined {
  let found = proposal
  while (found?.status === 'MERGED' && found.merged_into !== null) found = proposals.get(found.merged_into)
  return found
}

/** The event at the end of an edge: its proposal, if there is one, and its entry in the session, if it has one. */
export function knownEnd(reads: Reads, session: Session, end: EdgeEnd): { entry: SessionEvent | undefined; event: Proposal | undefined } {
  const event = eventOf(reads, end)
  const entry = session.events.find((each) =>
    event === undefined ? each.name === end.name && each.templates.includes(end.cluster) : each.pid === event.pid,
  )
  return { entry, event }
}

/** The proposal, what was merged into it, what was merged into that, and so on. */
export function mergedFamily({ proposals }: Reads, proposal: Proposal): Proposal[] {
  return [proposal, ...proposals.mergedInto(proposal.pid).filter(({ status }) => status === 'MERGED').flatMap((each) => mergedFamily({ proposals }, each))]
}

/** Templates for which an event proposal is the class; an unusual sequence only shares them with their everyday class. */
export function clustersOf(reads: Reads, event: Proposal): string[] {
  return isAnomaly(event) ? [] : [...new Set(mergedFamily(reads, event).flatMap(ownClusters))]
}

const ownClusters = (event: Proposal): string[] => {
  const read = EventEvidence.safeParse(event.evidence)
  return read.success ? read.data.clusters : []
}

/** What an event class is made of, those included that were merged into it. Refused where the evidence is incomplete. */
export function coverageOf(reads: Reads, proposal: Proposal): Coverage {
  const shape = isAnomaly(proposal) ? AnomalyEvidence : EventEvidence
  const { severity, service } = readEvidence(shape, proposal)
  const severities = new Map<string, string>()
  for (const each of mergedFamily(reads, proposal)) {
    const own = readEvidence(shape, each)
    for (const cluster of own.clusters) if (!severities.has(cluster)) severities.set(cluster, own.severity)
  }
  const other = [...severities].filter(([, own]) => own !== severity)
  return { templates: [...severities.keys()], severity, service, severities: Object.fromEntries(other) }
}

/** Slots of the entities that were merged into this one. */
export const mergedSlots = (reads: Reads, proposal: Proposal): string[] => [
  ...new Set(mergedFamily(reads, proposal).slice(1).map((each) => readEvidence(EntityEvidence, each).slot)),
]
