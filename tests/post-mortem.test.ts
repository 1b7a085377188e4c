import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, createService, openProject } from '../src/runtime/index.ts'
import { evaluateIncidents } from '../src/runtime/evaluating-incidents.ts'
import { caller } from './support.ts'

const GOLDEN = 'tests/golden/post-mortem/nf-deregister.md'
const FULL = process.env['WHEREFORE_FULL'] !== undefined

const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-rca-'))
  folders.push(folder)
  return folder
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

describe('the bundled sample', () => {
  let service: Service
  beforeAll(async () => {
    const folder = newFolder()
    const base = openProject({ cwd: folder, env: {}, overrides: { out: join(folder, 'output'), store: join(folder, 'store.db') } })
    const logs = resolve('examples/log-rca/sample')
    service = createService({ ...base, config: { ...base.config, sources: {}, log_roots: [logs] } })
    await service.runPhase('mine', { logPath: logs })
    const { candidates } = service.candidates({ kind: 'LOG_CAUSAL_EDGE', status: 'PENDING', limit: 50 }, caller()).value
    for (const { pid } of candidates) service.decide(pid, 'approve', {}, caller())
    for (const phase of ['2', 'reason']) await service.runPhase(phase, {})
  }, 60_000)
  afterAll(() => service.close())

  const about = { preset: 'root-cause', event: 'NfDeregister', include_materialised: true, confirm_residency: false } as const

  it('RCA-11 gives the post-mortem of the golden file, byte for byte, every time', async () => {
    const { value } = await service.rcaReport({ ...about, on: 'crt-07' }, caller())
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(GOLDEN, value)
    expect(value).toBe(readFileSync(GOLDEN, 'utf8'))
    expect((await service.rcaReport({ ...about, on: 'crt-07' }, caller())).value).toBe(value)
  })

  it('RCA-12 finds no cause of a planned deregistration, and offers what nobody approved as a hint', async () => {
    const { value } = await service.rca({ ...about, on: 'crt-12' }, caller())
    expect(value).toMatchObject({ chain: [], ranked_causes: [] })
    expect(value.hints?.length).toBeGreaterThan(0)
    expect(value.hints?.every(({ status }) => status === 'PENDING')).toBe(true)
  })

  it('RCA-13 a ceiling takes an event away with everything that it says', async () => {
    const low = (event: string) => service.rca({ ...about, event, max_tier: 'Confidential' }, caller())
    await expect(low('NfDeregister')).rejects.toMatchObject({ code: 'not_found' })
    const { value } = await low('AlarmRaised')
    expect(JSON.stringify(value)).not.toContain('NfDeregister')
  })
})

/** Small corpora here, the twenty of the evaluation when there is time; docs/evaluation/rca.md has their figures. */
describe('generated incidents, from lines of text to a ranked root', () => {
  const seeds = FULL ? Array.from({ length: 20 }, (_, n) => n + 1) : [3, 5, 6]
  const size = FULL ? { linesPerMinute: 50 } : { linesPerMinute: 12, noiseStatements: 10, writeGraph: false }
  it('RCA-14 the true root comes first, planned work never, and the checker refuses no chain', { timeout: 1_200_000 }, async () => {
    const runs = []
    for (const seed of seeds) {
      runs.push(await evaluateIncidents({ folder: newFolder(), approve: 'mined', seed, plannedStatements: 4, every: FULL ? 1 : 10, ...size }))
    }
    const all = runs.flatMap(({ incidents }) => incidents)
    const within = (most: number) => all.filter(({ rank }) => rank !== null && rank <= most).length / all.length
    console.log(`${all.length} incidents of ${seeds.length} seeds: top-1 ${within(1).toFixed(3)}, top-3 ${within(3).toFixed(3)}`)
    expect(all.length).toBeGreaterThan(100)
    expect(within(1)).toBeGreaterThanOrEqual(0.8)
    if (FULL) expect(within(3)).toBeGreaterThanOrEqual(0.95)
    expect(all.filter(({ topIsPlanned }) => topIsPlanned)).toEqual([])
    expect(runs.map(({ refused }) => refused)).toEqual(runs.map(() => 0))
  })
})
