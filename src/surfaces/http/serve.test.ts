/** The app on a real socket: what only a connection can show. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fakeApp, fakeParts } from '../../../tests/e2e/fake-app.ts'
import { serve } from './serve.ts'

const post = (url: string, question: string, signal?: AbortSignal) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ question }), signal })
const ask = (url: string, question: string, signal?: AbortSignal) => post(`${url}/api/search/stream`, question, signal)

it('tells the service when the client of a stream or of a plain search leaves', async () => {
  const parts = fakeParts()
  const serving = await serve(parts, { port: 0 })
  const leave = new AbortController()
  const reply = await ask(serving.url, 'forever', leave.signal)
  const reader = reply.body!.getReader()
  await reader.read()
  leave.abort()
  await vi.waitFor(() => expect(parts.service.aborted).toEqual(['forever']), 900)

  const other = new AbortController()
  const plain = post(`${serving.url}/api/search`, 'forever and ever', other.signal).catch(() => null)
  await vi.waitFor(() => expect(parts.service.asked).toHaveLength(2), 900)
  other.abort()
  await plain
  await vi.waitFor(() => expect(parts.service.aborted).toHaveLength(2), 900)
  await serving.close()
})

it('ends an open stream with an error event when it stops, then frees the port', async () => {
  const parts = fakeParts({ heartbeatMs: 5 })
  const serving = await serve(parts, { port: 0 })
  const reply = await ask(serving.url, 'forever')
  const text = reply.text()
  const began = performance.now()
  await serving.close()
  expect(performance.now() - began).toBeLessThan(3000) // not the whole time that a reply may take to end
  expect(parts.service.aborted).toEqual(['forever'])
  expect(await text).toMatch(/^id: 1\nevent: run[\s\S]*event: error\ndata: .*"code":"shutting_down"/)
  await expect(fetch(`${serving.url}/live`)).rejects.toThrow()
})

it('refuses an address that others can reach, unless tokens say who may call', async () => {
  await expect(serve(fakeParts(), { host: '0.0.0.0', port: 0 })).rejects.toMatchObject({
    code: 'invalid_request', about: { hint: expect.stringContaining('SERVICE_TOKENS') },
  })
})

it('says so when the port is taken', async () => {
  const first = await serve(fakeParts(), { port: 0 })
  await expect(serve(fakeParts(), { port: Number(new URL(first.url).port) })).rejects.toMatchObject({ code: 'conflict' })
  await first.close()
})

it('answers a request that Node cannot read with a problem as well', async () => {
  const serving = await serve(fakeParts(), { port: 0 })
  const reply = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text))
  })
  expect(reply).toMatch(/^HTTP\/1\.1 400 [\s\S]*application\/problem\+json[\s\S]*"code":"invalid_request"/)
  await serving.close()
})

describe('the console', () => {
  let consoleDir = ''
  beforeAll(() => {
    consoleDir = mkdtempSync(join(tmpdir(), 'wherefore-console-'))
    mkdirSync(join(consoleDir, 'assets'))
    writeFileSync(join(consoleDir, 'index.html'), '<!doctype html><title>console</title>')
    writeFileSync(join(consoleDir, 'assets', 'main-1a2b.js'), 'export {}')
    writeFileSync(join(consoleDir, 'secrets.env'), 'KEY=1')
  })
  afterAll(() => rmSync(consoleDir, { recursive: true }))

  it('is served from an allow-list, under a policy that lets nothing else in', async () => {
    const { app } = fakeApp({ consoleDir })
    const get = (url: string) => app.inject({ method: 'GET', url })
    expect((await get('/')).headers.location).toBe('/ask')
    const page = await get('/ask?q=who')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toContain("default-src 'self'")
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.headers).toMatchObject({
      'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache',
    })
    const script = await get('/assets/main-1a2b.js')
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.headers['cache-control']).toContain('immutable')
    for (const url of ['/secrets.env', '/assets/', '/assets/other.js', '/index.html']) {
      expect((await get(url)).statusCode).toBe(404)
    }
    await app.close()
  })

  it('says how to build it when it is not there', async () => {
    const { app } = fakeApp({ consoleDir: join(consoleDir, 'none') })
    const page = await app.inject({ method: 'GET', url: '/ask' })
    expect(page.statusCode).toBe(503)
    expect(page.body).toContain('npm run build')
    await app.close()
  })
})
