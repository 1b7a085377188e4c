/**
 * What mining found, as candidates for review. Each carries the figures it rests on beside their thresholds, so that a reviewer
 * can disagree with a number and not only with a verdict.
 */
import { MINING, SEVERITY_TIER, SEVERITY_WEIGHT, TIERS, type Severity, type Tier, maxTier, within } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { wilsonLower } from '../kernel/stats/index.ts'
import { camelCase, pascalCase } from '../kernel/text/index.ts'
import type { Candidate, LogEdge, LogEvent, LogTemplate } from './candidate.ts'
import type { JudgedLink } from './causality/judge.ts'
import type { EventColumns } from './columns.ts'
import { entityRelations } from './entity-relations.ts'
import { entityAt } from './graph/timeline.ts'
import { rounded, tally } from './tally.ts'

export interface Judged extends JudgedLink {
  readonly edge: LogEdge
}

/** What the lines of a template say about themselves, those without a time included. */
export interface Profile {
  /** lines that agree with the template's severity and service */
  readonly agreeing: number
  /** lines with a time, stored one by one or not */
  readonly timed: number
  readonly severities: Readonly<Record<string, number>>
  readonly services: Readonly<Record<string, number>>
}

export interface MinedParts {
  readonly templates: readonly LogTemplate[]
  /** in the order of the templates */
  readonly profiles: readonly Profile[]
  readonly events: readonly LogEvent[]
  readonly columns: EventColumns
  readonly judged: readonly Judged[]
  /** between things, which claim no cause */
  readonly entityEdges: readonly LogEdge[]
  readonly windowSeconds: number
}

const MAX_LINE_PAIRS = 5
const TAIL = 1.5
const TITLE_CHARS = 200

/** Candidates in queue order: confidence times consequence, then key. */
export function candidatesOf(mined: MinedParts): Candidate[] {
  const entities = entityCandidates(mined)
  const relations = entityRelations(mined.entityEdges, new Map(entities.map((each) => [String(each.evidence['slot']), each])))
  return [...eventCandidates(mined), ...entities, ...relations, ...edgeCandidates(mined)].toSorted(
    (x, y) => y.confidence * y.consequence - x.confidence * x.consequence || compareText(x.key, y.key),
  )
}

/** Of the templates alone, for a stage that does not ask for causes. */
export const templateCandidates = (mined: Omit<MinedParts, 'columns' | 'judged' | 'entityEdges' | 'windowSeconds'>): Candidate[] =>
  eventCandidates({ ...mined, judged: [] })

/** Severity weighs first; what the candidate touches lifts it from half of its weight towards the whole. Always above 0. */
export const consequenceOf = (severity: Severity, touches: number): number =>
  rounded(SEVERITY_WEIGHT[severity] * (0.5 + 0.5 * (touches / (touches + 3))))

export const graver = (x: Severity, y: Severity): Severity => (SEVERITY_WEIGHT[y] > SEVERITY_WEIGHT[x] ? y : x)

/**
 * How many edges an event has, of those that whoever may see `tier` may see: what lies above a candidate must not move its place
 * in the queue, where those below would read it off.
 */
function degreesOf(judged: readonly Judged[], templates: readonly LogTemplate[]): (cluster: string, tier: Tier) => number {
  const tierOf = new Map(templates.map(({ clusterId, severity }) => [clusterId, SEVERITY_TIER[severity]]))
  const known = judged.flatMap(({ edge: { src, dst } }) => {
    const [from, to] = [tierOf.get(src), tierOf.get(dst)]
    return from === undefined || to === undefined ? [] : [src, dst].map((id) => ({ id, tier: maxTier(from, to) }))
  })
  const degrees = new Map(tally(known, ({ id, tier }) => `${tier} ${id}`))
  return (cluster, ceiling) => TIERS.reduce((sum, tier) => sum + (within(tier, ceiling) ? (degrees.get(`${tier} ${cluster}`) ?? 0) : 0), 0)
}

