/**
 * Repeats of one event on one thing as one interval with a count. What counts as a repeat is read off the log itself: the gaps
 * between occurrences of the event on the same thing, over all things.
 */
import { LIMITS } from '../contracts/index.ts'

/** Lines about one thing within a second are one report, whatever else is known. */
export const SAME_MS = 1000
/** Below this, differences between gaps say nothing: clocks and writers are no finer. */
const FLOOR_MS = 10
/** Repeats lie close together and incidents far apart: between the two the gaps grow by this factor at once. */
const BREAK = 4
/** Gaps without a break between them are a habit only where they are alike: no gap is longer than so many times the median. */
const ALIKE = 3
/** So many short gaps make a habit, and so many lines a run; fewer may be incidents that happen to follow each other. */
const HABIT = 3
/** Every line of an interval is kept with it, so that an effect can be laid at the line before it; beyond these a new one begins. */
const MOST_LINES = 1000

/**
 * The longest gap, in milliseconds, at which the event repeats; null where it has no such habit. Gaps in order of size: those up
 * to the first break are repeats, and the answer lies half a break beyond them, so that the next log of the same habit falls on
 * the same side. A stream at random times has no break and no likeness. Never more than the window in which mining relates
 * events: two incidents that a rule could tell apart stay two.
 */
export function typicalGapMs(gapsMs: readonly number[], capMs: number = LIMITS.log_repeat_seconds * 1000): number | null {
  const gaps = gapsMs.map((gap) => Math.max(gap, FLOOR_MS)).toSorted((x, y) => x - y)
  const within = gaps.findIndex((gap, i) => (gaps[i + 1] ?? 0) >= BREAK * gap)
  // gaps within a report that is written in several lines say nothing of how often it is repeated
  const between = (gaps[within] ?? Infinity) < SAME_MS ? habitOf(gaps.slice(within + 1), capMs) : null
  return between ?? habitOf(gaps, capMs)
}

/** By size. */
function habitOf(gaps: readonly number[], capMs: number): number | null {
  const last = gaps.findIndex((gap, i) => i + 1 === gaps.length || (gaps[i + 1] ?? gap) >= BREAK * gap)
  const longest = gaps[last]
  if (longest === undefined || longest > capMs || last + 1 < HABIT) return null
  const median = gaps[last >> 1] ?? longest
  if (last + 1 === gaps.length && longest > ALIKE * median) return null
  return Math.min(capMs, longest * Math.sqrt(BREAK))
}

export interface Timed {
  readonly tsMs: number
}

/** Occurrences of one event on one thing, in the order of time. */
export interface OnOneThing<One extends Timed> {
  /** false where the lines name no thing: then nothing but a habit makes two of them one */
  readonly isNamed: boolean
  readonly occurrences: readonly One[]
}

/**
 * The groups of one event; the runs of each in which it only repeats itself. `isNew` says that something happened between two
 * occurrences that brings the event about: then the second is no repeat, however soon it comes.
 */
export function runsOf<One extends Timed>(groups: readonly OnOneThing<One>[], isNew: (before: One, one: One) => boolean = () => false): One[][] {
  const typical = typicalGapMs(groups.flatMap(({ occurrences }) => gapsOf(occurrences)))
  const isTypical = (_: One, before: One, one: One) => typical !== null && sinceMs(before, one) <= typical
  const isHabit = typical !== null && repeats(groups.flatMap(({ occurrences }) => split(typical > SAME_MS ? reportsOf(occurrences) : occurrences, isTypical)))
  return groups.flatMap(({ isNamed, occurrences }) => {
    // from the first line: without a habit a run must not creep on from line to line
    const isSame = (first: One, _: One, one: One) => sinceMs(first, one) <= (isNamed ? SAME_MS : 0)
    const isRepeat = isHabit ? isTypical : isSame
    const isFull = (before: One, one: One, lines: number) => lines >= MOST_LINES && sinceMs(before, one) > 0
    return split(occurrences, (first, before, one, lines) => isRepeat(first, before, one) && !isNew(before, one) && !isFull(before, one, lines))
  })
}

/** What comes in twos may have two causes; from three on it repeats itself. */
function repeats(runs: readonly (readonly Timed[])[]): boolean {
  const several = runs.filter(({ length }) => length > 1)
  return several.length > 0 && several.reduce((sum, { length }) => sum + length, 0) >= HABIT * several.length
}

function split<One extends Timed>(times: readonly One[], continues: (first: One, before: One, one: One, lines: number) => boolean): One[][] {
  const runs: One[][] = []
  for (const one of times) {
    const run = runs.at(-1)
    const [first, before] = [run?.[0], run?.at(-1)]
    if (run !== undefined && first !== undefined && before !== undefined && continues(first, before, one, run.length)) run.push(one)
    else runs.push([one])
  }
  return runs
}

/** The first line of each report. */
const reportsOf = <One extends Timed>(occurrences: readonly One[]): One[] =>
  split(occurrences, (first, _, one) => sinceMs(first, one) <= SAME_MS).flatMap(([first]) => first ?? [])

const sinceMs = (before: Timed, one: Timed): number => one.tsMs - before.tsMs
const gapsOf = (times: readonly Timed[]): number[] => times.slice(1).map((one, i) => sinceMs(times[i] ?? one, one))
