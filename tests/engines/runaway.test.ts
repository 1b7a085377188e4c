/**
 * Statements that would run for hours, on each engine: at the deadline the caller has its answer, and soon after it nothing of
 * the statement is left on the server. Five on each engine, all fifty with WHEREFORE_FULL=1. The figures are printed.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateNetworkOps } from '../../examples/network-ops/generate.ts'
import { ServiceError } from '../../src/contracts/index.ts'
import { type Source, openSource } from '../../src/sources/index.ts'
import { type TestServer, copySqlite, startEngines } from '../support-servers.ts'
import { onEachEngine } from './on-each-engine.ts'

const FULL = process.env['WHEREFORE_FULL'] === '1'
const RUNS = FULL ? 50 : 5
const DEADLINE_MS = 300
/** The promise is 250 ms. A quick run shares the machine with other tests, so there only a statement that stays counts as a failure. */
const FREE_WITHIN_MS = FULL ? 250 : 2000

const dir = mkdtempSync(join(tmpdir(), 'wherefore-runaway-'))
const file = join(dir, 'network-ops.sqlite')
generateNetworkOps(file)
const { engines, stop } = await startEngines()

afterAll(async () => {
  await stop()
  rmSync(dir, { recursive: true })
})

const ALL = 'from kpi_sample a, kpi_sample b, kpi_sample c'
const RUNAWAYS = [
  `select count(*) ${ALL} where a.value + b.value + c.value < -1`,
  `select sum(a.value * b.value - c.value) ${ALL}`,
  `select a.id ${ALL} order by a.value + b.value * c.value limit 1`,
  `select a.metric, count(*) ${ALL} group by a.metric`,
  `select count(*) from kpi_sample a where exists (select 1 from kpi_sample b, kpi_sample c where a.value + b.value + c.value < -1)`,
  `select max(length(concat(a.metric, b.metric))) ${ALL}`,
  `with x as (select a.value + b.value as v from kpi_sample a, kpi_sample b) select count(*) from x p, x q where p.v + q.v < -1`,
  `select count(*) ${ALL} where lower(concat(a.metric, b.unit)) like '%no such thing%' or a.value + b.value + c.value < -1`,
  `select 1 ${ALL} where a.value + b.value + c.value < -1 union all select 2 ${ALL} where a.value < -1 - b.value - c.value`,
  `select count(*) from ticket a left join ticket b on b.id <> a.id left join kpi_sample c on c.id <> b.id left join kpi_sample d on d.id <> c.id`,
]
/** SQLite's gate knows no concat */
const forSqlite = (sql: string): string => sql.replaceAll(/concat\(([^,]+), ([^)]+)\)/g, '($1 || $2)')

interface Figures {
  readonly client: number[]
  readonly server: number[]
  /** how late a bare timer of this process was meanwhile: what the machine itself adds on a busy day */
  readonly timer: number[]
}
const noFigures = (): Figures => ({ client: [], server: [], timer: [] })

/** One statement: ms after its deadline until the caller had its answer, and until the server was free. */
async function stopOne(source: Source, sql: string, busy: () => Promise<boolean>, figures: Figures): Promise<void> {
  const started = performance.now()
  const after = () => Math.round(performance.now() - started - DEADLINE_MS)
  setTimeout(() => figures.timer.push(after()), DEADLINE_MS)
  const error = await source.select({ sql, params: [] }, { maxRows: 10, timeoutMs: DEADLINE_MS }).catch((reason: unknown) => reason)
  figures.client.push(after())
  expect(error, sql).toMatchObject({ code: 'deadline_exceeded' })
  while (await busy()) {
    if (after() > 10_000) throw new Error('the statement still runs')
  }
  figures.server.push(after())
  expect((await source.select({ sql: 'select 1', params: [] }, { maxRows: 1, timeoutMs: 5000 })).rows).toEqual([[1]])
}

function report(name: string, { client, server, timer }: Figures): void {
  const line = (all: readonly number[]) => `median ${all.toSorted((x, y) => x - y)[Math.floor(all.length / 2)]} ms, worst ${Math.max(...all)} ms`
  console.log(`${name}: ${client.length} runaway statements, after the deadline: client free ${line(client)}; server free ${line(server)}; a bare timer was late by ${line(timer)}`)
}

