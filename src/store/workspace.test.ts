import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { StoredEdge, StoredEvent, StoredTemplate } from './log-tables.ts'
import { pidOf, uuidV5 } from './pid.ts'
import type { NewCandidate } from './proposal-seed.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const NOW = '2026-01-02T03:04:05.000Z'
const LATER = '2026-01-03T00:00:00.000Z'
const clock = () => new Date(NOW)

let open: Workspace[] = []
const workspace = () => {
  const each = openWorkspace(':memory:', { clock })
  open.push(each)
  return each
}
afterEach(() => {
  for (const each of open) each.close()
  open = []
})

const candidate = (key: string, changes: Partial<NewCandidate> = {}): NewCandidate => ({
  key, proposalType: 'LOG_EVENT', detectionStrategy: 'LOG_TEMPLATE_CLUSTERING', title: `Event ${key}`, name: key, confidence: 0.5,
  consequence: 0.5, lagMsP50: null, lagMsP95: null, tier: 'Internal', evidence: { clusters: [key] }, evidenceSample: '',
  ...changes,
})

describe('a pid', () => {
  it('is the version 5 UUID of the key', () => {
    // the worked example of RFC 9562, appendix A.4: the DNS namespace and www.example.com
    expect(uuidV5(Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex'),
      'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
    expect(pidOf('event:LinkDown')).toBe(pidOf('event:LinkDown'))
    expect(pidOf('event:LinkDown')).not.toBe(pidOf('event:LinkUp'))
  })
})

describe('proposals', () => {
  it('are inserted once and refreshed afterwards', () => {
    const { proposals } = workspace()
    expect(proposals.upsert([candidate('a'), candidate('b', { proposalType: 'LOG_ENTITY' })], NOW)).toEqual({
      inserted: 2, kept: 0, kept_decisions: 0, by_kind: { LOG_EVENT: 1, LOG_ENTITY: 1 },
    })
    expect(proposals.upsert([candidate('a', { confidence: 0.75 })], LATER)).toMatchObject({ inserted: 0, kept: 1 })
    expect(proposals.get(pidOf('a'))).toMatchObject({ confidence: 0.75, score: 0.375, version: 2, created_at: NOW,
      updated_at: LATER })
    expect(proposals.list().total).toBe(2)
  })

  it('are not touched by the same candidates a second time', () => {
    const { proposals } = workspace()
    proposals.upsert([candidate('a')], NOW)
    const before = proposals.list()
    proposals.upsert([candidate('a')], LATER)
    expect(proposals.list()).toEqual(before)
  })

  it('keep a decision and the evidence it was taken on when the store is seeded again', () => {
    const { proposals } = workspace()
    proposals.upsert([candidate('a'), candidate('b')], NOW)
    const decided = proposals.update(pidOf('a'), 1, { action: 'reject', to: 'REJECTED', reviewer: 'ann', note: 'noise',
      at: LATER })
    expect(proposals.upsert([candidate('a', { confidence: 0.99 }), candidate('b')], LATER)).toMatchObject({ kept: 2,
      kept_decisions: 1 })
    expect(proposals.get(pidOf('a'))).toEqual(decided)
    expect(decided).toMatchObject({ status: 'REJECTED', reviewer_id: 'ann', review_note: 'noise', reviewed_at: LATER,
      version: 2 })
  })

  it('stand in the order of confidence times consequence, then pid, page by page', () => {
    const { proposals } = workspace()
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(0.1, 0.3, 0.7), fc.constantFrom(0.2, 0.5, 1)), { minLength: 1,
        maxLength: 12 }), (figures) => {
        const { proposals } = workspace()
        proposals.upsert(figures.map(([confidence, consequence], i) => candidate(`k${i}`, { confidence, consequence })), NOW)
        const whole = proposals.list().proposals
        const expected = whole.toSorted((x, y) => y.score - x.score || (x.pid < y.pid ? -1 : 1))
        expect(whole.map(({ pid }) => pid)).toEqual(expected.map(({ pid }) => pid))
        const paged: string[] = []
        for (let after: { score: number; pid: string } | undefined; ; ) {
          const page = proposals.list({ limit: 5, ...(after === undefined ? {} : { after }) }).proposals
          if (page.length === 0) break
          paged.push(...page.map(({ pid }) => pid))
          after = page.at(-1)
        }
        expect(paged).toEqual(whole.map(({ pid }) => pid))
      }),
      { numRuns: 25 },
    )
    expect(proposals.list()).toEqual({ proposals: [], total: 0 })
  })

  it('above the ceiling are neither listed nor counted', () => {
    const { proposals } = workspace()
    proposals.upsert([candidate('a', { tier: 'Public' }), candidate('b', { tier: 'Confidential' })], NOW)
    expect(proposals.list({ maxTier: 'Internal' })).toMatchObject({ total: 1, proposals: [{ name: 'a' }] })
    expect(proposals.counts('Internal')).toEqual({ by_kind: { LOG_EVENT: { PENDING: 1 } },
      by_strategy: { LOG_TEMPLATE_CLUSTERING: 1 } })
    expect(proposals.counts().by_kind).toEqual({ LOG_EVENT: { PENDING: 2 } })
  })

  it('refuse a step on an older version and on an unknown id', () => {
    const { proposals } = workspace()
    proposals.upsert([candidate('a')], NOW)
    const step = { action: 'defer', to: 'DEFERRED', reviewer: 'ann', at: NOW } as const
    proposals.update(pidOf('a'), 1, step)
    expect(() => proposals.update(pidOf('a'), 1, step)).toThrow(expect.objectContaining({ code: 'stale' }))
    expect(() => proposals.update('nobody', 1, step)).toThrow(expect.objectContaining({ code: 'not_found' }))
    expect(proposals.audit(pidOf('a'))).toHaveLength(1)
  })

  it('have an audit that nobody can rewrite', () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-'))
    const file = join(folder, 'store.db')
    const each = openWorkspace(file, { clock })
    each.proposals.upsert([candidate('a')], NOW)
    each.proposals.update(pidOf('a'), 1, { action: 'defer', to: 'DEFERRED', reviewer: 'ann', at: NOW })
    each.close()
    const db = new DatabaseSync(file)
    expect(() => db.exec("UPDATE proposal_events SET reviewer_id = 'bob'")).toThrow(/append-only/)
    expect(() => db.exec('DELETE FROM proposal_events')).toThrow(/append-only/)
    db.close()
    rmSync(folder, { recursive: true })
  })
})

