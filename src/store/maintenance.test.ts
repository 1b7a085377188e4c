import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkStore, copyStore, letGoOfStore } from './maintenance.ts'
import { SCHEMA_VERSION } from './migrations.ts'
import { openWorkspace } from './workspace.ts'

let folder: string
let file: string
const NOW = '2026-03-01T00:00:00.000Z'
const clock = () => new Date(NOW)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'store.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const run = (runId: string, createdAt: string) => ({ runId, ceiling: 'Internal' as const, caller: 'local', body: { secret: 'forty-two' }, createdAt })

describe('a copy', () => {
  it('holds what was committed while another connection is in the middle of writing, in one private file', async () => {
    const workspace = openWorkspace(file, { clock })
    workspace.runs.save(run('r1', NOW))
    const other = new DatabaseSync(file)
    other.exec("BEGIN IMMEDIATE; DELETE FROM search_runs")
    await copyStore(file, join(folder, 'copy.db'))
    other.exec('ROLLBACK')
    other.close()
    workspace.close()
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db'])
    expect(statSync(join(folder, 'copy.db')).mode & 0o777).toBe(0o600)
    const copy = openWorkspace(join(folder, 'copy.db'), { clock })
    expect(copy.migrated).toEqual([])
    expect(copy.runs.get('r1')).toEqual(run('r1', NOW))
    copy.close()
  })

  it('of something that is no store is refused', async () => {
    writeFileSync(file, 'no database at all, only a long enough text\n'.repeat(100))
    await expect(copyStore(file, join(folder, 'copy.db'))).rejects.toMatchObject({ code: 'source_unavailable' })
  })
})

describe('the check', () => {
  it('tells what opening would change and changes nothing', async () => {
    const db = new DatabaseSync(file)
    db.exec("CREATE TABLE ontology_metadata (table_name TEXT, column_name TEXT); INSERT INTO ontology_metadata VALUES ('a', 'b')")
    db.close()
    const before = readFileSync(file)
    const { exists, changes } = await checkStore(file, NOW)
    expect(exists).toBe(true)
    expect(changes).toContain('added ontology_metadata.author')
    expect(changes).toContain('created ontology_evolution_proposals')
    expect(readFileSync(file).equals(before)).toBe(true)
    const workspace = openWorkspace(file, { clock })
    expect(workspace.migrated).toEqual(changes)
    workspace.close()
    expect(await checkStore(file, NOW)).toEqual({ exists: true, changes: [] })
  })

  it('of a store that is not there lists its making and leaves it unmade', async () => {
    const { exists, changes } = await checkStore(file, NOW)
    expect(exists).toBe(false)
    expect(changes).toContain('created search_runs')
    expect(existsSync(file)).toBe(false)
  })

  it('refuses a damaged store and one of a newer program', async () => {
    const workspace = openWorkspace(file, { clock })
    for (let i = 0; i < 200; i += 1) workspace.runs.save(run(`r${i}`, NOW))
    workspace.close()
    const whole = readFileSync(file)
    const db = new DatabaseSync(file)
    db.exec(`INSERT INTO schema_migrations VALUES (${SCHEMA_VERSION + 1}, 'later', '')`)
    db.close()
    await expect(checkStore(file, NOW)).rejects.toMatchObject({ code: 'conflict' })
    whole.fill(0x5a, 8192, whole.length - 4096)
    writeFileSync(file, whole)
    await expect(checkStore(file, NOW)).rejects.toMatchObject({ code: 'source_unavailable' })
  })
})

describe('letting go', () => {
  it('is refused while somebody has the store open, and leaves a single file otherwise', () => {
    const workspace = openWorkspace(file, { clock })
    workspace.runs.save(run('r1', NOW))
    expect(() => letGoOfStore(file)).toThrow(expect.objectContaining({ code: 'conflict', about: expect.objectContaining({ locked: true }) }))
    workspace.close()
    letGoOfStore(file)
    expect(readdirSync(folder)).toEqual(['store.db'])
    letGoOfStore(join(folder, 'missing.db'))
    expect(existsSync(join(folder, 'missing.db'))).toBe(false)
  })
})

