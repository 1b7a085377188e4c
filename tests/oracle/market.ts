/** A small market for the oracle: keys of one and two columns, a class that refers to itself, ways forward and back. */
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { XSD } from '../../src/kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../src/ontology/index.ts'

export type Cell = string | number | null
export type Row = Readonly<Record<string, Cell>>
export type World = Readonly<Record<string, readonly Row[]>>

const BASE = 'https://enterprise.example/ontology#'
const data = (cls: string, name: string, range = 'integer'): OntologyProperty => ({
  name, iri: `${BASE}${cls}.${name}`, label: name, synonyms: [], tier: 'Internal', kind: 'data', columns: [name],
  range: `${XSD}${range}`, refColumns: [], required: false, functional: false, inferred: null,
})
const object = (cls: string, name: string, range: string, columns = [`${name}_id`], refColumns = ['id']): OntologyProperty => ({
  ...data(cls, name), kind: 'object', columns, range, refColumns, functional: true,
})
const cls = (name: string, table: string, properties: OntologyProperty[], key = ['id']): OntologyClass => ({
  name, iri: `${BASE}${name}`, label: name.toLowerCase(), synonyms: [], table, key, labelProperty: null, tier: 'Internal', instances: 0, properties,
})

export const market: Ontology = {
  baseIri: BASE,
  recordBase: 'https://enterprise.example/record/',
  dialect: 'sqlite',
  classes: [
    cls('City', 'city', [data('City', 'id'), data('City', 'name', 'string')]),
    cls('Customer', 'customer', [
      data('Customer', 'id'), data('Customer', 'name', 'string'), data('Customer', 'age'),
      object('Customer', 'city', 'City'), object('Customer', 'friend', 'Customer'),
    ]),
    cls('Order', 'orders', [data('Order', 'id'), data('Order', 'number', 'string'), data('Order', 'total'), object('Order', 'customer', 'Customer')]),
    cls('Line', 'line', [data('Line', 'pos'), data('Line', 'amount'), object('Line', 'order', 'Order')], ['order_id', 'pos']),
    cls('Return', 'returned', [data('Return', 'id'), data('Return', 'reason', 'string'), object('Return', 'line', 'Line', ['order_id', 'pos'], ['order_id', 'pos'])]),
  ],
}

/** Every step from each class, forward and back. */
export const STEPS: Readonly<Record<string, readonly { step: string; to: string }[]>> = Object.fromEntries(
  market.classes.map(({ name, properties }) => [
    name,
    [
      ...properties.filter(({ kind }) => kind === 'object').map((property) => ({ step: property.name, to: property.range })),
      ...market.classes.flatMap((child) =>
        child.properties.filter(({ kind, range }) => kind === 'object' && range === name).map((property) => ({ step: `^${child.name}.${property.name}`, to: child.name })),
      ),
    ],
  ]),
)

const small = fc.integer({ min: 0, max: 4 })
const letter = fc.constantFrom('a', 'b', 'c')
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 4 })
const rows = (shape: Record<string, fc.Arbitrary<Cell>>) =>
  fc.array(fc.record(shape), { maxLength: 5 }).map((list) => list.map((row, at): Row => ({ id: at, ...row })))

/** References may lead nowhere. */
export const worlds: fc.Arbitrary<World> = fc.record({
  city: rows({ name: maybe(letter) }),
  customer: rows({ name: maybe(letter), age: maybe(small), city_id: maybe(small), friend_id: maybe(small) }),
  orders: rows({ number: maybe(letter), total: maybe(small), customer_id: maybe(small) }),
  line: fc.uniqueArray(fc.record({ order_id: small, pos: fc.integer({ min: 0, max: 2 }), amount: maybe(small) }), {
    maxLength: 5, selector: ({ order_id: order, pos }) => `${order} ${pos}`,
  }),
  returned: rows({ reason: maybe(letter), order_id: maybe(small), pos: maybe(fc.integer({ min: 0, max: 2 })) }),
})

export function withDatabase<T>(world: World, use: (select: (query: { sql: string; params: readonly unknown[] }) => Cell[][]) => T): T {
  const db = new DatabaseSync(':memory:')
  try {
    db.exec(`create table city (id integer primary key, name text);
      create table customer (id integer primary key, name text, age integer, city_id integer, friend_id integer);
      create table orders (id integer primary key, number text, total integer, customer_id integer);
      create table line (order_id integer, pos integer, amount integer, primary key (order_id, pos));
      create table returned (id integer primary key, reason text, order_id integer, pos integer)`)
    for (const [table, list] of Object.entries(world)) {
      for (const row of list) {
        const names = Object.keys(row)
        db.prepare(`insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`).run(...Object.values(row))
      }
    }
    return use(({ sql, params }) => {
      const statement = db.prepare(sql)
      statement.setReturnArrays(true)
      return statement.all(...(params as never[])) as unknown as Cell[][]
    })
  } finally {
    db.close()
  }
}
