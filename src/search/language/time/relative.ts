/** Periods that need a clock: yesterday, this week, last month, the past 7 days, next quarter, two years ago, last Monday. */
import { MS, plus, startOf, weekdayOf } from './calendar.ts'
import type { Unit } from './calendar.ts'
import { longer, periodOf, wholeOf } from './period.ts'
import type { Period, ReadPeriod } from './period.ts'
import { readClockTime } from './time-of-day.ts'
import { countOf, monthOf, unitOf, weekdayNamed } from './words.ts'

const RELATIVE = { relative: true } as const
const DAYS: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 }
const THIS = ['this', 'current']
const LAST = ['last', 'previous', 'past']
const NEXT = ['next', 'coming', 'upcoming']

export const readRelative: ReadPeriod = (words, at, now) =>
  readNamedDay(words, at, now) ??
  readWindow(words, at, now) ??
  readNeighbour(words, at, now) ??
  readToDate(words, at, now) ??
  readAgo(words, at, now)

const readNamedDay: ReadPeriod = (words, at, now) => {
  if (words[at] === 'now') return periodOf(1, now, now + 1, RELATIVE)
  const [far, length] = farDay(words, at) ?? [DAYS[words[at] ?? ''], 1]
  if (far === undefined) return null
  const from = plus(startOf('day', now), far, 'day')
  return readClockTime(words, at + length, { length, from, relative: true }) ?? wholeOf(length, 'day', from, RELATIVE)
}

/** `the day before yesterday`. */
function farDay(words: readonly string[], at: number): readonly [number, number] | null {
  const article = words[at] === 'the' ? 1 : 0
  const said = words.slice(at + article, at + article + 3).join(' ')
  if (said === 'day before yesterday') return [-2, 3 + article]
  return said === 'day after tomorrow' ? [2, 3 + article] : null
}

/**
 * Some units up to now or from now on: from the same date that many units ago through today, as `date('now', '-7 days')` has it.
 * `the past year` and `the last year` are the twelve months up to today; `last year` is the calendar's.
 */
const readWindow: ReadPeriod = (words, at, now) => {
  const article = words[at] === 'the' ? 1 : 0
  const which = words[at + article] ?? ''
  const [back, ahead] = [LAST.includes(which), NEXT.includes(which)]
  if (!back && !ahead) return null
  const { count, length } = countAt(words, at + article + 1)
  const unit = unitOf(words[at + article + 1 + length])
  const isWindow = length > 0 || which === 'past' || (article === 1 && which === 'last' && unit !== 'day')
  if (unit === null || count === null || !isWindow) return null
  return windowOf(article + 2 + length, unit, back ? -count : count, now)
}

function windowOf(length: number, unit: Unit, count: number, now: number): Period {
  if (isClockUnit(unit)) {
    const [from, to] = [plus(now, Math.min(count, 0), unit), plus(now, Math.max(count, 0), unit)]
    return periodOf(length, from, count < 0 ? to + 1 : to, RELATIVE)
  }
  const today = startOf('day', now)
  const end = plus(today, count, unit)
  return count < 0 ? periodOf(length, end, today + MS.day, RELATIVE) : periodOf(length, today, end + MS.day, RELATIVE)
}

const isClockUnit = (unit: Unit): boolean => unit === 'second' || unit === 'minute' || unit === 'hour'

/** `7`, `seven`, `a couple of`; a count of 1 and no words when there is none. */
function countAt(words: readonly string[], at: number): { readonly count: number | null; readonly length: number } {
  if (unitOf(words[at]) !== null) return { count: 1, length: 0 }
  const article = words[at] === 'a' && words[at + 1] === 'couple' ? 1 : 0
  const count = countOf(words[at + article])
  const of = words[at + article] === 'couple' && words[at + article + 1] === 'of' ? 1 : 0
  return { count: count === 0 ? null : count, length: 1 + article + of }
}

/** This, last or next week, month, quarter, year; Monday; March. */
const readNeighbour: ReadPeriod = (words, at, now) => {
  const article = words[at] === 'the' ? 1 : 0
  const which = words[at + article] ?? ''
  const step = THIS.includes(which) ? 0 : LAST.includes(which) ? -1 : NEXT.includes(which) ? 1 : null
  if (step === null) return null
  const name = words[at + article + 1] ?? ''
  return longer(neighbourUnit(name, step, now) ?? neighbourDay(name, step, now) ?? neighbourMonth(name, step, now), article)
}

function neighbourUnit(name: string, step: number, now: number): Period | null {
  const unit = name.endsWith('s') ? null : unitOf(name)
  return unit === null || isClockUnit(unit) ? null : wholeOf(2, unit, plus(startOf(unit, now), step, unit), RELATIVE)
}

/** The nearest such weekday before or after today; this Monday is that of this week. */
function neighbourDay(name: string, step: number, now: number): Period | null {
  const weekday = weekdayNamed(name)
  if (weekday === null) return null
  const today = startOf('day', now)
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  const days = step === 0 ? weekday - weekdayOf(today) : step > 0 ? ahead || 7 : ahead - 7
  return wholeOf(2, 'day', plus(today, days, 'day'), RELATIVE)
}

/** Last March is the latest one that is over, next March the first that has not begun. */
function neighbourMonth(name: string, step: number, now: number): Period | null {
  const month = monthOf(name)
  if (month === null) return null
  const inThisYear = plus(startOf('year', now), month - 1, 'month')
  const current = startOf('month', now)
  const years = step < 0 ? (inThisYear < current ? 0 : -1) : step > 0 && inThisYear <= current ? 1 : 0
  return wholeOf(2, 'month', plus(inThisYear, years, 'year'), RELATIVE)
}

/** `year to date`, `month to date`, `YTD`. */
const readToDate: ReadPeriod = (words, at, now) => {
  const short = words[at] === 'ytd' ? 1 : 0
  const unit = short === 1 ? 'year' : unitOf(words[at])
  if (unit === null || isClockUnit(unit) || (short === 0 && (words[at + 1] !== 'to' || words[at + 2] !== 'date'))) return null
  return periodOf(short === 1 ? 1 : 3, startOf(unit, now), startOf('day', now) + MS.day, RELATIVE)
}

/** `3 days ago` is that day, `two years ago` that year. */
const readAgo: ReadPeriod = (words, at, now) => {
  const ago = agoAt(words, at)
  if (ago === null) return null
  return wholeOf(ago.length, ago.unit, startOf(ago.unit, plus(now, -ago.count, ago.unit)), RELATIVE)
}

interface Ago {
  readonly length: number
  readonly count: number
  readonly unit: Unit
}

function agoAt(words: readonly string[], at: number): Ago | null {
  const { count, length } = countAt(words, at)
  const unit = unitOf(words[at + length])
  if (count === null || unit === null || length === 0 || words[at + length + 1] !== 'ago') return null
  return { length: length + 2, count, unit }
}

/** The exact date or moment so long ago, for `more than 30 days ago` and `since two years ago`. */
export const readMomentAgo: ReadPeriod = (words, at, now) => {
  const ago = agoAt(words, at)
  if (ago === null) return null
  const moment = plus(now, -ago.count, ago.unit)
  return isClockUnit(ago.unit)
    ? periodOf(ago.length, moment, moment + 1, RELATIVE)
    : wholeOf(ago.length, 'day', startOf('day', moment), RELATIVE)
}
