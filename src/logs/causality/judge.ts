/**
 * Event columns in, judged edges out. The stated gate first; then, unless it alone is asked for, control of false discoveries
 * over every pair that could have been tested, a check of the direction, and pruning of what another cause explains.
 */
import { MINING } from '../../contracts/index.ts'
import { binCounts, falseDiscoveryQ, fisherExact, granger, lagOrder, rng, wilsonLower } from '../../kernel/stats/index.ts'
import { hash64 } from '../../kernel/text/index.ts'
import type { Searched } from '../candidate.ts'
import type { EventColumns } from '../columns.ts'
import { type CandidatePairs, candidatePairs } from '../graph/candidate-pairs.ts'
import { type EventLink, type Sighting, linkOf, mayPass, sightingsOf } from '../graph/link.ts'
import { type EntityValues, entityValues } from '../graph/shared-entity.ts'
import { type Timeline, type Track, timelineOf } from '../graph/timeline.ts'
import { type Condition, type Kind, condition, gate } from './gate.ts'
import { type Explained, prune } from './prune.ts'

export interface CausalityOptions {
  readonly windowMs: number
  readonly seed: number
  /** pairs in windows that may be counted; see candidatePairs */
  readonly budget?: number
  /** `stated` stops after the stated conditions */
  readonly gate: 'sound' | 'stated'
  readonly dependent?: boolean
}

export interface Verdict {
  readonly statedVerdict: Kind
  readonly verdict: Kind
  readonly failed: readonly string[]
  readonly conditions: readonly Condition[]
  readonly grangerP: number | null
  readonly grangerOrder: number
  readonly teZ: number | null
  readonly p: number
  readonly q: number
  readonly leadLower: number
  readonly fisherP: number
  readonly explained: Explained | null
}

export interface JudgedLink {
  readonly link: EventLink
  readonly sightings: readonly Sighting[]
  readonly verdict: Verdict
}

export interface Causality {
  /** links that pass PMI and lead, whatever becomes of them, or stand out against all pairs; strongest first */
  readonly judged: readonly JudgedLink[]
  readonly searched: Searched
}

/** Clocks of two services that are read as one may differ by this much. */
const TOLERANCE_MS = 100
/** Chosen before looking at any pair: bins of a sixth of the window, at most six back. */
const BINS_PER_WINDOW = 6
const MAX_ORDER = 6
/** A long log gets wider bins, so that one pair costs the same in any log. */
const MAX_BINS = 5000
/** The order must be surer than a coin: at one standard error the lower bound of the lead ratio lies above a half. */
const DIRECTION_FLOOR = 0.5

export function findCauses(columns: EventColumns, options: CausalityOptions): Causality {
  const timeline = timelineOf(columns)
  const { pairs, eligible, frequent, ...searched } = candidatePairs(columns, timeline, options)
  const links = linksOf(columns, timeline, { pairs, frequent }, options)
  const qs = falseDiscoveryQ(links.map(({ p }) => p), { tests: searched.tests, dependent: options.dependent ?? false })
  const grangerOf = grangerTests(timeline, options.windowMs)
  const strong = links.flatMap((link, i) => {
    const q = qs[i] ?? 1
    return q <= MINING.false_discovery_q || mayPass(link) ? [judged(link, q, timeline, grangerOf, options.gate)] : []
  })
  const pruned = options.gate === 'stated' ? strong : prunedBy(strong, timeline)
  return {
    judged: pruned.toSorted(({ link: x }, { link: y }) => x.p - y.p || y.pmi - x.pmi || x.src - y.src || x.dst - y.dst),
    searched: { ...searched, pairs: pairs.length, eligible: eligible.length, tooFrequent: frequent.size },
  }
}

const NO_TRACK = { template: 0, times: new Float64Array(), rows: new Uint32Array(), index: new Uint32Array(), service: null }

