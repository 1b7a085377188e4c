/** Every route once as it should be, and the failures of its own. */
import { afterAll, describe, expect, it } from 'vitest'
import { SearchAnswer, Vocabulary } from '../../contracts/index.ts'
import { fakeApp } from '../../../tests/e2e/fake-app.ts'

const { app, service } = fakeApp()
afterAll(() => app.close())

const QUESTION = 'Which customers are at risk from crt-07, and why?'
const post = (url: string, payload?: object) => app.inject({ method: 'POST', url, payload })
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

describe('search', () => {
  it('answers with the whole answer', async () => {
    const reply = await post('/api/search', { question: QUESTION, materialize: true })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toContain('application/json')
    expect(reply.headers['cache-control']).toBe('no-store')
    const answer = SearchAnswer.parse(reply.json())
    expect(answer.claims).toHaveLength(3)
    expect(answer.subgraph.count).toBe(46)
  })

  it('fills in the defaults of the contract before it asks the service', async () => {
    await post('/api/search', { question: ' who? ' })
    expect(service.asked.at(-1)).toMatchObject({
      request: { question: 'who?', max_tier: 'Internal', k: 5, limit: 200, clarify: true, fallback: true },
      caller: { name: 'local', grant: 'Restricted' },
    })
  })

  it('turns the error that ends a search into its status', async () => {
    const reply = await post('/api/search', { question: 'past the deadline' })
    expect(reply.statusCode).toBe(504)
    expect(reply.headers['content-type']).toContain('application/problem+json')
    expect(reply.json()).toMatchObject({ code: 'deadline_exceeded', stage: 'execute', request_id: reply.headers['x-request-id'] })
  })

  it('keeps a bug and an answer above its ceiling inside', async () => {
    for (const question of ['broken', 'leak']) {
      const reply = await post('/api/search', { question })
      expect(reply.statusCode).toBe(500)
      expect(reply.json()).toMatchObject({ code: 'internal' })
      expect(reply.body).not.toContain('must stay inside')
      expect(reply.body).not.toContain('Acme')
    }
  })
})

const fields = (frame: string): Record<string, string> =>
  Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/s)))
const framesOf = async (question: string) => {
  const reply = await post('/api/search/stream', { question })
  return { reply, frames: reply.body.split('\n\n').filter((text) => text !== '').map(fields) }
}

describe('search stream', () => {
  it('sends run, the five stages with the claims before the last, then the answer, all numbered', async () => {
    const { reply, frames } = await framesOf(QUESTION)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/event-stream', 'x-accel-buffering': 'no', 'cache-control': 'no-store',
    })
    expect(frames.map(({ event }) => event)).toEqual([
      'run', 'stage', 'stage', 'stage', 'stage', 'claim', 'claim', 'claim', 'stage', 'answer',
    ])
    expect(frames.map(({ id }) => Number(id))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const stages = frames.filter(({ event }) => event === 'stage').map(({ data }) => JSON.parse(data!).stage)
    expect(stages).toEqual(['plan', 'execute', 'relations', 'reason', 'synthesize'])
    expect(SearchAnswer.parse(JSON.parse(frames.at(-1)!.data!)).status).toBe('ok')
  })

  it.each([['deadline', 'deadline_exceeded'], ['broken', 'internal'], ['leak', 'internal']])(
    'ends a search on %s with one error event',
    async (question, code) => {
      const { reply, frames } = await framesOf(question)
      expect(reply.statusCode).toBe(200)
      expect(frames.filter(({ event }) => event === 'error' || event === 'answer')).toHaveLength(1)
      expect(JSON.parse(frames.at(-1)!.data!)).toMatchObject({ code, request_id: reply.headers['x-request-id'] })
      expect(reply.body).not.toContain('must stay inside')
    },
  )
})

const sparql = (url: string, contentType: string, payload: string) =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': contentType } })

