import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { Flavor, ServiceError } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { Dialect, Selected, Source, SqlQuery } from '../sources/index.ts'
import { shop } from './fixtures.test-support.ts'
import { suggest, valueColumns } from './suggest.ts'

const example = 'Which orders are late?'
const flavor = Flavor.parse({ name: 'shop', label: 'Shop', example, synonyms: { Customer: ['client'] } })

/** The shop in memory, and every statement that was run in it. */
function shopSource(answer?: (query: SqlQuery) => Selected | Promise<Selected>) {
  const db = new DatabaseSync(':memory:')
  db.exec(`create table city (id integer, name text); create table customer (id integer, name text, age integer);
    create table orders (id integer, number text);
    insert into city values (1, 'Oslo'), (2, 'Osaka'), (3, 'New Oslo'), (4, 'Kosovo Polje'), (5, 'os' || char(10) || 'x'),
      (6, null);
    insert into customer values (1, 'Oscar', 7); insert into orders values (1, 'OS-1'), (2, 'OS-1'), (3, 'os ${'x'.repeat(90)}')`)
  const asked: SqlQuery[] = []
  const source = {
    select: async (query: SqlQuery): Promise<Selected> => {
      asked.push(query)
      if (answer !== undefined) return answer(query)
      const statement = db.prepare(query.sql)
      statement.setReturnArrays(true)
      const rows = statement.all(...query.params) as unknown as (string | null)[][]
      return { columns: ['value'], rows, truncated: false, ms: 0 }
    },
  } as unknown as Source
  return { source, asked }
}

const typing = (question: string, source: Source | null, more: object = {}) =>
  suggest({ question, limit: 8, flavor, ontology: shop, source, dueAt: 150, now: () => 0, ...more })
const texts = async (question: string, source: Source | null, more: object = {}) =>
  (await typing(question, source, more)).suggestions.map(({ text }) => text)

describe('suggestions', () => {
  it('complete terms, words of the trade and values, best first', async () => {
    const { source } = shopSource()
    expect(await texts('cli', source)).toEqual(['client'])
    expect(await texts('orders in os', source)).toEqual(['OS-1', 'Osaka', 'Oscar', 'Oslo', 'New Oslo', 'Kosovo Polje'])
    expect(await texts('n', source)).toEqual(['name', 'number'])
  })

  it('are the examples of the flavor before anything is typed, and no statement runs', async () => {
    const { source, asked } = shopSource()
    expect((await typing('  ', source)).suggestions).toEqual([{ text: example, kind: 'question', insert: example }])
    expect(asked).toEqual([])
  })

  it('bind what was typed', async () => {
    const { source, asked } = shopSource()
    expect(await texts(`os' or 1=1 --`, source)).toEqual([])
    expect(await texts('100%', source)).toEqual([])
    expect(asked.length).toBeGreaterThan(0)
    for (const { sql } of asked) expect(sql).not.toMatch(/1=1|%/)
  })

  it('look inside values only where there is room left', async () => {
    const { source, asked } = shopSource()
    expect(await texts('os', source, { limit: 2 })).toEqual(['OS-1', 'Osaka'])
    expect(asked.some(({ sql }) => sql.includes('instr'))).toBe(false)
  })

  it('look for no value by one letter, and for none inside by function words', async () => {
    const { source, asked } = shopSource()
    await texts('o', source)
    expect(asked).toEqual([])
    await texts('which', source)
    expect(asked).toHaveLength(1)
    expect(asked.some(({ sql }) => sql.includes('instr'))).toBe(false)
  })

  it('come without values, and say so, when the time is over or the database does not answer', async () => {
    const { source } = shopSource()
    expect(await typing('cu', source, { now: () => 151 })).toEqual({
      suggestions: [{ text: 'customer', kind: 'class', insert: 'customer' }], late: true,
    })
    for (const code of ['deadline_exceeded', 'source_unavailable'] as const) {
      const { source: failing } = shopSource(() => Promise.reject(new ServiceError(code, 'no')))
      expect((await typing('cu', failing)).late).toBe(true)
    }
    expect((await typing('cu', null)).late).toBe(false)
    const { source: broken } = shopSource(() => Promise.reject(new Error('a bug')))
    await expect(typing('cu', broken)).rejects.toThrow('a bug')
  })

  it('use all values of a round or none', async () => {
    let calls = 0
    const { source } = shopSource(() => {
      calls += 1
      if (calls === 2) throw new ServiceError('deadline_exceeded', 'late')
      return { columns: ['value'], rows: [['Oslo']], truncated: false, ms: 0 }
    })
    const many = shop.classes.flatMap((cls) => Array.from({ length: 20 }, () => cls)) // more columns than one statement takes
    expect(await texts('os', source, { ontology: { ...shop, classes: many } })).toEqual([])
    expect(calls).toBe(2)
  })
})

describe('the columns that are looked into', () => {
  const large: Ontology = { ...shop, classes: shop.classes.map((cls) => ({ ...cls, instances: 50_001, key: ['number'] })) }

  it('are text columns, and of a large table the key alone, by a range', async () => {
    const namesOf = (ontology: Ontology) => valueColumns(ontology).map(({ table, column }) => `${table}.${column}`)
    expect(namesOf(shop)).toEqual(['city.name', 'customer.name', 'orders.number'])
    expect(namesOf(large)).toEqual(['orders.number'])
    const { source, asked } = shopSource()
    expect(await texts('os', source, { ontology: large })).toEqual(['OS-1'])
    expect(asked).toHaveLength(1)
    expect(asked[0]?.sql).not.toContain('lower')
    expect(asked[0]?.params).toEqual(['os', 'ot', 'OS', 'OT', 'Os', 'Ot', 320])
  })

  it.each<[Dialect, string, string]>([
    ['sqlite', '(substr(lower("t0"."name"), 1, ?) = ?)', '(instr(lower("t0"."name"), ?) > 0)'],
    ['mysql', '(substr(lower(`t0`.`name`), 1, ?) = ?)', '(instr(lower(`t0`.`name`), ?) > 0)'],
    ['postgres', '(substr(lower(cast("t0"."name" as text)), 1, $1) = $2)', '(strpos(lower(cast("t0"."name" as text)), $1) > 0)'],
  ])('are asked in %s', async (dialect, beginning, inside) => {
    const { source, asked } = shopSource(() => ({ columns: ['value'], rows: [], truncated: false, ms: 0 }))
    await texts('os', source, { ontology: { ...shop, dialect } })
    expect(asked).toHaveLength(2)
    expect(asked[0]?.sql).toContain(beginning)
    expect(asked[0]?.params).toEqual([2, 'os', 320, 2, 'os', 320, 2, 'os', 320])
    expect(asked[1]?.sql).toContain(inside)
    expect(asked[1]?.params).toEqual(['os', 320, 'os', 320, 'os', 320])
  })
})
