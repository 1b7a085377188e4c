/** Dates written as one word: 2024-03-05, 2024-03-05T14:30Z, 2024-03, 25/12/2024, 5-Mar-2024, 2024-Q3, 2010-2014. */
import { MS, dayOf, isoWeek, plus } from './calendar.ts'
import { periodOf, wholeOf } from './period.ts'
import type { Period } from './period.ts'
import { monthOf } from './words.ts'

/** `past` of a moment: the smallest step that a database keeps everywhere. */
export const RIGHT_AFTER = 1

type Parts = readonly string[]
const FORMS: readonly (readonly [RegExp, (parts: Parts) => Period | null])[] = [
  [/^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/, ([year, month, day]) => oneDay(year, month, day)],
  [/^(\d{4})-(\d{2})-(\d{2})t(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,3})?)?(z|[+-]\d{2}:?\d{2})?$/, oneMoment],
  [/^(\d{4})-(\d{2})$/, ([year, month]) => oneMonth(Number(year), Number(month))],
  [/^(\d{1,2})[-/](\d{4})$/, ([month, year]) => oneMonth(Number(year), Number(month))],
  [/^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$/, dayOrMonthFirst],
  // with dots the day is first wherever dates are written so
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, ([day, month, year]) => oneDay(year, month, day)],
  [/^(\d{1,2})[-/]([a-z]{3,9})[-/](\d{4})$/, ([day, month = '', year]) => oneDay(year, String(monthOf(month) ?? 0), day)],
  [/^([a-z]{3,9})[-/](\d{4})$/, ([month = '', year]) => oneMonth(Number(year), monthOf(month) ?? 0)],
  [/^(\d{4})-?q([1-4])$/, ([year, quarter]) => oneQuarter(Number(year), Number(quarter))],
  [/^q([1-4])[-/](\d{4})$/, ([quarter, year]) => oneQuarter(Number(year), Number(quarter))],
  [/^(\d{4})-?w(\d{1,2})$/, ([year, week]) => oneWeek(Number(year), Number(week))],
  [/^([12]\d{3})[-/]([12]\d{3})$/, ([first, last]) => someYears(Number(first), Number(last))],
]

/** Null for anything else, for days that do not exist, and for 03/05/2024, which is March or May. */
export function readDate(word: string): Period | null {
  for (const [form, read] of FORMS) {
    const match = form.exec(word)
    if (match !== null) return read(match.slice(1))
  }
  return null
}

function oneDay(year?: string, month?: string, day?: string): Period | null {
  const from = dayOf(Number(year), Number(month), Number(day))
  return from === null ? null : wholeOf(1, 'day', from)
}

/** Two numbers up to 12 that differ could be either: nobody can tell, so nobody should. */
function dayOrMonthFirst([first, second, year]: Parts): Period | null {
  const [one, two] = [Number(first), Number(second)]
  if (one <= 12 && two <= 12 && one !== two) return null
  return one > 12 ? oneDay(year, second, first) : oneDay(year, first, second)
}

function oneMoment([year, month, day, hours, minutes, seconds, fraction, zone]: Parts): Period | null {
  const start = dayOf(Number(year), Number(month), Number(day))
  if (start === null) return null
  const time = timeOfDay(Number(hours), Number(minutes), Number(seconds ?? 0))
  if (time === null) return null
  const from = start + time + Number(fraction ?? 0) * MS.second - offsetOf(zone)
  const width = fraction !== undefined ? 1 : seconds !== undefined ? MS.second : MS.minute
  return periodOf(1, from, from + width, { past: from + RIGHT_AFTER })
}

/** `+02:00` is ahead of UTC. */
function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone === 'z') return 0
  const figures = zone.slice(1).replace(':', '')
  return (zone.startsWith('-') ? -1 : 1) * (Number(figures.slice(0, 2)) * MS.hour + Number(figures.slice(2)) * MS.minute)
}

/** Milliseconds since midnight, null for 25 o'clock. */
export const timeOfDay = (hours: number, minutes: number, seconds: number): number | null =>
  hours < 24 && minutes < 60 && seconds < 60 ? hours * MS.hour + minutes * MS.minute + seconds * MS.second : null

function oneMonth(year: number, month: number): Period | null {
  const from = dayOf(year, month, 1)
  return from === null ? null : wholeOf(1, 'month', from)
}

function oneQuarter(year: number, quarter: number): Period | null {
  const from = dayOf(year, quarter * 3 - 2, 1)
  return from === null ? null : wholeOf(1, 'quarter', from)
}

function oneWeek(year: number, week: number): Period | null {
  const from = isoWeek(year, week)
  return from === null ? null : wholeOf(1, 'week', from)
}

function someYears(first: number, last: number): Period | null {
  const [from, end] = [dayOf(first, 1, 1), dayOf(last, 1, 1)]
  return from === null || end === null || end <= from ? null : periodOf(1, from, plus(end, 1, 'year'), { bare: true })
}
