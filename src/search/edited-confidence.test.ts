import { expect, it } from 'vitest'
import { Plan } from '../contracts/index.ts'
import { editedConfidence } from './edited-confidence.ts'

const plan = (more: object = {}) => Plan.parse({ intent: 'list', from: 'Customer', select: [{ path: ['name'] }], ...more })
const old = { path: ['age'], op: '>', value: 30 }

it('an edited plan is the less sure the more it says', () => {
  const growing = [
    plan({ select: [] }),
    plan(),
    plan({ where: [old] }),
    plan({ where: [old, { path: ['city', 'name'], op: 'in', value: ['Bern', 'Basel'] }] }),
    plan({ where: [old, { path: ['city', 'name'], op: 'in', plan: plan({ where: [{ any: [old, old] }] }) }] }),
  ].map(editedConfidence)
  expect(growing).toEqual(growing.toSorted((a, b) => b - a))
  expect(new Set(growing).size).toBe(growing.length)
  for (const confidence of growing) expect(confidence > 0 && confidence < 1).toBe(true)
})

it.each([
  ['groups', { group_by: [['city', 'name']] }],
  ['a condition on groups', { having: [{ by: { aggregate: 'count' }, op: '>', value: 2 }] }],
  ['an order', { order_by: [{ by: { path: ['age'] }, direction: 'desc' }] }],
  ['another plan', { set_op: { op: 'union', plan: plan() } }],
  ['a goal', { why: { predicate: 'at_risk', ask: 0, given: [{ argument: 0, class: 'Customer', where: [old] }] } }],
])('%s count too', (_, more) => {
  expect(editedConfidence(plan(more))).toBeLessThan(editedConfidence(plan()))
})

it('how many values a comparison lists, and what they say, changes nothing', () => {
  const among = (...value: string[]) => editedConfidence(plan({ where: [{ path: ['name'], op: 'in', value }] }))
  expect(among('op', 'path', 'x')).toBe(among('Ann'))
})
