import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { within } from '../contracts/index.ts'
import type { Edge, Happened } from './graph.test-support.ts'
import { RECORD, figuresOf, graphOf } from './graph.test-support.ts'
import type { RcaOptions } from './rca.ts'
import { rootCause } from './rca.ts'

const CHAIN: Edge[] = [
  { from: 'A', to: 'B', p50: 2000, p95: 4000 },
  { from: 'B', to: 'C', p50: 3000, p95: 6000 },
]
const ask = (edges: readonly Edge[], events: readonly Happened[], id: string, more: Partial<RcaOptions> = {}) =>
  rootCause(graphOf(edges, events), { event_iri: RECORD + id, ceiling: 'Restricted', figures: figuresOf(edges), ...more })
const names = (insight: ReturnType<typeof ask>) => (insight.ranked_causes ?? []).map(({ event }) => event.slice(RECORD.length))

describe('of several causes', () => {
  it('the one whose lag is usual comes first', () => {
    const events = [{ id: 'far', cls: 'A', at: 0 }, { id: 'near', cls: 'A', at: 18 }, { id: 'b', cls: 'B', at: 20 }]
    expect(names(ask(CHAIN, events, 'b'))).toEqual(['near', 'far'])
    expect(names(ask([{ from: 'A', to: 'B', p50: 20_000, p95: 25_000 }], events, 'b'))[0]).toBe('far')
  })

  it('the one that names the same thing comes first, also where the rule does not ask for it', () => {
    const pairs = Array.from({ length: 8 }, (_, n) => [
      { id: `a${n}`, cls: 'A', at: 100 * n, on: `x${n}` }, { id: `b${n}`, cls: 'B', at: 100 * n + 2, on: `x${n}` },
    ]).flat()
    const events = [...pairs, { id: 'other', cls: 'A', at: 700.5, on: 'y' }]
    expect(names(ask(CHAIN, events, 'b7'))[0]).toBe('a7')
  })

  it('a beginning comes before an event that has causes as a rule and none here: planned work is no root', () => {
    const events = [
      { id: 'a', cls: 'A', at: 0 }, { id: 'b', cls: 'B', at: 2 }, { id: 'c', cls: 'C', at: 5 },
      { id: 'planned', cls: 'B', at: -28.5 }, { id: 'planned2', cls: 'B', at: -1 },
    ]
    const insight = ask(CHAIN, events, 'c')
    expect(names(insight)[0]).toBe('a')
    expect(insight.ranked_causes?.find(({ event }) => event === `${RECORD}planned2`)).toMatchObject({ entry: false })
  })

  it('says which event may not be the beginning', () => {
    const insight = ask(CHAIN, [{ id: 'b', cls: 'B', at: 2 }, { id: 'c', cls: 'C', at: 5 }], 'c')
    expect(insight.warnings[0]).toBe('B may not be where it began: A causes such events, and none is in the graph before it')
  })
})

describe('what is not proven', () => {
  it('a line in between is missing: the cause is supposed, marked, and carries no premises', () => {
    const events = [
      { id: 'a', cls: 'A', at: 0 }, { id: 'c', cls: 'C', at: 5 },
      ...[1, 2, 3].flatMap((n) => [{ id: `a${n}`, cls: 'A', at: 500 * n }, { id: `b${n}`, cls: 'B', at: 500 * n + 2 }, { id: `c${n}`, cls: 'C', at: 500 * n + 5 }]),
    ]
    const insight = ask(CHAIN, events, 'c')
    expect(names(insight)).toEqual(['a'])
    expect(insight.answer).toMatch(/was probably caused by/)
    expect(insight.chain?.[0]).toMatchObject({ supposed: 'no B is logged in between, where there is one as a rule', rule: null, premises: [] })
    expect(insight.warnings.some((warning) => warning.startsWith('not proven: '))).toBe(true)
    // the whole chain is there: nothing is supposed
    expect(ask(CHAIN, events, 'c1').chain?.map(({ supposed }) => supposed)).toEqual([null, null, null])
  })

  it.each([
    ['clocks disagree', { p50: 300, p95: 600 }, 10.05, 'logged 50 ms before its cause'],
    ['it came late', { p50: 20_000, p95: 28_000 }, -25, 'later than the 30 s'],
  ])('%s', (_, lags, causeAt, why) => {
    const edges = [{ from: 'A', to: 'B', ...lags }]
    const usual = [1, 2, 3].flatMap((n) => [{ id: `a${n}`, cls: 'A', at: 500 * n }, { id: `b${n}`, cls: 'B', at: 500 * n + lags.p50 / 1000 }])
    const insight = ask(edges, [...usual, { id: 'a', cls: 'A', at: causeAt }, { id: 'b', cls: 'B', at: 10 }], 'b')
    expect(names(insight)).toEqual(['a'])
    expect(insight.chain?.[0]?.supposed).toContain(why)
  })

  it('says so when no cause is known, with candidates that nobody approved as a hint', () => {
    const hints = (cls: string) => [{ pid: 'p', title: `X causes ${cls}`, confidence: 0.7, status: 'PENDING' }]
    const insight = ask(CHAIN, [{ id: 'b', cls: 'B', at: 2 }], 'b', { hints })
    expect(insight).toMatchObject({ chain: [], ranked_causes: [], hints: [{ pid: 'p' }] })
    expect(insight.answer).toContain('A is known to cause it; none fits here. Candidates that nobody has approved: X causes B.')
  })
})

