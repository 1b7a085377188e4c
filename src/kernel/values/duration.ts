/** Durations: months and seconds apart, as a month has no fixed number of days. */
import { addMonths, compareMoments, movedTo, parseMoment } from './calendar.ts'
import type { Moment } from './calendar.ts'
import { add, compareDecimals, floor, negate, parseDecimal, printDecimal, shortest, subtract, whole } from './decimal.ts'
import type { Decimal } from './decimal.ts'

export type DurationKind = 'duration' | 'yearMonthDuration' | 'dayTimeDuration'

export interface Duration {
  readonly kind: DurationKind
  readonly months: bigint
  readonly seconds: Decimal
}

const LEXICAL = /^(-?)P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/

/** Nobody counts longer than this, and arithmetic on it would not end in a date. */
const LONGEST_TEXT = 200

export function parseDuration(text: string, kind: DurationKind): Duration | undefined {
  const found = text.length > LONGEST_TEXT ? null : LEXICAL.exec(text)
  if (!found) return undefined
  const [, sign, years, months, days, hours, minutes, seconds, fraction] = found
  if (kind === 'yearMonthDuration' && (days ?? hours ?? minutes ?? seconds) !== undefined) return undefined
  if (kind === 'yearMonthDuration' && text.includes('T')) return undefined
  if (kind === 'dayTimeDuration' && (years ?? months) !== undefined) return undefined
  const count = (digits: string | undefined): bigint => BigInt(digits ?? 0)
  const wholeSeconds = ((count(days) * 24n + count(hours)) * 60n + count(minutes)) * 60n + count(seconds)
  const time = parseDecimal(`${wholeSeconds}.${fraction ?? ''}`)
  if (time === undefined) return undefined
  const duration = { kind, months: count(years) * 12n + count(months), seconds: shortest(time) }
  return sign === '-' ? negated(duration) : duration
}

export const negated = (duration: Duration): Duration => ({
  ...duration,
  months: -duration.months,
  seconds: negate(duration.seconds),
})

/** undefined where months and seconds point in different directions: that has no spelling. */
export function duration(kind: DurationKind, months: bigint, seconds: Decimal): Duration | undefined {
  if ((months < 0n && seconds.digits > 0n) || (months > 0n && seconds.digits < 0n)) return undefined
  return { kind, months, seconds: shortest(seconds) }
}

export function printDuration({ kind, months, seconds }: Duration): string {
  if (months === 0n && seconds.digits === 0n) return kind === 'yearMonthDuration' ? 'P0M' : 'PT0S'
  const negative = months < 0n || seconds.digits < 0n
  const [count, time] = negative ? [-months, negate(seconds)] : [months, seconds]
  const inSeconds = floor(time)
  const rest = printDecimal(subtract(time, whole(inSeconds - (inSeconds % 60n))))
  const units = [
    ...parts([count / 12n, 'Y'], [count % 12n, 'M'], [inSeconds / 86_400n, 'D']),
    ...(inSeconds % 86_400n !== 0n || rest !== '0' ? ['T'] : []),
    ...parts([(inSeconds / 3600n) % 24n, 'H'], [(inSeconds / 60n) % 60n, 'M']),
    ...(rest === '0' ? [] : [`${rest}S`]),
  ]
  return `${negative ? '-' : ''}P${units.join('')}`
}

const parts = (...counts: readonly (readonly [bigint, string])[]): string[] =>
  counts.filter(([count]) => count !== 0n).map(([count, unit]) => `${count}${unit}`)

/** Four days from which a month lasts 31, 28, 31 and 31 days, then 30, 31, 30, 31: an order must hold from each of them. */
const STARTS = ['1696-09-01T00:00:00Z', '1697-02-01T00:00:00Z', '1903-03-01T00:00:00Z', '1903-07-01T00:00:00Z'].flatMap(
  (text) => parseMoment(text, 'dateTime') ?? [],
)

/** undefined for durations of which now one is longer, now the other, as a month and thirty days. */
export function compareDurations(left: Duration, right: Duration): number | undefined {
  if (left.months === right.months) return compareDecimals(left.seconds, right.seconds)
  const bySeconds = compareDecimals(left.seconds, right.seconds)
  if (bySeconds === 0 || bySeconds < 0 === left.months < right.months) return left.months < right.months ? -1 : 1
  const orders = new Set(STARTS.map((start) => compareAfter(start, left, right)))
  return orders.size === 1 ? [...orders][0] : undefined
}

function compareAfter(start: Moment, left: Duration, right: Duration): number | undefined {
  const [x, y] = [after(start, left), after(start, right)]
  return x && y && compareMoments(x, y)
}

export const isEqual = (left: Duration, right: Duration): boolean =>
  left.months === right.months && compareDecimals(left.seconds, right.seconds) === 0

/** Months first, then seconds. undefined beyond the years that can be written. */
export function after(moment: Moment, { months, seconds }: Duration): Moment | undefined {
  const moved = months === 0n ? moment : addMonths(moment, Number(months))
  if (moved === undefined) return undefined
  const clock = add(clockOf(moved), seconds)
  const inSeconds = floor(clock)
  const rest = printDecimal(subtract(clock, whole(inSeconds)))
  return movedTo(moved, Number(inSeconds), rest.slice(2))
}

/** Seconds on the local clock, with their fraction. */
export const clockOf = ({ seconds, fraction }: Moment): Decimal => {
  const unit = 10n ** BigInt(fraction.length)
  return { digits: BigInt(seconds) * unit + BigInt(fraction === '' ? 0 : fraction), scale: fraction.length }
}
