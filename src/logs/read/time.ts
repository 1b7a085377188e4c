/**
 * Times as logs write them, read from bytes and without the host's time zone. A time without a zone counts as UTC. Where the
 * year is missing (syslog, logcat, klog) it is the last one that does not lie behind the reference, which is when the file was
 * last written.
 */
import { WordTable, isDigitByte as digit } from './bytes.ts'

const EARLIEST = Date.UTC(1990, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)
const DAY_MS = 86_400_000

/** What the last call found; reused, as a line more must cost no object more. */
export interface FoundTime {
  /** NaN when the digits say no plausible time */
  tsMs: number
  /** behind the time; -1 when there is none */
  end: number
  yearless: boolean
}

const MONTHS = new WordTable('jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').map((word, i) => [word, i + 1] as const))
const WEEKDAYS = new WordTable('mon tue wed thu fri sat sun'.split(' ').map((word) => [word, true] as const))

const two = (b: Uint8Array, i: number): number =>
  digit(b[i]) && digit(b[i + 1]) ? ((b[i] as number) - 48) * 10 + (b[i + 1] as number) - 48 : -1

const four = (b: Uint8Array, i: number): number => {
  const high = two(b, i)
  const low = two(b, i + 2)
  return high < 0 || low < 0 ? -1 : high * 100 + low
}

/** Days since 1970-01-01 (proleptic Gregorian; Howard Hinnant, "chrono-compatible low-level date algorithms"). */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const isDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= ((MONTH_DAYS[month - 1] as number) + (month === 2 && isLeap(year) ? 1 : 0))

export const plausible = (tsMs: number): number => (tsMs >= EARLIEST && tsMs < LATEST ? tsMs : Number.NaN)

/** An epoch in s, ms, us or ns: the unit follows from the size, as seconds stay below 1e11 until the year 5138. */
export function epochMs(value: number): number {
  if (!(value > 0)) return Number.NaN
  return plausible(Math.floor(value < 1e11 ? value * 1000 : value < 1e14 ? value : value < 1e17 ? value / 1e3 : value / 1e6))
}

export class TimeReader {
  readonly found: FoundTime = { tsMs: Number.NaN, end: -1, yearless: false }
  readonly #referenceMs: number
  readonly #referenceYear: number
  #clockMs = 0
  /** most lines are of the day of the line before */
  #lastDate = -1
  #lastDayMs = 0
  #clockEnd = -1

  constructor(referenceMs: number) {
    this.#referenceMs = referenceMs
    this.#referenceYear = new Date(referenceMs).getUTCFullYear()
  }

  /** The time that starts exactly here, in `found`; true when there is one. */
  read(b: Uint8Array, i: number, end: number): boolean {
    const found = this.found
    found.end = -1
    found.tsMs = Number.NaN
    found.yearless = false
    const first = b[i] as number
    if (i + 8 > end) return false
    if (first >= 48 && first <= 57) return this.#digits(b, i, end)
    return first >= 65 && first <= 122 && this.#words(b, i, end)
  }

