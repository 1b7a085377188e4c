import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenise } from '../planner/tokens.ts'
import { plus, startOf } from './time/calendar.ts'
import { readTime } from './time.ts'

/** A Wednesday. */
const NOW = new Date('2026-03-11T10:20:30Z')
const read = (text: string, at = 0, now = NOW) => readTime(tokenise(text), at, now)

/** What is said, from, to; a dash is an open side. */
const cases = (table: string): string[][] => table.trim().split('\n').map((line) => line.trim().split(/\s*\|\s*/))

function check(said: string, from = '-', to = '-'): void {
  const found = read(said)
  expect(found, said).not.toBeNull()
  expect([found?.range.from ?? '-', found?.range.to ?? '-']).toEqual([from, to])
  expect(found?.length).toBe(tokenise(said).length)
}

describe('periods that name their year', () => {
  it.each(cases(`
    in 2014                          | 2014-01-01 | 2015-01-01
    the year 2014                    | 2014-01-01 | 2015-01-01
    in the year 2014                 | 2014-01-01 | 2015-01-01
    during 1999                      | 1999-01-01 | 2000-01-01
    year 2000                        | 2000-01-01 | 2001-01-01
    from 2014                        | 2014-01-01 | 2015-01-01
    the 1990s                        | 1990-01-01 | 2000-01-01
    in the 1990's                    | 1990-01-01 | 2000-01-01
    in the 90s                       | 1990-01-01 | 2000-01-01
    the 20s                          | 2020-01-01 | 2030-01-01
    in the 1850s                     | 1850-01-01 | 1860-01-01
    in the 19th century              | 1801-01-01 | 1901-01-01
    the 21st century                 | 2001-01-01 | 2101-01-01
    Q3 2024                          | 2024-07-01 | 2024-10-01
    q1 2023                          | 2023-01-01 | 2023-04-01
    in Q4 of 2024                    | 2024-10-01 | 2025-01-01
    2024 Q2                          | 2024-04-01 | 2024-07-01
    2024-Q2                          | 2024-04-01 | 2024-07-01
    2024Q2                           | 2024-04-01 | 2024-07-01
    Q2/2024                          | 2024-04-01 | 2024-07-01
    the third quarter of 2024        | 2024-07-01 | 2024-10-01
    first quarter 2024               | 2024-01-01 | 2024-04-01
    the last quarter of 2024         | 2024-10-01 | 2025-01-01
    H1 2024                          | 2024-01-01 | 2024-07-01
    the second half of 2024          | 2024-07-01 | 2025-01-01
    March 2024                       | 2024-03-01 | 2024-04-01
    in Mar 2024                      | 2024-03-01 | 2024-04-01
    Sept 2023                        | 2023-09-01 | 2023-10-01
    december of 2023                 | 2023-12-01 | 2024-01-01
    in the month of May 2024         | 2024-05-01 | 2024-06-01
    2024 February                    | 2024-02-01 | 2024-03-01
    2024-03                          | 2024-03-01 | 2024-04-01
    03/2024                          | 2024-03-01 | 2024-04-01
    Mar-2024                         | 2024-03-01 | 2024-04-01
    2024-W12                         | 2024-03-18 | 2024-03-25
    week 1 of 2024                   | 2024-01-01 | 2024-01-08
    week 53 of 2020                  | 2020-12-28 | 2021-01-04
    calendar week 12 2024            | 2024-03-18 | 2024-03-25
    2024-03-05                       | 2024-03-05 | 2024-03-06
    on 2024-3-5                      | 2024-03-05 | 2024-03-06
    2024/03/05                       | 2024-03-05 | 2024-03-06
    5 March 2024                     | 2024-03-05 | 2024-03-06
    on the 5th of March 2024         | 2024-03-05 | 2024-03-06
    5th March, 2024                  | 2024-03-05 | 2024-03-06
    March 5th, 2024                  | 2024-03-05 | 2024-03-06
    on March 5, 2024                 | 2024-03-05 | 2024-03-06
    the first of January 2024        | 2024-01-01 | 2024-01-02
    2024 March 5                     | 2024-03-05 | 2024-03-06
    Tuesday, March 5, 2024           | 2024-03-05 | 2024-03-06
    on Tuesday the 5th of March 2024 | 2024-03-05 | 2024-03-06
    5-Mar-2024                       | 2024-03-05 | 2024-03-06
    25/12/2024                       | 2024-12-25 | 2024-12-26
    12/25/2024                       | 2024-12-25 | 2024-12-26
    05/05/2024                       | 2024-05-05 | 2024-05-06
    5.3.2024                         | 2024-03-05 | 2024-03-06
    29 February 2024                 | 2024-02-29 | 2024-03-01
    31 December 1999                 | 1999-12-31 | 2000-01-01
    2010-2014                        | 2010-01-01 | 2015-01-01
  `))('%s is from %s to %s', check)
})

