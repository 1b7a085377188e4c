/**
 * The checker's own arithmetic of time: spans between moments, and durations times a number, of which the judge's SPARQL has
 * none. Other arithmetic of time goes to the judge.
 */
import { literal, XSD } from '../../term.ts'
import type { Term } from '../../term.ts'
import { firstOfMonth, monthOf, readMoment } from './moments.ts'
import type { DurationReading, MomentReading } from './moments.ts'
import { quotient, read } from './values.ts'

/** What the rule text offers beside SPARQL's functions; null for what is no pair of moments. */
export function betweenMoments(name: 'days_between' | 'seconds_between', from: Term, to: Term): Term | null {
  const [x, y] = [read(from), read(to)]
  if (!('zoned' in x) || !('zoned' in y) || x.of !== y.of || x.zoned !== y.zoned) return null
  const digits = Math.max(x.rest.length, y.rest.length)
  const unit = 10n ** BigInt(digits)
  const rest = (reading: MomentReading) => BigInt(reading.rest.padEnd(digits, '0') || '0')
  const seconds = (BigInt(y.day - x.day) * 86_400n + BigInt(y.second - x.second)) * unit + rest(y) - rest(x)
  if (name === 'seconds_between') return literal(quotient(seconds, unit, unit), `${XSD}decimal`)
  return literal(String(seconds / unit / 86_400n), `${XSD}integer`)
}

/** Years that the calendar here has been thought through for; beyond them the judge has the word. */
const MAX_YEAR = 100_000n

/** A moment moved by a duration, months first; undefined for what is no such pair. */
export function movedMoment(op: '+' | '-', left: Term, right: Term): Term | null | undefined {
  const [x, y] = [read(left), read(right)]
  if (op === '+' && x.of === 'duration' && 'zoned' in y) return movedMoment(op, right, left)
  if (!('zoned' in x) || y.of !== 'duration' || left.kind !== 'literal') return undefined
  const by = op === '+' ? y : { ...y, months: -y.months, above: -y.above }
  if (x.of === 'time' && by.months !== 0n) return null
  const text = moved(left.value, x.of, by)
  return text === undefined ? undefined : literal(text, left.datatype)
}

function moved(text: string, of: MomentReading['of'], by: DurationReading): string | undefined {
  const zone = /(?:Z|[-+]\d\d:\d\d)$/.exec(of === 'date' ? text.replace(/^-?\d+-\d\d-\d\d/, '') : text)?.[0] ?? ''
  // on the clock of its own zone
  const local = readMoment(zone === '' ? text : text.slice(0, -zone.length), of)
  if (local === undefined) return undefined
  let day = BigInt(local.day)
  if (by.months !== 0n) {
    const { month, inMonth } = monthOf(local.day)
    const start = firstOfMonth(month + by.months)
    const last = firstOfMonth(month + by.months + 1n) - start
    day = start + (inMonth <= last ? inMonth : last) - 1n
  }
  const unit = 10n ** BigInt(local.rest.length)
  const below = unit * by.below
  const clock = (day * 86_400n + BigInt(local.second)) * below + BigInt(local.rest || '0') * by.below + by.above * unit
  const seconds = clock >= 0n ? clock / below : -((below - 1n - clock) / below)
  const days = seconds >= 0n ? seconds / 86_400n : -((86_399n - seconds) / 86_400n)
  const inDay = seconds - days * 86_400n
  const rest = quotient(clock - seconds * below, below, below).slice(1)
  const time = [inDay / 3600n, (inDay / 60n) % 60n, inDay % 60n].map((part) => String(part).padStart(2, '0')).join(':') + rest
  const { month, inMonth } = monthOf(Number(days))
  const year = month >= 0n ? month / 12n : -((11n - month) / 12n)
  if (year > MAX_YEAR || year < -MAX_YEAR) return undefined
  const shown = [String(year < 0n ? -year : year).padStart(4, '0'), two(month - year * 12n + 1n), two(inMonth)].join('-')
  const date = year < 0n ? `-${shown}` : shown
  const zoned = /^[-+]00:00$/.test(zone) ? 'Z' : zone
  return (of === 'date' ? date : of === 'time' ? time : `${date}T${time}`) + zoned
}

const two = (number: bigint): string => String(number).padStart(2, '0')

const DIGITS = 10n ** 18n

/** A duration times or divided by an exact number, or by a duration of its kind; undefined for what the judge may know. */
export function scaledDuration(op: '*' | '/', left: Term, right: Term): Term | null | undefined {
  const [x, y] = [read(left), read(right)]
  if (op === '*' && x.of === 'number' && y.of === 'duration') return scaledDuration(op, right, left)
  if (x.of !== 'duration' || x.type === 'duration') return undefined
  if (y.of === 'duration' && op === '/' && y.type === x.type) {
    const [above, below] = x.type === 'yearMonthDuration' ? [x.months, y.months] : [x.above * y.below, y.above * x.below]
    return below === 0n ? null : literal(quotient((above * DIGITS) / below, DIGITS, DIGITS), `${XSD}decimal`)
  }
  if (y.of !== 'number' || y.type === 'double') return undefined
  if (op === '/' && y.above === 0n) return null
  const [by, per] = op === '*' ? [y.above, y.below] : [y.below, y.above]
  if (x.type === 'yearMonthDuration') {
    // a half goes up
    const [above, below] = per < 0n ? [-2n * x.months * by - per, -2n * per] : [2n * x.months * by + per, 2n * per]
    return literal(spelledMonths(above >= 0n ? above / below : -((below - 1n - above) / below)), `${XSD}yearMonthDuration`)
  }
  const [above, below] = op === '*' ? [x.above * by, x.below * per] : [(x.above * by * DIGITS) / (x.below * per), DIGITS]
  return literal(spelledSeconds(above, below), `${XSD}dayTimeDuration`)
}

function spelledMonths(months: bigint): string {
  if (months === 0n) return 'P0M'
  const count = months < 0n ? -months : months
  const [years, rest] = [count / 12n, count % 12n]
  return `${months < 0n ? '-' : ''}P${years === 0n ? '' : `${years}Y`}${rest === 0n ? '' : `${rest}M`}`
}

function spelledSeconds(above: bigint, below: bigint): string {
  if (above === 0n) return 'PT0S'
  const count = above < 0n ? -above : above
  const whole = count / below
  const seconds = quotient(count - (whole - (whole % 60n)) * below, below, below)
  const units = [[(whole / 3600n) % 24n, 'H'], [(whole / 60n) % 60n, 'M']].map(([n, unit]) => (n === 0n ? '' : `${n}${unit}`))
  const time = `${units.join('')}${seconds === '0' ? '' : `${seconds}S`}`
  const days = whole / 86_400n
  return `${above < 0n ? '-' : ''}P${days === 0n ? '' : `${days}D`}${time === '' ? '' : `T${time}`}`
}
