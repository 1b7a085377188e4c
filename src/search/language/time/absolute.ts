/** Periods that name their year: 2014, the 1990s, Q3 2024, March 2024, 5 March 2024, 2024-03-05 14:30. */
import { MS, dayOf, isYear, isoWeek, plus, weekdayOf } from './calendar.ts'
import { readDate } from './dates.ts'
import { longer, periodOf, wholeOf } from './period.ts'
import type { Period, ReadPeriod } from './period.ts'
import { readClockTime } from './time-of-day.ts'
import { dayNumberOf, monthOf, ordinalOf, weekdayNamed, yearOf } from './words.ts'

const QUARTER = /^q([1-4])$/
const HALF = /^h([12])$/
/** "customers who in 2014 may ..." */
const VERBS_TOO = ['may', 'march']
const DECADE = /^(?:([12]\d)(\d)0|([0-9])0)'?s$/

/** The longest reading wins: `March 5 2024` is a day, not a month. */
export const readAbsolute: ReadPeriod = (words, at) => {
  const article = words[at] === 'the' ? 1 : 0
  const found = READERS.flatMap((read) => {
    const period = longer(read(words, at + article, 0), article)
    return period === null ? [] : [period]
  })
  return found.reduce<Period | null>((best, each) => (best === null || each.length > best.length ? each : best), null)
}

const readYear: ReadPeriod = (words, at) => {
  const named = words[at] === 'year' ? 1 : 0
  const year = yearOf(words[at + named])
  const from = year === null ? null : dayOf(year, 1, 1)
  return from === null ? null : wholeOf(1 + named, 'year', from, { bare: named === 0 })
}

/** Two figures mean the last such decade that is a name: the 90s, the 20s of this century. */
const readDecade: ReadPeriod = (words, at) => {
  // the tokens of "the 1990's" have the s apart
  const apart = words[at + 1] === 's' ? 1 : 0
  const [, century, tens, short] = DECADE.exec(`${words[at]}${apart === 1 ? 's' : ''}`) ?? []
  const year = century !== undefined ? Number(`${century}${tens}0`) : Number(short) * 10 + (Number(short) > 2 ? 1900 : 2000)
  const from = dayOf(year, 1, 1)
  return from === null ? null : wholeOf(1 + apart, 'decade', from)
}

/** The 19th century ends with the year 1900. */
const readCentury: ReadPeriod = (words, at) => {
  const count = ordinalOf(words[at])
  if (count === null || words[at + 1] !== 'century') return null
  const from = dayOf((count - 1) * 100 + 1, 1, 1)
  return from === null ? null : periodOf(2, from, plus(from, 100, 'year'))
}

/** `Q3 2024`, `2024 Q3`, `third quarter of 2024`; halves too. */
const readPart: ReadPeriod = (words, at) => {
  const first = partAt(words, at)
  if (first !== null) {
    const of = words[at + first.length] === 'of' ? 1 : 0
    const the = of === 1 && words[at + first.length + 1] === 'year' ? 1 : 0
    const year = yearOf(words[at + first.length + of + the])
    return year === null ? null : partOf(year, first, first.length + of + the + 1)
  }
  const [year, part] = [yearOf(words[at]), partAt(words, at + 1)]
  return year === null || part === null ? null : partOf(year, part, 1 + part.length)
}

interface Part {
  readonly length: number
  readonly which: number
  readonly months: 3 | 6
}

function partAt(words: readonly string[], at: number): Part | null {
  const [word = '', next = ''] = [words[at], words[at + 1]]
  const [quarter, half] = [QUARTER.exec(word)?.[1], HALF.exec(word)?.[1]]
  if (quarter !== undefined) return { length: 1, which: Number(quarter), months: 3 }
  if (half !== undefined) return { length: 1, which: Number(half), months: 6 }
  const which = word === 'last' ? 'last' : ordinalOf(word)
  const months = next === 'quarter' ? 3 : next === 'half' ? 6 : null
  if (which === null || months === null) return null
  const count = which === 'last' ? 12 / months : which
  return count > 12 / months ? null : { length: 2, which: count, months }
}

function partOf(year: number, { which, months }: Part, length: number): Period | null {
  const from = dayOf(year, (which - 1) * months + 1, 1)
  return from === null ? null : periodOf(length, from, plus(from, months, 'month'))
}

/** `March 2024`, `Mar of 2024`, `month of March 2024`, `2024 March`. */
const readMonth: ReadPeriod = (words, at) => {
  if (words[at] === 'month' && words[at + 1] === 'of') return longer(readMonth(words, at + 2, 0), 2)
  const next = words[at + 1] ?? ''
  const [first, second] = [monthOf(words[at] ?? ''), VERBS_TOO.includes(next) ? null : monthOf(next)]
  const of = first !== null && words[at + 1] === 'of' ? 1 : 0
  const year = first === null ? yearOf(words[at]) : yearOf(words[at + 1 + of])
  const month = first ?? second
  const from = year === null || month === null ? null : dayOf(year, month, 1)
  return from === null ? null : wholeOf(2 + of, 'month', from)
}

/** `week 12 of 2024`. */
const readWeek: ReadPeriod = (words, at) => {
  const calendar = words[at] === 'calendar' ? 1 : 0
  const [number = '', of] = [words[at + calendar + 1], words[at + calendar + 2] === 'of' ? 1 : 0]
  if (words[at + calendar] !== 'week' || !/^\d{1,2}$/.test(number)) return null
  const year = yearOf(words[at + calendar + 2 + of])
  const monday = year === null ? null : isoWeek(year, Number(number))
  return monday === null ? null : wholeOf(calendar + 3 + of, 'week', monday)
}

/** A day, with its weekday in front and a time of day behind it. */
const readDay: ReadPeriod = (words, at) => {
  const weekday = weekdayNamed(words[at] ?? '')
  if (weekday !== null) {
    const article = words[at + 1] === 'the' ? 1 : 0
    const day = readDay(words, at + 1 + article, 0)
    return day !== null && weekdayOf(day.from) === weekday ? longer(day, 1 + article) : null
  }
  const day = dayInWords(words, at)
  return day === null ? null : (readClockTime(words, at + day.length, day) ?? wholeOf(day.length, 'day', day.from))
}

/** `5 March 2024`, `5th of March 2024`, `March 5th 2024`, `2024 March 5`. */
function dayInWords(words: readonly string[], at: number): { readonly length: number; readonly from: number } | null {
  const of = words[at + 1] === 'of' ? 1 : 0
  const orders: readonly (readonly [number | null, number | null, number | null, number])[] = [
    [yearOf(words[at + 2 + of]), monthOf(words[at + 1 + of] ?? ''), dayNumberOf(words[at]), 3 + of],
    [yearOf(words[at + 2]), monthOf(words[at] ?? ''), dayNumberOf(words[at + 1]), 3],
    [yearOf(words[at]), monthOf(words[at + 1] ?? ''), dayNumberOf(words[at + 2]), 3],
  ]
  for (const [year, month, day, length] of orders) {
    const from = year === null || month === null || day === null ? null : dayOf(year, month, day)
    if (from !== null) return { length, from }
  }
  return null
}

/** A date in one word, which may go on with a time of day. */
const readWritten: ReadPeriod = (words, at) => {
  const period = readDate(words[at] ?? '')
  if (period === null || period.to - period.from !== MS.day || !isYear(new Date(period.from).getUTCFullYear())) return period
  return readClockTime(words, at + 1, period) ?? period
}

const READERS: readonly ReadPeriod[] = [readWritten, readDay, readMonth, readPart, readWeek, readCentury, readDecade, readYear]
