/** What a source can never do on a server, what it says of the role behind it, and how it speaks of failures. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/contracts/index.ts'
import { type Source, openSource } from '../../src/sources/index.ts'
import { type TestServer, startEngines } from '../support-servers.ts'
import { onEachEngine } from './on-each-engine.ts'

const LIMITS = { maxRows: 100, timeoutMs: 5000 }
const query = (sql: string, ...params: (string | number | bigint | null)[]) => ({ sql, params })
const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, (error: unknown) => error)
const { engines, stop } = await startEngines()
afterAll(stop)

/** Harmful statements; those of one engine are refused by the other all the same. */
const ATTACKS = [
  "insert into item values (9, 'x', 1, null)", 'update item set code = 1', 'delete from item', 'drop table item', 'create table x (a integer)',
  'truncate table item', 'alter table item add z integer', 'grant select on item to public',
  'with x as (delete from item returning id) select * from x', 'select * into copy from item',
  "copy item to program 'true'", "copy item to '/nonexistent/wherefore-attack'", "copy item from '/etc/passwd'", "select pg_read_file('/etc/passwd')",
  "select lo_import('/etc/passwd')", 'select pg_sleep(1)', "select set_config('transaction_read_only', 'off', false)",
  "select set_config('statement_timeout', '0', false)", 'select rolname from pg_authid', 'select usename from pg_shadow',
  "select * from item into outfile '/nonexistent/wherefore-attack'", "select 'x' into dumpfile '/nonexistent/wherefore-attack'", "select load_file('/etc/passwd')",
  "load data infile '/etc/passwd' into table item", 'select sleep(1)', 'select benchmark(1000000000, md5(1))', 'select user, host from mysql.user',
  'set statement max_statement_time = 0 for select 1', 'set session transaction read write', 'set transaction read write', 'set @x = 1', 'select @@datadir',
  'select 1; delete from item', 'select 1; commit; begin read write; delete from item', 'commit', 'begin', 'rollback', 'start transaction',
  'lock table item', 'select id from item for update', 'call something()', 'do 1', "do $$ begin delete from item; end $$", 'handler item open',
  'explain analyze delete from item', 'show grants', 'kill 1', 'prepare p as delete from item', 'execute p', 'listen x', 'vacuum',
  'select 1 /*! ; delete from item */', 'select /*+ set_var(max_execution_time=0) */ 1',
]

