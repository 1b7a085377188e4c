/** The time of day behind a day: at 14:30, 14:30:15, 2:30 pm, 2pm, noon. */
import { MS } from './calendar.ts'
import { RIGHT_AFTER, timeOfDay } from './dates.ts'
import { periodOf } from './period.ts'
import type { Period } from './period.ts'

const CLOCK = /^(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?(am|pm)?$/

/** The day's moment when a time of day follows at that place; null otherwise. Times are in UTC. */
export function readClockTime(words: readonly string[], at: number, day: DayStart): Period | null {
  const said = words[at] === 'at' ? 1 : 0
  const clock = clockAt(words, at + said)
  if (clock === null) return null
  const zone = ['utc', 'gmt', 'z'].includes(words[at + said + clock.length] ?? '') ? 1 : 0
  const from = day.from + clock.time
  const length = day.length + said + clock.length + zone
  return periodOf(length, from, from + clock.width, { past: from + RIGHT_AFTER, relative: day.relative === true })
}

interface DayStart {
  readonly length: number
  readonly from: number
  readonly relative?: boolean
}

interface Clock {
  readonly length: number
  readonly time: number
  /** how exactly it was said */
  readonly width: number
}

function clockAt(words: readonly string[], at: number): Clock | null {
  if (words[at] === 'noon') return { length: 1, time: 12 * MS.hour, width: MS.minute }
  const [whole, hours, minutes, seconds, joined] = CLOCK.exec(words[at] ?? '') ?? []
  if (whole === undefined) return null
  const next = words[at + 1] ?? ''
  const apart = joined === undefined && ['am', 'pm'].includes(next) ? 1 : 0
  const half = apart === 1 ? next : joined
  // a lone number is an hour only with am or pm
  if (half === undefined && minutes === undefined) return null
  const hour = half === undefined ? Number(hours) : hourOfHalf(Number(hours), half)
  const time = hour === null ? null : timeOfDay(hour, Number(minutes ?? 0), Number(seconds ?? 0))
  const width = seconds !== undefined ? MS.second : minutes !== undefined ? MS.minute : MS.hour
  return time === null ? null : { length: 1 + apart, time, width }
}

/** 12 am is midnight, 12 pm is noon. */
const hourOfHalf = (hour: number, half: string): number | null =>
  hour < 1 || hour > 12 ? null : (hour % 12) + (half === 'pm' ? 12 : 0)
