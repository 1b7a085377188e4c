import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { within } from '../contracts/index.ts'
import type { Edge, Happened } from './graph.test-support.ts'
import { RECORD, figuresOf, graphOf } from './graph.test-support.ts'
import { lagDensity, lagsFrom } from './lags.ts'
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

describe('every event may be the beginning', () => {
  const edges: Edge[] = [{ from: 'A', to: 'B', p50: 2000, p95: 4000 }, { from: 'X', to: 'A', p50: 1000, p95: 1500 }]
  const figures = figuresOf(edges).map((each) => (each.cause === 'X' ? { ...each, n: 50, followed: 5, confidence: 0.6 } : each))
  const often = Array.from({ length: 20 }, (_, n) => [{ id: `a${n}`, cls: 'A', at: 100 * n + 100 }, { id: `b${n}`, cls: 'B', at: 100 * n + 102 }]).flat()
  const asked = (xAt: number) => ask(edges, [...often, { id: 'x', cls: 'X', at: xAt }, { id: 'a', cls: 'A', at: 28 }, { id: 'b', cls: 'B', at: 30 }], 'b', { figures })

  it('also where something that could have caused it stands before it by chance', () => {
    // X takes one second as a rule and stands 28 s before
    const insight = asked(0)
    expect(names(insight)).toEqual(['a', 'x'])
    expect(insight.ranked_causes?.[0]?.parts.share).toBeGreaterThan(0.9)
    expect(insight.answer.split('\n')[0]).toBe('B at 10:00:30Z was caused by A at 10:00:28Z (2.0 s earlier).')
    expect(insight.warnings[0]).toMatch(/^A may not be where it began: X causes such events, and X at 10:00:00Z fits with \d % of the blame$/)
  })

  it('and is not where what stands before it fits', () => {
    expect(names(asked(27))[0]).toBe('x')
  })

  it('the answer says probably where the best has less than half of the blame', () => {
    const rivals = [0, 0.1, 0.2].map((at) => ({ id: `a${at}`, cls: 'A', at }))
    expect(ask(CHAIN, [...rivals, { id: 'b', cls: 'B', at: 2 }], 'b').answer).toMatch(/^B at 10:00:02Z was probably caused by A /)
  })
})

it.each([150])('a chain of %i steps goes back to its beginning, and the answer stays short', (count) => {
  const edges: Edge[] = [{ from: 'A', to: 'B', p50: 20_000, p95: 24_000 }, { from: 'B', to: 'A', p50: 20_000, p95: 24_000 }]
  const events = Array.from({ length: count }, (_, n) => ({ id: `e${n}`, cls: n % 2 === 0 ? 'A' : 'B', at: 20 * n }))
  const insight = ask(edges, events, `e${count - 1}`)
  expect(insight.ranked_causes?.[0]).toMatchObject({ event: `${RECORD}e0`, hops: count - 1 })
  expect(insight.chain).toHaveLength(count)
  expect(insight.answer).toContain(`, through B, A, ${count - 6} further steps, B and A.`)
  expect(insight.answer.split('\n')).toHaveLength(22)
})

