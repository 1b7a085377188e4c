import { describe, expect, it } from 'vitest'
import { Plan } from '../contracts/index.ts'
import type { Cell } from '../sources/index.ts'
import { compilePlan } from './compiler/compile.ts'
import { shop } from './fixtures.test-support.ts'
import { type Behind, type EvidenceRow, recompute, recordsBehind } from './recompute.ts'

interface Case {
  readonly name: string
  readonly plan: object
  readonly rows: readonly (readonly Cell[])[]
  readonly evidence: readonly EvidenceRow[]
  readonly bounds?: readonly Cell[]
  readonly other?: readonly EvidenceRow[]
}
const planOf = (body: object): Plan => Plan.parse({ intent: 'aggregate', from: 'Customer', ...body })
const row = (id: number, ...values: Cell[]): EvidenceRow => ({ key: [id], values })
const behindOf = ({ evidence, bounds = [], other }: Case): Behind => ({
  evidence, truncated: false, bounds, other: other === undefined ? null : { evidence: other, truncated: false, bounds: [], other: null },
})
const holds = (each: Case): boolean => {
  const plan = planOf(each.plan)
  return recompute(plan, compilePlan(shop, plan), { rows: each.rows, truncated: false }, behindOf(each))
}

const age = (aggregate: string) => ({ path: ['age'], aggregate })
const byName = { select: [{ path: ['name'] }, { aggregate: 'count' }], group_by: [['name']] }
const names = { select: [{ path: ['name'] }] }
const cities = { intent: 'list', from: 'City', select: [{ path: ['name'] }] }

