import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSource } from './open.ts'
import type { Catalogue, Table } from './source.ts'

const SCHEMA = `
  CREATE TABLE "two words" ("a ""quoted"" name" TEXT, "3rd" INTEGER, "größe" REAL);
  INSERT INTO "two words" VALUES ('x', 1, 2.5);
  CREATE TABLE team (id INTEGER PRIMARY KEY, lead_id INTEGER REFERENCES member, founded TEXT);
  INSERT INTO team VALUES (1, 1, '2020-01-01');
  CREATE TABLE member (id INTEGER PRIMARY KEY, team INTEGER NOT NULL REFERENCES TEAM (ID), big INTEGER, photo BLOB, never TEXT);
  INSERT INTO member VALUES (1, 1, 9007199254740993, x'00ff', NULL);
  CREATE TABLE pair (x INTEGER, y TEXT, PRIMARY KEY (y, x)) WITHOUT ROWID;
  CREATE TABLE uses_pair (
    px INTEGER, py TEXT, gone_id INTEGER REFERENCES gone (id), UNIQUE (py, px), FOREIGN KEY (py, px) REFERENCES pair);
  CREATE TABLE orphan (half TEXT, FOREIGN KEY (half) REFERENCES pair);
  CREATE TABLE badge (code TEXT UNIQUE, member_id INTEGER, total INTEGER GENERATED ALWAYS AS (member_id * 2));
  INSERT INTO badge (code, member_id) VALUES ('b1', 1);
  CREATE UNIQUE INDEX partly ON badge (member_id) WHERE code IS NOT NULL;
  CREATE VIEW members AS SELECT id, big FROM member;
  CREATE VIEW broken AS SELECT * FROM no_such_table;
`

const dir = mkdtempSync(join(tmpdir(), 'wherefore-introspect-'))
let catalogue: Catalogue
const table = (name: string): Table => {
  const found = catalogue.tables.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no table ${name}`)
  return found
}
const column = (of: string, name: string) => table(of).columns.find((each) => each.name === name)

beforeAll(async () => {
  const file = join(dir, 'odd.sqlite')
  const db = new DatabaseSync(file)
  db.exec('PRAGMA foreign_keys = OFF')
  db.exec(SCHEMA)
  db.close()
  const source = await openSource(file, { processes: 1 })
  catalogue = await source.introspect()
  await source.close()
})
afterAll(() => rmSync(dir, { recursive: true }))

it('lists tables and views by name, without the system and without what cannot be read', () => {
  const names = catalogue.tables.map(({ name }) => name)
  expect(names).toEqual(['badge', 'member', 'members', 'orphan', 'pair', 'team', 'two words', 'uses_pair'])
  expect(table('members').kind).toBe('view')
})

it('reads names with spaces, quotes, leading digits and other alphabets', () => {
  expect(table('two words').columns.map(({ name, valueType }) => [name, valueType])).toEqual([
    ['a "quoted" name', 'text'],
    ['3rd', 'integer'],
    ['größe', 'decimal'],
  ])
})

it('follows keys in a circle, an implicit key, and names in another case', () => {
  expect(table('team').foreignKeys).toEqual([{ columns: ['lead_id'], refTable: 'member', refColumns: ['id'], inferred: null }])
  expect(table('member').foreignKeys).toEqual([{ columns: ['team'], refTable: 'team', refColumns: ['id'], inferred: null }])
})

it('keeps the parts of a composite key together and in order', () => {
  expect(table('pair').primaryKey).toEqual(['y', 'x'])
  expect(table('uses_pair').foreignKeys).toMatchObject([{ columns: ['py', 'px'], refTable: 'pair', refColumns: ['y', 'x'] }])
  expect(table('uses_pair').uniques).toEqual([['py', 'px']])
})

it('drops a key to a table that is not there, and one with too few columns', () => {
  expect(table('uses_pair').foreignKeys).toHaveLength(1)
  expect(table('orphan').foreignKeys).toEqual([])
})

it('finds a key that nobody declared, and ignores a partial unique index', () => {
  expect(table('badge').foreignKeys).toMatchObject([{ columns: ['member_id'], refTable: 'member', refColumns: ['id'] }])
  expect(table('badge').foreignKeys[0]?.inferred).toContain('member')
  expect(table('badge').uniques).toEqual([['code']])
})

it('samples the same values whatever an index that covers the column is led by, from both ends of a long table', async () => {
  const looked = async (name: string, secret: (i: number) => number) => {
    const file = join(dir, name)
    const db = new DatabaseSync(file)
    // wide rows, so that the index is the cheaper one to read
    db.exec(`CREATE TABLE alert (id INTEGER PRIMARY KEY, kind TEXT COLLATE NOCASE, handle TEXT, secret INTEGER, a TEXT, b TEXT, c TEXT, d TEXT);
      CREATE INDEX by_kind ON alert (secret, kind); CREATE INDEX by_handle ON alert (secret, handle);
      CREATE TABLE keyless (kind TEXT, secret INTEGER, rowid TEXT, oid TEXT, _rowid_ TEXT, a TEXT, b TEXT);
      CREATE INDEX keyless_kind ON keyless (secret, kind); BEGIN`)
    const insert = db.prepare('INSERT INTO alert (id, kind, handle, secret) VALUES (?, ?, ?, ?)')
    const keyless = db.prepare('INSERT INTO keyless (kind, secret) VALUES (?, ?)')
    for (let i = 1; i <= 2500; i += 1) {
      insert.run(i, i <= 1400 ? 'smoke' : 'Smoke', i <= 1400 ? `h${i}` : `p${i}@x.org`, secret(i))
      keyless.run(`k${i}`, secret(i))
    }
    db.exec('COMMIT')
    db.close()
    const source = await openSource(file, { processes: 1 })
    const { tables } = await source.introspect()
    await source.close()
    return tables.map(({ columns }) => columns.filter((each) => each.name !== 'secret'))
  }
  const [one, other] = [await looked('up.sqlite', (i) => i), await looked('down.sqlite', (i) => 5000 - i)]
  expect(one).toEqual(other)
  const samples = one[0]?.find(({ name }) => name === 'handle')?.samples ?? []
  expect(samples).toHaveLength(20)
  expect(samples.filter((value) => value.includes('@'))).toHaveLength(10)
})

it('knows what a column holds', () => {
  expect(column('member', 'big')).toMatchObject({ valueType: 'integer', samples: ['9007199254740993'] })
  expect(column('member', 'photo')).toMatchObject({ valueType: 'blob', samples: [] })
  expect(column('member', 'never')).toMatchObject({ valueType: 'text', samples: [], nullable: true })
  expect(column('member', 'team')?.nullable).toBe(false)
  expect(column('member', 'id')?.nullable).toBe(false)
  expect(column('team', 'founded')?.valueType).toBe('date')
  expect(column('badge', 'total')?.generated).toBe(true)
  expect(table('member').rowCount).toBe(1)
})
