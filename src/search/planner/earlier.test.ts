import { describe, expect, it } from 'vitest'
import { Plan } from '../../contracts/index.ts'
import { amongThem, fromFar, subjectOf } from './earlier.ts'
import { market, planFor, read, said } from './market.test-support.ts'

const customers = planFor('Which customers are older than 30?')

describe('follow-ups', () => {
  it('what was true of them stays true', () => {
    expect(said('How many of those are in Oslo?', { earlier: customers })).toBe(
      'Customer: count; where age > 30; where city.name = Oslo',
    )
    expect(said('Which of them have open orders?', { earlier: customers })).toBe(
      'Customer: name; where age > 30; where ^Order.customer.status = open',
    )
  })

  it('their properties are those of the records', () => {
    expect(said('What are their names and ages?', { earlier: customers })).toBe('Customer: name, age; where age > 30')
  })

  it('the few of an ordered answer are said by their keys', () => {
    const oldest = planFor('the 2 oldest customers')
    expect(said('Which of them are in Oslo?', { earlier: oldest })).toBe(
      'Customer: name; where id in (Customer: id; where age exists; order age desc; limit 2); where city.name = Oslo',
    )
  })

  it('a question that names what it asks for leaves the earlier one behind', () => {
    expect(said('How many products do we have?', { earlier: customers })).toBe('Product: count')
  })

  it('nobody can be spoken of again whom the ontology no longer knows', () => {
    const gone = Plan.parse({ intent: 'list', from: 'Ghost', select: [{ path: ['name'] }] })
    expect(subjectOf(market, gone)).toBeNull()
    expect(read('How many of those are in Oslo?', { earlier: gone }).options).toEqual([])
  })
})

describe('what an earlier plan was about', () => {
  it.each([
    ['the class of its rows', { from: 'Order', select: [{ path: ['number'] }] }, 'Order', []],
    ['the class of the first thing shown', { from: 'Order', select: [{ path: ['customer', 'name'] }] }, 'Customer', ['customer']],
    ['when it counts, what it counts', { from: 'Order', select: [{ aggregate: 'count' }] }, 'Order', []],
  ])('%s', (_, body, name, way) => {
    const subject = subjectOf(market, Plan.parse({ intent: 'list', ...body }))
    expect([subject?.cls.name, subject?.way]).toEqual([name, way])
  })

  it('rows put together from two plans cannot be said again', () => {
    const base = { intent: 'list', from: 'Customer', select: [{ path: ['name'] }] }
    const both = Plan.parse({ ...base, set_op: { op: 'union', plan: base } })
    expect(amongThem(both, subjectOf(market, both)!)).toBeNull()
  })

  it('a condition moves with everything inside it', () => {
    const inner = { path: ['age'], op: '>' as const, value: 3 }
    expect(fromFar(['customer'], { any: [inner, { all: [inner] }] })).toEqual({
      any: [{ ...inner, path: ['customer', 'age'] }, { all: [{ ...inner, path: ['customer', 'age'] }] }],
    })
  })
})
