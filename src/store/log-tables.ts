/** What mining found, at rest: templates with their slots, edges, and every occurrence of a template. */
import { SEVERITIES, SEVERITY_TIER, type Severity, Tier, UNLABELLED, within } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { listOf, objectOf, stringsOf } from './json.ts'
import { PROPOSALS, type Tables } from './schema.ts'
import { type Connection, query } from './sqlite-dialect.ts'

/** These shapes are those of the logs room, spelled out here because the store knows no story. */
export interface StoredSlot {
  readonly slotIdx: number
  readonly name: string
  readonly type: string
  readonly subtype: string
  readonly distinctCount: number
  readonly sampleCount: number
  readonly topValues: readonly (readonly [value: string, count: number])[]
  readonly piiRisk: boolean
  readonly tier: Tier
}

export interface StoredTemplate {
  readonly clusterId: string
  readonly template: string
  readonly eventName: string
  readonly sampleLine: string
  readonly hits: number
  readonly firstSeen: string
  readonly lastSeen: string
  readonly severity: Severity
  readonly service: string
  readonly slots: readonly StoredSlot[]
}

export interface StoredEvent {
  readonly clusterId: string
  readonly tsMs: number
  readonly service: string
  readonly trace: string
  readonly entities: readonly string[]
  readonly severity: Severity
  readonly file: string
  readonly offset: number
  /** where the file really lies, when that is known: it is replaced under whatever path it was mined before */
  readonly run?: string
}

export interface StoredEdge {
  readonly src: string
  readonly dst: string
  readonly srcKind: 'entity' | 'event'
  readonly dstKind: 'entity' | 'event'
  readonly pmi: number
  readonly cooccurrenceCount: number
  readonly temporalLeadRatio: number
  readonly directed: boolean
  readonly lagMsP50: number | null
  readonly lagMsP95: number | null
  readonly grangerP: number | null
  readonly teZ: number | null
  /** false discovery rate at which the edge would still be found; null where it was not asked */
  readonly n: number | null
  readonly p: number | null
  readonly q: number | null
  readonly leadLower: number | null
  readonly explainedBy: string | null
  /** what the stated conditions alone say */
  readonly statedVerdict: string | null
  readonly verdict: string
  readonly failedConditions: readonly string[]
  readonly sharedEntity: string | null
}

export interface MinedTables {
  readonly templates: readonly StoredTemplate[]
  readonly events: readonly StoredEvent[]
  readonly edges: readonly StoredEdge[]
  /** between things that go together */
  readonly entityEdges?: readonly StoredEdge[]
}

export interface LogTables {
  /**
   * `run` names the logs that were mined: mining the same logs again replaces what the run before said of them. What they no
   * longer hold goes, unless another run holds it or somebody has decided on it.
   */
  save(mined: MinedTables, about: { readonly run: string; readonly now: string }): void
  /** by cluster id */
  templates(): StoredTemplate[]
  /** by time, file and offset; of these templates only, when they are named */
  events(clusterIds?: readonly string[]): StoredEvent[]
  edges(): StoredEdge[]
  /** when mining last saved a template of a severity within the ceiling, or null */
  lastRun(maxTier?: Tier): string | null
  /** where a line of a template lies and how sensitive it is with all its slots; null where nothing is known of it */
  lineSource(line: { readonly file: string; readonly offset: number; readonly clusterId?: string }): LineSource | null
}

export interface LineSource {
  /** where the file really lies */
  readonly path: string
  readonly template: string
  readonly severity: Severity
  readonly slotTiers: readonly Tier[]
}

const EVENTS_PER_STATEMENT = 500 // nine values each: well below SQLite's 32,766 parameters
const IDS_PER_STATEMENT = 1000

