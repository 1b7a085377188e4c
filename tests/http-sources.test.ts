import { cpSync, mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProject } from '../src/runtime/index.ts'
import { type HttpWorld, httpWorld, steady } from './support-http.ts'

let world: HttpWorld
const DSN = 'postgres://reader:hunter2@127.0.0.1:1/shop'

beforeAll(async () => {
  world = await httpWorld({ env: { SHOP_DSN: DSN, API_KEY: 'sk-secret' } })
  const drop = join(world.folder, 'drop')
  mkdirSync(join(drop, 'more'))
  cpSync(world.database, join(drop, 'copy.sqlite'))
  writeFileSync(join(drop, 'notes.txt'), 'not a database')
  symlinkSync(world.database, join(drop, 'escape.sqlite'))
  symlinkSync(world.folder, join(drop, 'up'))
  symlinkSync('../copy.sqlite', join(drop, 'more', 'alias.sqlite'))
})
afterAll(() => world.close())

const add = (body: object, who = 'Restricted') => world.call('POST', '/api/sources', who, body)
const config = () => JSON.parse(readFileSync(join(world.folder, 'wherefore.json'), 'utf8'))

describe('sources over HTTP', () => {
  it('are listed with their state and without their place', async () => {
    const reply = await world.call('GET', '/api/sources', 'Public:reader')
    expect(reply.json().sources).toEqual([{ name: 'network-ops', dialect: 'sqlite', flavor: 'network-ops', max_tier: 'Restricted', state: expect.stringMatching(/untried|ready/) }])
    expect(reply.body).not.toContain(world.folder)
  })

  it('can be tested, and say what their role could do', async () => {
    const reply = await world.call('POST', '/api/sources/network-ops/test', 'Restricted:admin')
    expect(reply.json()).toMatchObject({ name: 'network-ops', state: 'ready', dialect: 'sqlite', dangers: [] })
    expect((await world.call('POST', '/api/sources/nothing/test')).json()).toMatchObject({ code: 'unknown_source', hint: expect.stringContaining('network-ops') })
    expect((await world.call('POST', '/api/sources/network-ops/test', 'Restricted:author')).json().code).toBe('forbidden_role')
  })

  it('are introspected as far as the caller may see', async () => {
    const [high, low, asked] = await Promise.all([
      world.call('POST', '/api/sources/network-ops/introspect', 'Restricted:author'),
      world.call('POST', '/api/sources/network-ops/introspect', 'Internal:author'),
      world.call('POST', '/api/sources/network-ops/introspect?max_tier=Internal', 'Restricted:author'),
    ])
    expect(high.json().columns_by_tier.Restricted).toBeGreaterThan(0)
    expect(low.json().columns_by_tier).toMatchObject({ Confidential: 0, Restricted: 0 })
    expect(low.json().columns).toBeLessThan(high.json().columns)
    expect(asked.body).toBe(low.body)
    const db = new DatabaseSync(world.database)
    const tables = Number(db.prepare("select count(*) as n from sqlite_schema where type in ('table', 'view') and name not like 'sqlite_%'").get()?.['n'])
    db.close()
    expect(high.json().tables).toBe(tables)
  })

  it('show foreign keys that nobody declared, with the evidence', async () => {
    const db = new DatabaseSync(join(world.folder, 'drop', 'loose.sqlite'))
    db.exec(`create table customer (id integer primary key, name text);
      create table invoice (id integer primary key, customer_id integer);
      insert into customer values (1, 'a'), (2, 'b'); insert into invoice values (1, 1), (2, 1), (3, 2)`)
    db.close()
    expect((await add({ name: 'loose', file: 'loose.sqlite', max_tier: 'Internal' })).statusCode).toBe(201)
    const reply = (await world.call('POST', '/api/sources/loose/introspect')).json()
    expect(reply.inferred_keys).toEqual([{
      table: 'invoice', columns: ['customer_id'], ref_table: 'customer', ref_columns: ['id'], evidence: expect.stringContaining('values'),
    }])
  })
})

