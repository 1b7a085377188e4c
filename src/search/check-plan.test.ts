import { describe, expect, it } from 'vitest'
import { Plan } from '../contracts/index.ts'
import { faultsOf } from './check-plan.ts'
import { shop } from './fixtures.test-support.ts'

const NO_RULES = { rules: [], unavailable: new Map<string, never>() }
const placesOf = (body: object): unknown[] =>
  faultsOf(shop, NO_RULES, Plan.parse({ intent: 'list', from: 'Customer', select: [{ path: ['name'] }], ...body })).map(({ path }) => path)

const ages = { intent: 'list', from: 'Customer', select: [{ path: ['age'] }] }
const count = { aggregate: 'count' }
const orders = ['^Order.customer']
const nestedIn = (depth: number): object => (depth === 0 ? ages : { ...ages, where: [{ path: ['age'], op: 'in', plan: nestedIn(depth - 1) }] })

describe('faults of a plan, each with its place', () => {
  it.each([
    ['an alternative', { where: [{ any: [{ path: ['name'], op: '=', value: 'x' }, { path: ['ssn'], op: 'is_null' }] }] }, ['plan.where.0.any.1.path']],
    ['conditions of a record of its own begin at its class', { where: [{ path: ['city'], op: 'exists', where: [{ path: ['age'], op: '=', value: 1 }] }] }, ['plan.where.0.where.0.path']],
    ['conditions where there is no record', { where: [{ path: ['name'], op: 'exists', where: [] }] }, ['plan.where.0.where']],
    ['a plan that gives many values', { where: [{ path: ['age'], op: '>', plan: ages }] }, ['plan.where.0.plan']],
    ['a plan of two columns', { where: [{ path: ['age'], op: 'in', plan: { ...ages, select: [{ path: ['age'] }, { path: ['name'] }] } }] }, ['plan.where.0.plan.select']],
    ['a value and a plan', { where: [{ path: ['age'], op: 'in', value: [1], plan: ages }] }, ['plan.where.0']],
    ['a plan for like', { where: [{ path: ['name'], op: 'like', plan: ages }] }, ['plan.where.0.plan']],
    ['why inside', { where: [{ path: ['age'], op: 'in', plan: { ...ages, intent: 'why' } }] }, ['plan.where.0.plan.why']],
    ['nothing in a list', { where: [{ path: ['age'], op: 'not_in', value: [1, null] }] }, ['plan.where.0.value']],
    ['a group without an aggregate', { having: [{ by: { path: ['age'] }, op: '>', value: 1 }] }, ['plan.having.0.by']],
    ['a column that its group does not determine', { select: [{ path: ['name'] }, count], group_by: [['city']] }, ['plan.select.0']],
    ['an order that its group does not determine', { select: [count], group_by: [['city']], order_by: [{ by: { path: ['age'] }, direction: 'asc' }] }, ['plan.order_by.0.by']],
    ['a class that is shown', { select: [{ path: ['city'] }] }, ['plan.select.0.path']],
    ['a sum of texts', { select: [{ path: ['name'], aggregate: 'sum' }] }, ['plan.select.0']],
    ['distinct rows in an order they do not show', { distinct: true, order_by: [{ by: { path: ['age'] }, direction: 'asc' }] }, ['plan.order_by.0.by']],
    ['unequal columns', { set_op: { op: 'union', plan: { ...ages, select: [{ path: ['age'] }, { path: ['name'] }] } } }, ['plan.set_op.plan.select']],
    ['columns of other kinds', { set_op: { op: 'union', plan: ages } }, ['plan.set_op.plan.select.0']],
    ['customers counted beside their orders', { select: [count, { path: [...orders, 'total'], aggregate: 'sum' }] }, ['plan.select.0']],
    ['ages added up beside orders', { select: [{ path: ['age'], aggregate: 'sum' }, { path: orders, aggregate: 'count' }] }, ['plan.select.0']],
    ['customers counted in an order by orders', { select: [{ path: ['city', 'name'] }, count], group_by: [['city']], order_by: [{ by: { path: orders, aggregate: 'count' }, direction: 'desc' }] }, ['plan.select.1']],
    ['customers counted where groups have orders', { select: [count], group_by: [['city']], having: [{ by: { path: orders, aggregate: 'count' }, op: '>', value: 1 }] }, ['plan.select.0']],
    ['customers counted by a value of their orders', { select: [{ path: [...orders, 'number'] }, count], group_by: [[...orders, 'number']] }, ['plan.select.1']],
    ['a list in the order of what records have many of', { order_by: [{ by: { path: [...orders, 'total'] }, direction: 'desc' }] }, ['plan.order_by.0.by']],
    ['two ways to many side by side', { from: 'City', select: [{ path: ['^Customer.city', '^Order.customer', 'number'] }, { path: ['^Customer.city', 'city', '^Customer.city', 'name'] }] }, ['plan.select.1']],
    ['plans five deep', nestedIn(4), ['plan.where.0.plan.where.0.plan.where.0.plan.where.0.plan']],
  ])('%s', (_, body, places) => {
    expect(placesOf(body)).toEqual(places)
  })

  it.each([
    ['four deep', nestedIn(3)],
    ['what belongs to a grouped record', { select: [{ path: ['city', 'name'] }, count], group_by: [['city']] }],
    ['an order by an aggregate that is not shown', { from: 'Order', select: [{ path: ['customer', 'name'] }], group_by: [['customer']], order_by: [{ by: count, direction: 'desc' }], limit: 1 }],
    ['orders added up and counted by customer', { select: [{ path: ['name'] }, { path: [...orders, 'total'], aggregate: 'sum' }, { path: orders, aggregate: 'count' }], group_by: [['name']] }],
    ['what repetition does not change', { select: [{ path: ['age'], aggregate: 'max' }, { path: ['name'], aggregate: 'count_distinct' }, { path: orders, aggregate: 'count' }] }],
    ['one way to many within another', { from: 'City', select: [{ path: ['^Customer.city', 'name'] }, { path: ['^Customer.city', '^Order.customer', 'number'] }] }],
    ['a condition through a way to many', { select: [count], where: [{ path: orders, op: 'exists' }] }],
    ['one value by limit 1', { where: [{ path: ['age'], op: '=', plan: { ...ages, limit: 1 } }] }],
  ])('none in %s', (_, body) => {
    expect(placesOf(body)).toEqual([])
  })
})