  #digits(b: Uint8Array, i: number, end: number): boolean {
    const separator = b[i + 4] as number
    if ((separator === 45 || separator === 47 || separator === 46) && b[i + 7] === separator) return this.#iso(b, i, end)
    let length = 0
    while (length < 20 && i + length < end && digit(b[i + length])) length += 1
    if (length === 2) return this.#short(b, i, end)
    if (length === 6) return this.#compact(b, i, end)
    if (length === 8) return this.#basic(b, i, end)
    return length >= 10 && length <= 19 && this.#epoch(b, i, i + length, end)
  }

  /** 2026-01-31T10:20:30.123Z, 2026/01/31 10:20:30,123 +0100, 2026-01-31-10.20.30.123 */
  #iso(b: Uint8Array, i: number, end: number): boolean {
    const year = four(b, i)
    const month = two(b, i + 5)
    const day = two(b, i + 8)
    if (year < 0 || month < 0 || day < 0 || i + 11 > end) return false
    const joint = b[i + 10]
    if (joint !== 84 && joint !== 116 && joint !== 32 && joint !== 95 && joint !== 45) return false
    return this.#clock(b, i + 11, end) && this.#date(year, month, day, this.#zoned(b, end))
  }

  /** 31/Jan/2026:10:20:30 +0100, 26/01/31 10:20:30, 01-31 10:20:30.123 */
  #short(b: Uint8Array, i: number, end: number): boolean {
    const separator = b[i + 2]
    if (separator !== 47 && separator !== 45 && separator !== 46) return false
    if (b[i + 6] === separator) {
      const [day, month, year] = [two(b, i), MONTHS.find(b, i + 3, i + 6) ?? -1, four(b, i + 7)]
      if (month < 0 || year < 0 || (b[i + 11] !== 58 && b[i + 11] !== 32)) return false
      return this.#clock(b, i + 12, end) && this.#date(year, month, day, this.#zoned(b, end))
    }
    const [one, next] = [two(b, i), two(b, i + 3)]
    if (next < 0) return false
    if (b[i + 5] === separator) {
      const day = two(b, i + 6)
      if (day < 0 || b[i + 8] !== 32) return false
      return this.#clock(b, i + 9, end) && this.#date(2000 + one, next, day, this.#clockEnd)
    }
    return b[i + 5] === 32 && this.#clock(b, i + 6, end) && this.#yearless(one, next)
  }

  /** 260131 102030 */
  #compact(b: Uint8Array, i: number, end: number): boolean {
    if (b[i + 6] !== 32 || i + 13 > end || (i + 13 < end && b[i + 13] !== 32)) return false
    const hour = two(b, i + 7)
    const minute = two(b, i + 9)
    const second = two(b, i + 11)
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false
    this.#clockMs = ((hour * 60 + minute) * 60 + second) * 1000
    const year = 2000 + two(b, i)
    const month = two(b, i + 2)
    const day = two(b, i + 4)
    return isDate(year, month, day) && this.#date(year, month, day, i + 13)
  }

  /** 20260131-10:20:30:123, 20260131 10:20:30, 20260131T102030Z */
  #basic(b: Uint8Array, i: number, end: number): boolean {
    const [year, month, day] = [four(b, i), two(b, i + 4), two(b, i + 6)]
    const joint = b[i + 8]
    if (joint !== 45 && joint !== 32 && joint !== 84) return false
    if (b[i + 11] !== 58) {
      const [hour, minute, second] = [two(b, i + 9), two(b, i + 11), two(b, i + 13)]
      if (joint !== 84 || hour < 0 || minute < 0 || second < 0 || i + 15 > end) return false
      this.#clockMs = ((hour * 60 + minute) * 60 + second) * 1000
      this.#clockEnd = i + 15
      return this.#date(year, month, day, this.#zoned(b, end))
    }
    return this.#clock(b, i + 9, end) && this.#date(year, month, day, this.#zoned(b, end))
  }

  /** Ten digits and more, alone between spaces: a number that merely starts the line has another length or is implausible. */
  #epoch(b: Uint8Array, i: number, digitsEnd: number, end: number): boolean {
    const length = digitsEnd - i
    if (length !== 10 && length !== 13 && length !== 16 && length !== 19) return false
    let at = digitsEnd
    if (b[at] === 46 && digit(b[at + 1])) for (at += 1; at < end && digit(b[at]); ) at += 1
    if (at < end && b[at] !== 32 && b[at] !== 9 && b[at] !== 58 && b[at] !== 93) return false
    let value = 0
    for (let k = i; k < digitsEnd; k += 1) value = value * 10 + (b[k] as number) - 48
    if (at > digitsEnd) for (let k = digitsEnd + 1, unit = 0.1; k < at && unit > 1e-7; k += 1, unit /= 10) value += ((b[k] as number) - 48) * unit
    const tsMs = epochMs(value)
    if (Number.isNaN(tsMs)) return false
    return this.#found(tsMs, at)
  }

  /** Jan 31 10:20:30, Jan 31 2026 10:20:30, Sat Jan 31 10:20:30 2026, I0131 10:20:30.123 */
  #words(b: Uint8Array, i: number, end: number): boolean {
    if (digit(b[i + 1])) return this.#klog(b, i, end)
    let at = i
    if (WEEKDAYS.find(b, at, at + 3) === true) {
      at += b[at + 3] === 44 ? 5 : 4
      if (b[at - 1] !== 32) return false
    }
    const month = MONTHS.find(b, at, at + 3)
    if (month === undefined || b[at + 3] !== 32) return false
    at += 4
    if (b[at] === 32) at += 1
    let day = 0
    while (digit(b[at]) && day < 10) day = day * 10 + (b[at++] as number) - 48
    if (day < 1 || day > 31 || b[at] !== 32) return false
    at += 1
    const early = b[at + 4] === 32 ? four(b, at) : -1
    if (early > 0) at += 5
    if (!this.#clock(b, at, end)) return false
    if (early > 0) return this.#date(early, month, day, this.#zoned(b, end))
    const behind = this.#clockEnd
    const late = b[behind] === 32 && !digit(b[behind + 5]) ? four(b, behind + 1) : -1
    if (late >= 1990 && late < 2100) return this.#date(late, month, day, behind + 5)
    return this.#yearless(month, day)
  }

  #klog(b: Uint8Array, i: number, end: number): boolean {
    const letter = b[i]
    if ((letter !== 73 && letter !== 87 && letter !== 69 && letter !== 70) || b[i + 5] !== 32) return false
    const [month, day] = [two(b, i + 1), two(b, i + 3)]
    return month > 0 && day > 0 && this.#clock(b, i + 6, end) && this.#yearless(month, day)
  }

  /** hh:mm, hh:mm:ss, hh:mm:ss.fraction; also with dots between, as in 10.20.30 */
  #clock(b: Uint8Array, i: number, end: number): boolean {
    const hour = two(b, i)
    const minute = two(b, i + 3)
    const colon = b[i + 2]
    if (hour < 0 || minute < 0 || hour > 24 || minute > 59 || (colon !== 58 && colon !== 46) || i + 5 > end) return false
    let ms = (hour * 60 + minute) * 60_000
    let at = i + 5
    if (b[at] === colon && at + 3 <= end) {
      const second = two(b, at + 1)
      if (second < 0 || second > 60) return false
      ms += second * 1000
      at += 3
      const point = b[at]
      if ((point === 46 || point === 44 || point === 58) && digit(b[at + 1]) && at + 1 < end) {
        let unit = 100
        for (at += 1; at < end && digit(b[at]); at += 1, unit /= 10) if (unit >= 1) ms += ((b[at] as number) - 48) * unit
      }
    }
    this.#clockMs = ms
    this.#clockEnd = at
    return true
  }

  /** Behind the clock: Z, UTC, +01:00, -0700; subtracts it, and says where the time ends. */
  #zoned(b: Uint8Array, end: number): number {
    const at = this.#clockEnd
    if (b[at] === 90 && at < end) return at + 1
    const spaced = b[at] === 32 ? at + 1 : at
    if (spaced + 3 <= end && b[spaced] === 85 && b[spaced + 1] === 84 && b[spaced + 2] === 67) return spaced + 3
    const sign = b[spaced]
    if ((sign !== 43 && sign !== 45) || spaced + 5 > end) return at
    const hours = two(b, spaced + 1)
    const colon = b[spaced + 3] === 58 ? 1 : 0
    const minutes = spaced + 5 + colon > end ? -1 : two(b, spaced + 3 + colon)
    if (hours < 0 || minutes < 0 || digit(b[spaced + 5 + colon])) return at
    this.#clockMs -= (sign === 45 ? -1 : 1) * (hours * 60 + minutes) * 60_000
    return spaced + 5 + colon
  }

  #date(year: number, month: number, day: number, end: number): boolean {
    const date = (year * 100 + month) * 100 + day
    if (date !== this.#lastDate) {
      if (!isDate(year, month, day)) return false
      this.#lastDate = date
      this.#lastDayMs = daysFromCivil(year, month, day) * DAY_MS
    }
    return this.#found(plausible(this.#lastDayMs + this.#clockMs), end)
  }

  #yearless(month: number, day: number): boolean {
    if (month < 1 || month > 12 || day < 1 || day > 31) return false
    for (let year = this.#referenceYear + 1; year > this.#referenceYear - 8; year -= 1) {
      const tsMs = daysFromCivil(year, month, day) * DAY_MS + this.#clockMs
      // a day of grace: the file may be stamped in another zone
      if (!isDate(year, month, day) || tsMs > this.#referenceMs + DAY_MS) continue
      this.found.yearless = true
      return this.#found(plausible(tsMs), this.#clockEnd)
    }
    return false
  }

  #found(tsMs: number, end: number): boolean {
    this.found.tsMs = tsMs
    this.found.end = end
    return true
  }
}