describe('recompute says from the records alone what the query said', () => {
  it.each<Case>([
    { name: 'count', plan: { select: [{ aggregate: 'count' }] }, rows: [[3]], evidence: [row(1), row(2), row(3)] },
    { name: 'count of nothing', plan: { select: [{ aggregate: 'count' }] }, rows: [[0]], evidence: [] },
    { name: 'average leaves unknown values out', plan: { select: [age('avg')] }, rows: [[2]], evidence: [row(1, 1), row(2, 3), row(3, null)] },
    { name: 'sum of nothing is unknown', plan: { select: [age('sum')] }, rows: [[null]], evidence: [row(1, null)] },
    { name: 'texts that are numbers add up, others are unknown', plan: { select: [age('avg')] }, rows: [[3.5]], evidence: [row(1, '2'), row(2, '5'), row(3, 'none')] },
    { name: 'a sum beyond what a double holds', plan: { select: [age('sum')] }, rows: [[9_007_199_254_740_994n]], evidence: [row(1, 9_007_199_254_740_991), row(2, 3)] },
    { name: 'a sum that rounding touches', plan: { select: [age('sum')] }, rows: [[1]], evidence: [row(1, 0.7), row(2, 0.1), row(3, 0.2)] },
    { name: 'min', plan: { select: [age('min')] }, rows: [[-5]], evidence: [row(1, 1), row(2, -5)] },
    { name: 'distinct values', plan: { select: [{ path: ['name'], aggregate: 'count_distinct' }] }, rows: [[2]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')] },
    { name: 'groups', plan: byName, rows: [['a', 2], ['b', 1]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')] },
    { name: 'groups of which only a number is shown', plan: { ...byName, select: [{ aggregate: 'count' }] }, rows: [[1], [2]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'b')] },
    { name: 'groups that pass', plan: { ...byName, having: [{ by: { aggregate: 'count' }, op: '>', value: 1 }] }, rows: [['a', 2]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')] },
    {
      name: 'groups beside the value of a plan', plan: { ...byName, having: [{ by: { aggregate: 'count' }, op: '=', plan: { ...cities, intent: 'count', select: [{ aggregate: 'count' }] } }] },
      rows: [['b', 1]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')], bounds: [1],
    },
    {
      name: 'the largest group', plan: { ...byName, order_by: [{ by: { aggregate: 'count' }, direction: 'desc' }], limit: 1 },
      rows: [['a', 2]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')],
    },
    { name: 'records of another class', plan: { select: [{ path: ['^Order.customer'], aggregate: 'count_distinct' }] }, rows: [[2]], evidence: [row(1, 7), row(1, 8), row(2, null)] },
    { name: 'a list', plan: names, rows: [['x'], ['y']], evidence: [row(1, 'x'), row(2, 'y')] },
    { name: 'values once', plan: { ...names, distinct: true }, rows: [['x'], ['y']], evidence: [row(1, 'x'), row(2, 'y'), row(3, 'x')] },
    { name: 'a union', plan: { ...names, set_op: { op: 'union', plan: cities } }, rows: [['x'], ['y']], evidence: [row(1, 'x')], other: [row(1, 'y'), row(2, 'x')] },
    { name: 'an intersection', plan: { ...names, set_op: { op: 'intersect', plan: cities } }, rows: [['x']], evidence: [row(1, 'x'), row(2, 'z')], other: [row(1, 'y'), row(2, 'x')] },
    { name: 'a difference', plan: { ...names, set_op: { op: 'except', plan: cities } }, rows: [['z']], evidence: [row(1, 'x'), row(2, 'z')], other: [row(1, 'y'), row(2, 'x')] },
  ])('$name', (each) => {
    expect(holds(each)).toBe(true)
  })

  it.each<Case>([
    { name: 'a count that is one off', plan: { select: [{ aggregate: 'count' }] }, rows: [[3]], evidence: [row(1), row(2)] },
    { name: 'a sum that is off', plan: { select: [age('sum')] }, rows: [[5]], evidence: [row(1, 2), row(2, 2)] },
    { name: 'a large whole number that is one off', plan: { select: [age('max')] }, rows: [[1_700_000_001]], evidence: [row(1, 1_700_000_000), row(2, 1_699_999_999)] },
    { name: 'a whole sum that is one off', plan: { select: [age('sum')] }, rows: [[9_007_199_254_740_995n]], evidence: [row(1, 9_007_199_254_740_991), row(2, 3)] },
    {
      name: 'a group that comes second by little', plan: { select: [{ path: ['name'] }, age('sum')], group_by: [['name']], order_by: [{ by: age('sum'), direction: 'desc' }], limit: 1 },
      rows: [['b', 5_000_000_000]], evidence: [row(1, 'a', 5_000_000_004), row(2, 'b', 5_000_000_000)],
    },
    {
      name: 'a group that misses a large bound by one', plan: { select: [{ path: ['name'] }, age('sum')], group_by: [['name']], having: [{ by: age('sum'), op: '>', value: 5_000_000_000 }] },
      rows: [['a', 5_000_000_000]], evidence: [row(1, 'a', 5_000_000_000)],
    },
    { name: 'a group that is missing', plan: byName, rows: [['a', 2]], evidence: [row(1, 'a'), row(2, 'a'), row(3, 'b')] },
    { name: 'a group that does not pass', plan: { ...byName, having: [{ by: { aggregate: 'count' }, op: '>', value: 1 }] }, rows: [['a', 2], ['b', 1]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')] },
    { name: 'a group that passes and is missing', plan: { ...byName, having: [{ by: { aggregate: 'count' }, op: '>', value: 0 }] }, rows: [['a', 2]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')] },
    {
      name: 'a group that is not the largest', plan: { ...byName, order_by: [{ by: { aggregate: 'count' }, direction: 'desc' }], limit: 1 },
      rows: [['b', 1]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')],
    },
    { name: 'groups in the wrong order', plan: { ...byName, order_by: [{ by: { aggregate: 'count' }, direction: 'desc' }] }, rows: [['b', 1], ['a', 2]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')] },
    { name: 'a value that changed', plan: names, rows: [['x']], evidence: [row(1, 'z')] },
    { name: 'a row that is gone', plan: names, rows: [['x'], ['y']], evidence: [row(1, 'x')] },
    { name: 'text for a number', plan: { select: [{ path: ['age'] }] }, rows: [['1']], evidence: [row(1, 1)] },
    { name: 'a row that the other plan takes away', plan: { ...names, set_op: { op: 'except', plan: cities } }, rows: [['x']], evidence: [row(1, 'x')], other: [row(1, 'x')] },
  ])('refuses $name', (each) => {
    expect(holds(each)).toBe(false)
  })
})

it('the records behind rows are those of the groups that pass, and of the rows that stand', () => {
  const behind = (each: Omit<Case, 'name'>): Cell[] => {
    const plan = planOf(each.plan)
    return recordsBehind(plan, compilePlan(shop, plan), each.rows, behindOf({ name: '', ...each })).map(({ key }) => key[0]!)
  }
  const having = { ...byName, having: [{ by: { aggregate: 'count' }, op: '>', value: 1 }] }
  expect(behind({ plan: having, rows: [['a', 2]], evidence: [row(1, 'a'), row(2, 'b'), row(3, 'a')] })).toEqual([1, 3])
  const together = (op: string, from: string) => ({ ...names, set_op: { op, plan: { ...cities, from } } })
  const [evidence, other] = [[row(1, 'x'), row(2, 'z')], [row(5, 'x'), row(6, 'y')]]
  expect(behind({ plan: together('intersect', 'City'), rows: [['x']], evidence, other })).toEqual([1])
  expect(behind({ plan: together('except', 'City'), rows: [['z']], evidence, other })).toEqual([2])
  expect(behind({ plan: together('union', 'City'), rows: [['x'], ['y'], ['z']], evidence, other })).toEqual([1, 2])
  expect(behind({ plan: together('union', 'Customer'), rows: [['x'], ['y'], ['z']], evidence, other })).toEqual([1, 6, 2, 5])
  // one record of each row, in the order of the rows, then the others
  expect(behind({ plan: { ...names, distinct: true }, rows: [['z'], ['x']], evidence: [row(1, 'x'), row(2, 'x'), row(3, 'z')] })).toEqual([3, 1, 2])
})
