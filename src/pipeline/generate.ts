/** Phase 2: the ontology and its mapping; with approved log events, also their classes and their instances. */
import { STANDARD_PREFIXES, writeTurtle } from '../kernel/rdf/index.ts'
import { cutOntology, mappingCsv, ontologyQuads } from '../ontology/index.ts'
import { eventQuads, hasLogDiscovery, rcaTaxonomyQuads } from '../review/index.ts'
import type { Workspace } from '../store/index.ts'
import { type OutputFile, removeOutput, writeOutputs } from './files.ts'
import type { Phase } from './phase.ts'

export const ENTERPRISE = 'ontology/enterprise.ttl'
export const LOG_EVENTS = 'ontology/log-events.ttl'

export const generate: Phase = async (context) => {
  const { config, workspace, maxTier } = context
  const { base_iri: baseIri, record_base: recordBase, out } = config
  const whole = await context.ontology()
  const ontology = whole === null ? null : cutOntology(whole, maxTier)
  const { session } = workspace.session.load()
  const fromLogs = hasLogDiscovery(session)
  const prefixes = { ...STANDARD_PREFIXES, '': baseIri }
  const header = [`ceiling: ${maxTier}`]

  const quads = [...(ontology === null ? [] : ontologyQuads(ontology)), ...(fromLogs ? rcaTaxonomyQuads(session, { baseIri, maxTier }) : [])]
  const files: OutputFile[] = [{ path: ENTERPRISE, text: writeTurtle(quads, { prefixes, header }) }]
  if (ontology !== null) files.push({ path: 'mapping/logical_physical_map.csv', text: mappingCsv(ontology) })
  const clusters = session.events.flatMap((event) => event.templates)
  const events = fromLogs ? eventQuads(session, workspace.logs.events(clusters), { baseIri, recordBase, maxTier, privateSlots: privateSlots(workspace) }) : []
  if (fromLogs) files.push({ path: LOG_EVENTS, text: writeTurtle(events, { prefixes, header }) })
  // an older run's instances must not outlive the approvals they came from
  else removeOutput(out, LOG_EVENTS)
  const written = writeOutputs(out, files)
  return {
    lines: [
      `${ontology?.classes.length ?? 0} classes from tables, ${session.events.length} classes from approved log events`,
      `${quads.length} triples of ontology, ${events.length} triples of log events`,
    ],
    files: written,
    counts: { ontology_triples: quads.length, event_triples: events.length },
  }
}

/** Slots that may name a person: their values must not become part of an IRI. */
const privateSlots = (workspace: Workspace): Set<string> =>
  new Set(workspace.logs.templates().flatMap(({ slots }) => slots.filter(({ piiRisk }) => piiRisk).map(({ name }) => name)))
