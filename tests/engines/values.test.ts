/** The values in a question are the same on all three engines. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateNetworkOps } from '../../examples/network-ops/generate.ts'
import { tokenise } from '../../src/search/planner/tokens.ts'
import { findValues } from '../../src/search/values/find-values.ts'
import { copySqlite, startEngines } from '../support-servers.ts'
import { onEachEngine } from './on-each-engine.ts'
import { type Side, sideOf } from './side.ts'

const dir = mkdtempSync(join(tmpdir(), 'wherefore-values-'))
const file = join(dir, 'network-ops.sqlite')
generateNetworkOps(file)
const { engines, stop } = await startEngines()

const found = async ({ source, ontology }: Side, question: string) =>
  (await findValues(ontology, source, question, tokenise(question), { timeoutMs: 60_000 })).map(
    ({ start, end, cls, property, value, count, how }) => [start, end, cls.name, property.name, value, count, how],
  )
/** As if the tables were too large to be indexed and read through, and records were known by their names. */
const probed = ({ source, ontology }: Side): Side => ({
  source: { ...source, select: async (query, limits) => (query.sql.startsWith('select avg(') ? { columns: [], rows: [[100]], truncated: false, ms: 0 } : source.select(query, limits)) },
  ontology: { ...ontology, classes: ontology.classes.map((cls) => ({ ...cls, instances: 1_000_000, key: ['name'] })) },
})

const sqlite = await sideOf(file)
afterAll(async () => {
  await sqlite.source.close()
  await stop()
  rmSync(dir, { recursive: true })
})

onEachEngine(engines, (server, name) => {
  let side: Side
  beforeAll(async () => {
    await copySqlite(file, server)
    side = await sideOf(server.url)
  }, 60_000)
  afterAll(() => side.source.close())

  it.each([
    'Which customers are at risk from the degraded core router crt-07?',
    'open ALARMS of acme retail',
    'sales of "Acme Retal"',
    'tickets about Borealis',
    'nothing of this is stored',
  ])('%s', async (question) => {
    expect(await found(side, question)).toEqual(await found(sqlite, question))
  })

  it.each(['services on crt-07', 'orders of Acme Retail'])('%s, by asking', async (question) => {
    const here = await found(probed(side), question)
    expect(here).toEqual(await found(probed(sqlite), question))
    expect(here.length).toBeGreaterThan(0)
  })

  it('tells spellings apart that the column takes for one', async () => {
    const [schema, collation] = name === 'MariaDB' ? ['', ' COLLATE utf8mb4_general_ci'] : ['', '']
    await server.admin([
      `CREATE TABLE ${schema}spelling (id INT PRIMARY KEY, word VARCHAR(40)${collation})`,
      "INSERT INTO spelling VALUES (1, 'Résumé'), (2, 'resume'), (3, 'RESUME'), (4, 'resume '), (5, 'resume')",
      ...(name === 'MariaDB' ? [] : ['GRANT SELECT ON spelling TO PUBLIC']),
    ])
    const again = await sideOf(server.url)
    const words = (await found(again, 'a resume')).map(([, , , , value, count, how]) => [value, count, how])
    expect(words).toEqual([['RESUME', 1, 'folded'], ['Résumé', 1, 'folded'], ['resume', 2, 'exact'], ['resume ', 1, 'folded']])
    await again.source.close()
  })
})