function linksOf(
  columns: EventColumns, timeline: Timeline, { pairs, frequent }: Pick<CandidatePairs, 'pairs' | 'frequent'>,
  { windowMs, seed }: CausalityOptions,
): EventLink[] {
  const { tracks, startMs, endMs } = timeline
  const values = new Map<number, EntityValues>()
  const sideOf = (template: number) => {
    const track = tracks[template] ?? NO_TRACK
    const known = values.get(template) ?? entityValues(columns, track)
    values.set(template, known)
    return { track, values: known }
  }
  return pairs.map(([a, b]) => {
    // a seed of its own for each pair: adding an event elsewhere in the log changes no other pair's figure
    const random = rng(seed + parseInt(hash64(`${columns.templates[a] ?? ''} ${columns.templates[b] ?? ''}`).slice(4), 16))
    const toleranceMs = toleranceOf(tracks[a], tracks[b])
    return linkOf(sideOf(a), sideOf(b), { startMs, endMs, windowMs, toleranceMs, random, frequent })
  })
}

/** One service has one clock. */
const toleranceOf = (a?: Track, b?: Track): number => (a?.service != null && a.service === b?.service ? 0 : TOLERANCE_MS)

type GrangerOf = (link: EventLink) => { p: number | null; order: number }

function grangerTests({ tracks, startMs, endMs }: Timeline, windowMs: number): GrangerOf {
  const binMs = Math.max(windowMs / BINS_PER_WINDOW, (endMs - startMs) / MAX_BINS, 1)
  const series = new Map<number, { counts: Float64Array; order: number }>()
  const seriesOf = (template: number) => {
    const known = series.get(template)
    if (known !== undefined) return known
    const counts = binCounts(tracks[template]?.times ?? [], startMs, endMs, binMs)
    const made = { counts, order: lagOrder(counts, MAX_ORDER) }
    series.set(template, made)
    return made
  }
  return ({ src, dst }) => {
    const { counts, order } = seriesOf(dst)
    return { p: granger(seriesOf(src).counts, counts, order)?.p ?? null, order }
  }
}

function judged(
  link: EventLink, q: number, { tracks }: Timeline, grangerOf: GrangerOf, mode: CausalityOptions['gate'],
): JudgedLink {
  const { p: grangerP, order: grangerOrder } = grangerOf(link)
  const teZ = link.follower?.z ?? null
  const stated = gate({ pmi: link.pmi, leadRatio: link.leadRatio, grangerP, teZ })
  const { order, lead } = link
  const added = [
    condition('false_discovery_q', q, '<=', MINING.false_discovery_q),
    condition('direction', wilsonLower(order.before, order.before + order.after, 1), '>', DIRECTION_FLOOR),
  ]
  const missed = added.filter((each) => !each.passed).map((each) => each.condition)
  const failed = mode === 'stated' ? stated.failed : [...stated.failed, ...missed]
  const { together, a, b, total } = link.windows
  const table = { both: together, onlyA: a - together, onlyB: Math.max(0, Math.round(b) - together), neither: 0 }
  const neither = Math.max(0, Math.round(total) - table.both - table.onlyA - table.onlyB)
  return {
    link,
    sightings: sightingsOf(link, tracks),
    verdict: {
      statedVerdict: stated.verdict,
      verdict: failed.length === 0 ? 'LOG_CAUSAL_EDGE' : 'LOG_RELATIONSHIP',
      failed,
      conditions: mode === 'stated' ? stated.conditions : [...stated.conditions, ...added],
      grangerP, grangerOrder, teZ, p: link.p, q,
      leadLower: wilsonLower(lead.before, lead.before + lead.after),
      fisherP: fisherExact({ ...table, neither }),
      explained: null,
    },
  }
}

/** Edges that another cause of the same effect explains are demoted, and say which. */
function prunedBy(strong: readonly JudgedLink[], timeline: Timeline): JudgedLink[] {
  const { false_discovery_q, gate_temporal_lead_ratio } = MINING
  const sure = strong.filter(({ link, verdict }) => verdict.q <= false_discovery_q && link.leadRatio >= gate_temporal_lead_ratio)
  const explained = prune(sure.map(({ link }) => link), timeline, TOLERANCE_MS)
  return strong.map((each) => {
    const found = explained.get(each.link)
    if (found === undefined) return each
    const failed = [...each.verdict.failed, found.kind]
    return { ...each, verdict: { ...each.verdict, verdict: 'LOG_RELATIONSHIP', failed, explained: found } }
  })
}
