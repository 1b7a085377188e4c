/** The same schema on three engines gives the same catalogue, and odd schemas give a correct one. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateNetworkOps } from '../../examples/network-ops/generate.ts'
import { type Catalogue, type Table, openSource } from '../../src/sources/index.ts'
import { type TestServer, copySqlite, startEngines } from '../support-servers.ts'
import { onEachEngine } from './on-each-engine.ts'

const SAKILA = join(process.env['SHARED_DATA'] ?? '../shared/data', 'questions', 'sakila', 'sakila.sqlite')
const dir = mkdtempSync(join(tmpdir(), 'wherefore-catalogue-'))
const { engines, stop } = await startEngines()

afterAll(async () => {
  await stop()
  rmSync(dir, { recursive: true })
})

async function catalogueOf(place: string): Promise<Catalogue> {
  const source = await openSource(place, { processes: 1 })
  try {
    return await source.introspect()
  } finally {
    await source.close()
  }
}

/**
 * What may differ between engines, and nothing else may:
 * - `declaredType`, `checks`: each engine spells them in its own words; that there is a check must agree
 * - `samples` are the first that the engine meets: compared where they are all values of the column, and not for times, whose
 *   spelling is SQLite's own text
 * - views: their SQL is SQLite's, so they are not copied
 */
function comparable({ tables }: Catalogue) {
  return tables.filter(({ kind }) => kind === 'table').map((table) => ({
    ...table,
    checks: table.checks.length,
    columns: table.columns.map((column) => ({
      ...column,
      declaredType: '',
      samples: column.valueType !== 'datetime' && table.rowCount <= 1000 && column.samples.length < 20 ? column.samples.toSorted() : [],
    })),
  }))
}

onEachEngine(engines, (server) => {
  it('gives the network-ops catalogue that SQLite gives', async () => {
    const file = join(dir, `network-ops-${server.dialect}.sqlite`)
    generateNetworkOps(file)
    const target = await server.create('network_ops')
    await copySqlite(file, { dialect: server.dialect, ...target })
    expect(comparable(await catalogueOf(target.url))).toEqual(comparable(await catalogueOf(file)))
  })

  it.skipIf(!existsSync(SAKILA))('gives the sakila catalogue that SQLite gives (SHARED_DATA has sakila)', { timeout: 60_000 }, async () => {
    const target = await server.create('sakila')
    await copySqlite(SAKILA, { dialect: server.dialect, ...target })
    expect(comparable(await catalogueOf(target.url))).toEqual(comparable(await catalogueOf(SAKILA)))
  })

  describe('an odd schema', () => {
    let catalogue: Catalogue
    const table = (wanted: string): Table => {
      const found = catalogue.tables.find((each) => each.name === wanted)
      if (found === undefined) throw new Error(`no table ${wanted} among ${catalogue.tables.map((each) => each.name).join(', ')}`)
      return found
    }
    const column = (of: string, wanted: string) => table(of).columns.find((each) => each.name === wanted)

    beforeAll(async () => {
      const target = await server.create('odd')
      await server.admin(oddSchema(server), target.adminUrl)
      catalogue = await catalogueOf(target.url)
    })

    it('lists tables and views by name', () => {
      const names = ['1000 miles', 'badge', 'big', 'gone', 'member', 'members', 'order', 'pair', 'team', 'two words', 'uses_pair']
      expect(catalogue.tables.map((each) => each.name)).toEqual(names)
      expect(table('members').kind).toBe('view')
    })

    it('reads names with spaces, quotes, reserved words, leading digits and other alphabets', () => {
      expect(table('two words').columns.map((each) => [each.name, each.valueType, each.samples])).toEqual([
        ['a "quoted" name', 'text', ['x']],
        ['back`tick', 'text', ["it's"]],
        ['3rd', 'integer', ['1']],
        ['größe', 'decimal', ['2.5']],
        ['select', 'integer', ['7']],
      ])
      expect(table('order').primaryKey).toEqual(['group'])
    })

    it('follows composite keys in order, and keys in a circle', () => {
      expect(table('pair').primaryKey).toEqual(['y', 'x'])
      expect(table('uses_pair').foreignKeys).toEqual([{ columns: ['py', 'px'], refTable: 'pair', refColumns: ['y', 'x'], inferred: null }])
      expect(table('uses_pair').uniques).toEqual([['py', 'px']])
      expect(table('team').foreignKeys).toMatchObject([{ columns: ['lead_id'], refTable: 'member' }])
      expect(table('member').foreignKeys).toMatchObject([{ columns: ['team'], refTable: 'team' }])
    })

    it('finds a key that nobody declared and that the values bear out', () => {
      expect(table('badge').foreignKeys).toMatchObject([{ columns: ['member_id'], refTable: 'member', refColumns: ['id'] }])
      expect(table('badge').foreignKeys[0]?.inferred).toContain('each of its 1 values')
      expect(table('gone').foreignKeys).toEqual([])
    })

    it('knows generated columns, comments, checks, bytes, big integers and columns of nothing but NULL', () => {
      expect(column('badge', 'total')).toMatchObject({ generated: true, valueType: 'integer' })
      expect(column('badge', 'code')).toMatchObject({ generated: false, comment: 'what is printed on it' })
      expect(table('badge').comment).toBe('one per door')
      expect(table('badge').checks.join()).toMatch(/member_id.*> 0/)
      expect(column('big', 'wide')).toMatchObject({ valueType: 'integer', samples: ['9007199254740993'] })
      expect(column('big', 'exact')).toMatchObject({ valueType: 'decimal', samples: ['1234567890123456.789'] })
      expect(column('big', 'whole')).toMatchObject({ valueType: 'integer', samples: ['12345678901234567890'] })
      expect(column('big', 'bytes')).toMatchObject({ valueType: 'blob', samples: [] })
      expect(column('big', 'never')).toMatchObject({ valueType: 'text', samples: [], nullable: true })
      expect(column('big', 'flag')).toMatchObject({ valueType: 'boolean', samples: ['1'] })
      expect(column('big', 'kind')).toMatchObject({ valueType: 'text', samples: ['b'] })
      expect(column('big', 'doc')).toMatchObject({ valueType: 'text' })
      expect(column('big', 'long_text')).toMatchObject({ valueType: 'text', samples: [] })
      expect(table('big').rowCount).toBe(1)
    })
  })

  it('reads a thousand tables', { timeout: 120_000 }, async () => {
    const target = await server.create('thousand')
    const statements = Array.from({ length: 1000 }, (_, at) => `CREATE TABLE t${at} (id INTEGER PRIMARY KEY, t${(at * 7) % 1000}_id INTEGER, name VARCHAR(20))`)
    await server.admin(statements, target.adminUrl)
    expect((await catalogueOf(target.url)).tables).toHaveLength(1000)
  })

  it('an empty schema is an empty catalogue', async () => {
    const target = await server.create('empty')
    expect(await catalogueOf(target.url)).toEqual({ dialect: server.dialect, tables: [] })
  })

  it('shows only what the role may read', async () => {
    const target = await server.create('partly')
    const q = server.dialect === 'postgres' ? 'reader' : "reader@'127.0.0.1'"
    await server.admin(['CREATE TABLE person (id INTEGER PRIMARY KEY, ssn VARCHAR(20))', 'CREATE TABLE secret (id INTEGER PRIMARY KEY)'], target.adminUrl)
    const revoke = server.dialect === 'postgres' ? ['REVOKE SELECT ON person, secret FROM reader'] : [`REVOKE SELECT, SHOW VIEW ON partly.* FROM ${q}`]
    await server.admin([...revoke, `GRANT SELECT (id) ON person TO ${q}`], target.adminUrl)
    const { tables } = await catalogueOf(target.url)
    expect(tables.map((each) => [each.name, each.columns.map((part) => part.name)])).toEqual([['person', ['id']]])
  })
})

