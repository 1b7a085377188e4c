/** What two events have to do with each other: which leads, how often they meet, at what lags, and through which thing. */
import { MINING } from '../../contracts/index.ts'
import {
  type FollowerTest, type LeadCounts, type PmiCounts, type Rng, addLeads, firstFollowers, followerTest, leadCounts, leadRatio,
  NO_PAIRS, pmi, windowCounts,
} from '../../kernel/stats/index.ts'
import { MAX_COVERAGE, tellingWindow } from './candidate-pairs.ts'
import {
  type EntityValues, type IndexedPair, type SharedEntity, groupsOf, oneGroup, sharedEntity, turnedRound,
} from './shared-entity.ts'
import type { Track } from './timeline.ts'

/** An occurrence of the cause and the first of the effect behind it: rows of the columns. */
export interface Sighting {
  readonly cause: number
  readonly effect: number
  readonly lagMs: number
}

export interface EventLink {
  /** indices of templates; `src` is the one that leads more often */
  readonly src: number
  readonly dst: number
  readonly windows: PmiCounts
  readonly windowMs: number
  readonly pmi: number
  readonly lead: LeadCounts
  readonly leadRatio: number
  /** null where too little happened to tell */
  readonly follower: FollowerTest | null
  /** of the follower test, counted for every way of matching that was tried */
  readonly p: number
  readonly sightings: readonly Sighting[]
  /** slots in which cause and effect name the same thing, where the match is by thing */
  readonly shared: SharedEntity | null
  readonly groups: readonly IndexedPair[]
}

export interface LinkOptions {
  readonly startMs: number
  readonly endMs: number
  readonly windowMs: number
  readonly toleranceMs: number
  readonly random: Rng
}

/** Lags are looked at up to this many windows; on the same thing up to more, as nothing else can be meant. */
export const REACH_WINDOWS = 2
const SAME_THING_WINDOWS = 2
/** A message repeated within a tenth of a window is one happening. */
const REPEATS_PER_WINDOW = 10
/** Nats: a chance of one in thousands, before all pairs are counted. */
const STANDS_OUT = 10

interface Side {
  readonly track: Track
  readonly values: EntityValues
}

/** The better of two ways to match: by time alone, and by time on the same thing. */
export function linkOf(one: Side, other: Side, options: LinkOptions): EventLink {
  const [a, b] = [one.track, other.track]
  const byTime = matched(a, b, oneGroup(a, b), null, options)
  const shared = sharedEntity(one.values, other.values)
  const [valuesA, valuesB] = shared === null ? [] : [one.values.get(shared.slotA), other.values.get(shared.slotB)]
  if (shared === null || valuesA === undefined || valuesB === undefined) return byTime
  const onThing = matched(a, b, groupsOf(a, b, valuesA.values, valuesB.values), shared, options)
  const better = onThing.p < 1 && onThing.p <= byTime.p ? onThing : byTime
  return { ...better, p: Math.min(1, better.p * 2) }
}

function matched(
  a: Track, b: Track, groups: readonly IndexedPair[], shared: SharedEntity | null, options: LinkOptions,
): EventLink {
  const { startMs, endMs, windowMs, toleranceMs, random } = options
  const spanMs = endMs - startMs
  const longest = shared === null ? windowMs : Math.min(windowMs * SAME_THING_WINDOWS, Math.max(windowMs, spanMs / 20))
  const lead = groups.reduce((sum, group) => addLeads(sum, leadCounts(group.a, group.b, longest, toleranceMs)), NO_PAIRS)
  const turned = lead.after > lead.before
  const ordered = turned ? turnedRound(groups) : groups
  const [src, dst] = turned ? [b, a] : [a, b]
  const reachMs = shared === null ? Math.min(windowMs * REACH_WINDOWS, Math.max(windowMs, spanMs / 20)) : longest
  const { windows, window } = windowsOf(ordered, dst, longest, spanMs, toleranceMs)
  const counts = turned ? { before: lead.after, after: lead.before, tied: lead.tied } : lead
  // the null costs most: it is only made for pairs that the stated gate may let pass, or that stand out whatever the gate says
  const figures = { pmi: pmi(windows), leadRatio: leadRatio(counts) }
  const follower = followerTest(ordered, {
    startMs, endMs, reachMs, toleranceMs, random, repeatMs: windowMs / REPEATS_PER_WINDOW,
    leastGain: mayPass(figures) ? 1 : STANDS_OUT,
  })
  return {
    src: src.template,
    dst: dst.template,
    windows,
    windowMs: window,
    ...figures,
    lead: counts,
    follower,
    p: follower?.p ?? 1,
    sightings: follower === null ? [] : sightingsOf(ordered, src, dst, follower, toleranceMs),
    shared: shared !== null && turned ? { slotA: shared.slotB, slotB: shared.slotA } : shared,
    groups: ordered,
  }
}

/** The two conditions of the gate that need no null. */
export const mayPass = ({ pmi: bits, leadRatio: ratio }: Pick<EventLink, 'pmi' | 'leadRatio'>): boolean =>
  bits >= MINING.gate_pmi && ratio >= MINING.gate_temporal_lead_ratio

/** Windows short enough for the effect; on the same thing the effect is as rare as it is there. */
function windowsOf(groups: readonly IndexedPair[], effect: Track, windowMs: number, spanMs: number, toleranceMs: number) {
  let window = groups.length === 1 ? tellingWindow(effect.times, windowMs, spanMs).windowMs : windowMs
  for (;;) {
    const windows = windowCounts(groups, { windowMs: window, spanMs, toleranceMs })
    if (groups.length === 1 || windows.b / windows.total <= MAX_COVERAGE || window <= 1000) return { windows, window }
    window /= 2
  }
}

/** First followers at the lags that tell, by time of the cause. */
function sightingsOf(
  groups: readonly IndexedPair[], src: Track, dst: Track, { bandMs: [from, to] }: FollowerTest, toleranceMs: number,
): Sighting[] {
  return groups
    .flatMap(({ a, b, indexA, indexB }) =>
      firstFollowers(a, b, to, toleranceMs)
        .filter(({ lagMs }) => lagMs >= from)
        .map(({ a: i, b: j, lagMs }) => ({ at: indexA[i] ?? 0, effect: dst.rows[indexB[j] ?? 0] ?? 0, lagMs })),
    )
    .toSorted((x, y) => x.at - y.at)
    .map(({ at, effect, lagMs }) => ({ cause: src.rows[at] ?? 0, effect, lagMs }))
}
