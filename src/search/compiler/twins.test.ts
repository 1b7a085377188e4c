/** Two databases that differ only in a column that the ontology does not show give the same rows, in the same order. */
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { Plan } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { shop } from '../fixtures.test-support.ts'
import { compilePlan } from './compile.ts'
import { secondRows } from './second-opinion.ts'
import type { SpannedQuery } from './spans.ts'

const [city] = shop.classes
const classOf = (name: string, table: string, key: string[]): OntologyClass => ({
  ...city!, name, iri: `${shop.baseIri}${name}`, table, key, labelProperty: 'city',
  properties: ['city', 'level'].map((column) => ({
    ...city!.properties[0]!, name: column, iri: `${shop.baseIri}${name}.${column}`, label: column, columns: [column],
    range: `${XSD}${column === 'city' ? 'string' : 'integer'}`,
  })),
})
const weather: Ontology = { ...shop, classes: [classOf('Reading', 'reading', []), classOf('Item', 'item', ['id'])] }

/** The index is led by the hidden column and covers what is shown, so that SQLite likes to read it instead of the table. */
function database(secret: (i: number) => number): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const [table, key] of [['reading', ''], ['item', 'id INTEGER PRIMARY KEY, ']] as const) {
    db.exec(`CREATE TABLE ${table} (${key}city TEXT COLLATE NOCASE, level INTEGER, secret INTEGER, a TEXT, b TEXT, c TEXT, d TEXT, e TEXT);
      CREATE INDEX ${table}_city ON ${table} (secret, city); CREATE INDEX ${table}_both ON ${table} (secret, city, level)`)
    const insert = db.prepare(`INSERT INTO ${table} (city, level, secret) VALUES (?, ?, ?)`)
    for (const [i, name] of ['Oslo', 'OSLO', 'Rome', 'rome', 'Bern', 'BERN'].entries()) insert.run(name, i % 2, secret(i))
  }
  return db
}
const twins = [database((i) => i), database((i) => 10 - i)]
afterAll(() => twins.forEach((db) => db.close()))

const rows = (db: DatabaseSync, { sql, params }: SpannedQuery) => db.prepare(sql).all(...params).map((row) => Object.values(row))

describe.each(['Reading', 'Item'])('of a %s', (from) => {
  const shown = { path: ['city'] }
  it.each<[string, object]>([
    ['a list', { select: [shown] }],
    ['a list that is cut', { select: [shown], limit: 2 }],
    ['a list in an order with ties that is cut', { select: [shown], order_by: [{ by: { path: ['level'] }, direction: 'desc' }], limit: 2 }],
    ['a list in the order of a text', { select: [shown, { path: ['level'] }], order_by: [{ by: shown, direction: 'asc' }] }],
    ['distinct values', { select: [shown], distinct: true }],
    ['groups', { select: [shown, { aggregate: 'count' }], group_by: [['city']] }],
    ['the least and the greatest text', { select: [{ ...shown, aggregate: 'min' }, { ...shown, aggregate: 'max' }] }],
    ['how many texts there are', { select: [{ ...shown, aggregate: 'count_distinct' }] }],
    ['a union', { select: [shown], set_op: { op: 'union', plan: { intent: 'list', from: 'Item', select: [shown] } } }],
    ['what is in both', { select: [shown], set_op: { op: 'intersect', plan: { intent: 'list', from: 'Item', select: [shown] } } }],
  ])('%s does not tell a hidden column', (_, body) => {
    const plan = Plan.parse({ intent: 'list', from, ...body })
    const { main } = compilePlan(weather, plan)
    const [one, other] = twins.map((db) => rows(db, main))
    expect(one).toEqual(other)
    const [second, secondOther] = twins.map((db) => rows(db, secondRows(weather, plan)))
    expect(second).toEqual(secondOther)
    expect(second).toEqual(one)
  })
})

it('takes texts that differ in case for two, as the records behind them are taken', () => {
  const plan = Plan.parse({ intent: 'list', from: 'Item', select: [{ path: ['city'] }], distinct: true })
  expect(rows(twins[0]!, compilePlan(weather, plan).main).flat()).toEqual(['BERN', 'Bern', 'OSLO', 'Oslo', 'Rome', 'rome'])
})
