/**
 * When a question speaks of: years, quarters, months, days, times of day, windows before now, and since, before, until, between
 * them. An own grammar over the words: pure, in UTC, against a clock that is handed in.
 */
import { readAbsolute } from './time/absolute.ts'
import { MS, isoOf, startOf } from './time/calendar.ts'
import { longer } from './time/period.ts'
import type { Period, ReadPeriod } from './time/period.ts'
import { readMomentAgo, readRelative } from './time/relative.ts'
import { dayNumberOf, monthOf } from './time/words.ts'

export interface TimeToken {
  readonly lower: string
  readonly text: string
  /** a quoted text is a value, not a time */
  readonly quoted?: boolean
}

export interface TimeRange {
  /** inclusive; an ISO date, or a date and time in UTC */
  readonly from: string | null
  /** exclusive */
  readonly to: string | null
}

export interface TimeFound {
  /** how many tokens it takes */
  readonly length: number
  readonly range: TimeRange
  readonly text: string
  /** it depends on the clock */
  readonly relative: boolean
  /** nothing but a number of four figures says that a year is meant: the caller has to decide */
  readonly bare: boolean
}

/** Beside one of these a number of four figures is a year. */
const YEAR_WORDS = [
  'in', 'since', 'before', 'after', 'until', 'till', 'during', 'throughout',
  'year', 'prior', 'earlier', 'later', 'onward', 'onwards',
]
/** Words before a period that ask for it as a whole: films from 2014 are of that year. */
const WHOLE = ['in', 'on', 'at', 'during', 'throughout', 'within', 'over', 'of', 'for', 'from']
/** Before a bare number these speak of an amount. */
const AMOUNT = ['at', 'within', 'over']
/** A number of four figures outside is more often an amount, whatever stands before it. */
const USUAL_YEARS = [Date.UTC(1800, 0), Date.UTC(2101, 0)] as const

/** No phrase of time has more words. */
const LONGEST = 32

interface Bounds {
  readonly length: number
  readonly from: number | null
  readonly to: number | null
  readonly relative: boolean
  readonly bare: boolean
}

type Side = (period: Period) => Pick<Bounds, 'from' | 'to'>
const fromStart: Side = ({ from }) => ({ from, to: null })
const fromPast: Side = ({ past }) => ({ from: past, to: null })
const toStart: Side = ({ from }) => ({ from: null, to: from })
const toPast: Side = ({ past }) => ({ from: null, to: past })

/** The longer ones first. */
const PREFIXES: readonly (readonly [string, Side])[] = [
  ['on or after', fromStart], ['in or after', fromStart], ['no earlier than', fromStart], ['not earlier than', fromStart],
  ['not before', fromStart], ['starting from', fromStart], ['starting in', fromStart], ['starting on', fromStart],
  ['beginning in', fromStart], ['ever since', fromStart], ['since', fromStart], ['starting', fromStart],
  ['later than', fromPast], ['more recent than', fromPast], ['more recently than', fromPast], ['after', fromPast],
  ['on or before', toPast], ['in or before', toPast], ['no later than', toPast], ['not later than', toPast],
  ['not after', toPast], ['up until', toPast], ['up to', toPast], ['until', toPast], ['till', toPast], ['through', toPast],
  ['by', toPast],
  ['earlier than', toStart], ['prior to', toStart], ['before', toStart],
]
const SUFFIXES: readonly (readonly [string, Side])[] = [
  ['or later', fromStart], ['and later', fromStart], ['or after', fromStart], ['and after', fromStart], ['onwards', fromStart],
  ['onward', fromStart], ['and onwards', fromStart], ['on', fromStart], ['or earlier', toPast], ['and earlier', toPast],
  ['or before', toPast], ['and before', toPast],
]

/** What the tokens from `at` on say about time, the longest reading; null when they say nothing that is clear. */
export function readTime(tokens: readonly TimeToken[], at: number, now: Date): TimeFound | null {
  const words = tokens.slice(at, at + LONGEST).map(wordOf)
  const clock = now.getTime()
  if (words.length === 0 || Number.isNaN(clock)) return null
  const found = readBounds(words, clock)
  if (found === null) return null
  const range = { from: found.from === null ? null : isoOf(found.from), to: found.to === null ? null : isoOf(found.to) }
  const lost = (found.from !== null && range.from === null) || (found.to !== null && range.to === null)
  if (lost || (found.from !== null && found.to !== null && found.from >= found.to)) return null
  const text = tokens.slice(at, at + found.length).map((token) => token.text).join(' ')
  const said = tokens.slice(Math.max(at - 1, 0), at + found.length).map(wordOf)
  return { length: found.length, range, text, relative: found.relative, bare: found.bare && !isSaidOfYears(said, found) }
}

const readBounds = (words: readonly string[], now: number): Bounds | null =>
  readBetween(words, 0, now) ?? readAgoCompared(words, 0, now) ?? readBounded(words, 0, now) ?? readWhole(words, 0, now)

const wordOf = ({ lower, quoted }: TimeToken): string => (quoted === true ? '"' : lower.replaceAll('’', "'"))

function isSaidOfYears(words: readonly string[], { from, to }: Bounds): boolean {
  const usual = [from, to].every((bound) => bound === null || (bound >= USUAL_YEARS[0] && bound <= USUAL_YEARS[1]))
  return usual && words.some((word) => YEAR_WORDS.includes(word))
}

const readPeriod: ReadPeriod = (words, at, now) => {
  const [absolute, relative] = [readAbsolute(words, at, now), readRelative(words, at, now)]
  return absolute === null || (relative !== null && relative.length > absolute.length) ? relative : absolute
}

