/** The SQL of a plan runs on all three engines and answers the same. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateNetworkOps } from '../../examples/network-ops/generate.ts'
import { Plan } from '../../src/contracts/index.ts'
import { compilePlan } from '../../src/search/compiler/compile.ts'
import { secondOpinion, secondRows } from '../../src/search/compiler/second-opinion.ts'
import { recordQuery } from '../../src/search/records.ts'
import type { Cell } from '../../src/sources/index.ts'
import { copySqlite, startEngines } from '../support-servers.ts'
import { onEachEngine } from './on-each-engine.ts'
import { type Side, sideOf } from './side.ts'

const LIMITS = { maxRows: 5000, timeoutMs: 10_000 }
const dir = mkdtempSync(join(tmpdir(), 'wherefore-search-sql-'))
const file = join(dir, 'network-ops.sqlite')
generateNetworkOps(file)
addOddities(file)
const { engines, stop } = await startEngines()

const sqlite = await sideOf(file)

afterAll(async () => {
  await sqlite.source.close()
  await stop()
  rmSync(dir, { recursive: true })
})

/** A time is the same time however an engine spells it; sums of decimals are exact on servers and binary in SQLite. */
function alike(cell: Cell): Cell {
  if (typeof cell === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(cell)) return cell.replace('T', ' ').replace(/Z$/, '')
  return typeof cell === 'number' && !Number.isInteger(cell) ? Number(cell.toPrecision(12)) : cell
}

