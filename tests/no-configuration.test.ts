import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PhaseOptions, type Service, bundledNote, createService, openProject } from '../src/runtime/index.ts'
import { caller } from './support.ts'

let folder: string
let service: Service
const told: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-empty-'))
  told.length = 0
  service = createService(openProject({ cwd: folder, env: {} }), { progress: (line) => told.push(line) })
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = async (phase: string, options: PhaseOptions = {}) => (await service.runPhase(phase, options)).flatMap(({ lines }) => lines).join('\n')
const ontology = () => readFileSync(join(folder, 'output/ontology/enterprise.ttl'), 'utf8')

describe('in a folder without a configuration', () => {
  it('phases leave the bundled databases alone, and say what to do', async () => {
    expect(await run('2')).toMatch(/^nothing to build from yet: .*\n0 classes from tables/)
    await expect(run('1')).rejects.toThrow('this phase needs a database')
    expect(await run('reason')).not.toMatch(/flavor|clinical|refused/)
    expect(ontology()).not.toContain('Customer')
    expect(told.join('\n')).not.toContain('bundled')
    expect(JSON.parse(readFileSync(join(folder, 'output/ontology/materialisation.json'), 'utf8')).flavors).toEqual([])
  })

  it.each([{ source: 'network-ops' }, { flavor: 'network-ops' }])('a bundled database is read when %j names it, and that is said', async (options) => {
    expect(await run('2', options)).toMatch(/^[1-9]\d* classes from tables/)
    expect(told).toContain('the bundled example network-ops is read')
  })

  it('a flavor that no bundled database has reads none', async () => {
    expect(await run('2', { flavor: 'generic' })).toContain('0 classes from tables')
  })

  it('logs alone make an ontology of what was approved, also with phase all', async () => {
    await run('mine', { logPath: resolve('examples/log-rca/sample') })
    const { candidates } = service.candidates({ kind: 'LOG_CAUSAL_EDGE', status: 'PENDING', limit: 200 }, caller()).value
    for (const { pid } of candidates) service.decide(pid, 'approve', {}, caller())
    const phases = await service.runPhase('all', {})
    expect(phases.map(({ phase }) => phase)).toEqual(['2', 'reason', 'report'])
    expect(phases[0]?.lines[0]).toMatch(/^0 classes from tables, [1-9]\d* classes from approved log events$/)
    expect(ontology()).toContain('LinkDown')
    expect(existsSync(join(folder, 'output/ontology/instances.ttl'))).toBe(false)
  })

  it('whoever is answered from the bundled examples is told so', () => {
    const project = openProject({ cwd: folder, env: {} })
    expect(bundledNote(project)).toMatch(/^no wherefore.json here: the bundled examples answer \(network-ops, clinical-trial\)/)
    expect(bundledNote({ ...project, configFile: 'wherefore.json' })).toBeNull()
  })
})
