import { describe, expect, it, vi } from 'vitest'
import { ServiceError } from '../../contracts/index.ts'
import { cutOntology } from '../../ontology/index.ts'
import type { Selected, Source } from '../../sources/index.ts'
import { shop } from '../fixtures.test-support.ts'
import { type ValueIndex, buildIndex, emptyIndex } from './value-index.ts'
import { ValueShelf } from './value-shelf.ts'

const LIMITS = { timeoutMs: 1000 }
const whole = (late = 0): ValueIndex => ({ ...emptyIndex(shop), probed: new Set(), late })

/** A shelf whose clock and builds are ours, over a source whose version is. */
function shelfWith(build: () => Promise<ValueIndex>) {
  const world = { now: 0, version: 'v1' as string | null }
  const builds = vi.fn(build)
  const source = { dialect: 'sqlite', version: async () => world.version } as unknown as Source
  const shelf = new ValueShelf({ now: () => world.now, build: builds })
  return { world, builds, source, shelf, look: (limits: object = {}) => shelf.look(shop, source, { ...LIMITS, ...limits }) }
}

describe('a value index', () => {
  it('is made once for all who ask, and again when the data has changed', async () => {
    const { world, builds, look } = shelfWith(async () => whole())
    await Promise.all([look(), look(), look()])
    await look()
    expect(builds).toHaveBeenCalledTimes(1)
    world.version = 'v2'
    await Promise.all([look(), look()])
    expect(builds).toHaveBeenCalledTimes(2)
  })

  it('of a server is made again after five minutes', async () => {
    const { world, builds, look } = shelfWith(async () => whole())
    world.version = null
    await look()
    world.now = 299_999
    await look()
    expect(builds).toHaveBeenCalledTimes(1)
    world.now = 300_001
    await look()
    expect(builds).toHaveBeenCalledTimes(2)
  })

  it('that takes too long leaves the question to the database, and goes on being made', async () => {
    const { promise, resolve } = Promise.withResolvers<ValueIndex>()
    const { shelf, source, builds, look } = shelfWith(() => promise)
    const first = await look({ timeoutMs: 20 })
    expect(first.whole).toBe(false)
    expect(first.index.probed.size).toBe(3)
    expect(shelf.partialLooks(source)).toBe(1)
    resolve(whole())
    expect(await look()).toEqual({ index: whole(), whole: true })
    expect(builds).toHaveBeenCalledTimes(1)
    expect(shelf.partialLooks(source)).toBe(1)
  })

  it('is not stopped by one who leaves', async () => {
    const { promise, resolve } = Promise.withResolvers<ValueIndex>()
    const { look } = shelfWith(() => promise)
    const leaving = new AbortController()
    const one = look({ signal: leaving.signal })
    const other = look()
    leaving.abort()
    await expect(one).rejects.toMatchObject({ code: 'cancelled' })
    resolve(whole())
    expect((await other).whole).toBe(true)
  })

  it('that took long serves on for a while after a change, beside the database', async () => {
    const { world, builds, look } = shelfWith(async () => {
      world.now += 2000
      return whole()
    })
    await look()
    world.version = 'v2'
    const soon = await look()
    expect(soon.whole).toBe(false)
    expect(soon.index.probed.size).toBe(3)
    expect(builds).toHaveBeenCalledTimes(1)
    world.now += 20_000
    expect((await look()).whole).toBe(true)
  })

  it('with columns that came late is tried again, with more time and without reading the others anew', async () => {
    const { world, builds, look } = shelfWith(async () => whole(1))
    expect((await look()).whole).toBe(false)
    await look()
    expect(builds).toHaveBeenCalledTimes(1)
    world.now += 60_001
    await look()
    expect(builds.mock.calls.map(([, , columnMs, before]: unknown[]) => [columnMs, before !== undefined])).toEqual([[10_000, false], [20_000, true]])
  })

  it('that fails is heard of by who waits, and tried again by the next', async () => {
    let broken = true
    const { look } = shelfWith(async () => {
      if (broken) throw new ServiceError('source_unavailable', 'gone')
      return whole()
    })
    await expect(look()).rejects.toMatchObject({ code: 'source_unavailable' })
    broken = false
    expect((await look()).whole).toBe(true)
  })

  it('belongs to its cut: another cut has another, the same cut the same', async () => {
    const { builds, shelf, source, look } = shelfWith(async () => whole())
    const { index } = await look()
    expect((await shelf.look(cutOntology(shop, 'Restricted'), source, LIMITS)).index).toBe(index)
    const public_ = { ...shop, classes: shop.classes.slice(1) }
    expect((await shelf.look(public_, source, LIMITS)).index).not.toBe(index)
    expect(builds).toHaveBeenCalledTimes(2)
  })

  it('makes room: of several large ones the one not used for longest goes', async () => {
    const { builds, shelf, source } = shelfWith(async () => ({ ...whole(), bytes: 30 * 1024 * 1024 }))
    const cuts = [shop, { ...shop, classes: shop.classes.slice(1) }, { ...shop, classes: shop.classes.slice(2) }]
    for (const cut of cuts) await shelf.look(cut, source, LIMITS)
    expect(builds).toHaveBeenCalledTimes(3)
    for (const cut of cuts.toReversed()) await shelf.look(cut, source, LIMITS)
    expect(builds).toHaveBeenCalledTimes(4)
  })
})

describe('building', () => {
  const answers = (answer: (sql: string) => Selected['rows']): Source =>
    ({
      dialect: 'sqlite',
      version: async () => 'v1',
      select: async ({ sql }: { sql: string }, { maxRows }: { maxRows: number }) => {
        const rows = answer(sql)
        return { columns: [], rows: rows.slice(0, maxRows), truncated: rows.length > maxRows, ms: 0 }
      },
    }) as unknown as Source

  it('leaves to asking what holds too many values, what holds prose and what came late; a view that breaks is left alone', async () => {
    const source = answers((sql) => {
      if (sql.includes('"city"')) return Array.from({ length: 50_001 }, (_, n) => [`c${n}`, 1])
      if (sql.includes('"customer"')) return [['x'.repeat(64), 1]]
      throw new ServiceError('deadline_exceeded', 'late')
    })
    const index = await buildIndex(shop, source, 1000)
    expect([...index.probed]).toEqual(['City.name', 'Customer.name', 'Order.number'])
    expect([index.columns.size, index.late]).toEqual([0, 1])
    const broken = await buildIndex(shop, answers((sql) => {
      if (sql.includes('"orders"')) throw new Error('division by zero')
      return [['Oslo', 2]]
    }), 1000)
    expect([[...broken.columns.keys()], broken.probed.size, broken.late]).toEqual([['City.name', 'Customer.name'], 0, 1])
  })

  it('asks of a large table first whether it is worth reading', async () => {
    const large = { ...shop, classes: shop.classes.map((cls) => ({ ...cls, instances: 100_000, key: ['name'] })) }
    const asked: string[] = []
    const index = await buildIndex(large, answers((sql) => {
      asked.push(sql)
      if (sql.includes('avg(')) return [[sql.includes('"city"') ? 80 : 10]]
      return sql.includes('count(*) from') ? [[sql.includes('"customer"') ? 50_001 : 3]] : [['A-1', 1]]
    }), 1000)
    expect(asked).toHaveLength(1 + 2 + 3)
    expect([...index.columns.keys()]).toEqual(['Order.number'])
    expect([...index.probed]).toEqual(['City.name', 'Customer.name']) // their key, which has an index
  })
})