/** `between X and Y`, `from X to Y`, `X to Y`: both ends belong to it. */
function readBetween(words: readonly string[], at: number, now: number): Bounds | null {
  const opening = words[at] === 'between' || words[at] === 'from' ? 1 : 0
  const joints = words[at] === 'between' ? ['and'] : ['to', 'until', 'till', 'through', 'up to']
  const pair = readPair(words, at + opening, joints, now)
  if (pair === null) return null
  const { length, first, last } = pair
  // between is the same both ways; from 2015 to 2014 is a slip
  const [early, late] = words[at] === 'between' && first.from > last.from ? [last, first] : [first, last]
  const bare = early.bare && late.bare
  return { length: opening + length, from: early.from, to: late.past, relative: early.relative || late.relative, bare }
}

interface Pair {
  readonly length: number
  readonly first: Period
  readonly last: Period
}

function readPair(words: readonly string[], at: number, joints: readonly string[], now: number): Pair | null {
  const first = readPeriod(words, at, now)
  const joint = jointAt(words, at + (first?.length ?? 1), joints)
  const lastAt = at + (first?.length ?? 1) + joint
  const last = joint === 0 ? null : readPeriod(words, lastAt, now)
  if (last === null) return null
  const opened = first ?? readWithYearOf(words, at, lastAt, last, now)
  return opened === null ? null : { length: lastAt + last.length - at, first: opened, last }
}

const jointAt = (words: readonly string[], at: number, joints: readonly string[]): number =>
  joints.find((joint) => startsWith(words, at, joint))?.split(' ').length ?? 0

/** `between March and May 2024`, `from 5 to 10 March 2024`: the first takes what it lacks from the last. */
function readWithYearOf(words: readonly string[], at: number, lastAt: number, last: Period, now: number): Period | null {
  const word = words[at] ?? ''
  const year = String(new Date(last.from).getUTCFullYear())
  const month = words.slice(lastAt, lastAt + last.length).find((each) => monthOf(each) !== null)
  if (monthOf(word) !== null) return readAbsolute([word, year], 0, now)
  const isDay = dayNumberOf(word) !== null && last.to - last.from === MS.day
  return isDay && month !== undefined ? readAbsolute([word, month, year], 0, now) : null
}

/** `more than 30 days ago`, `less than two hours ago`. */
function readAgoCompared(words: readonly string[], at: number, now: number): Bounds | null {
  const compared = ['more than', 'over', 'less than', 'under', 'at least', 'at most'].find((each) => startsWith(words, at, each))
  if (compared === undefined) return null
  const said = compared.split(' ').length
  const moment = readMomentAgo(words, at + said, now)
  if (moment === null) return null
  const length = moment.length + said
  if (compared === 'more than' || compared === 'over') return { length, from: null, to: moment.from, relative: true, bare: false }
  if (compared === 'at least') return { length, from: null, to: moment.to, relative: true, bare: false }
  // what lies ahead was not less than a day ago
  const to = moment.to - moment.from === MS.day ? startOf('day', now) + MS.day : now + 1
  return { length, from: compared === 'at most' ? moment.from : moment.to, to, relative: true, bare: false }
}

/** A word that asks for one side of a period, before it or behind it. */
function readBounded(words: readonly string[], at: number, now: number): Bounds | null {
  for (const [prefix, side] of PREFIXES) {
    if (!startsWith(words, at, prefix)) continue
    const said = prefix.split(' ').length
    const start = at + said
    const period = longer(readEdge(words, start, now) ?? readMomentAgo(words, start, now) ?? readPeriod(words, start, now), said)
    return period === null ? null : bounded(period, side)
  }
  const whole = wholeAt(words, at, now)
  if (whole === null) return null
  const suffix = SUFFIXES.find(([each]) => endsHere(words, at + whole.length, each, words[at] === 'from'))
  if (suffix === undefined) return null
  return bounded({ ...whole, length: whole.length + suffix[0].split(' ').length }, suffix[1])
}

/** `on` alone goes on from a period only behind `from`; `after 1961 or before 1959` names two. */
const endsHere = (words: readonly string[], at: number, suffix: string, isFrom: boolean): boolean =>
  startsWith(words, at, suffix) && (suffix !== 'on' || isFrom) && !/^(?:\d|the$)/.test(words[at + suffix.split(' ').length] ?? '')

const bounded = (period: Period, side: Side): Bounds => {
  const { length, relative, bare } = period
  return { length, relative, bare, ...side(period) }
}

/** The moment at which a period begins or ends: `by the end of March 2024`. */
function readEdge(words: readonly string[], at: number, now: number): Period | null {
  const article = words[at] === 'the' ? 1 : 0
  const edge = words[at + article] ?? ''
  if (!['end', 'start', 'beginning'].includes(edge) || words[at + article + 1] !== 'of') return null
  const period = readPeriod(words, at + article + 2, now)
  if (period === null) return null
  const moment = edge === 'end' ? period.to : period.from
  return { ...period, length: period.length + article + 2, from: moment, to: moment, past: moment }
}

function readWhole(words: readonly string[], at: number, now: number): Bounds | null {
  const period = wholeAt(words, at, now)
  return period === null ? null : bounded(period, ({ from, to }) => ({ from, to }))
}

function wholeAt(words: readonly string[], at: number, now: number): Period | null {
  const said = WHOLE.includes(words[at] ?? '') ? 1 : 0
  const period = readPeriod(words, at + said, now)
  return period?.bare === true && AMOUNT.includes(words[at] ?? '') ? null : longer(period, said)
}

const startsWith = (words: readonly string[], at: number, phrase: string): boolean =>
  phrase.split(' ').every((word, i) => words[at + i] === word)
