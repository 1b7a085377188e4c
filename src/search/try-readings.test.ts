import { describe, expect, it } from 'vitest'
import type { Plan } from '../contracts/index.ts'
import type { Cell, Source } from '../sources/index.ts'
import { market, read } from './planner/market.test-support.ts'
import { findTheSame, isNothing, tryReadings } from './try-readings.ts'

const plan = (more: Partial<Plan>): Plan => ({
  intent: 'list', from: 'Customer', select: [{ path: ['name'] }], where: [], group_by: [], having: [], order_by: [], distinct: false, ...more,
})
const count = plan({ select: [{ aggregate: 'count' }] })
const LIMITS = { timeoutMs: 1000 }

/** Answers each statement in turn; an error is thrown. */
const answering = (...replies: (Cell[][] | Error)[]): Source =>
  ({
    select: () => {
      const reply = replies.shift() ?? []
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve({ columns: [], rows: reply, truncated: false, ms: 0 })
    },
  }) as unknown as Source

describe('a reading finds nothing', () => {
  it.each([
    ['no row', plan({}), [], true],
    ['a row', plan({}), [['Ada']], false],
    ['a row of unknowns', plan({}), [[null]], false],
    ['a count of none', count, [[0]], true],
    ['a count of some', count, [[3]], false],
    ['an average over none', plan({ select: [{ path: ['age'], aggregate: 'avg' }] }), [[null]], true],
    ['groups are there', plan({ select: [{ aggregate: 'count' }], group_by: [['name']] }), [[0]], false],
  ] as const)('%s', (_, asked, rows, nothing) => {
    expect(isNothing(asked, { rows: rows.map((row) => [...row]) })).toBe(nothing)
  })
})

describe('trying readings', () => {
  const { options } = read('names of customers in Oslo')

  it('what finds nothing carries evidence against it, what finds something none', async () => {
    const [nothing] = await tryReadings(market, answering([]), options.slice(0, 1), LIMITS)
    const [something] = await tryReadings(market, answering([['Ada']]), options.slice(0, 1), LIMITS)
    expect([nothing?.evidence['finds nothing'], something?.evidence['finds nothing']]).toEqual([1, undefined])
  })

  it('what the database refuses to run is no reading', async () => {
    expect(await tryReadings(market, answering(new Error('refused')), options.slice(0, 1), LIMITS)).toEqual([])
  })

  it('large data is not tried', async () => {
    const large = { ...market, classes: market.classes.map((cls) => ({ ...cls, instances: 1_000_000 })) }
    expect(await tryReadings(large, answering(new Error('asked')), options, LIMITS)).toBe(options)
    expect(await findTheSame(large, answering(new Error('asked')), options, LIMITS)).toBe(false)
  })

  it('two that find the same rows are the same answer', async () => {
    const two = [options[0]!, options[0]!]
    expect(await findTheSame(market, answering([['Ada']], [['Ada']]), two, LIMITS)).toBe(true)
    expect(await findTheSame(market, answering([['Ada']], [['Bo']]), two, LIMITS)).toBe(false)
  })
})
