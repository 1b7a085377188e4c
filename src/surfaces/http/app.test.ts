/** What holds for all routes: refusals, identity, headers, the log, the API description. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { InjectOptions } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { PLAN } from '../../../tests/e2e/fake-answer.ts'
import { fakeApp } from '../../../tests/e2e/fake-app.ts'
import { createLog } from './log.ts'

const { app } = fakeApp()
afterAll(() => app.close())

const PLAN_PLUS = { ...PLAN, hue: 1 }
const SEED = '/api/log-discovery/seed'
const EVIL = 'https://evil.example'
const TOO_DEEP = 'the body is nested deeper than 32 levels'
const JSON_TYPE = { 'content-type': 'application/json' }
const search = (payload: string | object, headers: Record<string, string> = JSON_TYPE): InjectOptions => ({
  method: 'POST', url: '/api/search', payload, headers,
})
const invalid = (path: string, more: object = {}) => ({ errors: [{ path, ...more }] })
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('refusals', () => {
  it.each<[string, InjectOptions, number, string, object?]>([
    ['broken JSON', search('{"question": '), 400, 'invalid_request'],
    ['an empty body', search(''), 400, 'invalid_request'],
    ['a poisoned prototype', search('{"question":"a","__proto__":{"x":1}}'), 400, 'invalid_request'],
    ['no question', search({}), 400, 'invalid_request', invalid('question')],
    ['a blank question', search({ question: '  ' }), 400, 'invalid_request', invalid('question')],
    ['an unknown field', search({ question: 'a', hue: 1 }), 400, 'invalid_request', invalid('hue', { message: 'unknown field' })],
    ['an unknown field inside', search({ question: 'a', plan: PLAN_PLUS }), 400, 'invalid_request', invalid('plan.hue')],
    ['a wrong type', search({ question: 7 }), 400, 'invalid_request', invalid('question')],
    ['an unknown tier', search({ question: 'a', max_tier: 'internal' }), 400, 'invalid_request', invalid('max_tier')],
    ['k out of range', search({ question: 'a', k: 201 }), 400, 'invalid_request', invalid('k')],
    ['a large body', search({ question: 'a', context: 'x'.repeat(65 * 1024) }), 413, 'payload_too_large'],
    ['a large body elsewhere', { ...search({ log_path: 'x'.repeat(257 * 1024) }), url: SEED }, 413, 'payload_too_large'],
    ['a deep body', search(`{"question":"a","plan":${nested(32)}}`), 400, 'invalid_request', { detail: TOO_DEEP }],
    ['plain text', search('question', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type'],
    ['a form', search('question=a', { 'content-type': 'application/x-www-form-urlencoded' }), 415, 'unsupported_media_type'],
    ['no content type', search('{"question":"a"}', { 'content-type': '' }), 415, 'unsupported_media_type'],
    ['a wrong method', { method: 'GET', url: '/api/search' }, 405, 'method_not_allowed', { detail: 'this path takes POST' }],
    ['a wrong method below a name', { method: 'DELETE', url: '/api/log-discovery/p-1?x=1' }, 405, 'method_not_allowed'],
    ['a preflight', { method: 'OPTIONS', url: '/api/search', headers: { origin: EVIL } }, 405, 'method_not_allowed'],
    ['a wrong path', { method: 'GET', url: '/api/nothing' }, 404, 'not_found'],
    ['a path that climbs', { method: 'GET', url: '/assets/..%2f..%2fpackage.json' }, 404, 'not_found'],
    ['a broken path', { method: 'GET', url: '/api/log-discovery/%zz' }, 400, 'invalid_request'],
    ['an endless name', { method: 'GET', url: `/api/log-discovery/${'x'.repeat(300)}` }, 404, 'not_found'],
    ['a wrong Host', search({ question: 'a' }, { ...JSON_TYPE, host: 'evil.example' }), 403, 'forbidden_origin'],
    ['a wrong Host on a page', { method: 'GET', url: '/ask', headers: { host: 'evil.example' } }, 403, 'forbidden_origin'],
    ['a foreign Origin', search({ question: 'a' }, { ...JSON_TYPE, origin: EVIL }), 403, 'forbidden_origin'],
    ['an opaque Origin', search({ question: 'a' }, { ...JSON_TYPE, origin: 'null' }), 403, 'forbidden_origin'],
  ])('refuses %s', async (_what, request, status, code, more = {}) => {
    const reply = await app.inject(request)
    expect(reply.json()).toMatchObject({ code, status, ...more })
    expect(reply.statusCode).toBe(status)
    expect(reply.headers['content-type']).toContain('application/problem+json')
    expect(reply.headers['x-request-id']).toBe(reply.json().request_id)
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
  })

  it('takes a body just within the depth', async () => {
    const reply = await app.inject(search(`{"question":"a","plan":${nested(31)}}`))
    expect(reply.json().detail).not.toContain('nested')
  })

  it('names the methods a path has', async () => {
    expect((await app.inject({ method: 'PUT', url: '/api/log-discovery/candidates' })).headers.allow).toBe('GET, HEAD')
  })

  it('takes its own pages for friends', async () => {
    const headers = { ...JSON_TYPE, host: 'localhost:4747', origin: 'http://localhost:4747' }
    const reply = await app.inject(search({ question: 'a' }, headers))
    expect(reply.statusCode).toBe(200)
  })

  it('ignores a request id that a client makes up', async () => {
    const reply = await app.inject({ method: 'GET', url: '/live', headers: { 'x-request-id': 'mine' } })
    expect(reply.headers['x-request-id']).toMatch(/^q-\d+$/)
  })
})

it('answers search_disabled on search, stream and sparql while SERVICE_SEARCH is off, whatever the body', async () => {
  let on = false
  const { app: switched } = fakeApp({ enabled: () => on })
  for (const url of ['/api/search', '/api/search/stream', '/api/sparql']) {
    const reply = await switched.inject({ method: 'POST', url, payload: {} })
    expect([reply.statusCode, reply.json().code]).toEqual([404, 'search_disabled'])
    expect(reply.json().hint).toContain('SERVICE_SEARCH=1')
  }
  expect((await switched.inject({ method: 'GET', url: '/api/flavors' })).statusCode).toBe(200)
  on = true
  expect((await switched.inject({ method: 'POST', url: '/api/search', payload: { question: 'a' } })).statusCode).toBe(200)
  await switched.close()
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('tokens', () => {
  const { app: guarded, service } = fakeApp({
    tokens: [
      { name: 'ann', sha256: sha256('read'), max_tier: 'Public', roles: ['reader'] },
      { name: 'bob', sha256: sha256('review'), max_tier: 'Restricted', roles: ['reader', 'reviewer'] },
      { name: 'eve', sha256: sha256('run'), max_tier: 'Restricted', roles: ['admin'] },
    ],
  })
  afterAll(() => guarded.close())
  const status = async (method: 'GET' | 'POST', url: string, token?: string, payload?: object) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return (await guarded.inject({ method, url, payload, headers })).statusCode
  }

  it('are asked for on every route of the API', async () => {
    const reply = await guarded.inject({ method: 'GET', url: '/api/flavors' })
    expect([reply.statusCode, reply.json().code, reply.headers['www-authenticate']]).toEqual([401, 'unauthenticated', 'Bearer'])
    expect(await status('POST', '/api/search', undefined, { question: 'a' })).toBe(401)
    expect(await status('GET', '/api/flavors', 'guess')).toBe(401)
    for (const url of ['/live', '/ready', '/health', '/openapi.json']) expect(await status('GET', url)).toBe(200)
  })

  it.each<[string, 'GET' | 'POST', string, number, object?]>([
    ['read', 'GET', '/api/flavors', 200],
    ['read', 'POST', '/api/search/stream', 200, { question: 'a' }],
    ['read', 'POST', '/api/log-discovery/p-1/approve', 403],
    ['read', 'POST', '/api/log-discovery/seed', 403],
    ['read', 'GET', '/metrics', 403],
    ['review', 'POST', '/api/log-discovery/p-1/approve', 200],
    ['review', 'GET', '/metrics', 403],
    ['run', 'GET', '/metrics', 200],
    ['run', 'POST', '/api/log-discovery/seed', 200],
    ['run', 'GET', '/api/flavors', 403],
  ])('of %s give %s %s the status %i', async (token, method, url, expected, payload) => {
    expect(await status(method, url, token, payload)).toBe(expected)
  })

  it('carry their grant to the service and to the gate', async () => {
    await status('POST', '/api/search', 'read', { question: 'a' })
    expect(service.asked.at(-1)?.caller).toEqual({ name: 'ann', grant: 'Public', roles: ['reader'] })
    expect(await status('GET', '/api/log-discovery/p-1', 'read')).toBe(404)
    expect(await status('GET', '/api/log-discovery/p-1', 'review')).toBe(200)
  })

  it('cannot be raised by asking for a higher tier', async () => {
    expect(await status('GET', '/api/log-discovery/p-1?max_tier=Restricted', 'read')).toBe(404)
    expect(await status('GET', '/api/log-discovery/p-1?max_tier=Public', 'review')).toBe(404)
  })
})

describe('the local caller', () => {
  it('sees no further than SERVICE_MAX_TIER', async () => {
    const { app: low } = fakeApp({ localGrant: 'Public' })
    expect((await low.inject({ method: 'GET', url: '/api/log-discovery/p-1' })).statusCode).toBe(404)
    await low.close()
  })
})

describe('the log', () => {
  it('holds a closed set of fields and nothing of what was asked', async () => {
    const lines: string[] = []
    const { app: logged } = fakeApp({ log: createLog({ write: (line) => void lines.push(line) }) })
    await logged.inject(search({ question: 'canary-1 broken' }))
    await logged.inject({ method: 'GET', url: '/api/log-discovery/canary-2?max_tier=canary-3' })
    await logged.inject({ method: 'GET', url: '/canary-4' })
    await logged.close()
    const fields = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.join('')).not.toMatch(/canary|must stay inside/)
    expect(fields.map(({ msg, route, status, ms }) => [msg, route, status, ms])).toEqual([
      ['bug', undefined, undefined, undefined],
      ['request', '/api/search', 500, 5],
      ['request', '/api/log-discovery/:pid', 400, 5],
      ['request', '(none)', 404, 5],
    ])
    const frames = expect.arrayContaining([expect.stringContaining('fake-service')])
    expect(fields[0]).toMatchObject({ error: 'Error', request_id: 'q-1', frames })
    expect(Object.keys(fields[1]!).toSorted()).toEqual(['level', 'method', 'ms', 'msg', 'request_id', 'route', 'status', 'time'])
  })
})

describe('the description of the API', () => {
  it('lists every route with its schemas, and each reference leads somewhere', async () => {
    const document = (await app.inject({ method: 'GET', url: '/openapi.json' })).json()
    expect(document.openapi).toBe('3.1.0')
    const paths = Object.entries<object>(document.paths)
    const routes = paths.flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
    expect(routes.toSorted()).toEqual([
      'delete /api/rules/{id}',
      'get /api/competency-questions', 'get /api/explain', 'get /api/files', 'get /api/files/{folder}/{name}',
      'get /api/files/{name}', 'get /api/flavors', 'get /api/insights/providers', 'get /api/insights/rca-presets',
      'get /api/log-discovery/candidates', 'get /api/log-discovery/summary', 'get /api/log-discovery/{pid}',
      'get /api/log-discovery/{pid}/audit', 'get /api/log-discovery/{pid}/evidence', 'get /api/materialised/triples',
      'get /api/metadata', 'get /api/metadata/history', 'get /api/ontology/vocabulary', 'get /api/pipeline',
      'get /api/pipeline/{job_id}', 'get /api/pipeline/{job_id}/events',
      'get /api/rules', 'get /api/rules/coverage', 'get /api/rules/library', 'get /api/rules/library/{name}',
      'get /api/rules/{id}', 'get /api/search/runs',
      'get /api/search/runs/{run_id}', 'get /api/search/runs/{run_id}/claims/{id}',
      'get /api/search/runs/{run_id}/events', 'get /api/session', 'get /api/sources', 'get /api/sparql',
      'get /api/suggest', 'get /api/why-not', 'get /health', 'get /live', 'get /metrics', 'get /ready',
      'post /api/competency-questions/run', 'post /api/insights/providers/{id}/test', 'post /api/insights/rca', 'post /api/log-discovery/bulk',
      'post /api/log-discovery/seed', 'post /api/log-discovery/{pid}/approve', 'post /api/log-discovery/{pid}/defer',
      'post /api/log-discovery/{pid}/edit', 'post /api/log-discovery/{pid}/merge',
      'post /api/log-discovery/{pid}/reject', 'post /api/log-discovery/{pid}/undo',
      'post /api/pipeline/{job_id}/cancel', 'post /api/pipeline/{phase}', 'post /api/rules/compile',
      'post /api/rules/preview', 'post /api/rules/summarise', 'post /api/rules/validate', 'post /api/search',
      'post /api/search/runs/{run_id}/feedback', 'post /api/search/stream', 'post /api/sources',
      'post /api/sources/{name}/introspect', 'post /api/sources/{name}/test', 'post /api/sparql',
      'put /api/competency-questions', 'put /api/metadata', 'put /api/rules/{id}', 'put /api/session',
    ])
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!)
    expect(references.length).toBeGreaterThan(10)
    expect(references.filter((name) => document.components.schemas[name] === undefined)).toEqual([])
    expect(text).not.toContain('"$ref":"#/$defs')
    expect(document.components.schemas.SearchRequestInput.additionalProperties).toBe(false)
    expect(document.components.schemas.SearchRequestInput.required).toEqual(['question'])
  })
})

it('has no route that asks the service without passing the gate', () => {
  const folder = new URL('./routes/', import.meta.url)
  const files = readdirSync(folder).filter((file) => !file.includes('.test.'))
  const asking = files.filter((file) => readFileSync(new URL(file, folder), 'utf8').includes('service.'))
  expect(asking.length).toBeGreaterThan(5)
  for (const file of asking) expect(readFileSync(new URL(file, folder), 'utf8'), file).toMatch(/from '\.\.\/\.\.\/emit\.ts'/)
})
