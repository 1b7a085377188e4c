/** The instances of approved events for phase 2: lines from the store, records from the database, and what to say about both. */
import type { Tier } from '../contracts/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import type { Ontology } from '../ontology/index.ts'
import { type LinkProperty, clockJumps, cutSession, instancesOf, jumpLine, occurrencesOf, withTurtle } from '../review/index.ts'
import type { StoredTemplate } from '../store/index.ts'
import { NO_LINKS, logLinks } from './log-links.ts'
import type { Database, PhaseContext } from './phase.ts'

export interface EventsFromLogs {
  readonly quads: readonly Quad[]
  readonly count: number
  readonly links: readonly LinkProperty[]
  readonly tableClasses: ReadonlyMap<string, Tier>
  readonly lines: readonly string[]
}

/** `ontology` is cut to the ceiling. Names that could be several records go into the review queue. */
export async function eventsFromLogs(context: PhaseContext, database: Database | null, ontology: Ontology | null): Promise<EventsFromLogs> {
  const { workspace, maxTier, config, signal, clock } = context
  const { base_iri: baseIri, record_base: recordBase } = config
  const { session } = workspace.session.load()
  const templates = workspace.logs.templates()
  const clusters = new Set(session.events.flatMap((event) => event.templates))
  const occurrences = occurrencesOf(session, workspace.logs.events([...clusters]), { maxTier, isPrivate: privacyOf(templates) })
  const links = database === null || ontology === null ? NO_LINKS : await logLinks(database, ontology, session, occurrences, signal)
  const tableClasses = new Map((ontology?.classes ?? []).map(({ name, tier }) => [name, tier]))
  const found = instancesOf(session, occurrences, {
    baseIri, recordBase, maxTier, linksOf: links.linksOf, tableClasses: new Set(tableClasses.keys()),
  })
  if (links.candidates.length > 0) workspace.proposals.upsert(withTurtle(links.candidates, { baseIri }), clock().toISOString())
  const shown = new Set(occurrences.map(({ clusterId }) => clusterId))
  const hits = templates.reduce((sum, { clusterId, hits: own }) => sum + (shown.has(clusterId) ? own : 0), 0)
  const seen = cutSession(session, maxTier)
  const clashes = [...seen.events, ...seen.entities].filter(({ name }) => tableClasses.has(name))
  return {
    quads: found.quads,
    count: found.count,
    links: links.properties,
    tableClasses,
    lines: [
      `${found.count} event instances from ${found.lines} lines` + (links.linked === 0 ? '' : `, ${links.linked} names of records among what they name`),
      ...(found.leftOut === 0 ? [] : [`${found.leftOut} instances are left out: there are more than fit into the graph`]),
      ...(hits > occurrences.length ? [`${hits - occurrences.length} lines of these events have no time of their own or were not stored one by one, and are in no instance`] : []),
      ...(links.candidates.length === 0 ? [] : [`${links.candidates.length} questions about names that could be several records: see LOG_RELATIONSHIP in the review queue`]),
      ...links.unread.map((name) => `the records of ${name} are too many to look for names among them`),
      ...clashes.map(({ name }) => `${name} is the name of a table's class and of something from logs: rename the latter in the review`),
      ...clockJumps(occurrences).map(jumpLine),
    ],
  }
}

/** Slots that may name a person, by template. */
function privacyOf(templates: readonly StoredTemplate[]): (clusterId: string, slot: string) => boolean {
  const slots = new Map(templates.map(({ clusterId, slots: own }) => [clusterId, new Set(own.filter(({ piiRisk }) => piiRisk).map(({ name }) => name))]))
  return (clusterId, slot) => slots.get(clusterId)?.has(slot) === true
}
