import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Expectation, LIMITS, type SearchAnswer } from '../contracts/index.ts'
import { okAnswer } from '../../tests/e2e/fake-answer.ts'
import { differencesOf, rowsNeeded } from './competency-check.ts'

const base = okAnswer('run-1', false)
const answerOf = (rows: SearchAnswer['results']['rows'], more: Partial<SearchAnswer> = {}): SearchAnswer => ({
  ...base, trace: [], answer: 'There are 2 routers: crt-07 and crt-09 [1].',
  results: { columns: ['name', 'alarms'], rows, truncated: false }, ...more,
})
const ROUTERS = answerOf([['crt-07', 2], ['crt-09', 0]])
const check = (expected: object, answer = ROUTERS) => differencesOf(Expectation.parse(expected), answer).map(({ field, message }) => `${field}: ${message}`)

describe('an answer against what was expected', () => {
  it('passes when all of it fits', () => {
    const expected = {
      status: 'ok', min_rows: 2, max_rows: 2, columns: ['alarms', 'name'], contains: ['CRT-07'], rows: [[0, 'crt-09'], [2, 'crt-07']], verified: true,
    }
    expect(check(expected)).toEqual([])
  })

  it.each([
    [{}, []],
    [{ status: 'empty' }, ['status: expected empty, was ok']],
    [{ status: 'ungrounded', min_rows: 9 }, ['status: expected ungrounded, was ok']],
    [{ min_rows: 3 }, ['min_rows: expected at least 3 rows, there are 2']],
    [{ max_rows: 1 }, ['max_rows: expected at most 1 rows, there are 2']],
    [{ columns: 3 }, ['columns: expected 3 columns, there are 2']],
    [{ columns: ['name', 'site'] }, ['columns: the answer has no column by name 2']],
    [{ contains: ['crt-07', 'crt-10', 'crt-11'] }, ['contains: the answer does not say texts 2, 3']],
    [{ rows: [['crt-07', 3]] }, ['rows: the answer lacks row 1 of those expected']],
    [{ rows: [['crt-07', 2], ['crt-07', 2]] }, ['rows: the answer lacks row 2 of those expected']],
    [{ rows: [['crt-07', '2'], ['crt-09', false]] }, []],
    [{ min_rows: 3, columns: 1, contains: ['x'] }, ['min_rows', 'columns', 'contains'].map((field) => expect.stringMatching(`^${field}: `))],
  ])('%j differs by %j', (expected, differences) => {
    expect(check(expected)).toEqual(differences)
  })

  it('a refusal fails with its status alone, whatever else was expected', () => {
    const refused = answerOf([], { status: 'ungrounded', claims: [] })
    expect(check({ min_rows: 1, rows: [['crt-07', 2]], verified: true }, refused)).toEqual(['status: expected ok or empty, was ungrounded'])
  })

  it('rows that were cut off are too many, whatever their number', () => {
    const cut = answerOf([['a', 1]], { results: { columns: ['a', 'b'], rows: [['a', 1]], truncated: true } })
    expect(check({ max_rows: 5 }, cut)).toEqual(['max_rows: expected at most 5 rows, there are more'])
  })

  it('verified asks for claims, and for none that was dropped', () => {
    expect(check({ verified: true }, answerOf([], { claims: [] }))).toEqual(['verified: the answer makes no claim'])
    const dropped = answerOf([], { trace: [{ stage: 'synthesize', status: 'done', ms: 1, claims: 1, dropped: 2 }] })
    expect(check({ verified: true }, dropped)).toEqual(['verified: 2 claims did not pass their check and were dropped'])
  })

  it('texts that only look like numbers stay texts', () => {
    expect(check({ rows: [['7', 1]] }, answerOf([['007', 1]]))).toHaveLength(1)
    expect(check({ rows: [[7, 1.50]] }, answerOf([['7', '1.5']]))).toEqual([])
    expect(check({ rows: [['90071992547409930', 1]] }, answerOf([['90071992547409931', 1]]))).toHaveLength(1)
  })

  it('an answer always has the rows that it has, in any order, and no expected value is ever quoted', () => {
    const cell = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(rows, (some) => {
        const expected = { rows: some.toReversed(), min_rows: some.length, max_rows: some.length }
        expect(check(expected, answerOf(some))).toEqual([])
      }),
    )
    fc.assert(
      fc.property(fc.string({ minLength: 6 }), (secret) => {
        const text = `canary-${secret}`
        expect(check({ contains: [text], rows: [[text, text]], columns: [text, 'name'] }).join('\n')).not.toContain('canary')
      }),
    )
  })

  it('reads as many rows as the verdict needs', () => {
    expect(rowsNeeded({})).toBe(LIMITS.default_row_limit)
    expect(rowsNeeded({ max_rows: 500 })).toBe(501)
    expect(rowsNeeded({ min_rows: 300 })).toBe(300)
    expect(rowsNeeded({ max_rows: LIMITS.max_row_limit })).toBe(LIMITS.max_row_limit)
    expect(rowsNeeded({ rows: [[1]] })).toBe(LIMITS.max_row_limit)
  })
})
