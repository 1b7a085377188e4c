/** Jobs over HTTP, with phases whose names say how they behave. */
import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeApp, fakeParts } from '../../../../tests/e2e/fake-app.ts'
import type { FakeParts } from '../../../../tests/e2e/fake-app.ts'
import type { App } from '../parts.ts'
import { serve } from '../serve.ts'

let open: App | null = null
afterEach(async () => {
  await open?.close()
  open = null
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function jobApp(more: Partial<FakeParts> = {}) {
  const { app, service } = fakeApp(more)
  open = app
  const call = (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}, payload?: object) =>
    app.inject({ method, url: `/api/pipeline${url}`, headers, ...(payload === undefined ? {} : { payload }) })
  const start = async (phase: string, headers?: Record<string, string>) => (await call('POST', `/${phase}`, headers)).json().job_id as string
  return { app, service, call, start }
}

const framesOf = (text: string) =>
  text.split('\n\n').filter((part) => part.startsWith('id:')).map((part) => {
    const [, id, event, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(part) ?? []
    return { id: Number(id), event, data: JSON.parse(data ?? 'null') }
  })

describe('a job', () => {
  it('is accepted at once, tells its progress, and stays to be read', async () => {
    const { call } = jobApp()
    const accepted = await call('POST', '/2')
    expect([accepted.statusCode, accepted.json(), accepted.headers.location]).toEqual([202, { job_id: 'job-1' }, '/api/pipeline/job-1'])
    const stream = await call('GET', '/job-1/events')
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    expect(framesOf(stream.body)).toEqual([
      { id: 1, event: 'progress', data: { line: 'half-way' } },
      { id: 2, event: 'progress', data: { line: 'one line' } },
      { id: 3, event: 'phase', data: { phase: '2', ms: 3, counts: { triples: 7 }, files: ['ontology/enterprise.ttl'] } },
      { id: 4, event: 'done', data: { job_id: 'job-1', state: 'done' } },
    ])
    expect((await call('GET', '/job-1')).json()).toEqual({
      job_id: 'job-1', phase: '2', state: 'done', max_tier: 'Restricted', started_by: 'local', problem: null,
      phases: [{ phase: '2', ms: 3, counts: { triples: 7 }, files: ['ontology/enterprise.ttl'] }],
    })
    expect((await call('GET', '')).json().jobs).toHaveLength(1)
  })

  it.each([
    ['2', [3, 4]],
    ['4', [4]],
    ['0', [1, 2, 3, 4]],
    ['99', [1, 2, 3, 4]],
    ['x', [1, 2, 3, 4]],
    ['-1', [1, 2, 3, 4]],
  ])('goes on after Last-Event-ID %s', async (last, ids) => {
    const { call, start } = jobApp()
    await start('2')
    await call('GET', '/job-1/events') // until the end
    const frames = framesOf((await call('GET', '/job-1/events', { 'last-event-id': last })).body)
    expect(frames.map(({ id }) => id)).toEqual(ids)
    expect(frames.at(-1)?.event).toBe('done')
  })

  it('keeps a second one out and names the owner, until it is cancelled', async () => {
    const { call, start } = jobApp()
    await start('forever')
    const second = await call('POST', '/2')
    expect(second.statusCode).toBe(409)
    expect(second.json()).toMatchObject({ code: 'conflict', detail: `another writer is at work (process ${process.pid}, phase forever)` })
    expect((await call('POST', '/job-1/cancel')).statusCode).toBe(202)
    const frames = framesOf((await call('GET', '/job-1/events')).body)
    expect(frames.at(-1)).toMatchObject({ event: 'error', data: { code: 'cancelled' } })
    expect((await call('GET', '/job-1')).json()).toMatchObject({ state: 'cancelled', problem: { code: 'cancelled' } })
    expect((await call('POST', '/job-1/cancel')).json()).toMatchObject({ code: 'conflict', detail: 'the job is cancelled' })
    expect((await call('POST', '/2')).statusCode).toBe(202)
  })

  it('that breaks shows nothing of the bug', async () => {
    const { call, start } = jobApp()
    await start('broken')
    const stream = (await call('GET', '/job-1/events')).body
    expect(framesOf(stream).at(-1)).toMatchObject({ event: 'error', data: { code: 'internal' } })
    expect(stream + (await call('GET', '/job-1')).body).not.toContain('must stay inside')
  })

  it.each([
    ['POST', '/unknown', undefined, 400, 'invalid_request'],
    ['POST', '/2', { hue: 1 }, 400, 'invalid_request'],
    ['POST', '/2', { max_tier: 'Secret' }, 400, 'invalid_request'],
    ['POST', '/2', { window_seconds: 0 }, 400, 'invalid_request'],
    ['GET', '/job-9', undefined, 404, 'not_found'],
    ['GET', '/job-9/events', undefined, 404, 'not_found'],
    ['POST', '/job-9/cancel', undefined, 404, 'not_found'],
  ] as const)('%s %s with %j is refused with %i', async (method, url, payload, status, code) => {
    const { call } = jobApp()
    const reply = await call(method, url, {}, payload)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
    expect((await call('GET', '')).json()).toEqual({ jobs: [] })
  })
})

describe('a caller who may not see everything', () => {
  const tokens = [
    { name: 'root', sha256: sha256('root'), max_tier: 'Restricted', roles: ['admin'] },
    { name: 'low', sha256: sha256('low'), max_tier: 'Internal', roles: ['admin'] },
    { name: 'ann', sha256: sha256('ann'), max_tier: 'Restricted', roles: ['reader', 'author', 'reviewer'] },
  ] as const satisfies FakeParts['tokens']
  const as = (token: string) => ({ authorization: `Bearer ${token}` })

  it('hears that phases end, but neither their lines nor their counts', async () => {
    const { call, start } = jobApp({ tokens })
    await start('2', as('root'))
    const frames = framesOf((await call('GET', '/job-1/events', as('low'))).body)
    expect(frames).toEqual([
      { id: 1, event: 'phase', data: { phase: '2', ms: 3 } },
      { id: 2, event: 'done', data: { job_id: 'job-1', state: 'done' } },
    ])
    expect((await call('GET', '/job-1', as('low'))).json().phases).toEqual([{ phase: '2', ms: 3, counts: {}, files: [] }])
    expect((await call('GET', '/job-1', as('root'))).json().phases[0].counts).toEqual({ triples: 7 })
  })

  it('starts jobs under no higher ceiling than their own', async () => {
    const { call, start } = jobApp({ tokens })
    await start('2', as('low'))
    expect((await call('GET', '/job-1', as('low'))).json().max_tier).toBe('Internal')
    await call('GET', '/job-1/events', as('low'))
    await call('POST', '/2', as('low'), { max_tier: 'Restricted' })
    expect((await call('GET', '/job-2', as('low'))).json().max_tier).toBe('Internal')
  })

  it('needs the role admin for all of it', async () => {
    const { call } = jobApp({ tokens })
    for (const [method, url] of [['POST', '/2'], ['GET', ''], ['GET', '/job-1'], ['GET', '/job-1/events'], ['POST', '/job-1/cancel']] as const) {
      expect((await call(method, url, as('ann'))).json().code).toBe('forbidden_role')
    }
  })
})

describe('on a socket', () => {
  it('a listener that leaves ends its listening and not the job; a server that stops ends both', async () => {
    const parts = fakeParts({ heartbeatMs: 5 })
    const serving = await serve(parts, { port: 0 })
    await fetch(`${serving.url}/api/pipeline/forever`, { method: 'POST' })
    const leave = new AbortController()
    const first = await fetch(`${serving.url}/api/pipeline/job-1/events`, { signal: leave.signal })
    const reader = first.body!.getReader()
    const heard = new TextDecoder()
    let text = ''
    while (!text.includes(': still here')) text += heard.decode((await reader.read()).value, { stream: true })
    expect(text).toContain('event: progress')
    leave.abort()
    await reader.read().catch(() => undefined)
    const state = async () => (await (await fetch(`${serving.url}/api/pipeline/job-1`)).json()) as { state: string }
    expect((await state()).state).toBe('running')

    const again = await fetch(`${serving.url}/api/pipeline/job-1/events`)
    const rest = again.text()
    await serving.close()
    expect(await rest).toContain('"code":"shutting_down"')
    await parts.service.close()
    await vi.waitFor(() => expect(parts.service.jobs.view('job-1', { name: 'x', grant: 'Restricted', roles: [] }).value.state).toBe('cancelled'))
  })
})