describe('pruning', () => {
  const candidate = {
    key: 'a', proposalType: 'LOG_EVENT', detectionStrategy: 'LOG_TEMPLATE_CLUSTERING', title: 't', name: 'a', confidence: 1, consequence: 1,
    lagMsP50: null, lagMsP95: null, tier: 'Public', evidence: { hits: 3, clusters: ['a'], lines: [{ file: 'x' }], slots: [{ name: 'n', topValues: [['crt-07', 3]] }] },
    evidenceSample: 'link down node=crt-07',
  } as const
  const slot = { slotIdx: 0, name: 'n', type: 'ENUM', subtype: '', distinctCount: 1, sampleCount: 1, topValues: [['crt-07', 1]] as const, piiRisk: false, tier: 'Public' } as const
  const template = (clusterId: string, lastSeen: string) => ({
    clusterId, template: 'link down node=<*>', eventName: 'LinkDown', sampleLine: 'link down node=crt-07', hits: 1, firstSeen: lastSeen, lastSeen,
    severity: 'ERROR', service: 's', slots: [slot],
  } as const)
  const event = (clusterId: string, at: string) => ({
    clusterId, tsMs: Date.parse(at), service: 's', trace: '', entities: [], severity: 'ERROR', file: 'f', offset: 0,
  } as const)

  function filled() {
    const workspace = openWorkspace(file, { clock })
    workspace.runs.save(run('old', '2026-01-01T00:00:00.000Z'))
    workspace.runs.save(run('new', '2026-02-20T00:00:00.000Z'))
    const templates = [template('a', '2026-01-05T00:00:00.000Z'), template('b', '2026-02-20T00:00:00.000Z')]
    const events = [event('a', '2026-01-05T00:00:00.000Z'), event('b', '2026-02-20T00:00:00.000Z')]
    workspace.logs.save({ templates, events, edges: [] }, { run: 'logs', now: NOW })
    workspace.proposals.upsert([candidate], '2026-01-05T00:00:00.000Z')
    workspace.proposals.upsert([{ ...candidate, key: 'b' }], '2026-02-20T00:00:00.000Z')
    return workspace
  }
  const CUT = new Date('2026-02-01T00:00:00.000Z')

  it('removes what is older than the day and nothing else, also from the bytes of the file', () => {
    const workspace = filled()
    expect(workspace.prune(CUT)).toEqual({ search_runs: 1, log_events: 1, samples: 3 })
    expect([workspace.runs.get('old'), workspace.runs.get('new')?.runId]).toEqual([undefined, 'new'])
    expect(workspace.logs.events().map(({ clusterId }) => clusterId)).toEqual(['b'])
    expect(workspace.logs.templates().map(({ sampleLine, slots }) => [sampleLine, slots[0]?.topValues.length])).toEqual([['', 0], ['link down node=crt-07', 1]])
    const bare = workspace.proposals.list().proposals.find(({ evidence_sample }) => evidence_sample === '')
    expect(bare?.evidence).toEqual({ hits: 3, clusters: ['a'], lines: [], slots: [{ name: 'n', topValues: [] }] })
    expect(workspace.prune(CUT)).toEqual({ search_runs: 0, log_events: 0, samples: 0 })
    workspace.close()
  })

  it('a dry run counts the same and removes nothing', () => {
    const workspace = filled()
    expect(workspace.prune(CUT, { dryRun: true })).toEqual({ search_runs: 1, log_events: 1, samples: 3 })
    expect(workspace.runs.get('old')?.runId).toBe('old')
    expect(workspace.prune(CUT)).toEqual({ search_runs: 1, log_events: 1, samples: 3 })
    workspace.close()
  })

  it('leaves no pruned value in the file', () => {
    const workspace = openWorkspace(file, { clock })
    workspace.runs.save({ ...run('old', '2026-01-01T00:00:00.000Z'), body: { note: 'needle-in-the-pages'.repeat(50) } })
    workspace.prune(CUT)
    workspace.close()
    expect(readFileSync(file).includes('needle-in-the-pages')).toBe(false)
  })
})
