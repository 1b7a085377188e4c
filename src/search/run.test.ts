import { describe, expect, it } from 'vitest'
import { STAGES, type SearchEvent, SearchRequest, type Stage } from '../contracts/index.ts'
import type { Cell, Source } from '../sources/index.ts'
import type { SearchContext } from './context.ts'
import { shop } from './fixtures.test-support.ts'
import { runSearch } from './run.ts'

const COUNT = { intent: 'count', from: 'Customer', select: [{ aggregate: 'count' }] }

interface World {
  readonly rows?: readonly (readonly Cell[])[]
  readonly over?: Partial<SearchContext>
  /** what the host does when it is asked for the subgraph's id, after the last stage */
  readonly subgraphId?: () => string
}

async function told(plan: object, { rows = [], over = {}, subgraphId = () => 'g' }: World = {}) {
  const source = {
    dialect: 'sqlite', version: async () => null, select: async () => ({ columns: ['count'], rows, truncated: false, ms: 1 }),
  } as unknown as Source
  const context: SearchContext = {
    runId: 'run-1', request: SearchRequest.parse({ question: 'q', materialize: true, plan }), source,
    ontology: shop, granted: shop,
    flavor: { name: 'generic', label: '', synonyms: {}, rules: [] }, ceiling: 'Internal', clock: { now: () => 0 }, startedAt: 0,
    today: new Date('2026-03-01T08:00:00Z'), warnings: [], ...over,
  }
  const about = { requestId: 'q-1', subgraphId, onBug: () => undefined }
  const events: SearchEvent[] = await Array.fromAsync(runSearch(context, about))
  const stages = events.flatMap((event) => (event.event === 'stage' ? [[event.data.stage, event.data.status]] : []))
  return { stages, end: events.at(-1)! }
}

describe('a search tells each stage once', () => {
  it('also when the plan does not fit the vocabulary', async () => {
    const { stages, end } = await told({ ...COUNT, from: 'Nothing' })
    expect(stages).toEqual([['plan', 'failed']])
    expect(end).toMatchObject({ event: 'error', data: { code: 'invalid_request', stage: 'plan' } })
  })

  it('also when what comes after the last stage fails', async () => {
    const subgraphId = (): string => {
      throw new Error('no more ids')
    }
    const { stages, end } = await told({ ...COUNT, intent: 'list', select: [{ path: ['name'] }] }, { subgraphId })
    expect(stages.map(([stage]) => stage as Stage)).toEqual([...STAGES])
    expect(end).toMatchObject({ event: 'error', data: { code: 'internal' } })
  })

  it('the one that fails as failed, after those before it', async () => {
    const source = { dialect: 'sqlite', select: async () => Promise.reject(new Error('gone')) } as unknown as Source
    const { stages, end } = await told(COUNT, { over: { source } })
    expect(stages).toEqual([['plan', 'done'], ['execute', 'failed']])
    expect(end).toMatchObject({ event: 'error', data: { code: 'internal', stage: 'execute' } })
  })
})