const plan = (body: object): Plan => Plan.parse({ intent: 'list', select: [{ path: ['name'] }], ...body })
const PLANS: readonly (readonly [string, object])[] = [
  ['a filter two keys away', { from: 'Alarm', select: [{ path: ['title'] }, { path: ['resource', 'site', 'name'] }], where: [{ path: ['resource', 'site', 'city'], op: '!=', value: 'x' }] }],
  ['a child that exists', { from: 'Customer', where: [{ path: ['^Subscription.customer', 'status'], op: '=', value: 'active' }] }],
  ['no child at all', { from: 'Resource', where: [{ path: ['^Alarm.resource'], op: 'not_exists' }] }],
  ['text in another case', { from: 'Resource', where: [{ path: ['name'], op: 'like', value: '%CRT%' }] }],
  ['a list of values', { from: 'Resource', where: [{ path: ['name'], op: 'in', value: ['crt-07', 'nothing', "o'clock"] }] }],
  ['days between', { from: 'Resource', select: [{ path: ['name'] }, { path: ['installed_on'] }], where: [{ path: ['installed_on'], op: 'between', value: ['2025-01-01', '2025-12-31'] }] }],
  ['half a date', { from: 'Resource', where: [{ path: ['installed_on'], op: '>=', value: '2026' }] }],
  ['a part of a date', { from: 'Resource', where: [{ path: ['installed_on'], op: 'like', value: '2025-%' }] }],
  ['moments after', { from: 'Alarm', select: [{ path: ['title'] }, { path: ['raised_at'] }], where: [{ path: ['raised_at'], op: '>', value: '2026-02-20T00:00:00Z' }] }],
  ['nothing there', { from: 'Alarm', select: [{ path: ['title'] }], where: [{ path: ['cleared_at'], op: 'is_null' }] }],
  ['NULL sorted upwards', { from: 'Subscription', select: [{ path: ['ended_on'] }, { path: ['started_on'] }], order_by: [{ by: { path: ['ended_on'] }, direction: 'asc' }] }],
  ['NULL sorted downwards', { from: 'Subscription', select: [{ path: ['ended_on'] }], order_by: [{ by: { path: ['ended_on'] }, direction: 'desc' }], limit: 7 }],
  ['every aggregate', { intent: 'aggregate', from: 'KpiSample', select: ['count', 'sum', 'avg', 'min', 'max', 'count_distinct'].map((aggregate) => ({ path: ['value'], aggregate })) }],
  ['an average of integers', { intent: 'aggregate', from: 'Link', select: [{ path: ['capacity_gbps'], aggregate: 'avg' }] }],
  ['an average of decimals', { intent: 'aggregate', from: 'Customer', select: [{ path: ['contract_value'], aggregate: 'avg' }, { path: ['contract_value'], aggregate: 'sum' }] }],
  ['groups', { intent: 'aggregate', from: 'Alarm', select: [{ path: ['severity'] }, { aggregate: 'count' }], group_by: [['severity']], order_by: [{ by: { aggregate: 'count' }, direction: 'desc' }, { by: { path: ['severity'] }, direction: 'asc' }] }],
  ['groups in no order', { intent: 'aggregate', from: 'Resource', select: [{ path: ['vendor'] }, { aggregate: 'count' }], group_by: [['vendor']] }],
  ['values once in no order', { from: 'Resource', select: [{ path: ['role'] }, { path: ['kind'] }], distinct: true }],
  ['each value once', { from: 'Resource', select: [{ path: ['kind'] }], distinct: true, order_by: [{ by: { path: ['kind'] }, direction: 'asc' }] }],
  ['a fraction against an integer column', { from: 'Link', where: [{ path: ['capacity_gbps'], op: '>', value: 10.5 }] }],
  ['a number too large for the column', { from: 'Link', where: [{ path: ['capacity_gbps'], op: '<', value: 5_000_000_000 }] }],
  ['a word against an integer column', { from: 'Link', where: [{ path: ['capacity_gbps'], op: '=', value: 'wide' }] }],
  ['a number against a text column', { from: 'Oddity', select: [{ path: ['code'] }], where: [{ path: ['code'], op: '=', value: 7 }] }],
  ['truth', { from: 'Oddity', select: [{ path: ['code'] }, { path: ['flag'] }], where: [{ path: ['flag'], op: '=', value: true }] }],
  ['truth summed', { intent: 'aggregate', from: 'Oddity', select: [{ path: ['flag'], aggregate: 'sum' }, { path: ['flag'], aggregate: 'max' }, { path: ['flag'], aggregate: 'avg' }] }],
  ['alternatives', { from: 'Alarm', select: [{ path: ['title'] }], where: [{ any: [{ path: ['severity'], op: '=', value: 'critical' }, { all: [{ path: ['state'], op: '=', value: 'open' }, { path: ['resource', 'name'], op: 'like', value: 'CRT%' }] }] }] }],
  ['a record that meets conditions of its own', { from: 'Resource', where: [{ path: ['^Alarm.resource'], op: 'exists', where: [{ path: ['severity'], op: 'in', value: ['critical', 'major'] }, { path: ['state'], op: '=', value: 'open' }] }] }],
  ['no record that meets conditions', { from: 'Customer', where: [{ path: ['^Subscription.customer', 'service'], op: 'not_exists', where: [{ path: ['name'], op: 'like', value: '%vpn%' }] }] }],
  ['none of a list and not like', { from: 'Alarm', select: [{ path: ['title'] }], where: [{ path: ['severity'], op: 'not_in', value: ['minor', 'warning'] }, { path: ['title'], op: 'not_like', value: '%LINK%' }] }],
  ['above the average', { from: 'Customer', select: [{ path: ['name'] }, { path: ['contract_value'] }], where: [{ path: ['contract_value'], op: '>', plan: { intent: 'aggregate', from: 'Customer', select: [{ path: ['contract_value'], aggregate: 'avg' }] } }] }],
  ['the latest, by a plan', { from: 'Alarm', select: [{ path: ['title'] }], where: [{ path: ['raised_at'], op: '=', plan: { intent: 'list', from: 'Alarm', select: [{ path: ['raised_at'] }], order_by: [{ by: { path: ['raised_at'] }, direction: 'desc' }], limit: 1 } }] }],
  ['in what a plan selects and cuts', { from: 'Resource', where: [{ path: ['name'], op: 'in', plan: { intent: 'list', from: 'Alarm', select: [{ path: ['resource', 'name'] }], order_by: [{ by: { path: ['raised_at'] }, direction: 'desc' }], limit: 5 } }] }],
  ['not in a list that has unknown values', { from: 'Oddity', select: [{ path: ['code'] }], where: [{ path: ['big'], op: 'not_in', plan: { intent: 'list', from: 'Oddity', select: [{ path: ['big'] }], where: [{ any: [{ path: ['code'], op: '=', value: 'zero' }, { path: ['code'], op: '=', value: '007' }] }] } }] }],
  ['a text against numbers of a plan', { from: 'Oddity', select: [{ path: ['code'] }], where: [{ path: ['code'], op: 'in', plan: { intent: 'list', from: 'Resource', select: [{ path: ['id'] }] } }] }],
  ['groups of records', { intent: 'aggregate', from: 'Alarm', select: [{ path: ['resource', 'name'] }, { path: ['resource', 'site', 'name'] }, { aggregate: 'count' }], group_by: [['resource']], having: [{ by: { aggregate: 'count' }, op: '>=', value: 2 }], order_by: [{ by: { path: ['raised_at'], aggregate: 'max' }, direction: 'desc' }] }],
  ['groups by a key of two columns', { intent: 'aggregate', from: 'ServiceResource', select: [{ aggregate: 'count' }], group_by: [['service'], ['resource']], limit: 4 }],
  ['groups beside the value of a plan', { intent: 'aggregate', from: 'Alarm', select: [{ path: ['severity'] }], group_by: [['severity']], having: [{ by: { aggregate: 'count' }, op: '<=', plan: { intent: 'count', from: 'Customer', select: [{ aggregate: 'count' }] } }] }],
  ['all together, if enough', { intent: 'count', from: 'Alarm', select: [{ aggregate: 'count' }, { path: ['raised_at'], aggregate: 'min' }], having: [{ by: { path: ['resource', 'name'], aggregate: 'max' }, op: '>', value: 'a' }, { by: { aggregate: 'count' }, op: 'between', value: [1.5, 100000] }] }],
  ['records counted, those of none too', { intent: 'aggregate', from: 'Customer', select: [{ path: ['name'] }, { path: ['^Subscription.customer'], aggregate: 'count' }], group_by: [['id']], order_by: [{ by: { path: ['^Subscription.customer'], aggregate: 'count' }, direction: 'asc' }] }],
  ['different records of a key of two columns', { intent: 'aggregate', from: 'Resource', select: [{ path: ['kind'] }, { path: ['^ServiceResource.resource'], aggregate: 'count_distinct' }], group_by: [['kind']] }],
  ['rows beside each of many', { from: 'Resource', select: [{ path: ['name'] }, { path: ['^Alarm.resource', 'title'] }], where: [{ path: ['^Alarm.resource'], op: 'exists' }], order_by: [{ by: { path: ['name'] }, direction: 'desc' }], limit: 9 }],
  ['a union', { from: 'Resource', select: [{ path: ['name'] }], where: [{ path: ['name'], op: 'like', value: 'crt%' }], set_op: { op: 'union', plan: { intent: 'list', from: 'Customer', select: [{ path: ['name'] }] } }, order_by: [{ by: { path: ['name'] }, direction: 'desc' }], limit: 12 }],
  ['an intersection', { from: 'Alarm', select: [{ path: ['resource', 'name'] }], where: [{ path: ['severity'], op: '=', value: 'critical' }], set_op: { op: 'intersect', plan: { intent: 'list', from: 'Alarm', select: [{ path: ['resource', 'name'] }], where: [{ path: ['state'], op: '=', value: 'open' }], order_by: [{ by: { path: ['raised_at'] }, direction: 'asc' }], limit: 50 } } }],
  ['a difference', { from: 'Resource', set_op: { op: 'except', plan: { intent: 'list', from: 'Alarm', select: [{ path: ['resource', 'name'] }], set_op: { op: 'union', plan: { intent: 'list', from: 'Link', select: [{ path: ['name'] }] } } } } }],
  ['a big integer', { from: 'Oddity', select: [{ path: ['big'] }], where: [{ path: ['big'], op: '>', value: 9_007_199_254_740_000 }] }],
]

