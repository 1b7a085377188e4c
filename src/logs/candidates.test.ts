import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEVERITIES, SEVERITY_TIER, type Severity, TIERS, type Tier, within } from '../contracts/index.ts'
import type { LogTemplate } from './candidate.ts'
import { type Judged, type MinedParts, candidatesOf, consequenceOf } from './candidates.ts'

const templateOf = (id: string, severity: Severity): LogTemplate => ({
  clusterId: id, template: `${id} happened`, eventName: `Event${id}`, sampleLine: `${id} happened`, hits: 9, firstSeen: '', lastSeen: '', severity, service: 's', slots: [],
})

/** An edge with just what a candidate is made from. */
const judgedOf = (src: string, dst: string): Judged => {
  const edge = { src, dst, verdict: 'LOG_CAUSAL_EDGE', statedVerdict: 'LOG_CAUSAL_EDGE', failedConditions: [], sharedEntity: null, explainedBy: null, lagMsP50: 1, lagMsP95: 2, n: 9, p: 0, q: 0, leadLower: 0.9 }
  const link = { pmi: 4, shared: undefined, follower: null, windows: { together: 1, a: 1, b: 1, total: 9 }, windowMs: 1000, lead: {} }
  return { edge, link, sightings: [], verdict: { conditions: [], explained: null, fisherP: 0.1, grangerOrder: 1, q: 0 } } as unknown as Judged
}

function mined(severities: readonly Severity[], edges: readonly (readonly [number, number])[]): MinedParts {
  const templates = severities.map((severity, n) => templateOf(`t${n}`, severity))
  const profiles = templates.map(() => ({ agreeing: 9, timed: 9, severities: {}, services: {} }))
  const judged = edges.map(([from, to]) => judgedOf(`t${from}`, `t${to}`))
  return { templates, profiles, events: [], columns: {} as MinedParts['columns'], judged, entityEdges: [], windowSeconds: 30 }
}

const seenAt = (parts: MinedParts, ceiling: Tier) => candidatesOf(parts).filter(({ tier }) => within(tier, ceiling))

describe('consequence', () => {
  it('by hand: an event counts the edges that whoever sees it may see', () => {
    // t0 has one edge among INFO events, one to an ERROR and one to a CRITICAL
    const parts = mined(['INFO', 'INFO', 'ERROR', 'CRITICAL'], [[0, 1], [0, 2], [0, 3]])
    const of = (key: string) => candidatesOf(parts).find((each) => each.key === key)
    expect(of('event:t0')).toMatchObject({ consequence: consequenceOf('INFO', 1), evidence: { edges: 1 } })
    expect(of('event:t3')).toMatchObject({ consequence: consequenceOf('CRITICAL', 1), evidence: { edges: 1 } })
    expect(of('edge:t0>t1')).toMatchObject({ tier: 'Public', consequence: consequenceOf('INFO', 0), evidence: { neighbouring_edges: 0 } })
    expect(of('edge:t0>t2')).toMatchObject({ tier: 'Confidential', consequence: consequenceOf('ERROR', 1), evidence: { neighbouring_edges: 1 } })
    expect(of('edge:t0>t3')).toMatchObject({ tier: 'Restricted', consequence: consequenceOf('CRITICAL', 2), evidence: { neighbouring_edges: 2 } })
  })

  it('TRUST-1 twins that differ only in edges above a ceiling have the same candidates below it, in the same order', () => {
    const pair = fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })).filter(([x, y]) => x !== y)
    const pairs = fc.uniqueArray(pair, { maxLength: 14, selector: ([x, y]) => `${x} ${y}` })
    const severities = fc.array(fc.constantFrom(...SEVERITIES), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(severities, pairs, pairs, fc.constantFrom(...TIERS), (each, one, other, ceiling) => {
        const isOpen = ([x, y]: readonly [number, number]) => [x, y].every((n) => within(SEVERITY_TIER[each[n]!], ceiling))
        const open = one.filter(isOpen)
        const twins = [one, other].map((edges) => seenAt(mined(each, [...open, ...edges.filter((edge) => !isOpen(edge))]), ceiling))
        expect(twins[1]).toEqual(twins[0])
      }),
    )
  })
})
