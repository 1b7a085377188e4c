import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '../contracts/index.ts'
import { openSource } from './open.ts'
import type { Source } from './source.ts'

const dir = mkdtempSync(join(tmpdir(), 'wherefore-open-'))
const file = join(dir, 'plain.sqlite')
const LIMITS = { maxRows: 100, timeoutMs: 5000 }
const RUNAWAY = 'with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c'
const sha = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
const query = (sql: string, ...params: (string | number | bigint | null)[]) => ({ sql, params })
const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work
  } catch (error) {
    return error instanceof ServiceError ? error.code : error
  }
}

const write = (name: string, bytes: Uint8Array | string): string => {
  writeFileSync(join(dir, name), bytes)
  return join(dir, name)
}

let source: Source
let before: string

beforeAll(async () => {
  const db = new DatabaseSync(file)
  db.exec(`
    CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT, big INTEGER, bytes BLOB);
    INSERT INTO item VALUES (1, '7', 9007199254740993, x'00ff'), (2, 'b', -5, NULL), (3, 'c', 0, NULL);
  `)
  db.close()
  before = sha(file)
  source = await openSource(file)
})
afterAll(async () => {
  await source.close()
  rmSync(dir, { recursive: true })
})

describe('a select', () => {
  it('brings rows as arrays, integers as numbers when they fit and whole when they do not', async () => {
    const { columns, rows, truncated } = await source.select(query('select id, big, bytes, id from item order by id'), LIMITS)
    expect(columns).toEqual(['id', 'big', 'bytes', 'id'])
    expect(rows).toEqual([
      [1, 9007199254740993n, new Uint8Array([0, 255]), 1],
      [2, -5, null, 2],
      [3, 0, null, 3],
    ])
    expect(truncated).toBe(false)
  })

  it('stops at the cap and says that there was more', async () => {
    const capped = await source.select(query('select id from item'), { ...LIMITS, maxRows: 2 })
    expect(capped).toMatchObject({ rows: [[1], [2]], truncated: true })
    expect(await source.select(query('select id from item'), { ...LIMITS, maxRows: 3 })).toMatchObject({ truncated: false })
  })

  it('binds values: a number equals the text of it, and nothing in a value is SQL', async () => {
    expect((await source.select(query('select id from item where code = ?', 7), LIMITS)).rows).toEqual([[1]])
    expect((await source.select(query('select id from item where code = ?', "b' or '1'='1"), LIMITS)).rows).toEqual([])
  })

  it.each([
    "attach 'other.db' as o",
    "vacuum into 'copy.db'",
    'insert into item values (9, null, null, null)',
    'with x as (select 1) delete from item',
    'pragma table_list',
    'pragma query_only = off',
    "select * from pragma_table_info('item')",
    'select name from sqlite_schema',
    'select count(*) from sqlite_schema',
    "select load_extension('x')",
    'select randomblob(1000000000)',
    "select value from json_each('[1]')",
    'explain select 1',
    'select 1; select 2',
    'begin',
    'select no_such_column from item',
  ])('refuses %s', async (sql) => {
    const error = await codeOf(source.select(query(sql), LIMITS))
    expect(error).toBeInstanceOf(Error)
    // a bug of ours: the surface shows nothing of it, the log finds the engine's words in `cause`
    expect(error).toMatchObject({ message: 'the database refused a compiled statement' })
  })

  it('allows what the compiler writes: joins, groups, unions, common table expressions', async () => {
    const sql =
      'with few(x) as (select id from item where id < ?) ' +
      'select count(*), max(upper(code)) from item join few on few.x = item.id union all select count(*), null from few'
    expect((await source.select(query(sql, 3), LIMITS)).rows).toEqual([[2, 'B'], [2, null]])
  })
})

describe('a query that runs away', () => {
  it('is stopped at its deadline, and the next one is served', async () => {
    const started = performance.now()
    expect(await codeOf(source.select(query(RUNAWAY), { ...LIMITS, timeoutMs: 300 }))).toBe('deadline_exceeded')
    expect(performance.now() - started).toBeLessThan(550)
    expect((await source.select(query('select 1'), LIMITS)).rows).toEqual([[1]])
  })

  it('is stopped when its caller leaves', async () => {
    const gone = new AbortController()
    setTimeout(() => gone.abort(), 50)
    expect(await codeOf(source.select(query(RUNAWAY), { ...LIMITS, signal: gone.signal }))).toBe('cancelled')
    expect(await codeOf(source.select(query('select 1'), { ...LIMITS, signal: gone.signal }))).toBe('cancelled')
  })

  it('holds up nobody else, and time in the queue counts', async () => {
    const outcomes = await Promise.all([
      codeOf(source.select(query(RUNAWAY), { ...LIMITS, timeoutMs: 400 })),
      codeOf(source.select(query(RUNAWAY), { ...LIMITS, timeoutMs: 400 })),
      codeOf(source.select(query('select 1'), { ...LIMITS, timeoutMs: 100 })),
      codeOf(source.select(query('select 2'), LIMITS)),
    ])
    expect(outcomes.slice(0, 3)).toEqual(['deadline_exceeded', 'deadline_exceeded', 'deadline_exceeded'])
    expect(outcomes[3]).toMatchObject({ rows: [[2]] })
  })
})

