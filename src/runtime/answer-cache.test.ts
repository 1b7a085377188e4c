import { describe, expect, it } from 'vitest'
import { type Plan, type SearchAnswer, type SearchEvent, SearchRequest, type Tier } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { SearchContext, SearchOutcome } from '../search/index.ts'
import type { Source } from '../sources/index.ts'
import { AnswerCache, type CacheBounds } from './answer-cache.ts'

const ontology = { baseIri: 'o', recordBase: 'r', dialect: 'sqlite', classes: [] } as Ontology
const flavor = { name: 'generic', label: '', synonyms: {}, rules: [] }

interface Change {
  readonly request?: object
  readonly caller?: string
  readonly grant?: Tier
  readonly ceiling?: Tier
  readonly over?: Partial<SearchContext>
  /** what happens while the search runs */
  readonly meanwhile?: () => void
  readonly status?: SearchAnswer['status']
  readonly ends?: 'answer' | 'error'
  readonly failed?: boolean
  readonly planned?: object
}

/** A cache in front of a search that counts how often it ran. */
function world(bounds: Partial<CacheBounds> = {}) {
  const state = { version: 'v1' as string | null, now: 0, ran: 0, told: [] as SearchOutcome[] }
  const source = { dialect: 'sqlite', version: async () => state.version } as unknown as Source
  const cache = new AnswerCache(bounds)
  let runs = 0
  async function ask(question: string, change: Change = {}): Promise<SearchEvent[]> {
    const runId = `run-${(runs += 1)}`
    const request = SearchRequest.parse({ question, ...change.request })
    const context = {
      runId, request, source, flavor, ceiling: change.ceiling ?? 'Internal', ontology, granted: ontology, clock: { now: () => state.now },
      startedAt: state.now, today: new Date('2026-03-01T08:00:00Z'), warnings: [], ...change.over,
    } as SearchContext
    const caller = { name: change.caller ?? 'ada', grant: change.grant ?? 'Restricted', roles: [] }
    const asked = { context, caller, subgraphId: `${runId}.graph`, onDone: (outcome: SearchOutcome) => void state.told.push(outcome) }
    const seen: SearchEvent[] = []
    for await (const event of cache.through(asked, (onDone) => run(context, asked.subgraphId, change, onDone))) seen.push(event)
    return seen
  }
  async function* run(context: SearchContext, subgraphId: string, change: Change, onDone: (outcome: SearchOutcome) => void): AsyncGenerator<SearchEvent> {
    state.ran += 1
    const stage = { stage: 'synthesize' as const, status: change.failed === true ? ('failed' as const) : ('done' as const), ms: 7 }
    const claim = { id: 'c1', text: `about ${context.request.question}` } as SearchAnswer['claims'][number]
    yield { event: 'run', data: { run_id: context.runId } }
    yield { event: 'stage', data: { stage: 'plan', status: 'done', ms: 3 } }
    context.warnings.push('said while it ran')
    change.meanwhile?.()
    yield { event: 'claim', data: claim }
    yield { event: 'stage', data: stage }
    if (change.ends === 'error') return yield { event: 'error', data: { code: 'internal' } as never }
    const answer = {
      run_id: context.runId, status: change.status ?? 'ok', answer: claim.text, claims: [claim], warnings: [...context.warnings],
      subgraph: { id: context.request.materialize ? subgraphId : null, count: 1 }, trace: [{ stage: 'plan', status: 'done', ms: 3 }, stage],
      plan: change.planned ?? null, executed_queries: [{ sql: 'select 1', params: [], rows: 1, ms: 4.5, purpose: 'main' }], timings_ms: { plan: 3, synthesize: 7 },
    } as unknown as SearchAnswer
    onDone({ answer, subgraph: context.request.materialize ? ({ turtle: '<s> <p> <o> .' } as NonNullable<SearchOutcome['subgraph']>) : null })
    yield { event: 'answer', data: answer }
  }
  return { state, ask, cache }
}

const blanked = (events: readonly SearchEvent[]) =>
  JSON.stringify(events, (key, value: unknown) => (['run_id', 'ms', 'timings_ms', 'id'].includes(key) ? null : value))

