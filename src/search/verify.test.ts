import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS, Plan, SearchRequest } from '../contracts/index.ts'
import { type Cell, type Source, openSource } from '../sources/index.ts'
import { compilePlan } from './compiler/compile.ts'
import type { SearchContext } from './context.ts'
import type { ClaimDraft } from './draft.ts'
import { type Executed, execute } from './execute.ts'
import { shop } from './fixtures.test-support.ts'
import { Verifier } from './verify.ts'
import { rowClaims } from './wording/row-claims.ts'

const MANY = LIMITS.max_row_limit + 50
let folder = ''
let source: Source

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'))
  const file = join(folder, 'shop.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`create table city (id integer primary key, name text);
    create table customer (id integer primary key, name text, age integer, city_id integer references city (id));
    create table orders (id integer primary key, number text, total real, customer_id integer references customer (id));
    insert into city values (1, 'Oslo'), (2, 'Bergen');
    insert into customer values (1, 'Ann', 30, 1), (2, 'Bob', 40, 1), (3, 'Cid', 50, 2), (4, 'Dan', null, 2), (5, 'Eve', 50, 1);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${MANY})
      insert into orders select i, 'A' || i, 7, 1 + i % 3 from n;`)
  database.close()
  source = await openSource(file)
})
afterAll(async () => {
  await source.close()
  rmSync(folder, { recursive: true })
})

type Tamper = (sql: string, rows: readonly (readonly Cell[])[]) => readonly (readonly Cell[])[]
const signals: unknown[] = []

/** A run over the shop; `tamper` stands for a fault in the SQL that the first compiler makes. */
function contextOf(plan: Plan, tamper: Tamper = (_, rows) => rows): SearchContext {
  const select: Source['select'] = async (query, limits) => {
    signals.push(limits.signal)
    const selected = await source.select(query, limits)
    return { ...selected, rows: tamper(query.sql, selected.rows) }
  }
  return {
    runId: 'r', request: SearchRequest.parse({ question: 'x', plan }), source: { ...source, select }, flavor: { name: '', label: '', synonyms: {}, rules: [] } as never,
    ceiling: 'Internal', ontology: shop, granted: shop, clock: { now: () => 0 }, startedAt: 0, today: new Date(0), signal: new AbortController().signal, warnings: [],
  }
}

const planOf = (body: object): Plan => Plan.parse({ intent: 'list', from: 'Customer', select: [{ path: ['name'] }], ...body })
const byRows = { check: { by: 'rows' } } as ClaimDraft
const verdictOf = (context: SearchContext, executed: Executed) => new Verifier(context, executed, null as never, null).check(byRows)

async function asked(body: object, tamper?: Tamper) {
  const plan = planOf(body)
  const context = contextOf(plan, tamper)
  const executed = await execute(context, plan)
  const text = rowClaims(context, executed).flatMap(({ pieces }) => pieces.map((piece) => `${piece.text}${piece.joint}`)).join('')
  return { executed, text, verdict: await verdictOf(context, executed) }
}

const age = { path: ['age'] }
const oldest = { select: [{ path: ['name'] }, age], order_by: [{ by: age, direction: 'desc' }], limit: 1 }

describe('the first of an order', () => {
  it.each([
    ['one with a tie', oldest, 'Cid and one other tie for the highest age, with 50'],
    ['several', { ...oldest, limit: 3 }, 'The three customers with the highest age are Cid (age 50), Eve (age 50) and Bob (age 40)'],
    ['by two keys, the second one not shown', { ...oldest, order_by: [...oldest.order_by, { by: { path: ['name'] }, direction: 'desc' }] }, 'The customer with the highest age is Eve, with 50'],
    ['those of whom nothing is known come first', { ...oldest, order_by: [{ by: age, direction: 'asc' }], limit: 2 }, 'In ascending order of age, the first two customers are Dan (no age) and Ann (age 30)'],
  ])('stands: %s', async (_, body, said) => {
    const { verdict, text } = await asked(body)
    expect({ said: text, why: verdict.why }).toEqual({ said, why: '' })
  })

  it('falls when a better record lies beyond the last one, whatever the first shape says of its order', async () => {
    const plan = planOf({ ...oldest, limit: 2 })
    const { main, evidence, ties } = compilePlan(shop, plan)
    // as if the first shape had overlooked Cid and Eve
    const wrong: Tamper = (sql, rows) => {
      if (sql === main.sql) return [['Bob', 40], ['Ann', 30]]
      if (sql === evidence?.sql) return [[2, 'Bob', 40], [1, 'Ann', 30]]
      return sql === ties?.sql ? [[40, 'Bob', 40], [30, 'Ann', 30]] : rows
    }
    expect((await asked(plan, wrong)).verdict).toMatchObject({ ok: false, why: 'two ways of putting it in order disagree' })
  })

  it('falls by the number of better records alone, where both shapes put them in the same wrong order', async () => {
    const plan = planOf({ ...oldest, limit: 2 })
    const { main, evidence, ties } = compilePlan(shop, plan)
    const wrong: Tamper = (sql, rows) => {
      if (sql === main.sql) return [['Bob', 40], ['Ann', 30]]
      if (sql === evidence?.sql) return [[2, 'Bob', 40], [1, 'Ann', 30]]
      return sql === ties?.sql || sql.includes('order by') ? [[40, 'Bob', 40], [30, 'Ann', 30]] : rows
    }
    expect((await asked(plan, wrong)).verdict).toMatchObject({ ok: false, why: 'two ways of putting it in order disagree' })
  })

  it.each([0, 2])('falls when %i ties are said and there is one', async (said) => {
    const plan = planOf(oldest)
    const { ties } = compilePlan(shop, plan)
    const wrong: Tamper = (sql, rows) => (sql === ties?.sql ? [[50], ...Array.from({ length: said }, () => [50]), [40]] : rows)
    expect((await asked(plan, wrong)).verdict.ok).toBe(false)
  })

  it('more ties than are read are said to be at least so many', async () => {
    const total = { path: ['total'] }
    const { text, verdict, executed } = await asked({ from: 'Order', select: [{ path: ['number'] }, total], order_by: [{ by: total, direction: 'desc' }], limit: 1 })
    expect(executed.cut).toMatchObject({ ties: LIMITS.max_row_limit, atLeast: true })
    expect(text).toMatch(/and at least 10,000 others tie/)
    expect(verdict.why).toBe('')
  })
})

it('what groups are compared with is asked in the other shape', async () => {
  const average = planOf({ intent: 'aggregate', select: [{ ...age, aggregate: 'avg' }] })
  const plan = planOf({ intent: 'aggregate', select: [{ path: ['name'] }, { ...age, aggregate: 'max' }], group_by: [['name']], having: [{ by: { ...age, aggregate: 'max' }, op: '>', plan: average }] })
  expect((await asked(plan)).verdict.why).toBe('')
  const { main, bounds } = compilePlan(shop, plan)
  const wrong: Tamper = (sql, rows) => (sql === main.sql ? [['Bob', 40], ...rows] : sql === bounds[0]?.sql ? [[35]] : rows)
  expect((await asked(plan, wrong)).verdict.ok).toBe(false)
})

it('every statement of a run ends with it', async () => {
  signals.length = 0
  await asked(oldest)
  await asked({ intent: 'count', select: [{ aggregate: 'count' }], group_by: [['city']], having: [{ by: { aggregate: 'count' }, op: '>', value: 1 }] })
  expect(signals.length).toBeGreaterThan(6)
  expect(signals.every((signal) => signal instanceof AbortSignal)).toBe(true)
})

describe('what all records together must meet', () => {
  const count = { aggregate: 'count' }
  const over = (value: number) => ({ intent: 'count', select: [count], having: [{ by: count, op: '>', value }] })
  const sum = { ...age, aggregate: 'sum' }
  const nobody = [{ path: ['age'], op: '>', value: 500 }]
  it.each([
    ['not met', over(10), 'It does not hold that there are more than ten customers within tier Internal'],
    ['met', over(2), 'The number of customers is 5, so it holds that there are more than two customers'],
    ['asked for and not met', { ...over(10), intent: 'exists' }, 'No: it does not hold that there are more than ten customers within tier Internal'],
    ['an aggregate', { select: [sum], having: [{ by: sum, op: '>', value: 900 }] }, 'It does not hold that customers have a total age above 900 within tier Internal'],
    ['a sum of nothing does not exist', { intent: 'exists', select: [sum], where: nobody }, 'No: the total age of customers with age above 500 is unknown (no value is recorded)'],
    ['nor does a sum beside a count of nothing', { intent: 'exists', select: [count, sum], where: nobody }, 'No: the number of customers with age above 500 is 0 and the total age is unknown (no value is recorded)'],
  ])('%s', async (_, body, said) => {
    const { text, verdict } = await asked(body)
    expect({ said: text, why: verdict.why }).toEqual({ said, why: '' })
  })
})
