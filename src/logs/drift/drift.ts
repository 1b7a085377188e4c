/**
 * Drift: what of today's log the approved catalogue does not know. A lookup, not a second clustering: each template of today is
 * laid beside those of the catalogue, and only what is unlike all of them is new.
 */
import { LIMITS, MINING } from '../../contracts/index.ts'
import { falseDiscoveryQ } from '../../kernel/stats/index.ts'
import type { LogEvent, LogTemplate, Mined } from '../candidate.ts'
import type { EventColumns } from '../columns.ts'
import { rounded } from '../tally.ts'
import type { Alignment } from './align.ts'
import { lookupIn } from './lookup.ts'
import { type Habit, binned, habitOf, habitOfEarliest, rateChange } from './rate.ts'

export type KnownTemplate = Pick<LogTemplate, 'clusterId' | 'template' | 'eventName' | 'hits' | 'firstSeen' | 'lastSeen'>
type TimedEvent = Pick<LogEvent, 'clusterId' | 'tsMs'>

export interface DriftOptions {
  /** below this a template counts as new */
  readonly similarity?: number
  /** hits from which a new template is proposed, and a rate is compared */
  readonly minHits?: number
}

interface Nearest {
  readonly cluster_id: string
  readonly template: string
  readonly similarity: number
}

export interface NewTemplate {
  readonly cluster_id: string
  readonly template: string
  readonly hits: number
  readonly severity: string
  readonly service: string
  readonly nearest: Nearest | null
  readonly proposed: boolean
}

export interface VariantTemplate {
  readonly cluster_id: string
  readonly template: string
  readonly hits: number
  readonly of: Nearest
  readonly freed: readonly string[]
  readonly lost: readonly string[]
  readonly added: readonly string[]
}

export interface VanishedTemplate {
  readonly cluster_id: string
  readonly template: string
  readonly expected_hits: number
  readonly p: number
  readonly q: number
}

export interface ChangedRate {
  readonly cluster_id: string
  readonly template: string
  readonly per_minute_before: number
  readonly per_minute_now: number
  readonly hits_now: number
  readonly since: string | null
  readonly p: number
  readonly q: number
}

export interface DriftReport {
  readonly similarity: number
  readonly min_hits: number
  readonly catalogue: number
  readonly templates: number
  readonly lines: number
  readonly known: { readonly templates: number; readonly lines: number }
  readonly new: readonly NewTemplate[]
  readonly variant: readonly VariantTemplate[]
  readonly vanished: readonly VanishedTemplate[]
  readonly rate: readonly ChangedRate[]
  /** templates of the catalogue without a line today, of which too few were to be expected to say that they are gone */
  readonly quiet: number
}

/** The level of false discoveries among vanished templates and changed rates, and the change worth telling. */
const FALSE_DISCOVERY = 0.05
const TELLING_RATIO = 2
const BINS = 20

/**
 * Pure. `before` holds the events that were stored of the catalogue's templates when they were mined: all, or the earliest ones
 * of a template that has more. Of today all lines with a time count.
 */
export function findDrift(
  catalogue: readonly KnownTemplate[], before: readonly TimedEvent[], mined: Pick<Mined, 'lines' | 'templates' | 'columns'>,
  { similarity = MINING.drift_similarity_threshold, minHits = MINING.template_merge_hit_floor }: DriftOptions = {},
): DriftReport {
  const lookup = lookupIn(catalogue)
  const placed = mined.templates.map((template) => ({ template, ...lookup(template) }))
  const isNew = (each: (typeof placed)[number]): boolean => each.known === null || (!each.same && each.alignment.similarity < similarity)
  const found = placed.filter((each) => !isNew(each))
  const homes = new Map(found.map(({ template, known }) => [template.clusterId, known!.clusterId]))
  const changes = changesOf(catalogue, before, mined.columns, { homes, seen: new Set(homes.values()), minHits })
  const known = found.filter(({ same }) => same)
  return {
    similarity, min_hits: minHits, catalogue: catalogue.length, templates: mined.templates.length, lines: mined.lines,
    known: { templates: known.length, lines: known.reduce((sum, { template }) => sum + template.hits, 0) },
    new: placed.filter(isNew).map(({ template, known: nearest, alignment }) => ({
      cluster_id: template.clusterId, template: template.template, hits: template.hits, severity: template.severity,
      service: template.service, nearest: nearestOf(nearest, alignment), proposed: template.hits >= minHits,
    })),
    variant: found.filter(({ same }) => !same).map(({ template, known: of, alignment: { freed, lost, added, ...alignment } }) => ({
      cluster_id: template.clusterId, template: template.template, hits: template.hits, of: nearestOf(of, alignment)!, freed, lost, added,
    })),
    ...changes,
  }
}

