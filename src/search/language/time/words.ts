/** The words of time: months, weekdays, units, numbers, ordinals. */
import type { Unit } from './calendar.ts'

const MONTHS = [
  'january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december',
]
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const MORE_NUMBERS: Readonly<Record<string, number>> = {
  a: 1, an: 1, couple: 2, fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90, hundred: 100,
}
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
const UNITS: ReadonlyMap<string, Unit> = new Map([
  ['second', 'second'], ['sec', 'second'], ['minute', 'minute'], ['min', 'minute'], ['hour', 'hour'], ['hr', 'hour'],
  ['day', 'day'], ['week', 'week'],
  ['month', 'month'], ['quarter', 'quarter'], ['year', 'year'], ['yr', 'year'], ['decade', 'decade'],
])

/** From 1; null for a word that is no month. `sept` is as usual as `sep`. */
export function monthOf(word: string): number | null {
  const short = word === 'sept' ? 'sep' : word
  const at = MONTHS.findIndex((month) => month === short || month.slice(0, 3) === short)
  return at === -1 ? null : at + 1
}

/** Monday is 0. */
export function weekdayNamed(word: string): number | null {
  const at = WEEKDAYS.indexOf(word)
  return at === -1 ? null : at
}

/** In the singular or the plural. */
export const unitOf = (word: string | undefined): Unit | null =>
  UNITS.get(word ?? '') ?? UNITS.get((word ?? '').replace(/s$/, '')) ?? null

/** A whole number in figures or words, up to what a calendar can hold. */
export function countOf(word: string | undefined): number | null {
  if (word === undefined) return null
  if (/^\d{1,5}$/.test(word)) return Number(word)
  const at = NUMBERS.indexOf(word)
  return at > 0 ? at : Object.hasOwn(MORE_NUMBERS, word) ? (MORE_NUMBERS[word] ?? null) : null
}

/** `5th` or `fifth`. */
export function ordinalOf(word: string | undefined): number | null {
  const [, figures] = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word ?? '') ?? []
  if (figures !== undefined) return Number(figures)
  const at = ORDINALS.indexOf(word ?? '')
  return at === -1 ? null : at + 1
}

/** The day of a month: `5`, `05`, `5th`, `fifth`. */
export const dayNumberOf = (word: string | undefined): number | null =>
  /^\d{1,2}$/.test(word ?? '') ? Number(word) : ordinalOf(word)

export const yearOf = (word: string | undefined): number | null =>
  /^[12]\d{3}$/.test(word ?? '') ? Number(word) : null