describe('the session', () => {
  it('starts empty at version 0 and refuses to be saved over a newer one', () => {
    const { session } = workspace()
    const first = session.load()
    expect(first).toEqual({
      version: 0,
      session: { rules: [], causal_rules: [], entities: [], events: [], relationships: [], competency_questions: [] },
    })
    expect(session.save(first.session, 0)).toBe(1)
    expect(() => session.save(first.session, 0)).toThrow(expect.objectContaining({ code: 'stale' }))
    expect(session.load().version).toBe(1)
  })
})

describe('a transaction', () => {
  it('keeps all or nothing, also when nested', () => {
    const each = workspace()
    each.transaction(() => {
      each.proposals.upsert([candidate('a')], NOW)
      expect(() =>
        each.transaction(() => {
          each.proposals.upsert([candidate('b')], NOW)
          throw new Error('inner')
        }),
      ).toThrow('inner')
    })
    expect(each.proposals.list().proposals.map(({ name }) => name)).toEqual(['a'])
    expect(() =>
      each.transaction(() => {
        each.proposals.upsert([candidate('c')], NOW)
        throw new Error('outer')
      }),
    ).toThrow('outer')
    expect(each.proposals.list().total).toBe(1)
  })

  it('tells a second writer that somebody else is writing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-'))
    const file = join(folder, 'store.db')
    const first = openWorkspace(file, { clock })
    const second = openWorkspace(file, { clock, busyMs: 1 })
    first.transaction(() => {
      expect(() => second.proposals.upsert([candidate('a')], NOW)).toThrow(expect.objectContaining({ code: 'conflict' }))
    })
    expect(second.proposals.upsert([candidate('a')], NOW).inserted).toBe(1)
    expect(first.proposals.list().total).toBe(1)
    first.close()
    second.close()
    rmSync(folder, { recursive: true })
  })

  it('refuses work that is not done when it returns', () => {
    const each = workspace()
    expect(() => each.transaction(async () => {})).toThrow(/synchronous/)
  })
})

const template = (clusterId: string, hits: number): StoredTemplate => ({
  clusterId, template: 'link down node=<*>', eventName: 'LinkDown', sampleLine: 'link down node=crt-07', hits, firstSeen: NOW,
  lastSeen: LATER,
  severity: 'ERROR', service: 'router',
  slots: [{ slotIdx: 0, name: 'node', type: 'ENUM', subtype: 'id', distinctCount: 1, sampleCount: hits, topValues: [['crt-07',
  hits]], piiRisk: false, tier: 'Internal' }],
})
const event = (clusterId: string, tsMs: number, offset = 0): StoredEvent => ({
  clusterId, tsMs, service: 'router', trace: '', entities: ['node=crt-07'], severity: 'ERROR', file: 'router.jsonl', offset,
})
const edge = (src: string, dst: string): StoredEdge => ({
  src, dst, srcKind: 'event', dstKind: 'event', pmi: 3.5, cooccurrenceCount: 6, temporalLeadRatio: 1, directed: true,
  lagMsP50: 2000,
  lagMsP95: 2500, grangerP: null, teZ: 4.2, n: 9, p: 0.001, q: 0.01, leadLower: 0.6, explainedBy: null, statedVerdict: 'LOG_CAUSAL_EDGE', verdict: 'LOG_CAUSAL_EDGE', failedConditions: [], sharedEntity: 'node',
})

