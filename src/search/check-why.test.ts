import { describe, expect, it } from 'vitest'
import { Plan } from '../contracts/index.ts'
import { parseRules } from '../kernel/datalog/index.ts'
import { datalogRelations } from '../ontology/index.ts'
import { faultsOf } from './check-plan.ts'
import { shop } from './fixtures.test-support.ts'

const parsed = parseRules('buys_in(?c, ?t) :- Customer(?c, city: ?t).', { relations: datalogRelations(shop), id: 'buys' })
const book = { rules: parsed.ok ? parsed.rules : [], unavailable: new Map<string, never>() }
const isAda = [{ path: ['name'], op: '=', value: 'Ada' }]
const isRome = [{ path: ['name'], op: '=', value: 'Rome' }]
const ada = { argument: 0, class: 'Customer', where: isAda }
const rome = { argument: 1, class: 'City', where: isRome }
const goal = (body: object) => ({ predicate: 'buys_in', ask: 0, given: [ada], ...body })
const placesOf = (body: object): unknown[] => {
  const plan = { intent: 'why', from: 'Customer', select: [{ path: ['name'] }], where: isAda, why: goal({}), ...body }
  return faultsOf(shop, book, Plan.parse(plan)).map(({ path }) => path)
}

describe('a why-plan shows nothing that does not count', () => {
  it.each([
    ['a limit', { limit: 1 }, ['plan.limit']],
    ['an order', { order_by: [{ by: { path: ['name'] }, direction: 'asc' }] }, ['plan.order_by']],
    ['distinct', { distinct: true }, ['plan.distinct']],
    ['a number', { select: [{ aggregate: 'count' }] }, ['plan.select']],
    ['groups', { group_by: [['name']] }, ['plan.why']],
    ['another plan beside it', { set_op: { op: 'union', plan: { intent: 'list', from: 'City', select: [{ path: ['name'] }] } } }, ['plan.set_op']],
    ['other conditions than those of the records given', { where: [{ path: ['age'], op: '>', value: 30 }] }, ['plan.where']],
    ['fewer conditions', { where: [] }, ['plan.where']],
    ['another class', { from: 'City', where: [] }, ['plan.from']],
    ['conditions where nothing is given', { why: goal({ given: [] }) }, ['plan.where']],
    ['another class where nothing is given', { where: [], why: goal({ ask: 1, given: [] }) }, ['plan.from']],
    ['the others of records that are not given', { from: 'City', where: isRome, why: goal({ given: [rome], complement: true }) }, ['plan.why.given']],
    ['the others, read from the wrong records', { why: goal({ ask: 1, given: [ada, rome], complement: true }) }, ['plan.from']],
    ['an argument given twice', { why: goal({ given: [ada, { ...ada, where: isRome }] }) }, ['plan.why.given.1']],
  ])('refused: %s', (_, body, places) => {
    expect(placesOf(body)).toEqual(places)
  })

  it.each([
    ['the record given', {}],
    ['nothing given', { where: [], why: goal({ given: [] }) }],
    ['two given, the first read', { why: goal({ given: [ada, rome] }) }],
    ['the others of what is given', { from: 'City', where: isRome, why: goal({ ask: 1, given: [ada, rome], negated: true, complement: true }) }],
  ])('accepted: %s', (_, body) => {
    expect(placesOf(body)).toEqual([])
  })
})
