/** The same database on three engines gives the same ontology, and the flagship questions the same answers. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { generateClinicalTrial } from '../../examples/clinical-trial/generate.ts'
import { generateNetworkOps } from '../../examples/network-ops/generate.ts'
import { buildOntology, ontologyTurtle } from '../../src/ontology/index.ts'
import { createService, openProject, parseRequest } from '../../src/runtime/index.ts'
import { openSource } from '../../src/sources/index.ts'
import { QUESTION, caller } from '../support.ts'
import { copySqlite, startEngines } from '../support-servers.ts'
import { onEachEngine } from './on-each-engine.ts'

const SAKILA = join(process.env['SHARED_DATA'] ?? '../shared/data', 'questions', 'sakila', 'sakila.sqlite')
const INELIGIBLE = 'Which enrolled subjects are now ineligible after their latest lab results, and why?'
const dir = mkdtempSync(join(tmpdir(), 'wherefore-ontology-'))
const { engines, stop } = await startEngines()

afterAll(async () => {
  await stop()
  rmSync(dir, { recursive: true })
})

/**
 * Allowed differences, each with its reason; everything else must be the same to the byte:
 * - views are not copied to the servers (their SQL is SQLite's), so classes of views are left out on both sides
 */
async function turtleOf(place: string): Promise<string> {
  const source = await openSource(place, { processes: 1 })
  try {
    const catalogue = await source.introspect()
    const tables = catalogue.tables.filter(({ kind }) => kind === 'table')
    return ontologyTurtle(buildOntology({ ...catalogue, tables }, { baseIri: 'https://enterprise.example/ontology#', recordBase: 'https://enterprise.example/record/' }))
  } finally {
    await source.close()
  }
}

/** What a search answers, without ids, times and SQL, which each engine spells in its own way. */
async function answered(place: string, flavor: string, question: string, max_tier: string): Promise<unknown> {
  const base = openProject({ cwd: dir, env: { SERVICE_SEARCH: '1' } })
  const service = createService({ ...base, config: { ...base.config, sources: {} } })
  try {
    const request = parseRequest({ question, flavor, db_path: place, max_tier, timeout_ms: 30_000 })
    for await (const { event, data } of service.search(request, caller(), { requestId: 'test', anyPath: true })) {
      if (event === 'error') throw new Error(`${data.code}: ${data.detail}`)
      if (event === 'answer') return { status: data.status, answer: data.answer, citations: data.citations, results: data.results, inferred: data.inferred }
    }
    return null
  } finally {
    await service.close()
  }
}

const CASES = [
  { name: 'network_ops', file: () => make('network-ops', generateNetworkOps), missing: false },
  { name: 'clinical_trial', file: () => make('clinical-trial', generateClinicalTrial), missing: false },
  { name: 'sakila', file: () => SAKILA, missing: !existsSync(SAKILA) },
] as const

function make(name: string, generate: (file: string) => void): string {
  const file = join(dir, `${name}.sqlite`)
  if (!existsSync(file)) generate(file)
  return file
}

onEachEngine(engines, (server) => {
  for (const { name, file, missing } of CASES) {
    it.skipIf(missing)(`gives the ontology of ${name} that SQLite gives`, { timeout: 90_000 }, async () => {
      const target = await server.create(`onto_${name}`)
      await copySqlite(file(), { dialect: server.dialect, ...target })
      expect(await turtleOf(target.url)).toBe(await turtleOf(file()))
    })
  }

  it.each([
    ['network_ops', 'network-ops', QUESTION, 'Internal'],
    ['network_ops', 'network-ops', 'How many resources have open critical alarms?', 'Internal'],
    ['network_ops', 'network-ops', 'Why is Borealis not at risk?', 'Internal'],
    ['clinical_trial', 'clinical-trial', INELIGIBLE, 'Confidential'],
  ])('answers over %s as SQLite does (%s): %s', { timeout: 90_000 }, async (name, flavor, question, tier) => {
    const file = CASES.find((each) => each.name === name)!.file()
    const target = await server.create(`ask_${name}_${question.length}`)
    await copySqlite(file, { dialect: server.dialect, ...target })
    expect(await answered(target.url, flavor, question, tier)).toEqual(await answered(file, flavor, question, tier))
  })
})
