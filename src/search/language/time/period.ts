/** A stretch of time that words name, before anybody says since, before or until it. */
import { plus } from './calendar.ts'
import type { Unit } from './calendar.ts'

export interface Period {
  /** how many words name it */
  readonly length: number
  readonly from: number
  /** exclusive */
  readonly to: number
  /** where "after it" begins; for a time of day that is right after the moment, not after its minute */
  readonly past: number
  /** depends on the clock */
  readonly relative: boolean
  /** a number of four figures that only its neighbours can make a year */
  readonly bare: boolean
}

/** Reads the words from a place on, or sees nothing there. */
export type ReadPeriod = (words: readonly string[], at: number, now: number) => Period | null

export const periodOf = (length: number, from: number, to: number, more: Partial<Period> = {}): Period => ({
  length, from, to, past: to, relative: false, bare: false, ...more,
})

/** One unit from its start on. */
export const wholeOf = (length: number, unit: Unit, from: number, more: Partial<Period> = {}): Period =>
  periodOf(length, from, plus(from, 1, unit), more)

export const longer = (period: Period | null, by: number): Period | null =>
  period === null ? null : { ...period, length: period.length + by }
