import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { generateLogs } from '../examples/log-rca/generate.ts'
import { findCauses } from '../src/logs/causality/judge.ts'
import { type Service, createService, openProject } from '../src/runtime/index.ts'
import { openWorkspace } from '../src/store/index.ts'
import { caller } from './support.ts'

vi.mock('../src/logs/causality/judge.ts', async (original) => {
  const real = await original<typeof import('../src/logs/causality/judge.ts')>()
  return { ...real, findCauses: vi.fn(real.findCauses) }
})

let folder: string
let service: Service
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-drift-'))
  const base = openProject({ cwd: folder, env: {}, overrides: { out: join(folder, 'output'), store: join(folder, 'store.db') } })
  service = createService({ ...base, config: { ...base.config, sources: {}, log_roots: [folder] } })
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

function writeLogs(name: string, { seed = 7, more = [] as readonly string[] } = {}): string {
  const logs = join(folder, name)
  mkdirSync(logs, { recursive: true })
  for (const { file, text } of generateLogs(seed)) writeFileSync(join(logs, file), text)
  if (more.length > 0) writeFileSync(join(logs, 'more.log'), `${more.join('\n')}\n`)
  return logs
}

const events = (status: 'PENDING' | 'APPROVED') => service.candidates({ kind: 'LOG_EVENT', status, limit: 200 }, caller()).value.candidates
const driftOf = async (logPath: string, options: { driftSimilarity?: number } = {}) =>
  (await service.runPhase('drift-templates', { logPath, ...options }))[0]!
const strange = Array.from({ length: 12 }, (_, i) =>
  JSON.stringify({ ts: new Date(Date.UTC(2026, 2, 1, 10, i)).toISOString(), level: 'ERROR', service: 'vault', msg: `seal of vault ${i + 100} broken by operator ${i * 7}` }))

describe('phase sequence', () => {
  it('proposes the planted sequence with both confidences, keeps a model per service, and changes nothing when run again', async () => {
    const logs = writeLogs('logs')
    const [first] = await service.runPhase('sequence', { logPath: logs })
    expect(first!.counts).toMatchObject({ anomalies: 1, inserted: 1 })
    const [found] = events('PENDING')
    expect(found).toMatchObject({ detection_strategy: 'HMM_SEQUENCE_ANOMALY', source: 'log-discovery' })
    const { evidence } = found as unknown as { evidence: Record<string, number> }
    expect(found!.confidence).toBeGreaterThanOrEqual(0.6)
    expect(found!.confidence).toBe(Math.max(evidence['calibrated']!, evidence['rarity_floor']!))
    const store = openWorkspace(join(folder, 'store.db'))
    const models = store.hmmModels.all()
    expect(models.length).toBe(first!.counts['services'])
    const [again] = await service.runPhase('sequence', { logPath: logs })
    expect(again!.counts).toMatchObject({ anomalies: 1, inserted: 0 })
    expect(store.hmmModels.all()).toEqual(models)
    store.close()
  })

  it('asks for no causes, nor does drift', async () => {
    await service.runPhase('mine', { logPath: writeLogs('logs') })
    expect(findCauses).toHaveBeenCalled()
    for (const { pid } of events('PENDING')) service.decide(pid, 'approve', {}, caller())
    vi.mocked(findCauses).mockClear()
    await service.runPhase('sequence', { logPath: join(folder, 'logs') })
    await driftOf(join(folder, 'logs'))
    expect(findCauses).not.toHaveBeenCalled()
  })
})

describe('phase drift-templates', () => {
  it('says that nothing is approved, what to do, and proposes nothing', async () => {
    const { lines, counts } = await driftOf(writeLogs('logs'))
    expect(lines.join('\n')).toMatch(/no LOG_EVENT is approved.*\n.*--phase mine/)
    expect(counts).toMatchObject({ catalogue: 0, proposed: 0 })
    expect(events('PENDING')).toEqual([])
  })

  it('knows the same program with other values, and proposes a statement that it does not know once', async () => {
    await service.runPhase('mine', { logPath: writeLogs('logs') })
    for (const { pid } of events('PENDING')) service.decide(pid, 'approve', {}, caller())
    const same = await driftOf(writeLogs('later', { seed: 11 }))
    expect(same.counts).toMatchObject({ new: 0, proposed: 0 })
    const other = writeLogs('other', { seed: 12, more: strange })
    expect((await driftOf(other)).counts).toMatchObject({ new: 1, proposed: 1, inserted: 1 })
    const report = JSON.parse(readFileSync(join(folder, 'output/reports/drift_templates.json'), 'utf8')) as { ceiling: string; new: unknown[] }
    expect(report).toMatchObject({ ceiling: 'Restricted', similarity: 0.7, new: [{ hits: 12, proposed: true }] })
    const [found] = events('PENDING')
    expect(found).toMatchObject({ detection_strategy: 'DRIFT_ON_NEW_TEMPLATE', evidence: { hits: 12, drift: { threshold: 0.7 } } })
    service.decide(found!.pid, 'reject', {}, caller())
    expect((await driftOf(other)).counts).toMatchObject({ new: 1, proposed: 1, inserted: 0 })
    expect(events('PENDING')).toEqual([])
  })

  it('an approved new template belongs to the catalogue from then on', async () => {
    await service.runPhase('mine', { logPath: writeLogs('logs') })
    for (const { pid } of events('PENDING')) service.decide(pid, 'approve', {}, caller())
    const other = writeLogs('other', { more: strange })
    await driftOf(other)
    for (const { pid } of events('PENDING')) service.decide(pid, 'approve', {}, caller())
    expect((await driftOf(other)).counts).toMatchObject({ new: 0 })
  })
})