it.skipIf(!existsSync('/proc/self/stat'))('after all that there are two readers again, and none of the old ones', async () => {
  await expect.poll(() => readersOf(process.pid).length, { timeout: 2000, interval: 50 }).toBe(2)
})

describe('a file', () => {
  it.each([
    ['that is not there', () => join(dir, 'nowhere.sqlite')],
    ['that is a folder', () => dir],
    ['that is text', () => write('notes.txt', 'only some words, but enough of them to fill a header '.repeat(4))],
    ['whose header is damaged', () => {
      const bytes = readFileSync(file)
      bytes.fill(0xff, 0, 32)
      return write('damaged.sqlite', bytes)
    }],
    ['that is an engine we do not know', () => 'oracle://127.0.0.1/name'],
    ['that is a server nobody runs', () => 'postgres://someone:hidden@127.0.0.1:1/name'],
    ['that is another server nobody runs', () => 'mysql://someone:hidden@127.0.0.1:1/name'],
    ['that a variable should name', () => 'env:WHEREFORE_NO_SUCH_VARIABLE'],
  ])('%s is unavailable, in our words', async (_, path) => {
    const asked = path()
    const error = await openSource(asked).then(() => null, (reason: unknown) => reason)
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ code: 'source_unavailable' })
    const { message, about } = error as ServiceError
    expect(`${message} ${about.hint}`).not.toContain(dir)
    expect(message).not.toMatch(/SQLITE|disk image|unable to open|ECONN|127\.0\.0\.1|someone/)
    expect(JSON.stringify([message, about.hint, String(about.cause)])).not.toContain('hidden')
  })

  it('damaged further in opens, and fails where it is read', async () => {
    const bytes = readFileSync(file)
    bytes.fill(0xff, 4096)
    const damaged = await openSource(write('half.sqlite', bytes))
    expect(await codeOf(damaged.select(query('select code from item'), LIMITS))).toBe('source_unavailable')
    expect(await codeOf(damaged.introspect())).toBe('source_unavailable')
    await damaged.close()
  })

  it('with an empty schema is an empty catalogue', async () => {
    const empty = await openSource(write('empty.sqlite', ''))
    expect(await empty.introspect()).toEqual({ dialect: 'sqlite', tables: [] })
    await empty.close()
  })

  it('whose name looks like a URI is only a name', async () => {
    expect(await codeOf(openSource('file:plain.sqlite?mode=rwc'))).toBe('source_unavailable')
    expect(await codeOf(openSource(':memory:'))).toBe('source_unavailable')
  })
})

it('nothing above has changed the database, nor left a file beside it', async () => {
  await source.introspect()
  expect(sha(file)).toBe(before)
  expect(readdirSync(dir).filter((name) => name.startsWith('plain'))).toEqual(['plain.sqlite'])
})

it('a closed source refuses', async () => {
  const closing = await openSource(file, { processes: 1 })
  const running = codeOf(closing.select(query(RUNAWAY), LIMITS))
  await closing.close()
  expect(await running).toBe('shutting_down')
  expect(await codeOf(closing.select(query('select 1'), LIMITS))).toBe('shutting_down')
})

describe('a program that opens a source', () => {
  it('ends by itself without closing it', async () => {
    const program = start(`await source.select({ sql: 'select 1', params: [] }, { maxRows: 1, timeoutMs: 5000 })`)
    expect(await new Promise((resolve) => program.once('exit', resolve))).toBe(0)
  })

  it.skipIf(!existsSync('/proc/self/stat'))('takes its readers with it when it is killed in the middle of a query', async () => {
    const program = start(`
      source.select({ sql: ${JSON.stringify(RUNAWAY)}, params: [] }, { maxRows: 1, timeoutMs: 60_000 }).catch(() => {})
      setTimeout(() => console.log('busy'), 100)`)
    await new Promise((resolve) => program.stdout.once('data', resolve))
    const readers = readersOf(program.pid)
    expect(readers).toHaveLength(1)
    program.kill('SIGKILL')
    const left = () => processes().filter(({ pid, zombie }) => readers.includes(pid) && !zombie)
    await expect.poll(left, { timeout: 4000, interval: 50 }).toEqual([])
  })
})

/** A program of its own that opens the database and goes on with `body`. */
function start(body: string) {
  const script = `
    import { openSource } from ${JSON.stringify(new URL('./open.ts', import.meta.url).href)}
    const source = await openSource(${JSON.stringify(file)}, { processes: 1 })
    ${body}`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
}

const readersOf = (program: number | undefined): number[] =>
  processes().filter(({ parent, zombie }) => parent === program && !zombie).map(({ pid }) => pid)

function processes(): { pid: number; parent: number; zombie: boolean }[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      // pid (name) state ppid ...: the name may hold spaces and brackets
      const [state, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return [{ pid: Number(name), parent: Number(parent), zombie: state === 'Z' }]
    } catch {
      return [] // gone meanwhile
    }
  })
}
