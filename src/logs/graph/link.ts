/** What two events have to do with each other: which leads, how often they meet, at what lags, and through which thing. */
import { MINING } from '../../contracts/index.ts'
import {
  type FollowerTest, type LeadCounts, type PmiCounts, type Rng, addLeads, firstFollowers, followerTest, leadCounts, leadRatio,
  NO_PAIRS, pmi, windowCounts,
} from '../../kernel/stats/index.ts'
import { MAX_COVERAGE, shortestWindow } from './candidate-pairs.ts'
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
  /** within the window that was given: what the stated gate reads */
  readonly windows: PmiCounts
  readonly windowMs: number
  readonly pmi: number
  readonly lead: LeadCounts
  readonly leadRatio: number
  /** pairs up to the longest lag that is looked at, which on the same thing is more than a window: what the direction rests on */
  readonly order: LeadCounts
  /** null where too little happened to tell */
  readonly follower: FollowerTest | null
  /** of the follower test, counted for every way of matching that was tried */
  readonly p: number
  /** slots in which cause and effect name the same thing, where the match is by thing */
  readonly shared: SharedEntity | null
  readonly toleranceMs: number
  /** times of cause and effect, apart by thing; made anew at each call, as of many links few are looked at again */
  readonly groups: () => readonly IndexedPair[]
}

export interface LinkOptions {
  readonly startMs: number
  readonly endMs: number
  readonly windowMs: number
  readonly toleranceMs: number
  readonly random: Rng
  /** events that fill so much of the time that only a thing in common tells what they follow */
  readonly frequent?: ReadonlySet<number>
}

/** Lags are looked at up to this many windows; on the same thing up to more, as nothing else can be meant. */
export const REACH_WINDOWS = 2
const SAME_THING_WINDOWS = 2
/** A message repeated within a tenth of a window is one happening. */
const REPEATS_PER_WINDOW = 10
/** Nats: a chance of one in thousands, before all pairs are counted. */
const STANDS_OUT = 10
/** Clocks are shifted for this many things of a pair, spread evenly over them: more would only repeat a clear answer. */
const THINGS_SHIFTED = 256

interface Side {
  readonly track: Track
  readonly values: EntityValues
}

/** The better of two ways to match: by time alone, and by time on the same thing. */
export function linkOf(one: Side, other: Side, options: LinkOptions): EventLink {
  const [a, b] = [one.track, other.track]
  const byTime = matched(a, b, () => oneGroup(a, b), null, options)
  const shared = sharedEntity(one.values, other.values)
  const [valuesA, valuesB] = shared === null ? [] : [one.values.get(shared.slotA), other.values.get(shared.slotB)]
  if (shared === null || valuesA === undefined || valuesB === undefined) return byTime
  const onThing = matched(a, b, () => groupsOf(a, b, valuesA, valuesB), shared, options)
  const better = onThing.p < 1 && onThing.p <= byTime.p ? onThing : byTime
  return { ...better, p: Math.min(1, better.p * 2) }
}

function matched(
  a: Track, b: Track, make: () => readonly IndexedPair[], shared: SharedEntity | null, options: LinkOptions,
): EventLink {
  const { startMs, endMs, windowMs, toleranceMs, random } = options
  const spanMs = endMs - startMs
  const groups = make()
  const longest = shared === null ? windowMs : Math.min(windowMs * SAME_THING_WINDOWS, Math.max(windowMs, spanMs / 20))
  const either = leadsWithin(groups, longest, toleranceMs)
  const turned = either.after > either.before
  const ordered = turned ? turnedRound(groups) : groups
  const [src, dst] = turned ? [b, a] : [a, b]
  const order = turned ? { before: either.after, after: either.before, tied: either.tied } : either
  const lead = longest === windowMs ? order : leadsWithin(ordered, windowMs, toleranceMs)
  const windows = windowCounts(ordered, { windowMs, spanMs, toleranceMs })
  const figures = { pmi: pmi(windows), leadRatio: leadRatio(lead) }
  const reachMs = shared === null ? Math.min(windowMs * REACH_WINDOWS, Math.max(windowMs, spanMs / 20)) : longest
  // the null costs most: it is only made for pairs that the stated gate may let pass, or that stand out whatever the gate says
  const follower = !tells(ordered, dst, shared, spanMs, options) ? null : followerTest(spread(ordered, THINGS_SHIFTED), {
    startMs, endMs, reachMs, toleranceMs, random, repeatMs: windowMs / REPEATS_PER_WINDOW,
    leastGain: mayPass(figures) ? 1 : STANDS_OUT,
  })
  return {
    src: src.template,
    dst: dst.template,
    windows,
    windowMs,
    ...figures,
    lead,
    order,
    follower,
    p: follower?.p ?? 1,
    shared: shared !== null && turned ? { slotA: shared.slotB, slotB: shared.slotA } : shared,
    toleranceMs,
    groups: turned ? () => turnedRound(make()) : make,
  }
}

const leadsWithin = (groups: readonly IndexedPair[], windowMs: number, toleranceMs: number): LeadCounts =>
  groups.reduce((sum, group) => addLeads(sum, leadCounts(group.a, group.b, windowMs, toleranceMs)), NO_PAIRS)

/** Is the effect rare enough to tell what it follows? On the same thing it is as rare as it is there. */
function tells(
  groups: readonly IndexedPair[], effect: Track, shared: SharedEntity | null, spanMs: number, { frequent, windowMs }: LinkOptions,
): boolean {
  if (frequent?.has(effect.template) !== true) return true
  if (shared === null) return false
  const { b, total } = windowCounts(groups, { windowMs: shortestWindow(windowMs), spanMs })
  return b / total <= MAX_COVERAGE
}

/** At most so many, evenly over all of them. */
function spread<Each>(all: readonly Each[], most: number): readonly Each[] {
  const step = Math.ceil(all.length / most)
  return step <= 1 ? all : all.filter((_, i) => i % step === 0)
}

/** The two conditions of the gate that need no null. */
export const mayPass = ({ pmi: bits, leadRatio: ratio }: Pick<EventLink, 'pmi' | 'leadRatio'>): boolean =>
  bits >= MINING.gate_pmi && ratio >= MINING.gate_temporal_lead_ratio

/** First followers at the lags that tell, or within the window where none does; by time of the cause. */
export function sightingsOf(link: EventLink, tracks: readonly Track[]): Sighting[] {
  const { src, dst, follower, windowMs, toleranceMs, groups } = link
  const [from, to] = follower?.bandMs ?? [-toleranceMs, windowMs]
  const [causes, effects] = [tracks[src]?.rows ?? [], tracks[dst]?.rows ?? []]
  return groups()
    .flatMap(({ a, b, indexA, indexB }) =>
      firstFollowers(a, b, to, toleranceMs)
        .filter(({ lagMs }) => lagMs >= from)
        .map(({ a: i, b: j, lagMs }) => ({ at: indexA[i] ?? 0, effect: effects[indexB[j] ?? 0] ?? 0, lagMs })),
    )
    .toSorted((x, y) => x.at - y.at)
    .map(({ at, effect, lagMs }) => ({ cause: causes[at] ?? 0, effect, lagMs }))
}