describe('what mining found', () => {
  it('comes back as it was handed over, events in the order of time', () => {
    const { logs } = workspace()
    expect(logs.lastRun()).toBeNull()
    const events = [event('b', 20), event('a', 10, 90), event('a', 10, 30)]
    logs.save({ templates: [template('b', 1), template('a', 2)], events, edges: [edge('a', 'b')] }, { run: 'logs', now: NOW })
    expect(logs.templates()).toEqual([template('a', 2), template('b', 1)])
    expect(logs.events()).toEqual([event('a', 10, 30), event('a', 10, 90), event('b', 20)])
    expect(logs.events(['b', 'zz'])).toEqual([event('b', 20)])
    expect(logs.edges()).toEqual([edge('a', 'b')])
    expect(logs.lastRun()).toBe(NOW)
  })

  it('edges between things go with the run that named both', () => {
    const { logs } = workspace()
    const between = (src: string, dst: string): StoredEdge => ({ ...edge(src, dst), srcKind: 'entity', dstKind: 'entity' })
    const named = (...entities: string[]): StoredEvent => ({ ...event('a', 10), entities })
    const mined = { templates: [template('a', 2)], edges: [] }
    const here = [between('n=1', 'm=1'), between('n=1', 'far=1')]
    logs.save({ ...mined, events: [named('n=1', 'm=1')], entityEdges: here }, { run: 'logs', now: NOW })
    expect(logs.edges()).toEqual(here.toReversed())
    logs.save({ ...mined, events: [named('n=1')], entityEdges: [] }, { run: 'logs', now: LATER })
    expect(logs.edges()).toEqual([between('n=1', 'far=1')])
  })

  it('is replaced, not added up, when the same logs are mined again, and another run is left alone', () => {
    const { logs } = workspace()
    const mined = { templates: [template('a', 2), template('b', 1)], events: [event('a', 10), event('b', 20)], edges: [edge('a',
      'b')] }
    logs.save({ ...mined, events: [event('a', 99)], edges: [] }, { run: 'other', now: NOW })
    logs.save(mined, { run: 'logs', now: NOW })
    logs.save(mined, { run: 'logs', now: LATER })
    expect(logs.events()).toHaveLength(3)
    expect(logs.templates().map(({ hits }) => hits)).toEqual([2, 1])
    logs.save({ templates: [template('a', 2)], events: [event('a', 10)], edges: [] }, { run: 'logs', now: LATER })
    expect(logs.edges()).toEqual([])
    expect(logs.events().map(({ tsMs }) => tsMs)).toEqual([10, 99])
  })

  it('takes more events than one statement holds', () => {
    const { logs } = workspace()
    const events = Array.from({ length: 1234 }, (_, i) => event('a', i))
    logs.save({ templates: [], events, edges: [] }, { run: 'logs', now: NOW })
    expect(logs.events()).toEqual(events)
  })

  it('hands over more events than a call takes arguments', () => {
    const { logs } = workspace()
    logs.save({ templates: [], events: Array.from({ length: 150_000 }, (_, i) => event('a', i)), edges: [] }, { run: 'logs', now: NOW })
    expect(logs.events(['a'])).toHaveLength(150_000)
  })

  it('goes when its logs no longer hold it, unless another run does or somebody has decided on it', () => {
    const { logs, hmmModels, proposals } = workspace()
    const ids = ['a', 'decided', 'edge', 'gone', 'shared']
    const all = ids.map((id) => template(id, 1))
    const model = (service: string) => ({ service, states: 1, body: {} })
    hmmModels.save(['router', 'old', 'elsewhere'].map(model), NOW)
    const old = { ...event('gone', 9), service: 'old' }
    logs.save({ templates: all, events: [...ids.map((id) => event(id, 1)), old], edges: [] }, { run: 'logs', now: NOW })
    logs.save({ templates: [template('shared', 1)], events: [event('shared', 1)], edges: [] }, { run: 'other', now: NOW })
    proposals.upsert([candidate('decided'), candidate('gone'), candidate('edge', { evidence: { cause_cluster: 'edge' } })], NOW)
    for (const id of ['decided', 'edge']) proposals.update(pidOf(id), 1, { action: 'reject', to: 'REJECTED', reviewer: 'ann', at: NOW })
    logs.save({ templates: [template('a', 1)], events: [event('a', 1)], edges: [] }, { run: 'logs', now: LATER })
    expect(logs.templates().map(({ clusterId }) => clusterId)).toEqual(['a', 'decided', 'edge', 'shared'])
    expect(hmmModels.all().map(({ service }) => service)).toEqual(['elsewhere', 'router'])
  })
})

describe('search runs', () => {
  it('are kept with their caller and ceiling', () => {
    const { runs } = workspace()
    const run = { runId: 'r1', ceiling: 'Internal', caller: 'local', body: { answer: 'forty-two' }, createdAt: NOW } as const
    runs.save(run)
    runs.save({ ...run, body: { answer: 'again' } })
    expect(runs.get('r1')).toEqual({ ...run, body: { answer: 'again' } })
    expect(runs.get('r2')).toBeUndefined()
  })
})
