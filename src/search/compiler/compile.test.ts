import { describe, expect, it } from 'vitest'
import { Plan } from '../../contracts/index.ts'
import { compilePlan } from './compile.ts'
import { UnknownTerm } from './resolve.ts'
import { shop } from '../fixtures.test-support.ts'

const plan = (body: object): Plan => Plan.parse({ intent: 'list', select: [{ path: ['name'] }], ...body })
const sqlOf = (body: object) => compilePlan(shop, plan(body)).main

describe('compilePlan', () => {
  it('matches the worked example: a filter two foreign keys away', () => {
    // orders of customers in a city: Order -> customer -> city
    const { sql, params } = sqlOf({ from: 'Order', select: [{ path: ['number'] }], where: [{ path: ['customer', 'city', 'name'], op: '=', value: 'Oslo' }] })
    expect(sql).toBe(
      'select "t0"."number" as "number" from "orders" as "t0" left join "customer" as "t1" on "t1"."id" = "t0"."customer_id" ' +
        'left join "city" as "t2" on "t2"."id" = "t1"."city_id" where "t2"."name" = ? order by "t0"."id"',
    )
    expect(params).toEqual(['Oslo'])
  })

  it('asks whether a child exists instead of multiplying rows', () => {
    const { sql } = sqlOf({ from: 'Customer', where: [{ path: ['^Order.customer', 'total'], op: '>', value: 100 }] })
    expect(sql).toBe(
      'select "t0"."name" as "name" from "customer" as "t0" where exists (select 1 as "found" from "orders" as "t1" ' +
        'where "t1"."customer_id" = "t0"."id" and "t1"."total" > ?) order by "t0"."id"',
    )
  })

  it.each([
    { name: 'no child at all', where: { path: ['^Order.customer'], op: 'not_exists' }, sql: /where not exists \(select 1/ },
    { name: 'in', where: { path: ['name'], op: 'in', value: ['a', 'b'] }, sql: /"t0"."name" in \(\?, \?\)/ },
    { name: 'between', where: { path: ['age'], op: 'between', value: [1, 2] }, sql: /"t0"."age" between \? and \?/ },
    { name: 'is null', where: { path: ['age'], op: 'is_null' }, sql: /"t0"."age" is null/ },
    { name: 'exists on a single record', where: { path: ['age'], op: 'exists' }, sql: /"t0"."age" is not null/ },
  ])('$name', ({ where, sql }) => {
    expect(sqlOf({ from: 'Customer', where: [where] }).sql).toMatch(sql)
  })

  it('conditions on the same children speak of the same child', () => {
    const { sql } = sqlOf({
      from: 'Customer',
      where: [{ path: ['^Order.customer', 'total'], op: '>', value: 100 }, { path: ['^Order.customer', 'number'], op: '=', value: 'x' }],
    })
    expect(sql.match(/exists/g)).toHaveLength(1)
    expect(sql).toContain('"t1"."total" > ? and "t1"."number" = ?')
  })

  it('an inner query never takes the name of an outer table', () => {
    const { sql } = sqlOf({ from: 'City', where: [{ path: ['^Customer.city', '^Order.customer', 'customer', 'city', 'name'], op: '=', value: 'x' }] })
    const aliases = [...sql.matchAll(/ as "(t\d+)"/g)].map(([, alias]) => alias)
    expect(new Set(aliases).size).toBe(aliases.length)
  })

  it('a way that ends on a class asks whether it is there', () => {
    expect(sqlOf({ from: 'City', where: [{ path: ['^Customer.city', 'city'], op: 'exists' }] }).sql).toContain('"t2"."id" is not null')
  })

  it('walks a foreign key once however often it is used', () => {
    const { sql } = sqlOf({
      from: 'Order',
      select: [{ path: ['customer', 'name'] }, { path: ['customer', 'age'] }],
      where: [{ path: ['customer', 'age'], op: '>', value: 3 }],
    })
    expect(sql.match(/left join/g)).toHaveLength(1)
  })

  it('spans are exactly the text of the column and of the filter', () => {
    const { sql, columns, filters } = sqlOf({
      from: 'Order',
      select: [{ path: ['number'] }, { path: ['total'], aggregate: undefined }],
      where: [{ path: ['total'], op: '>', value: 1 }, { path: ['customer', 'name'], op: '=', value: 'x' }],
    })
    expect(sql.slice(...(columns.get('total') ?? [0, 0]))).toBe('"t0"."total" as "total"')
    expect(filters.map(([from, to]) => sql.slice(from, to))).toEqual(['"t0"."total" > ?', '"t1"."name" = ?'])
  })

  it.each([
    ['alternatives', { where: [{ any: [{ path: ['name'], op: '=', value: 'a' }, { path: ['age'], op: 'is_null' }] }] }, 'where ("t0"."name" = ? or "t0"."age" is null)'],
    ['a record with conditions of its own, two steps away', { where: [{ path: ['^Order.customer', 'customer'], op: 'not_exists', where: [{ path: ['age'], op: '>', value: 1 }] }] },
      'where not exists (select 1 as "found" from "orders" as "t1" inner join "customer" as "t2" on "t2"."id" = "t1"."customer_id" where "t1"."customer_id" = "t0"."id" and "t2"."age" > ?)'],
    ['the value of a plan', { where: [{ path: ['age'], op: '>', plan: { intent: 'aggregate', from: 'Customer', select: [{ path: ['age'], aggregate: 'avg' }] } }] }, '"t0"."age" > (select avg("t1"."age") as "value" from "customer" as "t1")'],
    ['a list that a plan gives, without what is unknown', { where: [{ path: ['name'], op: 'not_in', plan: { intent: 'list', from: 'City', select: [{ path: ['name'] }] } }] },
      '("t0"."name" is not null and "t0"."name" not in (select "t2"."value" as "value" from (select "t1"."name" as "value" from "city" as "t1") as "t2" where "t2"."value" is not null))'],
    ['groups of records', { select: [{ path: ['city', 'name'] }, { aggregate: 'count' }], group_by: [['city']], having: [{ by: { aggregate: 'count' }, op: '>', value: 2 }] }, 'group by "t1"."id", "t1"."name" collate binary having count(*) > ? order by "t1"."id" asc, "t1"."name" collate binary asc'],
    ['records counted', { select: [{ path: ['^Order.customer'], aggregate: 'count_distinct' }] }, 'select count(distinct "t1"."id") as "count_distinct(order)"'],
    ['a join that must find its record', { select: [{ path: ['city', 'name'] }], where: [{ path: ['city'], op: 'exists' }] }, 'inner join "city" as "t1" on "t1"."id" = "t0"."city_id" order by'],
    ['a set operation', { set_op: { op: 'except', plan: { intent: 'list', from: 'City', select: [{ path: ['name'] }], limit: 3 } }, limit: 5 }, 'except select "t2"."name" collate binary as "name" from (select "t1"."name" as "name" from "city" as "t1" order by "t1"."id" limit ?) as "t2" order by "name" asc limit ?'],
  ])('%s', (_, body, text) => {
    expect(sqlOf({ from: 'Customer', ...body }).sql).toContain(text)
  })

  it('evidence carries keys and the columns before aggregation, without grouping or limit', () => {
    const { evidence } = compilePlan(shop, plan({ intent: 'aggregate', from: 'Order', select: [{ path: ['total'], aggregate: 'avg' }], limit: 3 }))
    expect(evidence?.sql).toBe('select "t0"."id" as "key0", "t0"."total" as "value0" from "orders" as "t0" order by "t0"."id"')
  })

  it.each([
    ['an unknown class', { from: 'Nothing' }],
    ['an unknown property', { from: 'Customer', select: [{ path: ['ssn'] }] }],
    ['an unknown property in a filter', { from: 'Customer', where: [{ path: ['ssn'], op: '=', value: 1 }] }],
    ['an unknown property in an order', { from: 'Customer', order_by: [{ by: { path: ['ssn'] }, direction: 'asc' }] }],
    ['an unknown property in a group', { from: 'Customer', group_by: [['ssn']] }],
    ['a step backwards along a foreign key of another class', { from: 'City', where: [{ path: ['^Order.customer'], op: 'exists' }] }],
  ])('refuses %s', (_, body) => {
    expect(() => sqlOf(body)).toThrow(UnknownTerm)
  })

  it.each([
    ['postgres', 'cast("t0"."name" as text) = $1'],
    ['mysql', '`t0`.`name` = ?'],
  ] as const)('speaks %s', (dialect, text) => {
    const { main } = compilePlan({ ...shop, dialect }, plan({ from: 'Customer', where: [{ path: ['name'], op: '=', value: 'x' }] }))
    expect(main.sql).toContain(text)
    expect(main.filters.map(([from, to]) => main.sql.slice(from, to))).toEqual([text])
  })

  it('names that could break out of their quotes stay inside them', () => {
    const evil = { ...shop, classes: shop.classes.map((cls) => (cls.name === 'Customer' ? { ...cls, table: 'a"; drop table b; --' } : cls)) }
    expect(compilePlan(evil, plan({ from: 'Customer' })).main.sql).toContain('from "a""; drop table b; --" as "t0"')
  })
})
