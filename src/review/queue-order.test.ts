import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NewCandidate, openWorkspace, pidOf } from '../store/index.ts'
import type { Brief } from './brief.ts'
import { decide } from './decide.ts'
import { ordering, sortedBy } from './queue-order.ts'
import { candidates, summary } from './queue.ts'

const NOW = '2026-01-02T03:04:05.000Z'
const proposed = (n: number): NewCandidate => ({
  key: `e${n}`, proposalType: 'LOG_EVENT', detectionStrategy: 'LOG_TEMPLATE_CLUSTERING', title: `e${n}`, name: `e${n}`, confidence: 0.1 + (n % 17) / 20,
  consequence: 0.5, lagMsP50: null, lagMsP95: null, tier: 'Public', evidenceSample: '',
  evidence: { clusters: [`c${n}`], severity: 'INFO', service: n % 2 === 0 ? 'even' : 'odd', template: `template number ${n}`, hits: n },
})

describe('an order', () => {
  it('of numbers is the one that comparing every pair gives, ties included', () => {
    const figure = fc.oneof(fc.constantFrom(0, -0, 0.5, -1), fc.double({ noNaN: true, noDefaultInfinity: true }))
    fc.assert(
      fc.property(fc.array(fc.tuple(figure, fc.integer({ min: 0, max: 99 })), { maxLength: 60 }), (figures) => {
        const rows = figures.map(([score, n], at) => ({ pid: `${n}-${at}`, score, name: `n${n}` }) as Brief)
        for (const sort of ['score', 'name'] as const) {
          const order = ordering(sort, null)
          expect(sortedBy(order, rows).map(({ pid }) => pid)).toEqual(rows.toSorted(order.compare).map(({ pid }) => pid))
        }
      }),
    )
  })
})

describe('the learned order', () => {
  it('is the same whether it was made ready between calls or is made when asked for', async () => {
    const workspace = openWorkspace(':memory:')
    workspace.proposals.upsert(Array.from({ length: 120 }, (_, n) => proposed(n)), NOW)
    const another = openWorkspace(':memory:')
    another.proposals.upsert(Array.from({ length: 120 }, (_, n) => proposed(n)), NOW)
    const learned = (of: typeof workspace) => candidates(of, { sort: 'learned', limit: 100 }).candidates.map(({ name }) => name)
    for (let n = 0; n < 50; n += 1) {
      const at = new Date(Date.parse(NOW) + n * 1000).toISOString()
      for (const each of [workspace, another]) decide(each, pidOf(`e${n}`), n % 2 === 0 ? 'approve' : 'reject', { reviewer: 'ann', now: at, baseIri: 'https://x#' })
      summary(workspace) // begins to make ready what is followed later
      if (n % 5 === 0) for (let turn = 0; turn < 12; turn += 1) await new Promise((done) => setImmediate(done))
      if (n % 7 === 0) learned(workspace)
    }
    expect(summary(workspace)).toEqual(summary(another))
    expect(summary(workspace).ranking).toMatchObject({ used: true, decisions: 50 })
    expect(learned(workspace)).toEqual(learned(another))
    expect(learned(workspace).slice(0, 30).every((name) => Number(name.slice(1)) % 2 === 0)).toBe(true)
    for (const each of [workspace, another]) each.close()
  })

  it('shows a row as it stands after every change, also one that was taken back', () => {
    const workspace = openWorkspace(':memory:')
    workspace.proposals.upsert([proposed(1), proposed(2)], NOW)
    const signed = { reviewer: 'ann', now: NOW, baseIri: 'https://x#' }
    const shown = (status: 'PENDING' | 'DEFERRED') => candidates(workspace, { status }).candidates.map(({ name, version }) => `${name} ${version}`).toSorted()
    expect(shown('PENDING')).toEqual(['e1 1', 'e2 1'])
    decide(workspace, pidOf('e1'), 'defer', signed)
    expect([shown('PENDING'), shown('DEFERRED')]).toEqual([['e2 1'], ['e1 2']])
    expect(() => workspace.transaction(() => {
      decide(workspace, pidOf('e2'), 'defer', signed)
      expect(shown('DEFERRED')).toEqual(['e1 2', 'e2 2'])
      throw new Error('taken back')
    })).toThrow('taken back')
    expect([shown('PENDING'), shown('DEFERRED')]).toEqual([['e2 1'], ['e1 2']])
    workspace.close()
  })
})
