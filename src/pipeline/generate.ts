/** Phase 2: the ontology and its mapping; with approved log events, also their classes and their instances. */
import { z } from 'zod'
import { TIERS } from '../contracts/index.ts'
import { type Quad, parseTurtle, writeTurtle } from '../kernel/rdf/index.ts'
import { cutOntology, diffOntology, mappingCsv, metadataFaults, ontologyFingerprint, ontologyPrefixes, ontologyQuads, profileReport, recommendProfile, staleRules } from '../ontology/index.ts'
import { hasLogDiscovery, rcaTaxonomyQuads } from '../review/index.ts'
import type { Workspace } from '../store/index.ts'
import { type OutputFile, readOutput, removeOutput, writeOutputs } from './files.ts'
import { eventsFromLogs } from './log-events.ts'
import type { Database, Phase } from './phase.ts'

export const ENTERPRISE = 'ontology/enterprise.ttl'
const PROFILE = 'ontology/profile_recommendation.md'
export const LOG_EVENTS = 'ontology/log-events.ttl'

export const generate: Phase = async (context) => {
  const { config, workspace, maxTier } = context
  const { base_iri: baseIri, out } = config
  const database = await context.database()
  const whole = database?.ontology ?? null
  const ontology = whole === null ? null : cutOntology(whole, maxTier)
  const { session } = workspace.session.load()
  const fromLogs = hasLogDiscovery(session)
  const prefixes = ontologyPrefixes(baseIri)
  const header = [`ceiling: ${maxTier}`]

  const logs = fromLogs ? await eventsFromLogs(context, database, ontology) : null
  const taxonomy = logs === null ? [] : rcaTaxonomyQuads(session, { baseIri, maxTier, links: logs.links, tableClasses: logs.tableClasses })
  const quads = [...(ontology === null ? [] : ontologyQuads(ontology)), ...taxonomy]
  const files: OutputFile[] = [{ path: ENTERPRISE, text: writeTurtle(quads, { prefixes, header }) }]
  if (ontology !== null) files.push({ path: 'mapping/logical_physical_map.csv', text: mappingCsv(ontology) })
  files.push({ path: PROFILE, text: profileReport(recommendProfile(quads), { header }) })
  const changes = changesSince(readOutput(out, ENTERPRISE), quads, [...session.rules, ...session.causal_rules, ...context.flavorRules])
  const events = logs?.quads ?? []
  if (logs !== null) files.push({ path: LOG_EVENTS, text: writeTurtle(events, { prefixes, header }) })
  // an older run's instances must not outlive the approvals they came from
  else removeOutput(out, LOG_EVENTS)
  const written = writeOutputs(out, files)
  return {
    lines: [
      ...(database === null && !fromLogs ? [NOTHING_YET] : []),
      `${ontology?.classes.length ?? 0} classes from tables, ${session.events.length} classes from approved log events`,
      `${quads.length} triples of ontology, ${events.length} triples of log events`,
      ...(whole === null ? [] : metadataFaults(whole, workspace.metadata.list()).map(({ table, column, message }) => `metadata of ${table}${column === null ? '' : `.${column}`}: ${message}`)),
      ...(logs?.lines ?? []),
      ...changes,
      ...(database === null ? [] : markStaleRuns(workspace, database)),
    ],
    files: written,
    counts: { ontology_triples: quads.length, event_triples: events.length, ...(logs === null ? {} : { event_instances: logs.count }) },
  }
}

const NOTHING_YET = 'nothing to build from yet: name a database with --db (or wherefore init --db <your database>), or approve events from logs (wherefore review list)'

/** A changed schema must not go unnoticed: what differs from the file of the last run, and the rules that speak of it. */
function changesSince(previous: string | null, quads: readonly Quad[], rules: readonly { id: string; body: string }[]): string[] {
  const parsed = previous === null ? null : parseTurtle(previous)
  if (parsed === null || !parsed.ok) return []
  const diff = diffOntology(parsed.quads, quads)
  const stale = staleRules(diff, rules)
  const shown = diff.words.slice(0, SHOWN_CHANGES).map((words) => `changed: ${words}`)
  const more = diff.words.length > shown.length ? [`and ${diff.words.length - shown.length} more changes`] : []
  return [...shown, ...more, ...stale.map((id) => `stale: the rule ${id} speaks of what has changed`)]
}

const SHOWN_CHANGES = 20

/** Answers that were given over another ontology than the source has now are marked, so that nobody takes them for current. */
function markStaleRuns(workspace: Workspace, { name, ontology }: Database): string[] {
  const now = new Map(TIERS.map((tier) => [tier, ontologyFingerprint(cutOntology(ontology, tier))]))
  const stale = workspace.runs.all().filter(({ ceiling, body }) => {
    const run = StoredAnswer.safeParse(body)
    return run.success && run.data.source === name && !run.data.stale && run.data.ontology !== now.get(ceiling)
  })
  for (const run of stale) workspace.runs.save({ ...run, body: { ...(run.body as object), stale: true } })
  return stale.length === 0 ? [] : [`${stale.length} stored answers were given before the schema changed and are marked as stale`]
}

const StoredAnswer = z.object({ source: z.string(), ontology: z.string(), stale: z.boolean() })
