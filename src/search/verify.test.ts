import { describe, expect, it } from 'vitest'
import { Plan } from '../contracts/index.ts'
import type { Executed } from './execute.ts'
import { recompute } from './verify.ts'

const executed = (select: object[], rows: unknown[][], group: string[][] = []): Executed =>
  ({ plan: Plan.parse({ intent: 'aggregate', from: 'X', select, group_by: group }), rows, truncated: false }) as unknown as Executed
const row = (id: number, ...values: (string | number | null)[]) => ({ key: [id], values })

describe('recompute says from the records alone what the query said', () => {
  it.each([
    { name: 'count', select: [{ aggregate: 'count' }], rows: [[3]], evidence: [row(1), row(2), row(3)] },
    { name: 'count of nothing', select: [{ aggregate: 'count' }], rows: [[0]], evidence: [] },
    { name: 'average leaves unknown values out', select: [{ path: ['v'], aggregate: 'avg' }], rows: [[2]], evidence: [row(1, 1), row(2, 3), row(3, null)] },
    { name: 'sum of nothing is unknown', select: [{ path: ['v'], aggregate: 'sum' }], rows: [[null]], evidence: [row(1, null)] },
    { name: 'min', select: [{ path: ['v'], aggregate: 'min' }], rows: [[-5]], evidence: [row(1, 1), row(2, -5)] },
    { name: 'distinct values', select: [{ path: ['v'], aggregate: 'count_distinct' }], rows: [[2]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')] },
    {
      name: 'groups',
      select: [{ path: ['g'] }, { aggregate: 'count' }],
      rows: [['a', 2], ['b', 1]],
      evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')],
    },
    { name: 'a list', select: [{ path: ['v'] }], rows: [['x'], ['y']], evidence: [row(1, 'x'), row(2, 'y')] },
  ])('$name', ({ select, rows, evidence }) => {
    expect(recompute(executed(select, rows), evidence)).toBe(true)
  })

  it.each([
    { name: 'a count that is one off', select: [{ aggregate: 'count' }], rows: [[3]], evidence: [row(1), row(2)] },
    { name: 'a sum that is off', select: [{ path: ['v'], aggregate: 'sum' }], rows: [[5]], evidence: [row(1, 2), row(2, 2)] },
    { name: 'a group that is missing', select: [{ path: ['g'] }, { aggregate: 'count' }], rows: [['a', 2]], evidence: [row(1, 'a'), row(2, 'a'), row(3, 'b')] },
    { name: 'a value that changed', select: [{ path: ['v'] }], rows: [['x']], evidence: [row(1, 'z')] },
    { name: 'a row that is gone', select: [{ path: ['v'] }], rows: [['x'], ['y']], evidence: [row(1, 'x')] },
    { name: 'text for a number', select: [{ path: ['v'] }], rows: [['1']], evidence: [row(1, 1)] },
  ])('refuses $name', ({ select, rows, evidence }) => {
    expect(recompute(executed(select, rows), evidence)).toBe(false)
  })
})