function eventCandidates({ templates, profiles, events, judged }: Omit<MinedParts, 'columns' | 'entityEdges' | 'windowSeconds'>): Candidate[] {
  const byCluster = Map.groupBy(events, (event) => event.clusterId)
  const degree = degreesOf(judged, templates)
  return templates.map((template, i) => {
    const profile = profiles[i] ?? { agreeing: 0, timed: 0, severities: {}, services: {} }
    const own = byCluster.get(template.clusterId) ?? []
    const entities = new Set(own.flatMap((event) => event.entities))
    const edges = degree(template.clusterId, SEVERITY_TIER[template.severity])
    return {
      key: `event:${template.clusterId}`,
      proposalType: 'LOG_EVENT',
      detectionStrategy: 'LOG_TEMPLATE_CLUSTERING',
      title: `Event ${template.eventName}: ${shortened(template.template)}`,
      name: template.eventName,
      // lines that agree on severity and service: one statement of one program is what makes an event
      confidence: rounded(wilsonLower(profile.agreeing, template.hits)),
      consequence: consequenceOf(template.severity, entities.size + edges),
      lagMsP50: null,
      lagMsP95: null,
      tier: SEVERITY_TIER[template.severity],
      evidence: {
        clusters: [template.clusterId],
        template: template.template,
        severity: template.severity,
        service: template.service,
        hits: template.hits,
        untimed_hits: template.hits - profile.timed,
        agreeing_hits: profile.agreeing,
        first_seen: template.firstSeen,
        last_seen: template.lastSeen,
        severities: profile.severities,
        services: profile.services,
        entities: entities.size,
        edges,
        slots: template.slots,
        lines: own.slice(0, MAX_LINE_PAIRS).map(lineOf),
      },
      evidenceSample: template.sampleLine,
    }
  })
}

function entityCandidates({ templates, events }: MinedParts): Candidate[] {
  const templateOf = new Map(templates.map((template) => [template.clusterId, template]))
  const uses = events.flatMap((event) =>
    event.entities.map((entity) => ({ slot: entity.slice(0, entity.indexOf('=')), entity, event })),
  )
  return [...Map.groupBy(uses, (use) => use.slot)]
    .toSorted(([x], [y]) => compareText(x, y))
    .map(([slot, own]) => {
      const clusters = tally(own, (use) => use.event.clusterId)
      const spread = new Map<string, Set<string>>()
      for (const { entity, event } of own) spread.set(entity, (spread.get(entity) ?? new Set()).add(event.clusterId))
      // a thing shows itself by coming back: the same value in the lines of two different statements
      const recurring = own.filter((use) => (spread.get(use.entity)?.size ?? 0) > 1).length
      const touched = clusters.flatMap(([id]) => templateOf.get(id) ?? [])
      const worst = touched.map((template) => template.severity).reduce<Severity>(graver, 'DEBUG')
      const tier: Tier = maxTier(...touched.map((template) => SEVERITY_TIER[template.severity]))
      return {
        key: `entity:${slot}`,
        proposalType: 'LOG_ENTITY',
        detectionStrategy: 'LOG_TEMPLATE_CLUSTERING',
        title: `Entity ${pascalCase(slot)}, named by ${slot} in ${touched.length} ${touched.length === 1 ? 'event' : 'events'}`,
        name: pascalCase(slot),
        confidence: rounded((wilsonLower(recurring, own.length) + wilsonLower(own.length, own.length)) / 2),
        consequence: consequenceOf(worst, clusters.length),
        lagMsP50: null,
        lagMsP95: null,
        tier,
        evidence: {
          slot,
          values: spread.size,
          occurrences: own.length,
          recurring_occurrences: recurring,
          severity: worst,
          events: touched.map((template) => template.eventName).toSorted(compareText),
          top_values: tally(own, (use) => use.entity.slice(slot.length + 1)).slice(0, 20),
          lines: own.slice(0, MAX_LINE_PAIRS).map((use) => lineOf(use.event)),
        },
        evidenceSample: own[0]?.entity ?? '',
      }
    })
}

