/**
 * Which pairs of events are worth a look: those that share windows of time, or things. A template counts once per window,
 * however often it repeats, so the work grows with windows and kinds of events, not with lines.
 */
import { coverage } from '../../kernel/stats/index.ts'
import type { EventColumns } from '../columns.ts'
import { entityAt, slotsOf } from './timeline.ts'
import type { Timeline, Track } from './timeline.ts'

export interface PairOptions {
  readonly windowMs: number
  /** pairs that windows may be opened for; above it the most frequent events are left out */
  readonly budget?: number
}

export interface CandidatePairs {
  /** indices of templates, the smaller first, by code of the pair */
  readonly pairs: readonly (readonly [a: number, b: number])[]
  /** templates that could take part in an edge */
  readonly eligible: readonly number[]
  /** ordered pairs that could have been tested: what false discovery control must count */
  readonly tests: number
  readonly tooRare: number
  /** so frequent that no window short enough tells them from chance */
  readonly tooFrequent: number
  /** left out because the log holds more pairs than the budget */
  readonly capped: number
}

/** Fewer occurrences make no cause. */
export const MIN_OCCURRENCES = 4
/** A window may be halved this often for frequent events. */
const HALVINGS = 3
/** Above this chance of b in any window, not even a perfect cause reaches the PMI of the gate with a fifth of effects missing. */
export const MAX_COVERAGE = 0.16
const MIN_TOGETHER = 3
const BUDGET = 30_000_000
const VALUES_BUDGET = 5_000_000

/** The window in which b is rare enough to tell: the given one, halved while b fills too much of the time. */
export function tellingWindow(times: ArrayLike<number>, windowMs: number, spanMs: number): { windowMs: number; chance: number } {
  let window = windowMs
  let chance = coverage(times, window, spanMs)
  for (let i = 0; i < HALVINGS && chance > MAX_COVERAGE; i += 1) {
    window /= 2
    chance = coverage(times, window, spanMs)
  }
  return { windowMs: window, chance }
}

export function candidatePairs(columns: EventColumns, timeline: Timeline, options: PairOptions): CandidatePairs {
  const { windowMs, budget = BUDGET } = options
  const { tracks, startMs, endMs } = timeline
  const spanMs = endMs - startMs
  const timed = tracks.filter(({ times }) => times.length > 0)
  const enough = timed.filter(({ times }) => times.length >= MIN_OCCURRENCES)
  const telling = enough.filter(({ times }) => tellingWindow(times, windowMs, spanMs).chance <= MAX_COVERAGE)
  // windows of twice the length, overlapping by half: two events up to a window apart always share one
  const inWindows = new Map(telling.map((track) => [track.template, windowsOf(track, startMs, windowMs)]))
  const eligible = withinBudget(telling, inWindows, budget)
  const size = tracks.length
  const together = countPairs(eligible.map(({ template }) => [template, inWindows.get(template) ?? []]), size)
  const found = new Set<number>()
  for (const [code, count] of together) if (count >= MIN_TOGETHER) found.add(code)
  for (const code of pairsByThing(columns, eligible, size)) found.add(code)
  const codes = Float64Array.from(found).toSorted()
  return {
    pairs: Array.from(codes, (code) => [Math.floor(code / size), code % size] as const),
    eligible: eligible.map(({ template }) => template),
    tests: eligible.length * (eligible.length - 1),
    tooRare: timed.length - enough.length,
    tooFrequent: enough.length - telling.length,
    capped: telling.length - eligible.length,
  }
}

function windowsOf({ times }: Track, startMs: number, windowMs: number): number[] {
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

/** In how many units (windows or things) each pair stands together; pairs as `smaller * size + larger`. */
function countPairs(
  units: readonly (readonly [template: number, units: readonly number[]])[], size: number, budget = Infinity,
): Map<number, number> {
  const inside = new Map<number, number[]>()
  for (const [template, own] of units) {
    for (const unit of own) {
      const there = inside.get(unit)
      if (there === undefined) inside.set(unit, [template])
      else there.push(template)
    }
  }
  const counts = new Map<number, number>()
  let spent = 0
  for (const templates of inside.values()) {
    spent += (templates.length * templates.length) / 2
    if (spent > budget) break
    for (let i = 0; i < templates.length; i += 1) {
      for (let j = i + 1; j < templates.length; j += 1) {
        const code = (templates[i] ?? 0) * size + (templates[j] ?? 0)
        counts.set(code, (counts.get(code) ?? 0) + 1)
      }
    }
  }
  return counts
}

/** Pairs that name the same things (sessions, jobs: not the few nodes that everything names), however far apart in time. */
function pairsByThing(columns: EventColumns, tracks: readonly Track[], size: number): number[] {
  const things = tracks.map(({ template, rows }) => {
    const seen = new Set<number>()
    for (const slot of slotsOf(columns, rows)) {
      const values = new Set<number>()
      for (const row of rows) values.add(entityAt(columns, row, slot))
      values.delete(0)
      if (values.size * 2 >= rows.length) for (const value of values) seen.add(value)
    }
    return [template, [...seen]] as const
  })
  return [...countPairs(things, size, VALUES_BUDGET)].filter(([, count]) => count >= MIN_OCCURRENCES).map(([code]) => code)
}