describe('times of day', () => {
  it.each(cases(`
    2024-03-05 14:30             | 2024-03-05T14:30:00Z | 2024-03-05T14:31:00Z
    2024-03-05T14:30:15Z         | 2024-03-05T14:30:15Z | 2024-03-05T14:30:16Z
    2024-03-05T14:30:00+02:00    | 2024-03-05T12:30:00Z | 2024-03-05T12:30:01Z
    on 5 March 2024 at 14:30 UTC | 2024-03-05T14:30:00Z | 2024-03-05T14:31:00Z
    March 5, 2024 at 2:30 pm     | 2024-03-05T14:30:00Z | 2024-03-05T14:31:00Z
    2024-03-05 at 12am           | 2024-03-05           | 2024-03-05T01:00:00Z
    2024-03-05 at 2 pm           | 2024-03-05T14:00:00Z | 2024-03-05T15:00:00Z
    yesterday at noon            | 2026-03-10T12:00:00Z | 2026-03-10T12:01:00Z
    after 2024-03-05 14:30       | 2024-03-05T14:30:00.001Z | -
    since 2024-03-05 14:30       | 2024-03-05T14:30:00Z | -
    before 2024-03-05 14:30:10   | - | 2024-03-05T14:30:10Z
    until 2024-03-05 14:30       | - | 2024-03-05T14:30:00.001Z
    between 2024-03-05 14:30 and 2024-03-05 16:00 | 2024-03-05T14:30:00Z | 2024-03-05T16:00:00.001Z
  `))('%s is from %s to %s', check)
})

describe('one side of a period', () => {
  it.each(cases(`
    since 2014                      | 2014-01-01 | -
    ever since March 2024           | 2024-03-01 | -
    since the start of 2024         | 2024-01-01 | -
    starting in 2014                | 2014-01-01 | -
    starting from March 2024        | 2024-03-01 | -
    from 2014 on                    | 2014-01-01 | -
    from March 2024 onwards         | 2024-03-01 | -
    2014 or later                   | 2014-01-01 | -
    in 2014 or after                | 2014-01-01 | -
    on or after 2024-03-05          | 2024-03-05 | -
    no earlier than 5 March 2024    | 2024-03-05 | -
    not before 2024                 | 2024-01-01 | -
    since yesterday                 | 2026-03-10 | -
    since last month                | 2026-02-01 | -
    since two weeks ago             | 2026-02-25 | -
    after 2014                      | 2015-01-01 | -
    after March 2024                | 2024-04-01 | -
    after 28 February 2024          | 2024-02-29 | -
    after 28 February 2023          | 2023-03-01 | -
    later than 2024-03-05           | 2024-03-06 | -
    more recent than 2014           | 2015-01-01 | -
    after the end of 2024           | 2025-01-01 | -
    after Q3 2024                   | 2024-10-01 | -
    after the 1990s                 | 2000-01-01 | -
    before 2014                     | - | 2014-01-01
    before March 2024               | - | 2024-03-01
    before 2024-03-05               | - | 2024-03-05
    prior to 5 March 2024           | - | 2024-03-05
    earlier than 2014               | - | 2014-01-01
    before today                    | - | 2026-03-11
    before last year                | - | 2025-01-01
    before the end of 2024          | - | 2025-01-01
    until 2014                      | - | 2015-01-01
    up to March 2024                | - | 2024-04-01
    till 2024-03-05                 | - | 2024-03-06
    by 2014                         | - | 2015-01-01
    by the end of March 2024        | - | 2024-04-01
    on or before 2024-03-05         | - | 2024-03-06
    no later than March 2024        | - | 2024-04-01
    2014 or earlier                 | - | 2015-01-01
    in 2014 or before               | - | 2015-01-01
  `))('%s is from %s to %s', check)
})

