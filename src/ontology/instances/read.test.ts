import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell, Source } from '../../sources/index.ts'
import { contentKey } from './content.ts'
import { countQuery, lookupQuery, orderOf, pageQuery } from './page-query.ts'
import type { ReadTable } from './read.ts'
import { readPages } from './read.ts'
import { withDatabase } from './scratch-source.test-support.ts'

const people: ReadTable = {
  name: 'people',
  columns: [{ name: 'id', type: 'integer' }, { name: 'name', type: 'text' }],
  key: ['id'],
}
const keyless = (table: ReadTable): ReadTable => ({ ...table, key: [] })

async function pages(source: Source, table: ReadTable, pageRows: number): Promise<{ cells: Cell[]; ordinal: number }[][]> {
  const read: { cells: Cell[]; ordinal: number }[][] = []
  for await (const page of readPages(source, table, { pageRows })) {
    read.push(page.map(({ cells, ordinal }) => ({ cells: table.columns.map(({ name }) => cells.get(name) ?? null), ordinal })))
  }
  return read
}

it('reads a table in key order, page by page', async () => {
  const script = `create table people (id integer primary key, name text); insert into people values (3,'c'),(1,'a'),(2,'b'),(9,null)`
  const read = await withDatabase(script, (source) => pages(source, people, 2))
  expect(read.map((page) => page.map(({ cells }) => cells))).toEqual([[[1, 'a'], [2, 'b']], [[3, 'c'], [9, null]]])
})

it('an empty table has no rows, with a key or without', async () => {
  await withDatabase('create table people (id integer primary key, name text)', async (source) => {
    expect((await pages(source, people, 2)).flat()).toEqual([])
    expect((await pages(source, keyless(people), 2)).flat()).toEqual([])
  })
})

it('rows that are equal are numbered, also when they fill more than a page', async () => {
  const script = `create table people (id int, name text);
    insert into people select 1, 'same' from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 50) select i from n);
    insert into people values (2, 'other'), (null, null), (null, null)`
  await withDatabase(script, async (source) => {
    const read = (await pages(source, keyless(people), 1)).flat()
    expect(read.length).toBe(53)
    expect(read.filter(({ cells }) => cells[1] === 'same').map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 50 }, (_, i) => i))
    expect(read.filter(({ cells }) => cells[0] === null).map(({ ordinal }) => ordinal)).toEqual([0, 1])
  })
})

it('a key with holes, texts that a collation takes for one, bytes that are no text: no row is lost', async () => {
  const script = `
    create table holes (k text primary key, v text); insert into holes values (null,'x'),(null,'y'),(null,'z'),('a','1'),('b','2');
    create table folded (k text collate nocase, v int); insert into folded values ('a',1),('A',1),('b',2),('B',2),('a',1);
    create table broken (k text primary key); insert into broken values (cast(x'61e9' as text)),(cast(x'61ea' as text)),('a'),('b');
    create table bytes (k blob primary key, v int); insert into bytes values (x'01',1),(x'02',1),(x'00',1),(x'ff',2)`
  const text = (name: string, ...columns: string[]): ReadTable => ({
    name, columns: columns.map((column) => ({ name: column, type: column === 'v' && name === 'folded' ? 'integer' : 'text' })), key: ['k'],
  })
  await withDatabase(script, async (source) => {
    for (const pageRows of [1, 2, 3]) {
      const holes = (await pages(source, text('holes', 'k', 'v'), pageRows)).flat()
      expect(holes.map(({ cells }) => cells[1]).toSorted()).toEqual(['1', '2', 'x', 'y', 'z'])
      const folded = (await pages(source, keyless(text('folded', 'k', 'v')), pageRows)).flat()
      expect(folded.map(({ cells, ordinal }) => `${String(cells[0])}${ordinal}`).toSorted()).toEqual(['A0', 'B0', 'a0', 'a1', 'b0'])
      expect((await pages(source, text('broken', 'k'), pageRows)).flat().length).toBe(4)
      const bytes: ReadTable = { name: 'bytes', columns: [{ name: 'k', type: 'blob' }, { name: 'v', type: 'integer' }], key: ['k'] }
      expect((await pages(source, bytes, pageRows)).flat().length).toBe(4)
    }
  })
})