describe('SQLite', () => {
  it.skipIf(!existsSync('/proc/self/stat'))(`stops ${RUNS} runaway statements`, { timeout: 120_000 }, async () => {
    const figures = noFigures()
    const before = createHash('sha256').update(readFileSync(file)).digest('hex')
    const source = await openSource(file, { processes: 1 })
    for (let at = 0; at < RUNS; at += 1) {
      // the one reader that is there when the statement starts has to be gone afterwards
      const readers = childrenOf(process.pid)
      await stopOne(source, forSqlite(RUNAWAYS[at % RUNAWAYS.length] ?? ''), async () => readers.some((pid) => childrenOf(process.pid).includes(pid)), figures)
    }
    await source.close()
    report('SQLite', figures)
    expect(Math.max(...figures.client, ...figures.server)).toBeLessThanOrEqual(FREE_WITHIN_MS)
    expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(before)
  })
})

onEachEngine(engines, (server, name) => {
  beforeAll(() => copySqlite(file, server), 60_000)

  it(`stops ${RUNS} runaway statements`, { timeout: 240_000 }, async () => {
    const figures = noFigures()
    const before = await checksums(server)
    const source = await openSource(server.url)
    const watcher = await server.session()
    const busy = async (): Promise<boolean> => (await watcher.rows(busyQuery(server))).length > 0
    for (let at = 0; at < RUNS; at += 1) await stopOne(source, RUNAWAYS[at % RUNAWAYS.length] ?? '', busy, figures)
    await Promise.all([source.close(), watcher.close()])
    report(name, figures)
    expect(Math.max(...figures.client, ...figures.server)).toBeLessThanOrEqual(FREE_WITHIN_MS)
    expect(await checksums(server)).toEqual(before)
  })

  it.each([
    ['its caller leaves', async (source: Source, gone: AbortController) => {
      gone.abort()
      return source
    }],
    ['the source is closed', async (source: Source) => {
      await source.close()
      return source
    }],
  ])('stops on the server when %s', async (_, leave) => {
    const source = await openSource(server.url, { processes: 1 })
    const gone = new AbortController()
    const running = source.select({ sql: RUNAWAYS[0] ?? '', params: [] }, { maxRows: 1, timeoutMs: 60_000, signal: gone.signal })
    const outcome = running.then(() => null, (error: unknown) => error)
    await expect.poll(() => isBusy(server), { timeout: 5000, interval: 20 }).toBe(true)
    await leave(source, gone)
    await expect.poll(() => isBusy(server), { timeout: 5000, interval: 20 }).toBe(false)
    expect(await outcome).toBeInstanceOf(ServiceError)
    await source.close()
  })

  it('stops when somebody else holds the table', async () => {
    const source = await openSource(server.url, { processes: 1 })
    const lock = server.dialect === 'postgres' ? ['BEGIN', 'LOCK TABLE site', 'SELECT pg_sleep(2)'] : ['LOCK TABLES site WRITE', 'SELECT sleep(2)']
    const held = server.admin(lock)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const error = await source.select({ sql: 'select id from site', params: [] }, { maxRows: 1, timeoutMs: 400 }).then(() => null, (reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'deadline_exceeded' })
    await held
    await source.close()
  })
})

/** The statements of the source that the server still works on. */
const busyQuery = ({ dialect }: TestServer): string =>
  dialect === 'postgres'
    ? `SELECT pid FROM pg_stat_activity WHERE usename = 'reader' AND state <> 'idle'`
    : `SELECT id FROM information_schema.processlist WHERE user = 'reader' AND command <> 'Sleep'`

const isBusy = async (server: TestServer): Promise<boolean> => (await server.admin([busyQuery(server)])).length > 0

async function checksums(server: TestServer): Promise<unknown[]> {
  const tables = ['kpi_sample', 'ticket', 'alarm', 'customer']
  return Promise.all(
    tables.map((table) => server.admin([server.dialect === 'postgres' ? `SELECT md5(string_agg(t::text, '|' ORDER BY id)) FROM ${table} t` : `CHECKSUM TABLE ${table}`])),
  )
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, ppid] = text.split(') ').at(-1)?.split(' ') ?? []
      const reader = readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('sqlite')
      return Number(ppid) === parent && state !== 'Z' && reader ? [Number(name)] : []
    } catch {
      return [] // gone meanwhile
    }
  })
}