describe('from one period to another', () => {
  it.each(cases(`
    between 2014 and 2015                 | 2014-01-01 | 2016-01-01
    between 2015 and 2014                 | 2014-01-01 | 2016-01-01
    from 2014 to 2016                     | 2014-01-01 | 2017-01-01
    2014 to 2016                          | 2014-01-01 | 2017-01-01
    from 2014 until 2016                  | 2014-01-01 | 2017-01-01
    between March 2023 and May 2024       | 2023-03-01 | 2024-06-01
    between March and May 2024            | 2024-03-01 | 2024-06-01
    from Jan to Mar 2024                  | 2024-01-01 | 2024-04-01
    from 5 to 10 March 2024               | 2024-03-05 | 2024-03-11
    between 2024-03-05 and 2024-03-05     | 2024-03-05 | 2024-03-06
    between 28 February 2024 and 2024-03-01 | 2024-02-28 | 2024-03-02
    from Q1 2024 to Q2 2024               | 2024-01-01 | 2024-07-01
    from the 1980s to the 1990s           | 1980-01-01 | 2000-01-01
    from yesterday to today               | 2026-03-10 | 2026-03-12
    between 2024 and today                | 2024-01-01 | 2026-03-12
    from March 2024 through now           | 2024-03-01 | 2026-03-11T10:20:30.001Z
  `))('%s is from %s to %s', check)
})

describe('periods beside the clock', () => {
  it.each(cases(`
    today                       | 2026-03-11 | 2026-03-12
    yesterday                   | 2026-03-10 | 2026-03-11
    tomorrow                    | 2026-03-12 | 2026-03-13
    the day before yesterday    | 2026-03-09 | 2026-03-10
    this week                   | 2026-03-09 | 2026-03-16
    last week                   | 2026-03-02 | 2026-03-09
    next week                   | 2026-03-16 | 2026-03-23
    this month                  | 2026-03-01 | 2026-04-01
    in the current month        | 2026-03-01 | 2026-04-01
    last month                  | 2026-02-01 | 2026-03-01
    in the previous month       | 2026-02-01 | 2026-03-01
    next month                  | 2026-04-01 | 2026-05-01
    this quarter                | 2026-01-01 | 2026-04-01
    last quarter                | 2025-10-01 | 2026-01-01
    next quarter                | 2026-04-01 | 2026-07-01
    this year                   | 2026-01-01 | 2027-01-01
    last year                   | 2025-01-01 | 2026-01-01
    this decade                 | 2020-01-01 | 2030-01-01
    year to date                | 2026-01-01 | 2026-03-12
    ytd                         | 2026-01-01 | 2026-03-12
    last 7 days                 | 2026-03-04 | 2026-03-12
    in the last seven days      | 2026-03-04 | 2026-03-12
    over the past two years     | 2024-03-11 | 2026-03-12
    during the past month       | 2026-02-11 | 2026-03-12
    in the last year            | 2025-03-11 | 2026-03-12
    the last couple of weeks    | 2026-02-25 | 2026-03-12
    within the last 24 hours    | 2026-03-10T10:20:30Z | 2026-03-11T10:20:30.001Z
    last 30 minutes             | 2026-03-11T09:50:30Z | 2026-03-11T10:20:30.001Z
    within the next 30 days     | 2026-03-11 | 2026-04-11
    3 days ago                  | 2026-03-08 | 2026-03-09
    two years ago               | 2024-01-01 | 2025-01-01
    a month ago                 | 2026-02-01 | 2026-03-01
    more than 30 days ago       | - | 2026-02-09
    over a year ago             | - | 2025-03-11
    at least 30 days ago        | - | 2026-02-10
    less than 30 days ago       | 2026-02-10 | 2026-03-12
    at most 30 days ago         | 2026-02-09 | 2026-03-12
    less than 2 hours ago       | 2026-03-11T08:20:30.001Z | 2026-03-11T10:20:30.001Z
    last Monday                 | 2026-03-09 | 2026-03-10
    last Wednesday              | 2026-03-04 | 2026-03-05
    next Friday                 | 2026-03-13 | 2026-03-14
    this Sunday                 | 2026-03-15 | 2026-03-16
    last March                  | 2025-03-01 | 2025-04-01
    last February               | 2026-02-01 | 2026-03-01
    next March                  | 2027-03-01 | 2027-04-01
  `))('%s is from %s to %s', (said, from, to) => {
    check(said ?? '', from, to)
    expect(read(said ?? '')?.relative).toBe(true)
  })
})

it.each([
  '03/05/2024', '2023-02-29', '30 February 2024', '2024-13', '31/31/2024', 'Monday, March 5, 2024', 'March', 'May', 'in March',
  '5 March', 'the fifth', 'second', 'last', 'last 10 orders', 'next', 'in 5 days', 'over 2000', 'at 2000', 'within 2000',
  'week 54 of 2024', 'Q5 2024', 'before', 'since Tuesday', 'between 5 and 10', 'from 2016 to 2014', '2014-15', '99/2024',
  '2024-03-05T25:00:00Z', 'last 0 days', '0s', '12', 'last 9999 years', '"2014"', 'in "March 2024"', '', '2014-2010',
])('%s is no clear time', (said) => {
  expect(read(said)).toBeNull()
})