describe('an answer that was given before', () => {
  it('is given again without a search, byte for byte but for ids and times, and told of like any other', async () => {
    const { state, ask } = world()
    const first = await ask('how many?', { request: { materialize: true } })
    const second = await ask('how many?', { request: { materialize: true } })
    expect(state.ran).toBe(1)
    expect(blanked(second)).toBe(blanked(first))
    expect(state.told).toHaveLength(2)
    expect(state.told[1]?.subgraph).toEqual(state.told[0]?.subgraph)
    expect(second.map(({ event }) => event)).toEqual(['run', 'stage', 'claim', 'stage', 'answer'])
    const answer = second.at(-1)?.data as SearchAnswer
    expect([answer.run_id, answer.subgraph.id]).toEqual(['run-2', 'run-2.graph'])
    expect(state.told[1]?.answer).toBe(answer)
    expect(second[0]?.data).toEqual({ run_id: 'run-2' })
  })

  it('gives its queries the share of its own time that they had of the first, and changes nothing else of them', async () => {
    const { state, ask } = world()
    const queries = async (change: Change = {}) => ((await ask('q', change)).at(-1)!.data as SearchAnswer).executed_queries
    const [first] = await queries()
    let now = 0
    const clock = { now: () => (now += 0.5) }
    const [again] = await queries({ over: { clock, startedAt: 0 } })
    const stages = state.told[1]!.answer.trace.reduce((sum, { ms }) => sum + ms, 0)
    expect(stages).toBeGreaterThan(0)
    expect(again).toEqual({ ...first, ms: Math.round(stages * (4.5 / 10) * 100) / 100 })
    expect(again?.ms).not.toBe(first?.ms)
  })

  it('is given whether its stream can be joined again or not', async () => {
    const { state, ask } = world()
    await ask('q')
    await ask('q', { request: { resumable: true } })
    expect(state.ran).toBe(1)
  })

  const others: [string, Change][] = [
    ['another caller', { caller: 'bob' }],
    ['another grant', { grant: 'Confidential' }],
    ['another ceiling', { ceiling: 'Public' }],
    ['another limit', { request: { limit: 3 } }],
    ['another k', { request: { k: 3 } }],
    ['a subgraph', { request: { materialize: true } }],
    ['an edited plan', { request: { plan: { intent: 'count', from: 'Customer', select: [{ aggregate: 'count' }] } } }],
    ['no questions back', { request: { clarify: false } }],
    ['another cut', { over: { ontology: { ...ontology, baseIri: 'x' } } }],
    ['another cut at the grant', { over: { granted: { ...ontology, baseIri: 'x' } } }],
    ['other rules', { over: { flavor: { ...flavor, rules: [{ id: 'r', label: '', phrases: [], body: 'a(?x) :- B(?x).' }] } } }],
    ['another day', { over: { today: new Date('2026-03-02T08:00:00Z') } }],
    ['another warning', { over: { warnings: ['max_tier was lowered'] } }],
    ['another database', { over: { source: { version: async () => 'v1' } as unknown as Source } }],
  ]
  it.each(others)('is not given for %s', async (_, change) => {
    const { state, ask } = world()
    await ask('q')
    await ask('q', change)
    expect(state.ran).toBe(2)
    await ask('q')
    expect(state.ran).toBe(2)
  })

  it('is not given once the data has changed, and not kept if that was while it was made', async () => {
    const { state, ask } = world()
    await ask('q', { meanwhile: () => (state.version = 'v2') })
    await ask('q')
    expect(state.ran).toBe(2)
    await ask('q')
    expect(state.ran).toBe(2)
    state.version = 'v3'
    await ask('q')
    expect(state.ran).toBe(3)
  })

  it.each<[string, Change]>([
    ['an error', { ends: 'error' }],
    ['an answer with a stage that failed', { failed: true }],
    ['one that was planned for a moment', { planned: { where: [{ op: '>', value: '2026-03-01 07:00:00' }] } }],
    ['a follow-up', { over: { earlier: {} as Plan } }],
    ['a follow-up to what is not known', { request: { context: 'run-0' } }],
  ])('is never %s', async (_, change) => {
    const { state, ask } = world()
    await ask('q', change)
    await ask('q', change)
    expect(state.ran).toBe(2)
  })

  it('is never that of a database that does not say when it changes', async () => {
    const { state, ask } = world()
    state.version = null
    await ask('q')
    await ask('q')
    expect(state.ran).toBe(2)
  })

  it('is never one whose listener left before the end', async () => {
    const { state, ask } = world()
    await expect(ask('q', { meanwhile: () => { throw new Error('stopped') } })).rejects.toThrow('stopped')
    await ask('q')
    expect(state.ran).toBe(2)
  })

  it('is forgotten after a while', async () => {
    const { state, ask } = world({ ageMs: 100 })
    await ask('q')
    state.now = 101
    await ask('q')
    expect(state.ran).toBe(2)
  })
})

describe('the memory', () => {
  it('stays within its bounds under 10,000 different questions, and keeps what was used last', async () => {
    const { state, ask, cache } = world({ entries: 100 })
    for (let n = 0; n < 10_000; n += 1) await ask(`question ${n}`)
    expect(cache.size.entries).toBe(100)
    await ask('question 9999')
    expect(state.ran).toBe(10_000)
  })

  it('holds as many bytes as it may, and no answer that would take most of them', async () => {
    const { ask, cache, state } = world({ bytes: 20_000 })
    for (let n = 0; n < 100; n += 1) await ask(`question ${n}`)
    expect(cache.size.bytes).toBeLessThanOrEqual(20_000)
    expect(cache.size.entries).toBeGreaterThan(5)
    await ask('x'.repeat(1500))
    await ask('x'.repeat(1500))
    expect(state.ran).toBe(102)
  })
})
