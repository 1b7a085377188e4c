/**
 * The event graph: which events come together more often than chance, which of the two leads, how long the other takes, and
 * which entity they share.
 */
import { compareText } from '../kernel/term.ts'
import { addLeads, leadCounts, leadRatio, nearestFollowers, NO_PAIRS, pmi, pmiPairs } from '../kernel/stats/index.ts'
import type { EventPair, LeadCounts, PmiCounts } from '../kernel/stats/index.ts'
import type { LogEvent } from './candidate.ts'
import { tally } from './tally.ts'

/** An occurrence of the cause and the nearest occurrence of the effect behind it. */
export interface Sighting {
  readonly cause: LogEvent
  readonly effect: LogEvent
  readonly lagMs: number
}

export interface EventLink {
  /** cluster ids; `src` is the one that leads more often */
  readonly src: string
  readonly dst: string
  readonly windows: PmiCounts
  readonly pmi: number
  readonly lead: LeadCounts
  readonly leadRatio: number
  readonly sightings: readonly Sighting[]
  readonly sharedEntity: string | null
  /** times of both, apart by the value of the shared entity where there is one */
  readonly groups: readonly EventPair[]
}

/** Fewer pairs than this are an accident, not a link. */
const MIN_PAIRS = 2

/** Links between events seen together more often than chance, strongest first. The events must be sorted by time. */
export function eventLinks(events: readonly LogEvent[], windowMs: number): EventLink[] {
  const byCluster = Map.groupBy(events, (event) => event.clusterId)
  const { windows, empty } = windowsOf(events, windowMs)
  return pmiPairs([...windows.values()].map((inside) => [...inside]), empty)
    .filter((pair) => pair.pmi > 0)
    .flatMap(({ a, b, counts }) => {
      const found = link(byCluster.get(a) ?? [], byCluster.get(b) ?? [], counts, events[0]?.tsMs ?? 0, windowMs)
      return found.pmi > 0 && found.lead.before + found.lead.after + found.lead.tied >= MIN_PAIRS ? [found] : []
    })
    .toSorted((x, y) => y.pmi - x.pmi || compareText(x.src, y.src) || compareText(x.dst, y.dst))
}

/**
 * Windows overlap by half, so that two events up to half a window apart always share one; each event lies in exactly two.
 * Windows in which nothing happened are only counted.
 */
function windowsOf(events: readonly LogEvent[], windowMs: number): { windows: Map<number, Set<string>>; empty: number } {
  const windows = new Map<number, Set<string>>()
  const start = events[0]?.tsMs ?? 0
  for (const event of events) {
    for (const index of windowIndices(event, start, windowMs)) {
      const inside = windows.get(index) ?? new Set<string>()
      inside.add(event.clusterId)
      windows.set(index, inside)
    }
  }
  const last = events.at(-1)
  const total = last === undefined ? 0 : (windowIndices(last, start, windowMs)[1] ?? 0) + 2 // from -1 to the last
  return { windows, empty: total - windows.size }
}

const windowIndices = (event: LogEvent, start: number, windowMs: number): [number, number] => {
  const index = Math.floor((event.tsMs - start) / (windowMs / 2))
  return [index - 1, index]
}

function link(a: readonly LogEvent[], b: readonly LogEvent[], plain: PmiCounts, start: number, windowMs: number): EventLink {
  const forth = sightings(a, b, null, windowMs)
  const back = sightings(b, a, null, windowMs)
  const slot = sharedSlot(forth.length >= back.length ? forth : back)
  const groups = grouped(a, b, slot)
  const lead = groups.reduce((sum, group) => addLeads(sum, leadCounts(times(group.a), times(group.b), windowMs)), NO_PAIRS)
  const together = slot === null ? plain.together : windowsTogether(groups, start, windowMs)
  const turned = lead.after > lead.before
  const [first, second] = turned ? [b, a] : [a, b]
  const windows = { ...plain, together, ...(turned ? { a: plain.b, b: plain.a } : {}) }
  const ordered = turned ? { before: lead.after, after: lead.before, tied: lead.tied } : lead
  return {
    src: first[0]?.clusterId ?? '',
    dst: second[0]?.clusterId ?? '',
    windows,
    pmi: pmi(windows),
    lead: ordered,
    leadRatio: leadRatio(ordered),
    sightings: sightings(first, second, slot, windowMs),
    sharedEntity: slot,
    groups: grouped(first, second, slot).map((group) => ({ a: times(group.a), b: times(group.b) })),
  }
}

interface Group {
  readonly a: readonly LogEvent[]
  readonly b: readonly LogEvent[]
}

const times = (events: readonly LogEvent[]): number[] => events.map((event) => event.tsMs)

/** Pairs of one group per value of the slot; without a slot all events are one group. */
function grouped(a: readonly LogEvent[], b: readonly LogEvent[], slot: string | null): Group[] {
  if (slot === null) return [{ a, b }]
  const [ofA, ofB] = [a, b].map((events) => Map.groupBy(events, (event) => valueOf(event, slot)))
  const values = [...new Set([...(ofA?.keys() ?? []), ...(ofB?.keys() ?? [])])].filter((value) => value !== '')
  return values.toSorted(compareText).map((value) => ({ a: ofA?.get(value) ?? [], b: ofB?.get(value) ?? [] }))
}

function valueOf(event: LogEvent, slot: string): string {
  return event.entities.find((entity) => entity.startsWith(`${slot}=`)) ?? ''
}

function sightings(a: readonly LogEvent[], b: readonly LogEvent[], slot: string | null, windowMs: number): Sighting[] {
  return grouped(a, b, slot)
    .flatMap((group) =>
      nearestFollowers(times(group.a), times(group.b), windowMs).flatMap(({ a: i, b: j, lagMs }) => {
        const [cause, effect] = [group.a[i], group.b[j]]
        return cause === undefined || effect === undefined ? [] : [{ cause, effect, lagMs }]
      }),
    )
    .toSorted((x, y) => x.cause.tsMs - y.cause.tsMs || x.effect.tsMs - y.effect.tsMs)
}

/** The slot in which most of the pairs name the same thing, or null; of two such slots the one that tells more things apart. */
function sharedSlot(pairs: readonly Sighting[]): string | null {
  const shared = pairs.flatMap(({ cause, effect }) => cause.entities.filter((entity) => effect.entities.includes(entity)))
  const slots = tally(shared, slotOf).filter(([, count]) => count * 2 > pairs.length)
  const values = new Map(tally([...new Set(shared)], slotOf))
  return slots.toSorted(([x, m], [y, n]) => n - m || (values.get(y) ?? 0) - (values.get(x) ?? 0))[0]?.[0] ?? null
}

const slotOf = (entity: string): string => entity.slice(0, entity.indexOf('='))

/** Windows in which both occur on the same entity. */
function windowsTogether(groups: readonly Group[], start: number, windowMs: number): number {
  const together = new Set<number>()
  for (const { a, b } of groups) {
    const [ofA, ofB] = [a, b].map((events) => new Set(events.flatMap((event) => windowIndices(event, start, windowMs))))
    for (const index of ofA ?? []) if (ofB?.has(index)) together.add(index)
  }
  return together.size
}