const nearestOf = (known: KnownTemplate | null, { similarity }: Pick<Alignment, 'similarity'>): Nearest | null =>
  known === null ? null : { cluster_id: known.clusterId, template: known.template, similarity: rounded(similarity) }

interface Homes {
  /** today's template to the one of the catalogue that it is */
  readonly homes: ReadonlyMap<string, string>
  readonly seen: ReadonlySet<string>
  readonly minHits: number
}

/** Templates that stopped coming, and those that come at another rate; all tests of the run together. */
function changesOf(
  catalogue: readonly KnownTemplate[], before: readonly TimedEvent[], today: EventColumns, { homes, seen, minHits }: Homes,
): Pick<DriftReport, 'vanished' | 'rate' | 'quiet'> {
  const [was, is] = [spanOf(timesOf(catalogue, before)), spanOf(today.ts)]
  const binMs = Math.max(1000, Math.min(was.ms, is.ms) / BINS)
  const bins = (ms: number): number => Math.max(1, Math.ceil(ms / binMs))
  const timesBefore = Map.groupBy(before, (event) => event.clusterId)
  const timesNow = timesByHome(today, homes)
  const tested = catalogue.flatMap((known) => {
    const times = (timesBefore.get(known.clusterId) ?? []).map(({ tsMs }) => tsMs)
    const now = timesNow.get(known.clusterId) ?? []
    if (Math.max(times.length, now.length) < minHits || was.ms === 0 || is.ms === 0 || times.length === 0) return []
    // it is there, but without times, or too frequent for the columns: nothing can be said of its rate
    if (now.length === 0 && seen.has(known.clusterId)) return []
    const habit: Habit = times.length < LIMITS.log_events_per_template
      ? habitOf(binned(times, was.from, binMs, bins(was.ms)))
      : habitOfEarliest(times, Math.max(known.hits, times.length), bins(was.ms))
    const change = rateChange(habit, binned(now, is.from, binMs, bins(is.ms)))
    return [{ known, hits: now.length, ...change }]
  })
  const qs = falseDiscoveryQ(tested.map(({ p }) => p))
  const sure = tested.map((each, i) => ({ ...each, q: qs[i]! })).filter(({ q }) => q <= FALSE_DISCOVERY)
  const gone = sure.filter(({ known }) => !seen.has(known.clusterId))
  const perMinute = (perBin: number): number => rounded((perBin * 60_000) / binMs)
  const unseen = catalogue.filter(({ clusterId }) => !seen.has(clusterId)).length
  return {
    vanished: gone.map(({ known, before: rate, p, q }) => ({
      cluster_id: known.clusterId, template: known.template, expected_hits: rounded(rate * bins(is.ms)), p: rounded(p), q: rounded(q),
    })),
    rate: sure.filter(({ known, before: old, now }) => seen.has(known.clusterId) && isTelling(old, now)).map(
      ({ known, before: old, now, hits, since, p, q }) => ({
        cluster_id: known.clusterId, template: known.template, per_minute_before: perMinute(old), per_minute_now: perMinute(now),
        hits_now: hits, since: since === null ? null : new Date(is.from + since * binMs).toISOString(), p: rounded(p), q: rounded(q),
      }),
    ),
    quiet: unseen - gone.length,
  }
}

const isTelling = (old: number, now: number): boolean => now >= old * TELLING_RATIO || old >= now * TELLING_RATIO

/** Of the events, and of the lines that were not kept as events: a template says when it was first and last seen. */
function* timesOf(catalogue: readonly KnownTemplate[], events: readonly TimedEvent[]): Generator<number> {
  for (const { firstSeen, lastSeen } of catalogue) for (const iso of [firstSeen, lastSeen]) if (iso !== '') yield Date.parse(iso)
  for (const { tsMs } of events) yield tsMs
}

function timesByHome({ length, ts, template, templates }: EventColumns, homes: ReadonlyMap<string, string>): Map<string, number[]> {
  const times = new Map<string, number[]>()
  const lists = templates.map((id) => {
    const home = homes.get(id)
    if (home === undefined) return null
    const list = times.get(home) ?? []
    times.set(home, list)
    return list
  })
  for (let row = 0; row < length; row += 1) lists[template[row]!]?.push(ts[row]!)
  return times
}

function spanOf(times: Iterable<number>): { readonly from: number; readonly ms: number } {
  let [from, to] = [Infinity, -Infinity]
  for (const time of times) {
    if (time < from) from = time
    if (time > to) to = time
  }
  return from <= to ? { from, ms: to - from } : { from: 0, ms: 0 }
}