describe('sparql', () => {
  const query = 'SELECT ?s WHERE { ?s ?p ?o }'

  it.each([
    ['/api/sparql', 'application/json', JSON.stringify({ run_id: 'run-1', query })],
    ['/api/sparql', 'application/json', JSON.stringify({ subgraph_id: 'sg-1', query })],
    ['/api/sparql?subgraph_id=sg-1', 'application/sparql-query', query],
    ['/api/sparql?subgraph_id=sg-1', 'application/x-www-form-urlencoded', `query=${encodeURIComponent(query)}`],
    ['/api/sparql', 'application/x-www-form-urlencoded', `run_id=run-1&query=${encodeURIComponent(query)}`],
  ])('takes %s as %s', async (url, type, payload) => {
    const reply = await sparql(url, type, payload)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toContain('application/sparql-results+json')
    expect(reply.json().head.vars).toEqual(['s', 'o'])
  })

  it.each([
    ['/api/sparql', 'application/json', JSON.stringify({ query }), 400, 'invalid_request'],
    ['/api/sparql', 'application/json', JSON.stringify({ run_id: 'a', subgraph_id: 'b', query }), 400, 'invalid_request'],
    ['/api/sparql', 'application/sparql-query', query, 400, 'invalid_request'],
    ['/api/sparql?subgraph_id=sg-1&other=1', 'application/sparql-query', query, 400, 'invalid_request'],
    ['/api/sparql?subgraph_id=sg-1', 'application/x-www-form-urlencoded', 'query=a&query=b', 400, 'invalid_request'],
    ['/api/sparql?subgraph_id=sg-1', 'application/x-www-form-urlencoded', 'query=a&default-graph-uri=b', 422, 'unsupported_query'],
    ['/api/sparql', 'text/turtle', query, 415, 'unsupported_media_type'],
    ['/api/sparql', 'application/json', JSON.stringify({ run_id: 'unknown', query }), 404, 'not_found'],
    ['/api/sparql', 'application/json', JSON.stringify({ run_id: 'a', query: 'INSERT DATA {}' }), 422, 'unsupported_query'],
  ])('refuses %s as %s with %s', async (url, type, payload, status, code) => {
    const reply = await sparql(url, type, payload)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })
})

describe('vocabulary', () => {
  it('carries an ETag that a reader can come back with', async () => {
    const first = await get('/api/ontology/vocabulary?max_tier=Public')
    expect(Vocabulary.parse(first.json()).etag).toBe('v-Public')
    expect(first.headers.etag).toBe('"v-Public"')
    for (const tag of ['"v-Public"', 'W/"v-Public"', '"other", "v-Public"', '*']) {
      const again = await get('/api/ontology/vocabulary?max_tier=Public', { 'if-none-match': tag })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', '"v-Public"'])
    }
    const other = await get('/api/ontology/vocabulary', { 'if-none-match': '"v-Public"' })
    expect([other.statusCode, other.headers.etag]).toEqual([200, '"v-Restricted"'])
  })

  it('refuses a tier that does not exist', async () => {
    const reply = await get('/api/ontology/vocabulary?max_tier=Secret')
    expect(reply.json()).toMatchObject({ code: 'invalid_request', errors: [{ path: 'max_tier' }] })
  })
})

const same = ({ request_id: _id, ...rest }: Record<string, unknown>) => rest