it('names the entry of a circle', () => {
  const edges: Edge[] = [{ from: 'A', to: 'B', p50: 2000, p95: 4000 }, { from: 'B', to: 'A', p50: 2000, p95: 4000 }]
  const events = ['A', 'B', 'A', 'B'].map((cls, n) => ({ id: `e${n}`, cls, at: 2 * n }))
  const insight = ask(edges, events, 'e3')
  expect(names(insight)).toEqual(['e0'])
  expect(insight.warnings[0]).toBe('A and B cause one another: A at 10:00:00Z is where the circle was entered')
})

describe('refutation', () => {
  it('counts causes without the effect, and names effects that should be there', () => {
    const edges: Edge[] = [...CHAIN, { from: 'A', to: 'D', p50: 1000, p95: 2000 }]
    const events = [{ id: 'lone', cls: 'A', at: -600 }, { id: 'a', cls: 'A', at: 0 }, { id: 'b', cls: 'B', at: 2 }, { id: 'c', cls: 'C', at: 5 }]
    const { refutation = [] } = ask(edges, events, 'c')
    expect(refutation).toContain('against it: 1 of the 2 A of the last day had no B within 30.0 s')
    expect(refutation).toContain('against it: A brings D about in 79 % of cases, and none is logged between 10:00:00Z and 10:00:02Z')
  })
})

const someEvents = fc.array(
  fc.record({ cls: fc.constantFrom('A', 'B', 'C', 'D'), at: fc.integer({ min: 0, max: 90 }), on: fc.constantFrom('x', 'y') }),
  { minLength: 2, maxLength: 9 },
).map((events) => events.map((event, n) => ({ ...event, id: `e${n}` })))
const EDGES: Edge[] = [...CHAIN, { from: 'D', to: 'C', p50: 5000, p95: 9000, joined: true }]
const answers = (edges: readonly Edge[], events: readonly Happened[], about: readonly Happened[], options: Parameters<typeof graphOf>[2] = {}) => {
  const m = graphOf(edges, events, options)
  const figures = figuresOf(edges)
  return about.map(({ id }) => rootCause(m, { event_iri: RECORD + id, ceiling: options?.ceiling ?? 'Restricted', figures }))
}

it('an event that has nothing to do with any cause changes no answer', () => {
  fc.assert(fc.property(someEvents, fc.integer({ min: -5000, max: 5000 }), (events, at) => {
    const more = [...events, { id: 'stranger', cls: 'Z', at, on: 'x' }]
    expect(answers(EDGES, more, events)).toEqual(answers(EDGES, events, events))
  }), { numRuns: 12 })
})

it('a ceiling gives what deleting everything above it would give', () => {
  const tiers = { D: 'Restricted', A: 'Confidential' } as const
  fc.assert(fc.property(someEvents, fc.constantFrom('Internal' as const, 'Confidential' as const), (events, ceiling) => {
    const isOpen = (cls: string) => within(tiers[cls as 'A'] ?? 'Public', ceiling)
    const left = events.filter(({ cls }) => isOpen(cls))
    const edges = EDGES.filter(({ from, to }) => isOpen(from) && isOpen(to))
    const cut = graphOf(EDGES, events, { tiers, ceiling })
    // the figures of edges above the ceiling do not come here: the service cuts them
    const seen = left.map(({ id }) => rootCause(cut, { event_iri: RECORD + id, ceiling, figures: figuresOf(edges) }))
    expect(seen).toEqual(answers(edges, left, left))
  }), { numRuns: 12 })
})

it('drops a chain that the checker does not accept, and says so', () => {
  const m = graphOf(CHAIN, [{ id: 'a', cls: 'A', at: 0 }, { id: 'b', cls: 'B', at: 2 }])
  const forged = { ...m, base: m.base.filter(({ args }) => args[0]?.value !== `${RECORD}a`) }
  const insight = rootCause(forged, { event_iri: `${RECORD}b`, ceiling: 'Restricted', figures: figuresOf(CHAIN) })
  expect(insight.ranked_causes).toEqual([])
  expect(insight.warnings[0]).toMatch(/^the chain from A at 10:00:00Z was dropped: the proof checker does not accept it/)
})
