import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Session } from '../src/contracts/index.ts'
import { inputFrom, materialise } from '../src/materialise/index.ts'
import { waysOf } from '../src/materialise/premises.ts'
import { verifyDerivations } from '../src/materialise/verify.ts'
import { flavorRules, loadLibrary } from '../src/rules/index.ts'
import { createService, openProject } from '../src/runtime/index.ts'
import { openWorkspace } from '../src/store/index.ts'
import { caller } from './support.ts'

/** The demos as their users run them: what is derived over each has premises, and the checker accepts every derivation. */
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

async function project(config: object, work: (service: ReturnType<typeof createService>) => Promise<unknown>) {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-demo-'))
  folders.push(folder)
  writeFileSync(join(folder, 'wherefore.json'), JSON.stringify(config))
  const opened = openProject({ cwd: folder, env: {} })
  const service = createService(opened)
  try {
    await work(service)
  } finally {
    await service.close()
  }
  const read = (name: string) => readFileSync(join(opened.config.out, 'ontology', name), 'utf8')
  const workspace = openWorkspace(opened.config.store, { clock: () => new Date(0) })
  const { session } = workspace.session.load()
  workspace.close()
  return { opened, read, session: Session.parse(session) }
}

function checked(m: ReturnType<typeof materialise>): { derived: number; engines: string[] } {
  expect(m.refused).toEqual([])
  expect(m.model.stopped).toBeNull()
  const ways = m.derived.flatMap(({ fact }) => waysOf(m, fact))
  expect(ways.length).toBeGreaterThanOrEqual(m.derived.length)
  expect(ways.filter(({ premises, partial }) => partial || !premises.some(({ kind }) => kind === 'triple'))).toEqual([])
  expect(verifyDerivations(m.model, [...m.rules.values()], m.base)).toEqual({ valid: true })
  return { derived: m.derived.length, engines: [...new Set(ways.map(({ engine }) => engine))].toSorted() }
}

describe.each(['network-ops', 'clinical-trial'])('the database of %s', (name) => {
  it('has a proof for everything that its rules derive', { timeout: 60_000 }, async () => {
    const sources = { [name]: { path: resolve(`examples/${name}/${name}.sqlite`), flavor: name } }
    const { opened, read } = await project({ sources }, async (service) => {
      for (const phase of ['1', '2', 'abox']) await service.runPhase(phase, {})
    })
    const flavor = opened.flavors.get(name)
    const rules = flavor === undefined ? [] : flavorRules(flavor)
    const texts = { enterprise: read('enterprise.ttl'), instances: read('instances.ttl') }
    const { derived, engines } = checked(materialise(inputFrom(texts, { baseIri: opened.config.base_iri, rules })))
    expect(derived).toBeGreaterThan(20)
    expect(engines).toContain('datalog')
  })
})

it('the logs have a proof for every cause', { timeout: 60_000 }, async () => {
  const { opened, read, session } = await project({ log_roots: [resolve('examples/log-rca/sample')] }, async (service) => {
    await service.runPhase('mine', { logPath: resolve('examples/log-rca/sample') })
    const { candidates } = service.candidates({ kind: 'LOG_CAUSAL_EDGE', status: 'PENDING', limit: 200 }, caller()).value
    for (const { pid } of candidates) service.decide(pid, 'approve', {}, caller())
    await service.runPhase('2', {})
  })
  const texts = { enterprise: read('enterprise.ttl'), logEvents: read('log-events.ttl') }
  const { rules } = loadLibrary(readFileSync('templates/rules/rca.yaml', 'utf8'))
  const options = { baseIri: opened.config.base_iri, rules, causalRules: session.causal_rules }
  const { derived, engines } = checked(materialise(inputFrom(texts, options)))
  expect(derived).toBeGreaterThan(100)
  expect(engines).toEqual(['owl', 'sparql'])
})