describe('log discovery', () => {
  it('shows the queue', async () => {
    expect((await get('/api/log-discovery/summary')).json()).toMatchObject({ available: true, drift: 0 })
    expect((await get('/api/log-discovery/candidates')).json()).toMatchObject({ total: 1, candidates: [{ pid: 'p-1' }] })
    expect((await get('/api/log-discovery/candidates?status=REJECTED&limit=5')).json()).toMatchObject({ total: 0 })
    expect((await get('/api/log-discovery/p-1')).json()).toMatchObject({ title: 'LinkDown triggers PeerLost' })
  })

  it('hides a candidate above the ceiling exactly like one that does not exist', async () => {
    const above = await get('/api/log-discovery/p-1?max_tier=Public')
    const unknown = await get('/api/log-discovery/p-2')
    expect(above.statusCode).toBe(404)
    expect(same(above.json())).toEqual(same(unknown.json()))
  })

  it.each([['approve', 'APPROVED'], ['reject', 'REJECTED'], ['defer', 'DEFERRED']])('can %s', async (action, status) => {
    const plain = await post(`/api/log-discovery/p-1/${action}`)
    expect(plain.json()).toMatchObject({ proposal: { status, reviewer_id: 'local', review_note: null } })
    const noted = await post(`/api/log-discovery/p-1/${action}`, { note: 'sure' })
    expect(noted.json()).toMatchObject({ proposal: { review_note: 'sure' } })
  })

  it('passes a refusal on', async () => {
    expect((await post('/api/log-discovery/p-1/undo')).statusCode).toBe(409)
    expect((await post('/api/log-discovery/p-9/approve')).statusCode).toBe(404)
    const odd = await post('/api/log-discovery/p-1/approve', { edit: 1 })
    expect(odd.json()).toMatchObject({ errors: [{ path: 'edit', message: 'unknown field' }] })
  })

  it('seeds from a folder', async () => {
    for (const body of [{ log_path: 'logs' }, undefined]) {
      expect((await post('/api/log-discovery/seed', body)).json()).toEqual({ counts: { LOG_EVENT: 1 }, demoted: 0, kept_decisions: 0 })
    }
  })
})

describe('insights, explain, session, sources', () => {
  it('offers presets and computes a cause', async () => {
    expect((await get('/api/insights/rca-presets')).json()).toMatchObject({ presets: [{ id: 'root-cause' }] })
    const reply = await post('/api/insights/rca', { event: 'PeerLost' })
    expect(reply.json()).toMatchObject({ answer: 'LinkDown caused PeerLost.', chain: [{ premises: [{ kind: 'condition' }] }] })
    const empty = await post('/api/insights/rca', {})
    expect(empty.json()).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('event_iri or event') })
  })

  it('explains a triple to the depth asked for', async () => {
    const triple = 'subject=a&predicate=b&object=c'
    expect((await get(`/api/explain?${triple}`)).json().derivations[0].premises).toHaveLength(1)
    const deep = await get(`/api/explain?${triple}&depth=4`)
    expect(deep.json().derivations[0].premises[1]).toEqual({ kind: 'absent', text: 'no redundant path' })
    for (const depth of ['0', '5', '1.5', 'x', '']) {
      expect((await get(`/api/explain?${triple}&depth=${depth}`)).statusCode).toBe(400)
    }
    expect((await get('/api/explain?subject=a')).json()).toMatchObject({ errors: [{ path: 'predicate' }, { path: 'object' }] })
  })

  it('shows the session, the sources and the flavors', async () => {
    expect((await get('/api/session')).json()).toMatchObject({ version: 3, session: { rules: [] } })
    expect((await get('/api/sources')).json()).toMatchObject({ sources: [{ name: 'network-ops' }] })
    expect((await get('/api/flavors')).json().flavors).toHaveLength(2)
  })
})

describe('operation', () => {
  it('answers whether it lives, is ready, and how it is', async () => {
    expect((await get('/live')).json()).toEqual({ status: 'ok' })
    expect((await get('/ready')).json()).toEqual({ status: 'ok', sources: [{ name: 'network-ops', state: 'ready' }] })
    const sources = [{ name: 'network-ops', state: 'ready', dialect: 'sqlite' }]
    expect((await get('/health')).json()).toEqual({ status: 'ok', search_enabled: true, version: '0.0.0-test', sources })
  })

  it('prints its metrics', async () => {
    const reply = await get('/metrics')
    expect(reply.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(reply.body).toContain('service_search_in_flight 0')
  })
})