describe('adding a source', () => {
  it('keeps it in wherefore.json and answers from it at once', async () => {
    const reply = await add({ name: 'copy', file: 'copy.sqlite', flavor: 'network-ops', max_tier: 'Confidential' }, 'Restricted:admin')
    expect([reply.statusCode, reply.json()]).toEqual([201, { name: 'copy', dialect: 'sqlite', flavor: 'network-ops', max_tier: 'Confidential', state: 'untried' }])
    expect(config().sources.copy).toMatchObject({ flavor: 'network-ops', max_tier: 'Confidential' })
    expect(config().log_roots).toEqual(['logs'])
    expect(openProject({ cwd: world.folder, env: {} }).config.sources['copy']).toBeDefined()
    const answer = await world.call('POST', '/api/search', 'Restricted', { question: 'How many customers are there?', db_path: 'copy' })
    expect(answer.json().status).toBe('ok')
    expect((await world.call('GET', '/api/sources')).json().sources.map(({ name }: { name: string }) => name)).toContain('copy')
  })

  it('takes a link that stays inside', async () => {
    expect((await add({ name: 'alias', file: 'more/alias.sqlite' })).statusCode).toBe(201)
    expect(config().sources.alias.path).toBe(realpathSync(join(world.folder, 'drop', 'copy.sqlite')))
  })

  it('tells nothing about files outside: missing, climbing, linked, absolute and no file at all read alike', async () => {
    const before = readFileSync(join(world.folder, 'wherefore.json'), 'utf8')
    const files = ['missing.sqlite', '../network-ops.sqlite', 'more/../../network-ops.sqlite', 'escape.sqlite', 'up/network-ops.sqlite', world.database, 'more', '.', 'copy.sqlite\0.txt', 'copy.sqlite/x']
    const replies = await Promise.all(files.map((file) => add({ name: 'other', file })))
    for (const reply of replies) {
      expect(reply.statusCode).toBe(403)
      expect(steady(reply.body)).toBe(steady(replies[0]!.body))
    }
    expect(readFileSync(join(world.folder, 'wherefore.json'), 'utf8')).toBe(before)
  })

  it('tells nothing about the environment: unset and no address read alike', async () => {
    const [unset, key] = await Promise.all([add({ name: 'x', env: 'NOT_SET' }), add({ name: 'x', env: 'API_KEY' })])
    expect([unset.statusCode, key.statusCode]).toEqual([403, 403])
    expect(steady(unset.body)).toBe(steady(key.body))
    expect(key.body).not.toContain('sk-')
  })

  it('saves nothing that cannot be opened, and shows nothing of the address', async () => {
    const bad = await add({ name: 'notes', file: 'notes.txt' })
    expect([bad.statusCode, bad.json().code]).toEqual([503, 'source_unavailable'])
    const server = await add({ name: 'shop', env: 'SHOP_DSN' })
    expect([server.statusCode, server.json().code]).toEqual([503, 'source_unavailable'])
    expect(bad.body + server.body).not.toMatch(/hunter2|127\.0\.0\.1:1|notes\.txt/)
    expect(Object.keys(config().sources)).not.toContain('notes')
    expect(Object.keys(config().sources)).not.toContain('shop')
  })

  it.each([
    [{ name: 'copy', file: 'copy.sqlite' }, 409, 'conflict'],
    [{ name: 'a b', file: 'copy.sqlite' }, 400, 'invalid_request'],
    [{ name: '__proto__', file: 'copy.sqlite', url: 'postgres://x' }, 400, 'invalid_request'],
    [{ name: 'n', url: 'postgres://a:b@c/d' }, 400, 'invalid_request'],
    [{ name: 'n', file: 'copy.sqlite', env: 'SHOP_DSN' }, 400, 'invalid_request'],
    [{ name: 'n' }, 400, 'invalid_request'],
    [{ name: 'n', file: 'copy.sqlite', flavor: 'nothing' }, 400, 'unknown_flavor'],
    [{ name: 'n', file: 'copy.sqlite', max_tier: 'Secret' }, 400, 'invalid_request'],
  ])('refuses %j with %i', async (body, status, code) => {
    const reply = await add(body)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })

  it('is for admins, and for servers that were given a folder', async () => {
    expect((await add({ name: 'n', file: 'copy.sqlite' }, 'Restricted:author')).json().code).toBe('forbidden_role')
    const closed = await httpWorld({ sourcesDir: false })
    const reply = await closed.call('POST', '/api/sources', 'Restricted', { name: 'n', file: 'copy.sqlite' })
    expect(reply.json()).toMatchObject({ code: 'source_not_allowed', hint: expect.stringContaining('--sources-dir') })
    await closed.close()
  })
})

describe('readiness', () => {
  it('follows the file: gone is 503 without its place, put back is ready again', async () => {
    const waits = await httpWorld()
    renameSync(waits.database, `${waits.database}.away`)
    const reply = await waits.call('GET', '/ready')
    expect(reply.json()).toMatchObject({ code: 'source_unavailable', errors: [{ path: 'sources.network-ops', message: 'unavailable' }] })
    const detail = await waits.call('GET', '/health', 'Restricted:admin')
    expect(detail.json().errors[0].message).toContain('no database file')
    expect(reply.body + detail.body).not.toContain(waits.folder)
    expect((await waits.call('GET', '/api/sources')).json().sources[0].state).toBe('unavailable')
    expect((await waits.call('POST', '/api/sources/network-ops/test')).statusCode).toBe(503)
    renameSync(`${waits.database}.away`, waits.database)
    expect((await waits.call('POST', '/api/sources/network-ops/test')).statusCode).toBe(200)
    await waits.close()
  })
})