export function logTablesOf(store: Connection): LogTables {
  return {
    save: (mined, about) => store.transaction(() => {
      adopt(store, about.run, mined.events)
      save(store, mined, about)
    }),
    templates: () => templates(store),
    events: (clusterIds) => (clusterIds === undefined ? allEvents(store) : someEvents(store, clusterIds)),
    edges: () => store.rows(query.selectFrom('log_entity_edges').selectAll().orderBy('src').orderBy('dst')).map(edgeOf),
    lastRun: (maxTier = 'Restricted') => {
      const severities = SEVERITIES.filter((severity) => within(SEVERITY_TIER[severity], maxTier))
      const templates = query.selectFrom('log_templates').select(({ fn }) => fn.max('updated_at').as('at'))
      return store.first(within('Restricted', maxTier) ? templates : templates.where('severity', 'in', severities))?.at ?? null
    },
    lineSource: (line) => lineSource(store, line),
  }
}

function lineSource(store: Connection, { file, offset, clusterId }: { file: string; offset: number; clusterId?: string }): LineSource | null {
  const ask = query.selectFrom('log_events').select(['cluster_id', 'run', 'severity', 'byte_offset']).where('file', '=', file)
  const own = clusterId === undefined ? ask : ask.where('cluster_id', '=', clusterId)
  const exact = store.first(own.where('byte_offset', '=', offset).limit(1))
  // not every line of a template is stored: another one of the same file tells the path, and the template the severity
  const event = exact ?? (clusterId === undefined ? undefined : store.first(own.limit(1)))
  if (event === undefined) return null
  const template = store.first(query.selectFrom('log_templates').select(['id', 'template', 'severity']).where('cluster_id', '=', event.cluster_id))
  if (template === undefined) return null
  const slots = store.rows(query.selectFrom('log_template_slots').select('tier').where('template_id', '=', template.id))
  // a line that is not stored may be graver than its template
  const severity = exact === undefined ? 'CRITICAL' : severityOf(exact.severity)
  return { path: event.run, template: template.template, severity, slotTiers: slots.map(({ tier }) => tierOf(tier)) }
}

/** Events of the same files, and of what lies below the run, become those of the run before: they are what it replaces. */
function adopt(store: Connection, run: string, events: readonly StoredEvent[]): void {
  const runs = [...new Set(events.flatMap((event) => event.run ?? []))]
  for (let from = 0; from < runs.length; from += IDS_PER_STATEMENT) {
    store.change(query.updateTable('log_events').set({ run }).where('run', 'in', runs.slice(from, from + IDS_PER_STATEMENT)))
  }
  // all texts that begin with `run/`: the next character after the slash is 0
  store.change(query.updateTable('log_events').set({ run }).where('run', '>', `${run}/`).where('run', '<', `${run}0`))
}

function save(store: Connection, { templates, events, edges, entityEdges = [] }: MinedTables, { run, now }: { run: string; now: string }): void {
  const seen = query.selectFrom('log_events').select('cluster_id').where('run', '=', run)
  const before = heldBy(store, run)
  // an edge between two templates of the earlier run is only as true as this run still says it is
  store.change(query.deleteFrom('log_entity_edges').where('src', 'in', seen).where('dst', 'in', seen))
  forgetEntityEdges(store, run)
  store.change(query.deleteFrom('log_events').where('run', '=', run))
  for (const template of templates) saveTemplate(store, template, now)
  for (const edge of [...edges, ...entityEdges]) saveEdge(store, edge, now)
  for (let from = 0; from < events.length; from += EVENTS_PER_STATEMENT) {
    const rows = events.slice(from, from + EVENTS_PER_STATEMENT).map((event) => ({
      run: event.run ?? run, cluster_id: event.clusterId, ts_ms: event.tsMs, service: event.service, trace: event.trace,
      entities: JSON.stringify(event.entities), severity: event.severity, file: event.file, byte_offset: event.offset,
    }))
    store.change(query.insertInto('log_events').values(rows))
  }
  const named = new Set(templates.map(({ clusterId }) => clusterId))
  removeVanished(store, { clusters: before.clusters.filter((id) => !named.has(id)), services: before.services })
}

/** The same between two things that the earlier run named. */
function forgetEntityEdges(store: Connection, run: string): void {
  const lines = store.rows(query.selectFrom('log_events').select('entities').where('run', '=', run).distinct())
  const named = new Set(lines.flatMap(({ entities }) => stringsOf(entities)))
  const edges = store.rows(query.selectFrom('log_entity_edges').select(['id', 'src', 'dst']).where('src_kind', '=', 'entity'))
  for (const { id, src, dst } of edges) {
    if (named.has(src) && named.has(dst)) store.change(query.deleteFrom('log_entity_edges').where('id', '=', id))
  }
}