describe('a cause that repeats itself', () => {
  const edges: Edge[] = [{ from: 'Retry', to: 'Drop', p50: 2000, p95: 4000 }]
  // every 20 s from ten o'clock to 11:06:20
  const stream = { id: 'r', cls: 'Retry', at: 0, repeats: Array.from({ length: 199 }, (_, n) => 20 * (n + 1)) }
  const insight = ask(edges, [stream, { id: 'd', cls: 'Drop', at: 3002 }], 'd')

  it('is followed from its last line before the effect, in every word of the answer', () => {
    expect(insight.answer.split('\n')).toEqual([
      'Drop at 10:50:02Z was caused by Retry at 10:50:00Z (2.0 s earlier, repeated since 10:00:00Z).',
      'Drop followed Retry, repeated at 10:50:00Z, after 2.0 s (by rule retry-drop).',
    ])
    expect(insight.chain?.[0]).toMatchObject({
      time: '2024-05-01T10:00:00.000Z', repeated_at: '2024-05-01T10:50:00.000Z', lag_ms: 2000, count: 200, line: { file: 'a.log', offset: 15_000 },
    })
    expect(insight.ranked_causes?.[0]).toMatchObject({ lag_ms: 2000, parts: { lag_fit: 1 } })
    expect(insight.refutation?.[0]).toMatch(/^refuted if the logs hold no Drop between 10:50:00Z and 10:50:04Z: /)
    expect(insight.refutation?.filter((line) => line.startsWith('against it: the lag'))).toEqual([])
  })

  it('does not fit an effect that comes long after its last line, though it goes on', () => {
    const late = ask(edges, [stream, { id: 'd', cls: 'Drop', at: 3018 }], 'd')
    expect(late.chain?.[0]?.lag_ms).toBe(18_000)
    expect(late.refutation).toContain('against it: the lag of step 1 is 18.0 s, where 875 ms to 4.6 s are usual')
  })

  it('has an effect for each of its lines', () => {
    const drops = Array.from({ length: 50 }, (_, n) => ({ id: `d${n}`, cls: 'Drop', at: 20 * n + 2 }))
    const share = (events: readonly Happened[]) => ask(edges, events, 'd7').ranked_causes?.[0]?.parts.share ?? 0
    expect(share([stream, ...drops])).toBeGreaterThan(0.99)
  })
})

describe('the parts of a score', () => {
  const partsOf = (insight: ReturnType<typeof ask>, id: string) => insight.ranked_causes?.find(({ event }) => event === RECORD + id)?.parts

  it('position: a beginning that explains more of what happened stands higher', () => {
    const edges: Edge[] = [
      { from: 'A', to: 'C', p50: 3000, p95: 6000 }, { from: 'D', to: 'C', p50: 3000, p95: 6000 }, { from: 'A', to: 'E', p50: 3000, p95: 6000 },
    ]
    const events = [
      { id: 'a', cls: 'A', at: 0 }, { id: 'd', cls: 'D', at: 0 }, { id: 'c', cls: 'C', at: 3 }, { id: 'e', cls: 'E', at: 4 }, { id: 'f', cls: 'E', at: 5 },
    ]
    const insight = ask(edges, events, 'c')
    expect(names(insight)).toEqual(['a', 'd'])
    expect([partsOf(insight, 'a')?.position, partsOf(insight, 'd')?.position]).toEqual([1, 0.5])
  })

  it('change: five in a minute where there are none as a rule, against one a minute as ever', () => {
    const edges: Edge[] = [{ from: 'A', to: 'C', p50: 3000, p95: 6000 }, { from: 'D', to: 'C', p50: 3000, p95: 6000 }]
    const events = [
      ...Array.from({ length: 10 }, (_, n) => ({ id: `d${n}`, cls: 'D', at: 60 * n + 1 })),
      ...[505, 515, 525, 535, 541].map((at) => ({ id: `a${at}`, cls: 'A', at })),
      { id: 'c', cls: 'C', at: 544 },
    ]
    const insight = ask(edges, events, 'c')
    // ten minutes, none in half of them: (5 - 0) / sqrt(5 / 10) deviations
    expect(partsOf(insight, 'a541')?.change).toBeCloseTo(1 - Math.exp(-5 / Math.sqrt(0.5) / 2), 1)
    // this minute's and the last one's against one, the deviation of a rare event being 1
    expect(partsOf(insight, 'd9')?.change).toBeCloseTo(1 - Math.exp(-1 / 2), 1)
  })

  it('share: a cause that is late by its rule has half the weight of one in time', () => {
    const edges: Edge[] = [{ from: 'A', to: 'B', p50: 20_000, p95: 28_000 }]
    const insight = ask(edges, [{ id: 'a', cls: 'A', at: 0 }, { id: 'b', cls: 'B', at: 35 }, { id: 'end', cls: 'A', at: 3600 }], 'b')
    const weight = 0.5 * 0.9 * (18.5 / 21) * lagDensity(lagsFrom(20_000, 28_000, 30_000), 35_000)
    expect(partsOf(insight, 'a')?.share).toBeCloseTo(weight / (weight + 1.5 / 3_600_000), 3)
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
  expect(names(insight)[0]).toBe('e0')
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
