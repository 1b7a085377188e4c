/** Suggestions find the same values on all three engines. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateNetworkOps } from '../../examples/network-ops/generate.ts'
import { Flavor } from '../../src/contracts/index.ts'
import { suggest } from '../../src/search/index.ts'
import { copySqlite, startEngines } from '../support-servers.ts'
import { onEachEngine } from './on-each-engine.ts'
import { type Side, sideOf } from './side.ts'

const dir = mkdtempSync(join(tmpdir(), 'wherefore-suggest-'))
const file = join(dir, 'network-ops.sqlite')
generateNetworkOps(file)
const { engines, stop } = await startEngines()
const flavor = Flavor.parse({ name: 'generic', label: '' })

/** As if the tables were too large to be read through, and records were known by their names. */
const large = ({ source, ontology }: Side): Side => ({
  source,
  ontology: { ...ontology, classes: ontology.classes.map((cls) => ({ ...cls, instances: 1_000_000, key: ['name'] })) },
})
const suggestions = async ({ source, ontology }: Side, question: string) =>
  suggest({ question, limit: 20, flavor, ontology, source, dueAt: 20_000, now: () => 0 })

const sqlite = await sideOf(file)
afterAll(async () => {
  await sqlite.source.close()
  await stop()
  rmSync(dir, { recursive: true })
})

onEachEngine(engines, (server) => {
  let side: Side
  beforeAll(async () => {
    await copySqlite(file, server)
    side = await sideOf(server.url)
  }, 60_000)
  afterAll(() => side.source.close())

  const typed = ['crt', 'alarms on CRT-0', 'customer aster f', 'ret', '"acme', 'back%', "o'cl", 'a_t', 'back\\']
  it.each(typed)('%s', async (question) => {
    expect(await suggestions(side, question)).toEqual(await suggestions(sqlite, question))
  })

  it.each(['crt-0', 'customer aster f', "o'cl", 'acm'])('%s, in large tables', async (question) => {
    const here = await suggestions(large(side), question)
    expect(here).toEqual(await suggestions(large(sqlite), question))
    expect(here.late).toBe(false)
    expect(here.suggestions.some(({ kind }) => kind === 'value')).toBe(question !== "o'cl")
  })
})