function oddSchema({ dialect }: TestServer): string[] {
  const postgres = dialect === 'postgres'
  const q = (name: string) => (postgres ? `"${name.replaceAll('"', '""')}"` : `\`${name.replaceAll('`', '``')}\``)
  const comments = postgres
    ? [`COMMENT ON TABLE badge IS 'one per door'`, `COMMENT ON COLUMN badge.code IS 'what is printed on it'`]
    : [`ALTER TABLE badge COMMENT 'one per door'`, `ALTER TABLE badge MODIFY code VARCHAR(10) UNIQUE COMMENT 'what is printed on it'`]
  const types = postgres ? [`CREATE TYPE letter AS ENUM ('a', 'b')`] : []
  return [
    ...types,
    `CREATE TABLE ${q('two words')} (${q('a "quoted" name')} VARCHAR(10), ${q('back`tick')} VARCHAR(10), ${q('3rd')} INTEGER, ${q('größe')} DOUBLE PRECISION, ${q('select')} INTEGER)`,
    `INSERT INTO ${q('two words')} VALUES ('x', 'it''s', 1, 2.5, 7)`,
    `CREATE TABLE ${q('order')} (${q('group')} INTEGER PRIMARY KEY)`,
    `CREATE TABLE ${q('1000 miles')} (id INTEGER PRIMARY KEY)`,
    'CREATE TABLE team (id INTEGER PRIMARY KEY, lead_id INTEGER, founded DATE)',
    'CREATE TABLE member (id INTEGER PRIMARY KEY, team INTEGER NOT NULL, FOREIGN KEY (team) REFERENCES team (id))',
    'INSERT INTO team VALUES (1, NULL, NULL)',
    'INSERT INTO member VALUES (1, 1)',
    'UPDATE team SET lead_id = 1',
    'ALTER TABLE team ADD FOREIGN KEY (lead_id) REFERENCES member (id)',
    'CREATE TABLE pair (x INTEGER, y VARCHAR(10), PRIMARY KEY (y, x))',
    'CREATE TABLE uses_pair (px INTEGER, py VARCHAR(10), UNIQUE (py, px), FOREIGN KEY (py, px) REFERENCES pair (y, x))',
    'CREATE TABLE badge (code VARCHAR(10) UNIQUE, member_id INTEGER CHECK (member_id > 0), total INTEGER GENERATED ALWAYS AS (member_id * 2) STORED)',
    `INSERT INTO badge (code, member_id) VALUES ('b1', 1)`,
    ...comments,
    'CREATE TABLE gone (member_id INTEGER)',
    'INSERT INTO gone VALUES (1), (99)',
    `CREATE TABLE big (wide BIGINT, exact NUMERIC(30, 3), whole NUMERIC(30, 0), bytes ${postgres ? 'BYTEA' : 'BLOB'}, never VARCHAR(10), ` +
      `flag BOOLEAN, kind ${postgres ? 'letter' : "ENUM('a', 'b')"}, doc JSON, long_text TEXT)`,
    `INSERT INTO big VALUES (9007199254740993, 1234567890123456.789, 12345678901234567890, ${postgres ? "'\\x00ff'" : "X'00ff'"}, NULL, TRUE, 'b', '{"a": 1}', '${'x'.repeat(300)}')`,
    'CREATE VIEW members AS SELECT id, team FROM member',
  ]
}