it('many rows that only bytes tell apart are refused rather than read into memory', async () => {
  const script = `create table t (k blob); insert into t select cast(i as blob) from
    (with recursive n(i) as (select 1 union all select i + 1 from n where i < 200) select i from n)`
  const table: ReadTable = { name: 't', columns: [{ name: 'k', type: 'blob' }], key: [] }
  await expect(withDatabase(script, (source) => pages(source, table, 1))).rejects.toMatchObject({ code: 'unsupported_query' })
})

it('whatever the rows and the page size, every row comes once and the order does not depend on the page size', async () => {
  const cell = fc.oneof(fc.constant(null), fc.integer({ min: -2, max: 2 }), fc.double({ noNaN: true }), fc.constantFrom('a', 'A', 'b', '', 'é', '1'))
  const tables = fc.sample(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { maxLength: 12 }), { numRuns: 60, seed: 7 })
  const table = (at: number): ReadTable => ({ name: `t${at}`, columns: [{ name: 'x', type: null }, { name: 'y', type: null }], key: [] })
  await withDatabase(
    (db) => {
      for (const [at, rows] of tables.entries()) {
        db.exec(`create table t${at} (x, y)`)
        for (const row of rows) db.prepare(`insert into t${at} values (?, ?)`).run(...row)
      }
    },
    async (source) => {
      for (const [at, rows] of tables.entries()) {
        const [small, big] = [(await pages(source, table(at), 1)).flat(), (await pages(source, table(at), 100)).flat()]
        expect(small).toEqual(big)
        expect(small.map(({ cells }) => contentKey(cells)).toSorted()).toEqual(rows.map((row) => contentKey(row)).toSorted())
      }
    },
  )
})

describe('the SQL of each dialect', () => {
  const junction: ReadTable = { name: 'a "b"', columns: [{ name: 'x', type: 'integer' }, { name: 'y', type: 'text' }], key: ['x', 'y'] }

  it.each([
    ['sqlite', 'where ("t0"."x", "t0"."y") > (?, ?) order by "t0"."x" asc, "t0"."y" asc limit 5'],
    ['postgres', 'where ("t0"."x", "t0"."y") > ($1, $2) order by "t0"."x" asc, "t0"."y" asc limit 5'],
    ['mysql', 'where (`t0`.`x` > ? or (`t0`.`x` = ? and `t0`.`y` > ?)) order by `t0`.`x` asc, `t0`.`y` asc limit 5'],
  ] as const)('%s continues after a key', (dialect, tail) => {
    const { sql } = pageQuery(dialect, junction, orderOf(dialect, junction), [1, 'b'], 5)
    expect(sql.slice(sql.indexOf('where'))).toBe(tail)
    expect(sql).not.toContain('offset')
  })

  it.each([
    ['sqlite', 'order by "t0"."x" collate binary asc, "t0"."y" collate binary asc'],
    ['postgres', 'order by "t0"."x" asc nulls first, cast("t0"."y" as text) collate "C" asc nulls first'],
    ['mysql', 'order by `t0`.`x` asc, cast(convert(`t0`.`y` using utf8mb4) as binary) asc'],
  ] as const)('%s orders a table without a key byte by byte', (dialect, order) => {
    expect(pageQuery(dialect, keyless(junction), orderOf(dialect, keyless(junction)), null, 5).sql).toContain(order)
  })

  it('values are bound, names are quoted', () => {
    const query = pageQuery('sqlite', junction, orderOf('sqlite', junction), [1, `'; drop`], 5)
    expect(query.params).toEqual([1, `'; drop`])
    expect(query.sql).toContain('from "a ""b""" as "t0"')
    expect(countQuery('sqlite', junction, orderOf('sqlite', junction), [1, null]).sql).toContain('"t0"."x" = ? and "t0"."y" is null')
    expect(lookupQuery('postgres', 't', ['x'], ['x'], [[1], [2]])).toEqual({
      sql: 'select "t0"."x" as "x" from "t" as "t0" where "t0"."x" in ($1, $2)', params: [1, 2],
    })
  })
})