interface Held {
  readonly clusters: readonly string[]
  readonly services: readonly string[]
}

function heldBy(store: Connection, run: string): Held {
  const events = query.selectFrom('log_events').where('run', '=', run).distinct()
  return {
    clusters: store.rows(events.select('cluster_id')).map((row) => row.cluster_id),
    services: store.rows(events.select('service')).map(({ service }) => service),
  }
}

/** Templates and models of services that no event speaks of any more. */
function removeVanished(store: Connection, { clusters, services }: Held): void {
  const decided = clusters.length === 0 ? new Set<string>() : decidedClusters(store)
  for (const id of clusters) {
    if (decided.has(id) || store.first(query.selectFrom('log_events').select('id').where('cluster_id', '=', id).limit(1)) !== undefined) continue
    const ids = query.selectFrom('log_templates').select('id').where('cluster_id', '=', id)
    store.change(query.deleteFrom('log_template_slots').where('template_id', 'in', ids))
    store.change(query.deleteFrom('log_templates').where('cluster_id', '=', id))
  }
  const gone = new Set(services)
  if (gone.size === 0) return
  for (const { service } of store.rows(query.selectFrom('log_events').select('service').distinct())) gone.delete(service)
  for (const service of gone) store.change(query.deleteFrom('log_hmm_models').where('service', '=', service))
}

/** Templates that a decision rests on: those of an event, and both ends of an edge. */
function decidedClusters(store: Connection): Set<string> {
  const decided = store.rows(query.selectFrom(PROPOSALS).select('evidence').where('status', '!=', 'PENDING')).map((row) => objectOf(row.evidence))
  return new Set(
    decided.flatMap(({ clusters, cause_cluster: cause, effect_cluster: effect }) =>
      [...(Array.isArray(clusters) ? clusters : []), cause, effect].filter((id) => typeof id === 'string'),
    ),
  )
}

function saveTemplate(store: Connection, template: StoredTemplate, now: string): void {
  // replaced, not added: mining the same lines twice must not double the hits
  const columns = {
    template: template.template, event_name: template.eventName, sample_line: template.sampleLine, hits: template.hits,
    first_seen: template.firstSeen, last_seen: template.lastSeen, severity: template.severity, service: template.service,
    updated_at: now,
  }
  const saved = store.first(
    query
      .insertInto('log_templates')
      .values({ cluster_id: template.clusterId, created_at: now, ...columns })
      .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(columns))
      .returning('id'),
  )
  if (saved === undefined) throw new Error('an upsert returned no row')
  // in place, so that mining the same lines again changes no row
  store.change(query.deleteFrom('log_template_slots').where('template_id', '=', saved.id).where('slot_idx', '>=', template.slots.length))
  for (const slot of template.slots) saveSlot(store, saved.id, slot)
}

function saveSlot(store: Connection, templateId: number, slot: StoredSlot): void {
  const columns = {
    name: slot.name, type: slot.type, subtype: slot.subtype, distinct_count: slot.distinctCount, sample_count: slot.sampleCount,
    top_values: JSON.stringify(slot.topValues), pii_risk: slot.piiRisk ? 1 : 0, tier: slot.tier,
  }
  store.change(
    query
      .insertInto('log_template_slots')
      .values({ template_id: templateId, slot_idx: slot.slotIdx, ...columns })
      .onConflict((conflict) => conflict.columns(['template_id', 'slot_idx']).doUpdateSet(columns)),
  )
}

function saveEdge(store: Connection, edge: StoredEdge, now: string): void {
  const columns = {
    src_kind: edge.srcKind, dst_kind: edge.dstKind, pmi: edge.pmi, cooccurrence_count: edge.cooccurrenceCount,
    temporal_lead_ratio: edge.temporalLeadRatio, directed: edge.directed ? 1 : 0, lag_ms_p50: edge.lagMsP50,
    lag_ms_p95: edge.lagMsP95, granger_p: edge.grangerP, te_z: edge.teZ, n: edge.n, p: edge.p, q: edge.q,
    lead_lower: edge.leadLower, explained_by: edge.explainedBy,
    stated_verdict: edge.statedVerdict, verdict: edge.verdict, failed_conditions: JSON.stringify(edge.failedConditions),
    shared_entity: edge.sharedEntity,
  }
  store.change(
    query
      .insertInto('log_entity_edges')
      .values({ src: edge.src, dst: edge.dst, created_at: now, ...columns })
      .onConflict((conflict) => conflict.columns(['src', 'dst']).doUpdateSet(columns)),
  )
}

