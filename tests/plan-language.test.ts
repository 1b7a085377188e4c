/** Plans of every form, sent instead of a question, through all stages: rows, records behind them, checks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Plan, type SearchAnswer } from '../src/contracts/index.ts'
import { type World, newWorld, problemOf } from './support.ts'

let world: World
beforeAll(() => {
  world = newWorld()
})
afterAll(() => world.close())

const planOf = (body: object): Plan => Plan.parse({ intent: 'list', select: [{ path: ['name'] }], ...body })
const send = (body: object): Promise<SearchAnswer> => world.ask('as planned', { plan: planOf(body), timeout_ms: 30_000, max_tier: 'Restricted' })
const count = { aggregate: 'count' as const }
const perResource = { intent: 'aggregate', from: 'Alarm', select: [{ path: ['resource', 'name'] }, count], group_by: [['resource']] }

describe('a plan of every form is answered, and every claim of it verified', () => {
  it.each([
    ['alternatives', { from: 'Alarm', select: [{ path: ['title'] }], where: [{ any: [{ path: ['severity'], op: '=', value: 'critical' }, { path: ['state'], op: '=', value: 'open' }] }] }],
    ['conditions of its own', { from: 'Resource', where: [{ path: ['^Alarm.resource'], op: 'exists', where: [{ path: ['state'], op: '=', value: 'open' }] }] }],
    ['a record that must be there and is shown', { from: 'Alarm', select: [{ path: ['title'] }, { path: ['resource', 'name'] }], where: [{ path: ['resource'], op: 'exists' }] }],
    ['above the average', { from: 'Customer', where: [{ path: ['contract_value'], op: '>', plan: { intent: 'aggregate', from: 'Customer', select: [{ path: ['contract_value'], aggregate: 'avg' }] } }] }],
    ['groups of records', perResource],
    ['groups that pass', { ...perResource, having: [{ by: count, op: '>=', value: 2 }] }],
    ['groups beside an average', { ...perResource, having: [{ by: count, op: '<=', plan: { intent: 'count', from: 'Customer', select: [count] } }] }],
    ['the largest group', { ...perResource, order_by: [{ by: count, direction: 'desc' }], limit: 1 }],
    ['records counted', { intent: 'aggregate', from: 'Customer', select: [{ path: ['name'] }, { path: ['^Subscription.customer'], aggregate: 'count' }], group_by: [['id']] }],
    ['values once, cut', { from: 'Resource', select: [{ path: ['kind'] }], distinct: true, limit: 2 }],
    ['a union', { from: 'Resource', where: [{ path: ['kind'], op: '=', value: 'router' }], set_op: { op: 'union', plan: { intent: 'list', from: 'Resource', select: [{ path: ['name'] }], where: [{ path: ['^Alarm.resource'], op: 'exists' }] } } }],
    ['an intersection', { from: 'Alarm', select: [{ path: ['resource', 'name'] }], set_op: { op: 'intersect', plan: { intent: 'list', from: 'Resource', select: [{ path: ['name'] }] } } }],
    ['a difference', { from: 'Resource', set_op: { op: 'except', plan: { intent: 'list', from: 'Alarm', select: [{ path: ['resource', 'name'] }] } } }],
  ])('%s', async (_, body) => {
    const answer = await send(body)
    expect(answer.warnings.filter((warning) => warning.includes('dropped'))).toEqual([])
    expect(answer.status).toBe('ok')
    expect(answer.results.rows.length).toBeGreaterThan(0)
    expect(answer.results.columns).toHaveLength(planOf(body).select.length)
    for (const claim of answer.claims) expect(claim.citations.length).toBeGreaterThan(0)
    expect(new Set(answer.claims.map((claim) => claim.verified_by))).toEqual(new Set(['rows']))
  })

  it('a record that must be there and is shown is simply joined', async () => {
    const { executed_query: sql } = await send({ from: 'Alarm', select: [{ path: ['resource', 'name'] }], where: [{ path: ['resource'], op: 'exists' }] })
    expect(sql).toContain('inner join')
    expect(sql).not.toMatch(/left join|where/)
  })

  it('only records of groups that pass are behind the answer', async () => {
    const answer = await send({ ...perResource, having: [{ by: count, op: '>=', value: 2 }] })
    const rows = world.query('select count(*) as n from alarm where resource_id in (select resource_id from alarm group by resource_id having count(*) >= 2)')
    expect(answer.claims[0]?.support_count).toBe(rows[0]?.['n'])
  })

  it('names every fault with its place', async () => {
    const nested = { intent: 'list', from: 'Resource', select: [{ path: ['secret'] }] }
    const plan = planOf({
      from: 'Alarm', select: [{ path: ['title'] }],
      where: [{ any: [{ path: ['title'], op: '=', value: 'x' }, { path: ['nothing'], op: 'is_null' }] }, { path: ['resource'], op: 'exists', where: [{ path: ['title'], op: 'exists' }] }, { path: ['title'], op: 'in', plan: nested }],
    })
    const { errors } = problemOf(await world.events('as planned', { plan }))
    expect(errors?.map(({ path }) => path)).toEqual(['plan.where.0.any.1.path', 'plan.where.1.where.0.path', 'plan.where.2.plan.select.0.path'])
  })
})

it('what more than 100,000 records give is computed again by SQL of another shape', async () => {
  world.change('create table reading (id integer primary key, place text, amount integer)')
  world.change("insert into reading with recursive n(i) as (select 1 union all select i + 1 from n where i < 100100) select i, 'p' || (i % 7), i % 13 from n")
  const body = { intent: 'aggregate', from: 'Reading', select: [{ path: ['place'] }, count, { path: ['amount'], aggregate: 'avg' }], group_by: [['place']], order_by: [{ by: count, direction: 'desc' }] }
  const answer = await send(body)
  expect(answer.warnings.filter((warning) => warning.includes('dropped'))).toEqual([])
  expect(answer.results.rows).toHaveLength(7)
  expect(answer.claims.map((claim) => claim.verified_by)).toEqual(['sql'])
})
