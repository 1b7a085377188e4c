/** The checker's own reading of time: moments, durations, and which of two durations is longer. */

export type MomentType = 'date' | 'dateTime' | 'time'
export type DurationType = 'duration' | 'dayTimeDuration' | 'yearMonthDuration'

/** `rest` is the fraction of the second, without zeros at its end */
export interface MomentReading {
  readonly of: MomentType
  readonly zoned: boolean
  readonly day: number
  readonly second: number
  readonly rest: string
}

/** Seconds as `above` / `below`. */
export interface DurationReading {
  readonly of: 'duration'
  readonly type: DurationType
  readonly months: bigint
  readonly above: bigint
  readonly below: bigint
}

export function readMoment(text: string, of: MomentType): MomentReading | undefined {
  const pattern = /^(?:(-?(?:[1-9]\d{4,}|\d{4})-\d\d-\d\d))?(T?)(\d\d:\d\d:\d\d(?:\.\d+)?)?(Z|[-+]\d\d:\d\d)?$/
  const [matched, date, mark, time, zone] = pattern.exec(text) ?? []
  const hasParts = (date !== undefined) === (of !== 'time') && (time !== undefined) === (of !== 'date')
  if (matched === undefined || !hasParts || (mark === 'T') !== (of === 'dateTime')) return undefined
  const day = date === undefined ? 0 : dayNumber(date)
  const [hours = 0, minutes = 0, seconds = 0] = (time ?? '00:00:00').split(':').map((part) => Math.trunc(Number(part)))
  const rest = (time?.split('.')[1] ?? '').replace(/0+$/, '')
  const inDay = hours * 3600 + minutes * 60 + seconds
  if (day === undefined || minutes > 59 || seconds > 59 || inDay > 86400 || (inDay === 86400 && rest !== '')) return undefined
  const [ahead = 0, aheadMinutes = 0] = zone === undefined || zone === 'Z' ? [0, 0] : zone.slice(1).split(':').map(Number)
  if (aheadMinutes > 59 || ahead * 60 + aheadMinutes > 840) return undefined
  const shift = (ahead * 3600 + aheadMinutes * 60) * (zone?.startsWith('-') ? -1 : 1)
  // midnight at the end of a day without a date is midnight
  const second = (of === 'time' ? inDay % 86400 : inDay) - shift
  const carry = Math.floor(second / 86400)
  return { of, zoned: zone !== undefined, day: day + carry, second: second - carry * 86400, rest }
}

/** The calendar repeats every 400 years, so `Date` needs to know only years from 2000 to 2399, which stand for 0 to 399. */
function dayNumber(date: string): number | undefined {
  const [, year = '', month = '', day = ''] = /^(-?\d+)-(\d\d)-(\d\d)$/.exec(date) ?? []
  const cycles = Math.floor(Number(year) / 400)
  const inCycle = `${2000 + Number(year) - cycles * 400}-${month}-${day}`
  const time = Date.parse(`${inCycle}T00:00:00Z`)
  // Date takes the 31st of a short month for the 1st of the next
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(inCycle)) return undefined
  return time / 86_400_000 + cycles * 146_097
}

export function readDuration(text: string, type: DurationType): DurationReading | undefined {
  const isLong = text.length > 200
  const [matched, sign, date = '', time] = /^(-?)P((?:\d+[YMD])*)(?:T((?:\d+(?:\.\d+)?[HMS])+))?$/.exec(isLong ? '' : text) ?? []
  if (matched === undefined || (date === '' && time === undefined)) return undefined
  const partsOf = (text: string, of: string) =>
    [...text.matchAll(/([\d.]+)([A-Z])/g)].map(([, count = '', unit = '']) => ({ count, unit: `${of} ${unit}` }))
  const parts = [...partsOf(date, 'date'), ...partsOf(time ?? '', 'time')]
  const order = ['date Y', 'date M', 'date D', 'time H', 'time M', 'time S']
  const places = parts.map(({ unit }) => order.indexOf(unit))
  const isInOrder = places.every((place, i) => i === 0 || place > (places[i - 1] ?? -1))
  const isWhole = parts.every(({ count, unit }) => unit === 'time S' || !count.includes('.'))
  const isOfType = places.every((place) => type === 'duration' || place < 2 === (type === 'yearMonthDuration'))
  if (!isInOrder || !isWhole || !isOfType || (type === 'yearMonthDuration' && time !== undefined)) return undefined
  const count = (unit: string) => parts.find((part) => part.unit === unit)?.count ?? '0'
  const [whole = '0', behind = ''] = count('time S').split('.')
  const below = 10n ** BigInt(behind.length)
  const minutes = (BigInt(count('date D')) * 24n + BigInt(count('time H'))) * 60n + BigInt(count('time M'))
  const above = (minutes * 60n + BigInt(whole)) * below + BigInt(behind === '' ? 0 : behind)
  const months = BigInt(count('date Y')) * 12n + BigInt(count('date M'))
  return { of: 'duration', type, months: sign === '-' ? -months : months, above: sign === '-' ? -above : above, below }
}

/** Months since the year 0 of the days from which durations are compared: the months behind them are long and short in turn. */
const STARTS = [1696 * 12 + 8, 1697 * 12 + 1, 1903 * 12 + 2, 1903 * 12 + 6]

/** Negative, zero or positive; undefined where it depends on the day from which one counts. */
export function compareDurations(x: DurationReading, y: DurationReading): number | undefined {
  const seconds = x.above * y.below - y.above * x.below
  if (x.months === y.months) return signOf(seconds)
  const signs = new Set(
    STARTS.map((start) => {
      const days = firstOfMonth(BigInt(start) + x.months) - firstOfMonth(BigInt(start) + y.months)
      return signOf(days * 86_400n * x.below * y.below + seconds)
    }),
  )
  return signs.size === 1 ? [...signs][0] : undefined
}

const signOf = (number: bigint): number => (number < 0n ? -1 : number > 0n ? 1 : 0)

/** The number of the day on which a month begins; months are counted from the year 0. */
export function firstOfMonth(month: bigint): bigint {
  const cycles = month >= 0n ? month / 4800n : -((4799n - month) / 4800n)
  const inCycle = Number(month - cycles * 4800n)
  const date = `${String(Math.floor(inCycle / 12)).padStart(4, '0')}-${String((inCycle % 12) + 1).padStart(2, '0')}-01`
  return BigInt(dayNumber(date) ?? 0) + cycles * 146_097n
}

/** The month that a day lies in, and its place there: the way back from `firstOfMonth`. */
export function monthOf(day: number): { readonly month: bigint; readonly inMonth: bigint } {
  const cycles = Math.floor((day - Number(firstOfMonth(0n))) / 146_097)
  const date = new Date((day - cycles * 146_097) * 86_400_000)
  const month = BigInt(date.getUTCFullYear() - 2000 + cycles * 400) * 12n + BigInt(date.getUTCMonth())
  return { month, inMonth: BigInt(date.getUTCDate()) }
}