function templates(store: Connection): StoredTemplate[] {
  const slots = Map.groupBy(
    store.rows(query.selectFrom('log_template_slots').selectAll().orderBy('template_id').orderBy('slot_idx')),
    (slot) => slot.template_id,
  )
  return store.rows(query.selectFrom('log_templates').selectAll().orderBy('cluster_id')).map((row) => ({
    clusterId: row.cluster_id, template: row.template, eventName: row.event_name, sampleLine: row.sample_line, hits: row.hits,
    firstSeen: row.first_seen, lastSeen: row.last_seen, severity: severityOf(row.severity), service: row.service,
    slots: (slots.get(row.id) ?? []).map(slotOf),
  }))
}

const allEvents = (store: Connection): StoredEvent[] => store.rows(eventsInOrder()).map(eventOf)

function someEvents(store: Connection, clusterIds: readonly string[]): StoredEvent[] {
  const found: StoredEvent[] = []
  for (let from = 0; from < clusterIds.length; from += IDS_PER_STATEMENT) {
    const some = clusterIds.slice(from, from + IDS_PER_STATEMENT)
    // one by one: as arguments of one call they may be more than the stack holds
    for (const row of store.rows(eventsInOrder().where('cluster_id', 'in', some))) found.push(eventOf(row))
  }
  return found.toSorted((x, y) => x.tsMs - y.tsMs || compareText(x.file, y.file) || x.offset - y.offset)
}

const eventsInOrder = () =>
  query.selectFrom('log_events').selectAll().orderBy('ts_ms').orderBy('file').orderBy('byte_offset').orderBy('id')

type Selected<T extends keyof Tables> = { [C in keyof Omit<Tables[T], 'id'>]: Tables[T][C] }

const slotOf = (row: Selected<'log_template_slots'>): StoredSlot => ({
  slotIdx: row.slot_idx, name: row.name, type: row.type, subtype: row.subtype, distinctCount: row.distinct_count,
  sampleCount: row.sample_count, topValues: listOf(row.top_values).filter(isCounted), piiRisk: row.pii_risk === 1,
  tier: tierOf(row.tier),
})

const eventOf = (row: Selected<'log_events'>): StoredEvent => ({
  clusterId: row.cluster_id, tsMs: row.ts_ms, service: row.service, trace: row.trace, entities: stringsOf(row.entities),
  severity: severityOf(row.severity), file: row.file, offset: row.byte_offset,
})

const edgeOf = (row: Selected<'log_entity_edges'>): StoredEdge => ({
  src: row.src, dst: row.dst, srcKind: kindOf(row.src_kind), dstKind: kindOf(row.dst_kind), pmi: row.pmi,
  cooccurrenceCount: row.cooccurrence_count, temporalLeadRatio: row.temporal_lead_ratio, directed: row.directed === 1,
  lagMsP50: row.lag_ms_p50, lagMsP95: row.lag_ms_p95, grangerP: row.granger_p, teZ: row.te_z,
  n: row.n, p: row.p, q: row.q, leadLower: row.lead_lower, explainedBy: row.explained_by, statedVerdict: row.stated_verdict, verdict: row.verdict,
  failedConditions: stringsOf(row.failed_conditions), sharedEntity: row.shared_entity,
})

const kindOf = (text: string): 'entity' | 'event' => (text === 'entity' ? 'entity' : 'event')
const severityOf = (text: string): Severity => SEVERITIES.find((severity) => severity === text) ?? 'INFO'
const isCounted = (value: unknown): value is readonly [string, number] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number'

function tierOf(text: string): Tier {
  const tier = Tier.safeParse(text)
  return tier.success ? tier.data : UNLABELLED
}
