import { describe, expect, it } from 'vitest'
import { Proposal } from '../contracts/index.ts'
import { hashHalves } from '../kernel/text/index.ts'
import { type Brief, briefOf } from './brief.ts'
import { groupsOf } from './grouping.ts'
import { LEAST_DECISIONS, decisionsOf, followedSize, rankerOf, trainingSize } from './ranking.ts'

const brief = (pid: string, evidence: object, more: Partial<Proposal> = {}, via: string | null = null): Brief =>
  briefOf({ ...Proposal.parse({
    pid, proposal_type: 'LOG_EVENT', title: pid, name: pid, candidate_turtle: '', detection_strategy: 'LOG_TEMPLATE_CLUSTERING', confidence: 0.5, consequence: 0.5, score: 0.25,
    lag_ms_p50: null, lag_ms_p95: null, status: 'PENDING', source: 'log-discovery', tier: 'Public', evidence, evidence_sample: '', edits: {}, reviewer_id: null, review_note: null,
    reviewed_at: null, merged_into: null, version: 1, created_at: '', updated_at: '', ...more,
  }), via })
const event = (pid: string, template: string, severity = 'INFO') => brief(pid, { clusters: [pid], template, severity })

describe('groups of near-duplicates', () => {
  it.each([
    ['the same but for numbers', 'disk 1 full', 'disk 22 full', true],
    ['the same but for one word of five', 'request of alice was refused twice', 'request of bob was refused twice', true],
    ['two words apart', 'request of alice was refused twice', 'request of bob was granted twice', false],
    ['one word of two', 'link down', 'link up', false],
    ['another length', 'request was refused by the node', 'request was refused by the node again', false],
    ['a slot and a number', 'took <*> ms in all parts', 'took 17 ms in all parts', true],
  ])('%s', (_, one, other, alike) => {
    expect(groupsOf([event('a', one), event('b', other)]).get('b')).toBe(alike ? 'a' : 'b')
  })

  it('do not cross severities, and likeness to the leader is not passed on', () => {
    expect(groupsOf([event('a', 'disk 1 full'), event('b', 'disk 2 full', 'ERROR')]).get('b')).toBe('b')
    const chain = ['one two three four', 'one two three FIVE', 'one two SIX FIVE'].map((text, i) => event(`e${i}`, text))
    expect([...groupsOf(chain).values()]).toEqual(['e0', 'e0', 'e2'])
  })

  it('put edges between the same groups together', () => {
    const events = [event('a1', 'disk 1 full'), event('a2', 'disk 2 full'), event('b', 'node left')]
    const edge = (pid: string, cause: string, effect: string) => brief(pid, { cause_cluster: cause, effect_cluster: effect }, { proposal_type: 'LOG_CAUSAL_EDGE' })
    const groups = groupsOf([...events, edge('x', 'a1', 'b'), edge('y', 'a2', 'b'), edge('z', 'b', 'a1')])
    expect([groups.get('y'), groups.get('z')]).toEqual(['x', 'z'])
  })
})

describe('the ranker', () => {
  const decided = (n: number, approve: (i: number) => boolean, edits: (i: number) => object = () => ({})) =>
    Array.from({ length: n }, (_, i) =>
      brief(`p${String(i).padStart(3, '0')}`, { severity: i % 2 === 0 ? 'ERROR' : 'INFO', clusters: [], template: 'x' }, { status: approve(i) ? 'APPROVED' : 'REJECTED', reviewed_at: `t${String(i).padStart(3, '0')}`, edits: { ...edits(i) } }))
  const rank = (briefs: Brief[]) => rankerOf(decisionsOf(briefs), trainingSize(briefs.length))

  it('waits for enough decisions', () => {
    expect(rank(decided(LEAST_DECISIONS - 1, (i) => i % 2 === 0))).toMatchObject({ odds: null, ranking: { used: false, auc: null, decisions: 19 } })
  })

  it('finds what approvals have in common', () => {
    const { odds, ranking } = rank(decided(60, (i) => i % 2 === 0))
    expect(ranking).toMatchObject({ used: true, auc: 1, decisions: 60 })
    expect(odds!(brief('a', { severity: 'ERROR', clusters: [], template: 'x' }))).toBeGreaterThan(odds!(brief('b', { severity: 'INFO', clusters: [], template: 'x' })))
  })

  it.each([['approvals alone', () => true], ['nothing but chance', (i: number) => (i * 7919) % 13 < 6]])('stays with the score after %s', (_, approve) => {
    expect(rank(decided(60, approve)).odds).toBeNull()
  })

  it('learns nothing from labels that chance gave, though only approvals carry edits', () => {
    const used = Array.from({ length: 20 }, (_, seed) => {
      const chance = (i: number) => hashHalves(`${seed} ${i}`)[0] % 2 === 0
      const edited = decided(60, chance, (i) => (chance(i) && i % 3 === 0 ? { label: 'as people say' } : {}))
      return rank(edited).ranking.used
    })
    expect(used.filter(Boolean).length).toBeLessThanOrEqual(3) // one in twenty by design
  })

  it('counts no event that came along with an edge, unless the edge is hidden', () => {
    const along = [brief('a', {}, { status: 'APPROVED' }, 'edge'), brief('b', {}, { status: 'APPROVED' }), brief('c', {}, { status: 'REJECTED' })]
    expect(decisionsOf(along).map(({ pid }) => pid)).toEqual(['b', 'c'])
    expect(decisionsOf(along, () => false)).toHaveLength(3)
  })

  it('stays with the score where that tells as much', () => {
    const scored = decided(60, (i) => i % 2 === 0).map((each) => ({ ...each, score: each.status === 'APPROVED' ? 0.9 : 0.1 }))
    expect(rank(scored)).toMatchObject({ odds: null, ranking: { used: false, auc: 1, baseline_auc: 1 } })
  })

  it('is trained in steps, so that the order is still while one works', () => {
    expect([5, 20, 29, 30, 44, 45, 1000].map(trainingSize)).toEqual([5, 20, 20, 30, 30, 45, 777])
    // followed a tenth later
    expect([5, 20, 30, 32, 33, 45, 49, 50, 800, 855].map(followedSize)).toEqual([5, 20, 20, 20, 30, 30, 30, 45, 518, 777])
  })
})
