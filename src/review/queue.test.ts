import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type NewCandidate, openWorkspace, pidOf, type Workspace } from '../store/index.ts'
import { decide } from './decide.ts'
import { candidate, candidates, summary, wholePid } from './queue.ts'

const NOW = '2026-01-02T03:04:05.000Z'
let workspace: Workspace
beforeEach(() => {
  workspace = openWorkspace(':memory:')
})
afterEach(() => workspace.close())

const proposed = (name: string, changes: Partial<NewCandidate> = {}): NewCandidate => ({
  key: name, proposalType: 'LOG_EVENT', detectionStrategy: 'LOG_TEMPLATE_CLUSTERING', title: name, name, confidence: 0.5,
  consequence: 1, lagMsP50: null,
  lagMsP95: null, tier: 'Public', evidence: { clusters: [name], severity: 'INFO', service: '' }, evidenceSample: '', ...changes,
})

describe('the summary', () => {
  it('of a store that never saw a log says so', () => {
    expect(summary(workspace)).toEqual({ available: false, by_kind: {}, anomalies: 0, drift: 0, last_run: null,
      ranking: { decisions: 0, auc: null, baseline_auc: null, used: false, reason: 'fewer than 20 decisions' } })
  })

  it('counts by kind and state, within the ceiling, without older kinds of proposal', () => {
    workspace.logs.save({ templates: [], events: [], edges: [] }, { run: 'logs', now: NOW })
    workspace.proposals.upsert(
      [
        proposed('A'),
        proposed('B', { detectionStrategy: 'HMM_SEQUENCE_ANOMALY' }),
        proposed('C', { detectionStrategy: 'DRIFT_ON_NEW_TEMPLATE', tier: 'Restricted' }),
        proposed('D', { proposalType: 'NEW_CLASS', detectionStrategy: 'CLASS_COOCCURRENCE' }),
      ],
      NOW,
    )
    decide(workspace, pidOf('A'), 'approve', { reviewer: 'ann', now: NOW, baseIri: 'https://x#' })
    expect(summary(workspace)).toMatchObject({ available: true, by_kind: { LOG_EVENT: { APPROVED: 1, PENDING: 2 } }, anomalies: 1,
      drift: 1 })
    expect(summary(workspace, { maxTier: 'Internal' })).toMatchObject({ by_kind: { LOG_EVENT: { APPROVED: 1, PENDING: 1 } },
      drift: 0 })
  })
})

describe('the queue', () => {
  it('is read page by page and skips nothing when decisions fall in between', () => {
    workspace.proposals.upsert([0.1, 0.9, 0.5, 0.7, 0.3].map((confidence) => proposed(`e${confidence}`, { confidence })), NOW)
    const first = candidates(workspace, { limit: 2 })
    expect(first).toMatchObject({ total: 5, candidates: [{ name: 'e0.9' }, { name: 'e0.7' }] })
    decide(workspace, pidOf('e0.9'), 'reject', { reviewer: 'ann', now: NOW, baseIri: 'https://x#' })
    const second = candidates(workspace, { limit: 2, cursor: first.next_cursor ?? '' })
    expect(second.candidates.map(({ name }) => name)).toEqual(['e0.5', 'e0.3'])
    const third = candidates(workspace, { limit: 2, cursor: second.next_cursor ?? '' })
    expect(third).toMatchObject({ candidates: [{ name: 'e0.1' }], next_cursor: null })
    expect(candidates(workspace, { status: 'REJECTED' }).total).toBe(1)
    expect(candidates(workspace, { kind: 'LOG_ENTITY' }).total).toBe(0)
    expect(candidates(workspace, { kind: 'NEW_CLASS' }).total).toBe(0)
  })

  it.each(['', 'x', Buffer.from('[1]').toString('base64url'),
    Buffer.from('{"a":1}').toString('base64url')])('refuses the cursor %j', (cursor) => {
    expect(() => candidates(workspace, { cursor })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it('hides a candidate above the ceiling like one that never was', () => {
    workspace.proposals.upsert([proposed('A', { tier: 'Restricted' })], NOW)
    expect(candidate(workspace, pidOf('A')).name).toBe('A')
    const messages = [pidOf('A'), pidOf('nobody')].map((pid) => {
      try {
        return candidate(workspace, pid, { maxTier: 'Confidential' }).name
      } catch (error) {
        return String(error)
      }
    })
    expect(messages[0]).toBe(messages[1])
  })
})

describe('the beginning of an id', () => {
  beforeEach(() => {
    workspace.proposals.upsert([proposed('A'), proposed('B', { tier: 'Restricted' })], NOW)
  })
  const [a, b] = [pidOf('A'), pidOf('B')]

  it('of eight characters or more names the one candidate that begins so', () => {
    expect(wholePid(workspace, a.slice(0, 8), 'Internal')).toBe(a)
    expect(wholePid(workspace, a, 'Internal')).toBe(a)
    expect(wholePid(workspace, b.slice(0, 12), 'Restricted')).toBe(b)
  })

  it.each([['too short', a.slice(0, 7)], ['of none', 'ffffffff-0'], ['of one above the ceiling', b.slice(0, 12)]])('stays as it is when it is %s', (_, start) => {
    expect(wholePid(workspace, start, 'Internal')).toBe(start)
  })

  it('that several have is refused, and those above the ceiling are not among the several', () => {
    const [one, other] = ['k24377', 'k114096'] // both begin with the same eight
    const start = pidOf(one).slice(0, 8)
    expect(pidOf(other).slice(0, 8)).toBe(start)
    workspace.proposals.upsert([proposed(one), proposed(other, { tier: 'Restricted' })], NOW)
    expect(wholePid(workspace, start, 'Internal')).toBe(pidOf(one))
    expect(() => wholePid(workspace, start, 'Restricted')).toThrow('more than one candidate')
  })
})