onEachEngine(engines, (server, name) => {
  const mark = server.dialect === 'postgres' ? '$1' : '?'
  let source: Source
  let asOwner: Source
  let before: unknown

  beforeAll(async () => {
    await server.admin([
      `CREATE TABLE item (id INTEGER PRIMARY KEY, code VARCHAR(20), big BIGINT, bytes ${server.dialect === 'postgres' ? 'BYTEA' : 'BLOB'})`,
      `INSERT INTO item VALUES (1, '7', 9007199254740993, ${server.dialect === 'postgres' ? "'\\x00ff'" : "X'00ff'"}), (2, 'b', -5, NULL), (3, 'c', 0, NULL)`,
    ])
    await server.admin(valueTable(server))
    before = await checksum(server)
    source = await openSource(server.url)
    asOwner = await openSource(server.adminUrl, { processes: 1 })
  })
  afterAll(async () => {
    await Promise.all([source.close(), asOwner.close()])
  })

  describe('a select', () => {
    it('brings rows as arrays, integers as numbers when they fit and whole when they do not', async () => {
      const { columns, rows, truncated } = await source.select(query('select id, big, bytes, id from item order by id'), LIMITS)
      expect(columns).toEqual(['id', 'big', 'bytes', 'id'])
      expect(rows).toEqual([[1, 9007199254740993n, new Uint8Array([0, 255]), 1], [2, -5, null, 2], [3, 0, null, 3]])
      expect(truncated).toBe(false)
    })

    it('stops at the cap and says that there was more, whatever cap came before', async () => {
      const sql = 'select id from item order by id'
      expect(await source.select(query(sql), { ...LIMITS, maxRows: 2 })).toMatchObject({ rows: [[1], [2]], truncated: true })
      expect(await source.select(query(sql), { ...LIMITS, maxRows: 3 })).toMatchObject({ truncated: false })
      expect(await source.select(query(`${sql} limit ${mark}`, 2), LIMITS)).toMatchObject({ rows: [[1], [2]], truncated: false })
      expect(await source.select(query(`${sql} limit ${mark}`, 3), { ...LIMITS, maxRows: 1 })).toMatchObject({ rows: [[1]], truncated: true })
      expect(await source.select(query(sql), LIMITS)).toMatchObject({ rows: [[1], [2], [3]], truncated: false })
    })

    it('leaves a statement that goes on far beyond the cap, and the next one is served', async () => {
      const many = 'select a.id from item a, item b, item c, item d, item e, item f, item g, item h limit 5000'
      expect(await source.select(query(many), { ...LIMITS, maxRows: 10 })).toMatchObject({ truncated: true })
      for (let i = 0; i < 4; i += 1) expect((await source.select(query('select 1'), LIMITS)).rows).toEqual([[1]])
    })

    it('binds values: nothing in a value is SQL, and big integers stay exact', async () => {
      expect((await source.select(query(`select id from item where code = ${mark}`, "b' or '1'='1"), LIMITS)).rows).toEqual([])
      expect((await source.select(query(`select id from item where code = ${mark}`, '\\'), LIMITS)).rows).toEqual([])
      expect((await source.select(query(`select id from item where big = ${mark}`, 9007199254740993n), LIMITS)).rows).toEqual([[1]])
      expect((await source.select(query(`select id from item where big = ${mark}`, 9007199254740992n), LIMITS)).rows).toEqual([])
    })

    it('brings every type as the table in cells.ts says', async () => {
      const { rows } = await source.select(query('select * from kinds'), LIMITS)
      expect(rows).toEqual([valueRow(server)])
    })
  })

  describe('nothing harmful runs', () => {
    it.each(ATTACKS)('%s', async (sql) => {
      for (const each of [source, asOwner]) {
        expect(await failure(each.select(query(sql), LIMITS))).toMatchObject({ message: 'the database refused a compiled statement' })
      }
    })

    it('and the rows are what they were', async () => {
      expect(await checksum(server)).toEqual(before)
      expect(await server.admin(['select count(*) from item'])).toMatchObject([[expect.anything()]])
    })
  })

  describe('the role', () => {
    it('of a reader is harmless', async () => {
      const { engine, dangers } = await source.examineRole()
      expect(dangers).toEqual([])
      expect(engine).toMatch(new RegExp(`^${name} \\d`))
    })

    it('of the owner is dangerous, with the reasons', async () => {
      const { dangers } = await asOwner.examineRole()
      expect(dangers.join('\n')).toMatch(server.dialect === 'postgres' ? /superuser[^]*row security[^]*can write/ : /every right[^]*hand its rights on/)
    })

    it.each(roleCases(server).map((each, at) => [...each, `risky${at}`] as const))('that %s is dangerous', async (_, grants, danger, role) => {
      const who = server.dialect === 'postgres' ? role : `${role}@'127.0.0.1'`
      await server.admin([server.dialect === 'postgres' ? `CREATE ROLE ${role} LOGIN` : `CREATE USER ${who}`, ...grants.map((grant) => grant.replaceAll('WHO', who))])
      const risky = await openSource(server.url.replace('//reader@', `//${role}@`), { processes: 1 })
      const { dangers } = await risky.examineRole()
      await risky.close()
      expect(dangers).toHaveLength(1)
      expect(dangers[0]).toMatch(danger)
    })
  })

  describe('a failure is told in our words', () => {
    it.each([
      ['a wrong port', (url: string) => url.replace(/:\d+\//, ':1/')],
      ['a wrong database', (url: string) => url.replace(/\/[^/]*$/, '/nowhere')],
      ['a wrong user', (url: string) => url.replace('//reader@', '//nobody_here:hidden@')],
      ['encryption that the server has not', (url: string) => `${url}?sslmode=verify-full`],
    ])('%s', async (_, spoil) => {
      const error = await failure(openSource(spoil(server.url), { processes: 1 }))
      expect(error).toBeInstanceOf(ServiceError)
      const { code, message, about } = error as ServiceError
      expect(code).toBe('source_unavailable')
      expect(`${message} ${about.hint}`).not.toMatch(/reader|nobody_here|hidden|127\.0\.0\.1|ECONN|postgres|mariadb|mysql|\d{4}/i)
      expect(String(about.cause)).not.toContain('hidden')
      expect(about.cause).toBeInstanceOf(Error)
    })

    it('a schema that is not there', async () => {
      if (server.dialect !== 'postgres') return
      expect(await failure(openSource(`${server.url}?schema=nowhere`))).toMatchObject({ message: 'the database has no schema of that name' })
    })

    it('a table that the role may not read', async () => {
      const target = await server.create('closed')
      await server.admin(['CREATE TABLE free (id INTEGER)', 'CREATE TABLE secret (id INTEGER)'], target.adminUrl)
      const who = server.dialect === 'postgres' ? 'reader' : "reader@'127.0.0.1'"
      const revoke = server.dialect === 'postgres' ? `REVOKE SELECT ON secret FROM ${who}` : `REVOKE SELECT, SHOW VIEW ON closed.* FROM ${who}`
      await server.admin([revoke, `GRANT SELECT ON free TO ${who}`], target.adminUrl)
      const closed = await openSource(target.url, { processes: 1 })
      expect(await failure(closed.select(query('select id from secret'), LIMITS))).toMatchObject({ code: 'source_unavailable' })
      await closed.close()
    })

    it('a connection that the server has ended is made anew', async () => {
      const one = await openSource(server.url, { processes: 1 })
      await server.admin([
        server.dialect === 'postgres'
          ? `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'`
          : 'KILL USER reader',
      ])
      await failure(one.select(query('select 1'), LIMITS)) // this one may still find the old connection
      expect((await one.select(query('select 1'), LIMITS)).rows).toEqual([[1]])
      await one.close()
    })

    it('a variable holds the address', async () => {
      const named = await openSource('env:SHOP', { processes: 1, env: { SHOP: server.url } })
      expect((await named.select(query('select 1'), LIMITS)).rows).toEqual([[1]])
      await named.close()
    })
  })
})

async function checksum(server: TestServer): Promise<unknown> {
  return server.admin([
    server.dialect === 'postgres' ? `SELECT md5(string_agg(t::text, '|' ORDER BY id)) FROM item t` : 'CHECKSUM TABLE item',
  ])
}

type RoleCase = readonly [what: string, grants: readonly string[], danger: RegExp]
function roleCases({ dialect }: TestServer): readonly RoleCase[] {
  return dialect === 'postgres'
    ? [
        ['may write one table', ['GRANT INSERT ON item TO WHO'], /can write "item"/],
        ['may write one column', ['GRANT UPDATE (code) ON item TO WHO'], /can write "item"/],
        ['may create tables', ['GRANT CREATE ON SCHEMA public TO WHO'], /create tables in the schema "public"/],
        ['may read files', ['GRANT pg_read_server_files TO WHO'], /read files/],
        ['may run programs', ['GRANT pg_execute_server_program TO WHO'], /run programs/],
        ['bypasses row security', ['ALTER USER WHO BYPASSRLS'], /row security/],
        ['may create roles', ['ALTER USER WHO CREATEROLE'], /create roles/],
        ['owns a table', ['CREATE TABLE owned (id INTEGER)', 'ALTER TABLE owned OWNER TO WHO', 'REVOKE ALL ON owned FROM WHO'], /owns "owned"/],
      ]
    : [
        ['may write one table', ['GRANT SELECT ON test.* TO WHO', 'GRANT INSERT ON test.item TO WHO'], /INSERT on .test.\..item./],
        ['may read files', ['GRANT FILE ON *.* TO WHO', 'GRANT SELECT ON test.* TO WHO'], /files of the server/],
        ['may see processes', ['GRANT PROCESS ON *.* TO WHO', 'GRANT SELECT ON test.* TO WHO'], /other accounts/],
        ['may drop tables', ['GRANT SELECT, DROP ON test.* TO WHO'], /DROP on .test.\.\*/],
        ['may write through a role', ['CREATE ROLE writers', 'GRANT INSERT ON test.* TO writers', 'GRANT writers TO WHO', 'GRANT SELECT ON test.* TO WHO'], /through the role .*INSERT/],
      ]
}

function valueTable({ dialect }: TestServer): string[] {
  return dialect === 'postgres'
    ? [
        'CREATE TABLE kinds (a SMALLINT, b NUMERIC, c NUMERIC(30, 10), d REAL, e DOUBLE PRECISION, f BOOLEAN, g DATE, h TIMESTAMP, i TIMESTAMPTZ, j UUID, k JSONB, l INTEGER[], m CHAR(5), n TIME, o TEXT)',
        `INSERT INTO kinds VALUES (1, 10.50, 12345678901234.5678901234, 0.1, 'NaN', true, '2026-03-01', '2026-03-01 08:00:00.250', ` +
          `'2026-03-01 08:00:00+02', '6F9619FF-8B86-D011-B42D-00C04FC964FF', '{"a": [1]}', '{1,2}', 'ab', '08:00', 'grüße 😀')`,
      ]
    : [
        "CREATE TABLE kinds (a SMALLINT, b DECIMAL(10, 2), c DECIMAL(30, 10), d FLOAT, e DOUBLE, f BOOLEAN, g DATE, h DATETIME(3), i TIMESTAMP, j BIGINT UNSIGNED, k JSON, l BIT(9), m CHAR(5), n TIME, o TEXT, p YEAR, q ENUM('x', 'y')) CHARSET utf8mb4",
        "SET time_zone = '+02:00'",
        `INSERT INTO kinds VALUES (1, 10.50, 12345678901234.5678901234, 0.1, 2.5, true, '2026-03-01', '2026-03-01 08:00:00.250', ` +
          `'2026-03-01 08:00:00', 18446744073709551615, '{"a": [1]}', b'100000001', 'ab', '08:00', 'grüße 😀', 2026, 'y')`,
      ]
}

function valueRow({ dialect }: TestServer): unknown[] {
  const first = [1, 10.5, '12345678901234.5678901234', 0.1, dialect === 'postgres' ? 'NaN' : 2.5, 1, '2026-03-01', '2026-03-01 08:00:00.25']
  return dialect === 'postgres'
    ? [...first, '2026-03-01 06:00:00Z', '6f9619ff-8b86-d011-b42d-00c04fc964ff', '{"a": [1]}', '{1,2}', 'ab', '08:00:00', 'grüße 😀']
    : [...first, '2026-03-01 06:00:00', 18446744073709551615n, '{"a": [1]}', 257, 'ab', '08:00:00', 'grüße 😀', 2026, 'y']
}