onEachEngine(engines, (server) => {
  let side: Side
  beforeAll(async () => {
    await copySqlite(file, server)
    side = await sideOf(server.url)
  }, 60_000)
  afterAll(() => side.source.close())

  const rowsOf = async ({ source, ontology }: Side, body: object): Promise<Cell[][]> =>
    (await source.select(compilePlan(ontology, plan(body)).main, LIMITS)).rows.map((row) => row.map(alike))

  it.each(PLANS)('%s', async (label, body) => {
    const expected = await rowsOf(sqlite, body)
    expect(expected.length > 0).toBe(label !== 'a word against an integer column') // else nothing would be compared
    expect(await rowsOf(side, body)).toEqual(expected)
  })

  it.each(PLANS)('%s, and the records behind it', async (_, body) => {
    const evidence = async ({ source, ontology }: Side) => {
      const { evidence: query } = compilePlan(ontology, plan(body))
      if (query === null) throw new Error('no evidence')
      return (await source.select(query, LIMITS)).rows.map((row) => row.map(alike))
    }
    const sorted = (rows: Cell[][]) => rows.map((row) => JSON.stringify(row, (__, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).toSorted()
    expect(sorted(await evidence(side))).toEqual(sorted(await evidence(sqlite)))
  })

  it.each(PLANS)('%s, all of it by the second compiler', async (_, body) => {
    const rows = async ({ source, ontology }: Side) => (await source.select(secondRows(ontology, plan(body)), LIMITS)).rows.map((row) => row.map(alike))
    expect(await rows(side)).toEqual(await rowsOf(sqlite, body))
  })

  it.each(PLANS)('%s, by the second compiler', async (_, body) => {
    const keys = async ({ source, ontology }: Side) => {
      const query = secondOpinion(ontology, plan(body))
      return query === null ? null : (await source.select(query, LIMITS)).rows.map(String).toSorted()
    }
    expect(await keys(side)).toEqual(await keys(sqlite))
  })

  it('reads whole records, by key and by several columns', async () => {
    const read = async ({ source, ontology }: Side, cls: string, wanted: Parameters<typeof recordQuery>[2]) => {
      const found = ontology.classes.find((each) => each.name === cls)
      if (found === undefined) throw new Error(`no class ${cls}`)
      const { columns, rows } = await source.select(recordQuery(ontology, found, wanted), LIMITS)
      return { columns, rows: rows.map((row) => row.map(alike)) }
    }
    for (const [cls, wanted] of [
      ['Alarm', { columns: ['id'], tuples: [[1], [2], [99_999]] }],
      ['ServiceResource', { columns: ['service_id', 'resource_id'], tuples: [[1, 1], [2, 2], [3, 3]] }],
      ['Resource', { columns: ['name'], tuples: [['crt-07']] }],
      ['Oddity', null],
    ] as const) {
      expect(await read(side, cls, wanted)).toEqual(await read(sqlite, cls, wanted))
    }
  })
})

/** Columns that the example has none of: truth values, numbers as text, integers beyond 2^53. */
function addOddities(path: string): void {
  const db = new DatabaseSync(path)
  db.exec(`
    CREATE TABLE oddity (id INTEGER PRIMARY KEY, code TEXT, flag BOOLEAN, big INTEGER);
    INSERT INTO oddity VALUES (1, '7', 1, 9007199254740993), (2, '7up', 0, -9007199254740993), (3, '007', NULL, 0), (4, 'zero', 1, NULL);
  `)
  db.close()
}
