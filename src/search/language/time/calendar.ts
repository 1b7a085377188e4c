/** The calendar in UTC, as numbers of milliseconds: no zone, no summer time, weeks from Monday (ISO 8601). */

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | 'decade'

export const MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const
const MONTHS: Readonly<Partial<Record<Unit, number>>> = { month: 1, quarter: 3, year: 12, decade: 120 }
/** 1970 began on a Thursday. */
const FIRST_MONDAY = 4 * MS.day
const [FIRST_YEAR, LAST_YEAR] = [1000, 2999]

export const isYear = (year: number): boolean => Number.isInteger(year) && year >= FIRST_YEAR && year <= LAST_YEAR

/** The start of a day that exists, else null: there is no 30 February. Months count from 1. */
export function dayOf(year: number, month: number, day: number): number | null {
  if (!isYear(year)) return null
  const moment = new Date(Date.UTC(year, month - 1, day))
  return moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day ? moment.getTime() : null
}

/** The start of the second, ..., decade in which the moment lies. */
export function startOf(unit: Unit, moment: number): number {
  if (unit === 'week') return moment - modulo(moment - FIRST_MONDAY, MS.week)
  const months = MONTHS[unit]
  if (months === undefined) return moment - modulo(moment, MS[unit as keyof typeof MS])
  const date = new Date(moment)
  const count = date.getUTCFullYear() * 12 + date.getUTCMonth()
  return startOfMonth(count - modulo(count, months))
}

/** A month before or after 31 January ends on the last day of February: the day never runs over into the next month. */
export function plus(moment: number, count: number, unit: Unit): number {
  const months = MONTHS[unit]
  if (months === undefined) return moment + count * MS[unit as keyof typeof MS]
  const date = new Date(moment)
  const start = startOfMonth(date.getUTCFullYear() * 12 + date.getUTCMonth() + count * months)
  const days = new Date(start + 31 * MS.day).getUTCDate()
  // a month of 31 days leads to the 1st of the next one, a shorter one to the 2nd, 3rd or 4th
  const last = 32 - days
  return start + (Math.min(date.getUTCDate(), last) - 1) * MS.day + modulo(moment, MS.day)
}

/** A day as `2024-03-05`, a moment within it as `2024-03-05T14:30:00Z`; null for a year that nobody means. */
export function isoOf(moment: number): string | null {
  const date = new Date(moment)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return null
  const text = date.toISOString()
  return modulo(moment, MS.day) === 0 ? text.slice(0, 10) : text.replace('.000Z', 'Z')
}

/** The Monday of an ISO week, null when the year has no such week. */
export function isoWeek(year: number, week: number): number | null {
  const fourth = dayOf(year, 1, 4)
  if (fourth === null || week < 1) return null
  const monday = startOf('week', fourth) + (week - 1) * MS.week
  // a week belongs to the year of its Thursday
  return new Date(monday + 3 * MS.day).getUTCFullYear() === year ? monday : null
}

/** Monday is 0. */
export const weekdayOf = (moment: number): number => Math.floor(modulo(moment - FIRST_MONDAY, MS.week) / MS.day)

/** Months counted from the year 0. `Date.UTC` would take the years 0 to 99 as 1900 to 1999. */
function startOfMonth(count: number): number {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(count / 12), modulo(count, 12), 1)
  return date.getTime()
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by
