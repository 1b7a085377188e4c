import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { generateNetworkOps } from '../../../examples/network-ops/generate.ts'
import type { TestServer } from '../../../tests/support-servers.ts'
import { copySqlite, startEngines } from '../../../tests/support-servers.ts'
import { onEachEngine } from '../../../tests/engines/on-each-engine.ts'
import { openSource } from '../../sources/index.ts'
import { buildOntology } from '../build.ts'
import { directMapping } from './direct-mapping.ts'
import type { InstanceProgress } from './stream.ts'
import { streamInstances } from './stream.ts'

const BASE = { baseIri: 'https://example.org/o#', recordBase: 'https://example.org/r/' }
const folder = mkdtempSync(join(tmpdir(), 'wherefore-instances-'))
const { engines, stop } = await startEngines()

afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

async function blocksOf(place: string, pageRows: number): Promise<{ blocks: string[]; last: InstanceProgress | null; direct: number }> {
  const source = await openSource(place, { processes: 1 })
  let last: InstanceProgress | null = null
  try {
    const catalogue = await source.introspect()
    const chunks = streamInstances(source, buildOntology(catalogue, BASE), { pageRows, onProgress: (progress) => (last = progress) })
    const text = (await Array.fromAsync(chunks)).join('')
    const direct = await Array.fromAsync(directMapping(source, catalogue, { base: 'http://example.com/base/', pageRows }))
    return { blocks: text.split('\n\n'), last, direct: direct.length }
  } finally {
    await source.close()
  }
}

onEachEngine(engines, (server) => {
  it('gives the records of network-ops that SQLite gives', { timeout: 60_000 }, async () => {
    const file = join(folder, `network-ops-${server.dialect}.sqlite`)
    generateNetworkOps(file)
    const target = await server.create('instances_network_ops')
    await copySqlite(file, { dialect: server.dialect, ...target })
    const [theirs, ours] = [await blocksOf(target.url, 100), await blocksOf(file, 100)]
    // texts sort by the collation of the server, so the order of records may differ; the records may not
    expect(theirs.blocks.map(withoutZone).toSorted()).toEqual(ours.blocks.map(withoutZone).toSorted())
    expect(theirs.direct).toBeGreaterThan(10_000)
  })

  it('loses no row and repeats none, whatever the columns and the page size', { timeout: 60_000 }, async () => {
    const target = await server.create('instances_odd')
    await server.admin(oddTables(server), target.adminUrl)
    const whole = await blocksOf(target.url, 1000)
    expect(whole.last?.records).toBe(ROWS)
    for (const pageRows of [1, 2, 3]) expect((await blocksOf(target.url, pageRows)).blocks).toEqual(whole.blocks)
    const text = whole.blocks.join('\n\n')
    expect(text).toContain(':Exact.wide 9007199254740993')
    expect(text).toMatch(/:Exact\.\w+ "2026-03-01T08:00:00\.123456"\^\^xsd:dateTime/)
    expect(text).toMatch(/<https:\/\/example\.org\/r\/Binary\/[0-9A-F]{2}> a :Binary/)
  })
})

/** MariaDB's DATETIME has no zone, so a copy of an instant in UTC loses its Z. */
const withoutZone = (block: string): string => block.replaceAll('Z"^^xsd:dateTime', '"^^xsd:dateTime')

const ROWS = 8 + 7 + 5 + 4 + 6

/** Tables without a key whose texts a collation takes for one, floats, instants finer than a millisecond, keys of bytes and text. */
function oddTables({ dialect }: TestServer): string[] {
  const pg = dialect === 'postgres'
  const folded = pg ? 'text' : 'varchar(20) collate utf8mb4_general_ci'
  const bytes = pg ? 'bytea' : 'varbinary(8)'
  const hex = (digits: string): string => (pg ? `'\\x${digits}'` : `x'${digits}'`)
  return [
    ...(pg ? [`create collation folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`] : []),
    `create table folded (word ${folded}${pg ? ' collate folded' : ''}, n int)`,
    `insert into folded values ('a', 1), ('A', 1), ('a', 1), ('a ', 1), ('b', null), ('B', null), (null, 2), (null, 2)`,
    `create table floats (small ${pg ? 'real' : 'float'}, big double precision, flag boolean)`,
    `insert into floats values (0.1, 0.1, true), (0.1, 0.1, true), (0.2, 1e300, false), (1e-30, 0.3, null), (null, 1, true), (0.7, 0.7, false), (16777216, 2, true)`,
    `create table exact (at timestamp${pg ? '' : '(6)'} null, day date, wide bigint, amount decimal(30, 10))`,
    `insert into exact values ('2026-03-01 08:00:00.123456', '2026-03-01', 9007199254740993, 12345678901234567890.5),
      ('2026-03-01 08:00:00.123457', '2026-03-01', 9007199254740992, 0.1), ('2026-03-01 08:00:00.123457', '2026-03-01', 9007199254740992, 0.1),
      (null, null, null, null), ('2026-03-01 08:00:00', '2026-03-02', 1, 1)`,
    `create table ${pg ? '"binary"' : '`binary`'} (id ${bytes} primary key, n int)`,
    `insert into ${pg ? '"binary"' : '`binary`'} values (${hex('00')}, 1), (${hex('ff')}, 1), (${hex('01')}, 1), (${hex('7f')}, 2)`,
    `create table pairs (x varchar(10), y int, z text, primary key (x, y))`,
    `insert into pairs values ('a', 1, 'p'), ('a', 2, 'q'), ('B', 1, 'r'), ('b', 2, 's'), ('ç', 9, 't'), ('', 0, 'u')`,
  ]
}