function edgeCandidates({ templates, columns, judged, windowSeconds }: MinedParts): Candidate[] {
  const templateOf = new Map(templates.map((template) => [template.clusterId, template]))
  const degree = degreesOf(judged, templates)
  return judged.flatMap((each) => {
    const { link, sightings, edge } = each
    const [cause, effect] = [templateOf.get(edge.src), templateOf.get(edge.dst)]
    if (cause === undefined || effect === undefined) return []
    const causal = edge.verdict === 'LOG_CAUSAL_EDGE'
    const slot = link.shared?.slotA
    const shared = slot === undefined ? 0 : new Set(sightings.map((pair) => entityAt(columns, pair.cause, slot))).size
    const tier = maxTier(SEVERITY_TIER[cause.severity], SEVERITY_TIER[effect.severity])
    const neighbours = degree(edge.src, tier) + degree(edge.dst, tier) - 2
    const sure = confidenceOf(each)
    return {
      key: `edge:${edge.src}>${edge.dst}`,
      proposalType: edge.verdict,
      detectionStrategy: causal ? 'GRANGER_CAUSALITY' : 'PMI_TEMPORAL_ORDERING',
      title: causal ? `${cause.eventName} causes ${effect.eventName}` : `${cause.eventName} occurs with ${effect.eventName}`,
      name: camelCase([cause.eventName, causal ? 'causes' : 'with', effect.eventName]),
      confidence: sure.confidence,
      consequence: consequenceOf(graver(cause.severity, effect.severity), shared + neighbours),
      lagMsP50: edge.lagMsP50,
      lagMsP95: edge.lagMsP95,
      tier,
      evidence: {
        cause: cause.eventName,
        effect: effect.eventName,
        cause_cluster: edge.src,
        effect_cluster: edge.dst,
        cause_severity: cause.severity,
        effect_severity: effect.severity,
        cause_service: cause.service,
        effect_service: effect.service,
        shared_entity: edge.sharedEntity,
        // what the rule looks back: the lags that were found, and half as much again for those behind the 95th percentile
        window_seconds: Math.max(windowSeconds, Math.ceil((TAIL * (edge.lagMsP95 ?? 0)) / 1000)),
        ...figuresOf(each, templateOf.get(edge.explainedBy ?? '')?.eventName ?? null),
        confidence_parts: sure.parts,
        shared_entities: shared,
        neighbouring_edges: neighbours,
        line_pairs: sightings.slice(0, MAX_LINE_PAIRS).map((pair) => ({
          cause: rowLine(columns, pair.cause), effect: rowLine(columns, pair.effect), lag_ms: pair.lagMs,
        })),
      },
      evidenceSample: `${cause.sampleLine}\n${effect.sampleLine}`,
    }
  })
}

/** Everything the verdict rests on: each test with its threshold, and the lags with what chance would give. */
function figuresOf({ link, sightings, verdict, edge }: Judged, explainedBy: string | null): Record<string, unknown> {
  const { follower, windows } = link
  return {
    gate: verdict.conditions.map((each) => ({ ...each, value: each.value === null ? null : rounded(each.value) })),
    stated_verdict: edge.statedVerdict,
    failed_conditions: edge.failedConditions,
    explained_by: explainedBy,
    explained_gain: verdict.explained === null ? null : rounded(verdict.explained.gain),
    n: edge.n,
    p: edge.p,
    q: edge.q,
    fisher_p: rounded(verdict.fisherP),
    granger_order: verdict.grangerOrder,
    windows: {
      together: windows.together, a: windows.a, b: rounded(windows.b), total: rounded(windows.total),
      seconds: rounded(link.windowMs / 1000),
    },
    pairs: { ...link.lead },
    lead_ratio_lower: edge.leadLower,
    causes_followed: sightings.length,
    lags: follower === null ? null : {
      followed: follower.followed,
      expected: rounded(follower.expected),
      from_ms: rounded(follower.bandMs[0]),
      to_ms: rounded(follower.bandMs[1]),
      bits: rounded(follower.bits),
      surrogate_bits: rounded(follower.surrogateBits),
      histogram: follower.histogram.map((bin) => ({
        to_ms: rounded(bin.toMs), observed: bin.observed, expected: rounded(bin.expected),
      })),
    },
  }
}

/** A title is read in a list; the whole text stands in the evidence. */
const shortened = (text: string): string => (text.length > TITLE_CHARS ? `${text.slice(0, TITLE_CHARS).toWellFormed()}…` : text)

const lineOf = ({ file, offset, tsMs }: LogEvent) => ({ file, offset, ts: new Date(tsMs).toISOString() })

export const rowLine = ({ files, file, offset, ts }: EventColumns, row: number) =>
  ({ file: files[file[row] ?? 0] ?? '', offset: offset[row] ?? 0, ts: new Date(ts[row] ?? 0).toISOString() })

/**
 * The geometric mean of what speaks for the edge, each part between 0 and 1: the order (lower bound of the lead ratio), how
 * far PMI lies above chance in relation to its gate, and for a causal claim how rarely such a find is false.
 */
function confidenceOf({ link, verdict, edge }: Judged): { confidence: number; parts: Record<string, number> } {
  const order = Math.max(edge.leadLower, 0.01)
  const association = Math.max(0.01, 1 - 2 ** -(link.pmi / MINING.gate_pmi))
  const test = Math.max(0.01, 1 - verdict.q)
  const parts = Object.entries(edge.verdict === 'LOG_CAUSAL_EDGE' ? { order, association, test } : { order, association })
  const mean = parts.reduce((product, [, value]) => product * value, 1) ** (1 / parts.length)
  return { confidence: rounded(mean), parts: Object.fromEntries(parts.map(([name, value]) => [name, rounded(value)])) }
}
