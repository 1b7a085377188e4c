import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEMS, SearchAnswer, STAGES } from '../src/contracts/index.ts'
import { type App, buildApp } from '../src/surfaces/http/index.ts'
import { QUESTION, type World, newWorld } from './support.ts'

let world: World
let app: App
let enabled = true

beforeAll(async () => {
  world = newWorld()
  let n = 0
  app = buildApp({
    service: world.service, config: world.project.config, enabled: () => enabled, clock: { now: () => performance.now() }, ids: () => `r${(n += 1)}`,
  })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload: payload as object, headers: { host: '127.0.0.1', 'content-type': 'application/json', ...headers } })
const get = (url: string) => app.inject({ method: 'GET', url, headers: { host: '127.0.0.1' } })

/** The frames of an event stream. */
const framesOf = (text: string) =>
  text
    .split('\n\n')
    .filter((frame) => frame.includes('event: '))
    .map((frame) => ({ event: /^event: (.*)$/m.exec(frame)?.[1], id: /^id: (\d+)$/m.exec(frame)?.[1], data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? 'null') }))

describe('search over HTTP', () => {
  it('answers the flagship question in the shape of the contract', async () => {
    const reply = await post('/api/search', { question: QUESTION, flavor: 'network-ops', materialize: true })
    expect(reply.statusCode).toBe(200)
    const answer = SearchAnswer.parse(reply.json())
    expect(answer.status).toBe('ok')
    expect(answer.claims.length).toBeGreaterThan(3)
    expect(answer.executed_query).toMatch(/^select /)
    const sparql = await post('/api/sparql', { run_id: answer.run_id, query: 'SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }' })
    expect(Number(sparql.json().results.bindings[0].n.value)).toBe(answer.subgraph.count)
  })

  it('streams the same answer after its five stages', async () => {
    const plain = (await post('/api/search', { question: QUESTION, flavor: 'network-ops' })).json()
    const frames = framesOf((await post('/api/search/stream', { question: QUESTION, flavor: 'network-ops' })).body)
    expect(frames.map(({ event }) => event).filter((event) => event !== 'claim')).toEqual(['run', ...STAGES.map(() => 'stage'), 'answer'])
    expect(frames.filter(({ event }) => event === 'stage').map(({ data }) => data.stage)).toEqual([...STAGES])
    expect(frames.at(-1)?.data.answer).toBe(plain.answer)
    expect(frames.every(({ id }) => id !== undefined)).toBe(true)
  })

  it.each([
    { name: 'an ungrounded question', body: { question: 'List the frobnicators' }, status: 'ungrounded' },
    { name: 'a blocked question', body: { question: 'What is the contact email of customers?' }, status: 'blocked' },
  ])('$name is an answer, not an error', async ({ body, status }) => {
    const reply = await post('/api/search', { flavor: 'network-ops', ...body })
    expect([reply.statusCode, reply.json().status]).toEqual([200, status])
  })

  it.each([
    { name: 'broken JSON', payload: '{"question":', code: 'invalid_request' },
    { name: 'no question', payload: {}, code: 'invalid_request' },
    { name: 'an unknown field', payload: { question: 'x', sql: 'drop table x' }, code: 'invalid_request' },
    { name: 'an unknown tier', payload: { question: 'x', max_tier: 'TopSecret' }, code: 'invalid_request' },
    { name: 'a tier of the wrong type', payload: { question: 'x', max_tier: ['Restricted'] }, code: 'invalid_request' },
    { name: 'a path as database', payload: { question: 'x', db_path: '/etc/passwd' }, code: 'source_not_allowed' },
    { name: 'a path as flavor', payload: { question: 'x', flavor: '../../etc/x' }, code: 'unknown_flavor' },
    { name: 'a huge body', payload: { question: 'x'.repeat(70_000) }, code: 'payload_too_large' },
  ] as const)('HTTP-1 $name is $code', async ({ payload, code }) => {
    const reply = await post('/api/search', payload)
    expect(reply.headers['content-type']).toContain('application/problem+json')
    expect(reply.json()).toMatchObject({ code, status: PROBLEMS[code].status, request_id: expect.any(String) })
    expect(reply.statusCode).toBe(PROBLEMS[code].status)
  })

  it('HTTP-2 is not there while the flag is off', async () => {
    enabled = false
    try {
      for (const url of ['/api/search', '/api/search/stream', '/api/sparql']) {
        const reply = await post(url, url === '/api/sparql' ? { run_id: 'x', query: 'ASK {}' } : { question: QUESTION })
        expect([reply.statusCode, reply.json().code]).toEqual([404, 'search_disabled'])
      }
    } finally {
      enabled = true
    }
  })
})

describe('what else a caller can read', () => {
  it('the vocabulary, cut to the ceiling, with an ETag of the cut content', async () => {
    const high = await get('/api/ontology/vocabulary')
    const low = await get('/api/ontology/vocabulary?max_tier=Internal')
    const names = (reply: typeof high) => reply.json().properties.map(({ qname }: { qname: string }) => qname)
    expect(names(high).join()).toContain('contact_email')
    expect(names(low).join()).not.toContain('contact_email')
    expect(low.headers.etag).not.toBe(high.headers.etag)
  })

  it('metrics count searches without naming what was asked', async () => {
    const { body } = await get('/metrics')
    expect(body).toMatch(/service_search_requests_total\{status="ok",provider="embedded"\} [1-9]/)
    expect(body).not.toMatch(/crt-07|Acme/)
  })

  it('the OpenAPI document names every route of the contract that exists', async () => {
    const paths = Object.keys((await get('/openapi.json')).json().paths)
    for (const path of ['/api/search', '/api/search/stream', '/api/sparql', '/api/ontology/vocabulary', '/api/log-discovery/candidates', '/api/insights/rca']) {
      expect(paths).toContain(path)
    }
  })
})
