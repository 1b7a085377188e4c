/**
 * Which pairs of events are worth a look: those that share windows of time, or things. A template counts once per window,
 * however often it repeats, so the work grows with windows and kinds of events, not with lines.
 */
import { coverage } from '../../kernel/stats/index.ts'
import type { EventColumns } from '../columns.ts'
import { type Meeting, meetings } from './meetings.ts'
import { entityAt, slotsOf } from './timeline.ts'
import type { Timeline, Track } from './timeline.ts'

export interface PairOptions {
  readonly windowMs: number
  /** pairs that windows may be opened for; above it the most frequent events are left out */
  readonly budget?: number
  /** pairs that may be looked at, and the same within things */
  readonly maxPairs?: number
  readonly thingsBudget?: number
}

export interface CandidatePairs {
  /** indices of templates, the smaller first, by code of the pair */
  readonly pairs: readonly (readonly [a: number, b: number])[]
  /** templates that could take part in an edge */
  readonly eligible: readonly number[]
  /** of these the ones so frequent that no window short enough tells them from chance: effects only on the same thing */
  readonly frequent: ReadonlySet<number>
  /** ordered pairs that could have been tested: what false discovery control must count */
  readonly tests: number
  readonly tooRare: number
  /** left out because the log holds more than the budget: events, pairs, and things that too many events name */
  readonly capped: number
  readonly cappedPairs: number
  readonly cappedThings: number
}

/** Fewer occurrences make no cause. */
export const MIN_OCCURRENCES = 4
/** A window may be halved this often for frequent events. */
const HALVINGS = 3
/** Above this chance of b in any window, not even a perfect cause reaches the PMI of the gate with a fifth of effects missing. */
export const MAX_COVERAGE = 0.16
export const MIN_TOGETHER = 3
const BUDGET = 30_000_000
const VALUES_BUDGET = 5_000_000
/** Each costs some tens of microseconds and a few hundred bytes. */
const MAX_PAIRS = 1_000_000

/** The shortest window in which an effect may still be rare enough to tell what it follows. */
export const shortestWindow = (windowMs: number): number => windowMs / 2 ** HALVINGS

export function candidatePairs(columns: EventColumns, timeline: Timeline, options: PairOptions): CandidatePairs {
  const { windowMs, budget = BUDGET, maxPairs = MAX_PAIRS, thingsBudget = VALUES_BUDGET } = options
  const { tracks, startMs, endMs } = timeline
  const timed = tracks.filter(({ times }) => times.length > 0)
  const enough = timed.filter(({ times }) => times.length >= MIN_OCCURRENCES)
  // windows of twice the length, overlapping by half: two events up to a window apart always share one
  const inWindows = new Map(enough.map((track) => [track.template, windowsOf(track, startMs, windowMs)]))
  const eligible = withinBudget(enough, inWindows, budget)
  const often = eligible.filter(({ times }) => coverage(times, shortestWindow(windowMs), endMs - startMs) > MAX_COVERAGE)
  const frequent = new Set(often.map(({ template }) => template))
  const size = tracks.length
  const inTime = meetings(eligible.map(({ template }) => [template, inWindows.get(template) ?? []]), size, {
    least: MIN_TOGETHER, most: maxPairs, except: (a, b) => frequent.has(a) && frequent.has(b),
  })
  // were the shortest windows of a frequent event spread evenly over this many things, it would be rare on each
  const rareOn = ({ times }: Track): number => (times.length * shortestWindow(windowMs)) / (endMs - startMs) / MAX_COVERAGE
  const things = eligible.map((track) =>
    [track.template, thingsOf(columns, track, frequent.has(track.template) ? rareOn(track) : Infinity)] as const)
  const onThings = meetings(things, size, { least: MIN_OCCURRENCES, most: maxPairs, budget: thingsBudget })
  const found = new Map([...inTime.found, ...onThings.found].map((each) => [each.a * size + each.b, each]))
  return {
    pairs: [...found.values()].toSorted(byCode).map(({ a, b }) => [a, b] as const),
    eligible: eligible.map(({ template }) => template),
    frequent,
    tests: eligible.length * (eligible.length - 1),
    tooRare: timed.length - enough.length,
    capped: enough.length - eligible.length,
    cappedPairs: inTime.left + onThings.left,
    cappedThings: onThings.leftUnits,
  }
}

const byCode = (x: Meeting, y: Meeting): number => x.a - y.a || x.b - y.b

export function windowsOf({ times }: { readonly times: Iterable<number> }, startMs: number, windowMs: number): number[] {
  const windows: number[] = []
  let last = -1
  for (const time of times) {
    const index = Math.floor((time - startMs) / windowMs)
    for (const window of [index, index + 1]) {
      if (window <= last) continue
      windows.push(window)
      last = window
    }
  }
  return windows
}

/** Leaves the most frequent out until the pairs in all windows fit the budget. */
function withinBudget(tracks: readonly Track[], inWindows: ReadonlyMap<number, readonly number[]>, budget: number): Track[] {
  const kept = tracks.toSorted((x, y) => x.times.length - y.times.length || x.template - y.template)
  const filling = new Map<number, number>()
  let pairs = 0
  let take = 0
  for (const { template } of kept) {
    for (const window of inWindows.get(template) ?? []) {
      const before = filling.get(window) ?? 0
      pairs += before
      filling.set(window, before + 1)
    }
    if (pairs > budget) break
    take += 1
  }
  return kept.slice(0, take).toSorted((x, y) => x.template - y.template)
}

/**
 * The things by which occurrences are told apart, however far apart in time: sessions and jobs, not the few nodes that everything
 * names; of a frequent event also those that are as many as it takes for it to be rare on each.
 */
function thingsOf(columns: EventColumns, { rows }: Track, rareOn: number): number[] {
  const seen = new Set<number>()
  for (const slot of slotsOf(columns, rows)) {
    const values = new Set<number>()
    for (const row of rows) values.add(entityAt(columns, row, slot))
    values.delete(0)
    if (values.size >= Math.min(rows.length / 2, rareOn)) for (const value of values) seen.add(value)
  }
  return [...seen]
}