it('the words around a time do not belong to it', () => {
  expect(read('alarms raised since March 2024 in Berlin', 2)?.text).toBe('since March 2024')
  expect(read('who in 2014 may have left', 1)?.text).toBe('in 2014')
  expect(read('orders of 5 March 2024 and later ones', 1)?.text).toBe('of 5 March 2024 and later')
})

it.each([
  ['in 2014', 0, false],
  ['in 2014', 1, false],
  ['during 2014', 0, false],
  ['year 2014', 1, false],
  ['prior to 2014', 0, false],
  ['March 2014', 0, false],
  ['2014', 0, true],
  ['of 2014', 0, true],
  ['between 2014 and 2015', 0, true],
  ['in 1500', 0, true],
  ['before 2500', 0, true],
  ['by 2014', 0, true],
])('in %j from word %i a number that may be no year is marked: %s', (said, at, bare) => {
  expect(read(said, at)?.bare).toBe(bare)
})

const aDay = fc.date({ min: new Date('1901-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
const WORDS = `
  in since before after until by between and from to the of last past next this year years month week days day quarter Q1 Q3
  2014 2015 1999 March May Feb 5 5th 30 29 first third ago more less than today yesterday now at 14:30 2pm 2024-02-29
  12/25/2024 1990s or later on earlier end start half Monday
`.trim().split(/\s+/)

it('whatever is found begins before it ends and covers exactly the words it was read from', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 }), fc.nat(8), aDay, (words, at, now) => {
      const tokens = words.map((text) => ({ text, lower: text.toLowerCase() }))
      const found = readTime(tokens, at, now)
      if (found === null) return
      expect(found.length).toBeGreaterThan(0)
      expect(found.text).toBe(words.slice(at, at + found.length).join(' '))
      const { from, to } = found.range
      expect(from !== null || to !== null).toBe(true)
      if (from !== null && to !== null) expect(new Date(from).getTime()).toBeLessThan(new Date(to).getTime())
    }),
    { numRuns: 1000 },
  )
})

it('a day that is written in any way is that day, and its month is as long as the calendar has it', () => {
  fc.assert(
    fc.property(aDay, (date) => {
      const [iso, year] = [date.toISOString().slice(0, 10), date.getUTCFullYear()]
      const name = date.toLocaleString('en', { month: 'long', timeZone: 'UTC' })
      const next = new Date(Date.parse(iso) + 86_400_000).toISOString().slice(0, 10)
      for (const said of [iso, `${date.getUTCDate()} ${name} ${year}`, `${name} ${date.getUTCDate()} ${year}`]) {
        expect(read(said)?.range).toEqual({ from: iso, to: next })
      }
      const { from, to } = read(`${name} ${year}`)?.range ?? {}
      const days = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 86_400_000
      expect(days).toBe(new Date(Date.UTC(year, date.getUTCMonth() + 1, 0)).getUTCDate())
    }),
  )
})

it('before and since a period part all of time between them', () => {
  fc.assert(
    fc.property(fc.constantFrom('2014', 'March 2024', '2024-02-29', 'last month', 'this week', '1990s'), aDay, (said, now) => {
      const ranges = ['', 'before ', 'since ', 'after ', 'until '].map((word) => read(word + said, 0, now)?.range)
      const [whole, before, since, after, until] = ranges
      expect(before?.to).toBe(since?.from)
      expect(since?.from).toBe(whole?.from)
      expect(until?.to).toBe(after?.from)
      expect(after?.from).toBe(whole?.to)
    }),
  )
})

it('the calendar goes on without gaps, through leap years and the turn of the year', () => {
  const units = ['day', 'week', 'month', 'quarter', 'year', 'decade'] as const
  fc.assert(
    fc.property(aDay, fc.constantFrom(...units), (date, unit) => {
      const start = startOf(unit, date.getTime())
      const end = plus(start, 1, unit)
      expect(start).toBeLessThanOrEqual(date.getTime())
      expect(end).toBeGreaterThan(date.getTime())
      expect(startOf(unit, end)).toBe(end)
      expect(startOf(unit, end - 1)).toBe(start)
    }),
  )
  expect(plus(Date.UTC(2024, 0, 31), 1, 'month')).toBe(Date.UTC(2024, 1, 29))
  expect(plus(Date.UTC(2024, 1, 29), -1, 'year')).toBe(Date.UTC(2023, 1, 28))
})
