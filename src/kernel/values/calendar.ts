/** Dates, times and both together: seconds on the clock of the place they were written at, and how far that is from UTC. */
export type MomentKind = 'date' | 'dateTime' | 'time'

export interface Moment {
  readonly kind: MomentKind
  /** whole seconds since 1970-01-01T00:00:00 by the local clock; since midnight for a time */
  readonly seconds: number
  /** digits of the fraction of a second, without trailing zeros */
  readonly fraction: string
  /** minutes ahead of UTC; undefined where no zone was written */
  readonly offset: number | undefined
}

/** Years of at most 8 digits: their seconds are exact in a double. */
const DATE = /^(-?)(\d{4,8})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?$/
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/
const DAY = 86_400
const LIMIT = 10 ** 8

/** undefined for a text that is no such moment: a 30th of February, a 25th hour, a zone beyond 14 hours, a year 02024. */
export function parseMoment(text: string, kind: MomentKind): Moment | undefined {
  if (kind === 'time') {
    const [matched, hour, minute, second, fraction, zone] = TIME.exec(text) ?? []
    const time = matched === undefined ? undefined : inDay(hour, minute, second, fraction)
    return time && at(kind, time.seconds % DAY, time.fraction, zone)
  }
  const [matched, sign, years = '', month, day, hour, minute, second, fraction, zone] = DATE.exec(text) ?? []
  if (matched === undefined || (hour === undefined) !== (kind === 'date')) return undefined
  if (years.length > 4 && years.startsWith('0')) return undefined
  const date = { year: Number(sign + years), month: Number(month), day: Number(day) }
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > daysIn(date.year, date.month)) return undefined
  const time = hour === undefined ? { seconds: 0, fraction: '' } : inDay(hour, minute, second, fraction)
  return time && at(kind, daysSinceEpoch(date) * DAY + time.seconds, time.fraction, zone)
}

function at(kind: MomentKind, seconds: number, fraction: string, zone: string | undefined): Moment | undefined {
  if (zone === undefined) return { kind, seconds, fraction, offset: undefined }
  if (zone === 'Z') return { kind, seconds, fraction, offset: 0 }
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  if (Number(zone.slice(4, 6)) > 59 || minutes > 14 * 60) return undefined
  return { kind, seconds, fraction, offset: zone.startsWith('-') ? 0 - minutes : minutes }
}

function inDay(...[hours, minutes, seconds, digits = '']: readonly (string | undefined)[]) {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  const fraction = digits.replace(/0+$/, '')
  const midnightOfNextDay = hour === 24 && minute === 0 && second === 0 && fraction === ''
  if ((hour > 23 && !midnightOfNextDay) || minute > 59 || second > 59) return undefined
  return { seconds: (hour * 60 + minute) * 60 + second, fraction }
}

/** The same clock, other digits: undefined beyond the years that can be counted exactly. */
export function movedTo(moment: Moment, seconds: number, fraction: string): Moment | undefined {
  const year = dateOf(seconds).year
  return Math.abs(year) < LIMIT ? { ...moment, seconds, fraction } : undefined
}

export interface Fields {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** As read off the local clock. */
export function fieldsOf({ seconds }: Pick<Moment, 'seconds'>): Fields {
  const inDay = seconds - Math.floor(seconds / DAY) * DAY
  return { ...dateOf(seconds), hour: Math.floor(inDay / 3600), minute: Math.floor(inDay / 60) % 60, second: inDay % 60 }
}

export function printMoment(moment: Moment): string {
  const { year, month, day, hour, minute, second } = fieldsOf(moment)
  const date = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(day)}`
  const time = `${two(hour)}:${two(minute)}:${two(second)}${moment.fraction === '' ? '' : `.${moment.fraction}`}`
  const text = moment.kind === 'date' ? date : moment.kind === 'time' ? time : `${date}T${time}`
  return text + printZone(moment.offset)
}

export function printZone(offset: number | undefined): string {
  if (offset === undefined) return ''
  if (offset === 0) return 'Z'
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Calendar months later, on the same day or the last one of a shorter month. */
export function addMonths(moment: Moment, months: number): Moment | undefined {
  const { year, month, day } = fieldsOf(moment)
  const count = year * 12 + (month - 1) + months
  const target = { year: Math.floor(count / 12), month: count - Math.floor(count / 12) * 12 + 1 }
  if (!(Math.abs(target.year) < LIMIT)) return undefined
  const inDay = moment.seconds - Math.floor(moment.seconds / DAY) * DAY
  const days = daysSinceEpoch({ ...target, day: Math.min(day, daysIn(target.year, target.month)) })
  return { ...moment, seconds: days * DAY + inDay }
}

/** At the start of its day. */
export const midnightOf = (moment: Moment): Moment => ({
  ...moment,
  seconds: Math.floor(moment.seconds / DAY) * DAY,
  fraction: '',
})

/** How far apart two moments may be and still be simultaneous, where the zone of one is not known. */
const WIDEST_OFFSET = 14 * 3600

/** Which of two moments of one kind is earlier; undefined where that hangs on a zone that nobody wrote down. */
export function compareMoments(left: Moment, right: Moment): number | undefined {
  const apart = left.seconds - (left.offset ?? 0) * 60 - (right.seconds - (right.offset ?? 0) * 60)
  const exact = apart || (left.fraction < right.fraction ? -1 : left.fraction > right.fraction ? 1 : 0)
  if ((left.offset === undefined) === (right.offset === undefined)) return Math.sign(exact)
  // the fraction decides at the edge of the 14 hours
  const atEdge = Math.abs(apart) === WIDEST_OFFSET && isBeyond(apart, left.fraction, right.fraction)
  const beyond = Math.abs(apart) > WIDEST_OFFSET || atEdge
  return beyond ? Math.sign(apart) : undefined
}

const isBeyond = (apart: number, left: string, right: string): boolean => (apart > 0 ? left > right : left < right)

const two = (number: number): string => String(number).padStart(2, '0')
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Counts in years that start in March, so that a leap day is the last of its year. `Date` would lose years beyond 275760. */
function daysSinceEpoch({ year, month, day }: { year: number; month: number; day: number }): number {
  const marchYear = month <= 2 ? year - 1 : year
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const days = marchYear * 365 + Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return days + dayOfYear - 719468
}

function dateOf(seconds: number): { year: number; month: number; day: number } {
  const days = Math.floor(seconds / DAY) + 719468
  const cycle = Math.floor(days / 146_097)
  const inCycle = days - cycle * 146_097
  const marchYear = Math.floor(
    (inCycle - Math.floor(inCycle / 1460) + Math.floor(inCycle / 36_524) - Math.floor(inCycle / 146_096)) / 365,
  )
  const inYear = inCycle - (marchYear * 365 + Math.floor(marchYear / 4) - Math.floor(marchYear / 100))
  const sinceMarch = Math.floor((5 * inYear + 2) / 153)
  const month = sinceMarch < 10 ? sinceMarch + 3 : sinceMarch - 9
  const day = inYear - Math.floor((153 * sinceMarch + 2) / 5) + 1
  return { year: cycle * 400 + marchYear + (month <= 2 ? 1 : 0), month, day }
}
