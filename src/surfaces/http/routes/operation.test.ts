/** Readiness, and what is counted of a request. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { fakeApp } from '../../../../tests/e2e/fake-app.ts'
import { fakeService } from '../../../../tests/e2e/fake-service.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

it('is not ready while a source cannot be opened, and says which, but the reason only to an admin', async () => {
  let down = true
  const { app } = fakeApp({
    service: fakeService({ down: () => down }),
    tokens: [
      { name: 'root', sha256: sha256('admin'), max_tier: 'Restricted', roles: ['admin'] },
      { name: 'ann', sha256: sha256('reader'), max_tier: 'Restricted', roles: ['reader'] },
    ],
  })
  const get = (url: string, token?: string) =>
    app.inject({ method: 'GET', url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
  const bare = { code: 'source_unavailable', status: 503, errors: [{ path: 'sources.network-ops', message: 'unavailable' }] }
  expect((await get('/ready')).json()).toMatchObject(bare)
  expect((await get('/ready')).statusCode).toBe(503)
  expect((await get('/health')).json()).toMatchObject(bare)
  expect((await get('/health', 'reader')).json()).toMatchObject(bare)
  expect((await get('/health', 'guess')).json()).toMatchObject(bare)
  expect((await get('/health', 'admin')).json().errors[0].message).toBe('there is no database file at the configured place; check the path')
  expect((await get('/live')).statusCode).toBe(200)
  down = false
  expect((await get('/ready')).json()).toEqual({ status: 'ok', sources: [{ name: 'network-ops', state: 'ready' }] })
  expect((await get('/health')).json().sources).toEqual([{ name: 'network-ops', state: 'ready' }])
  expect((await get('/health', 'admin')).json().sources).toEqual([{ name: 'network-ops', state: 'ready', dialect: 'sqlite' }])
  await app.close()
})

it('counts every request under the pattern of its route, never under what was asked for', async () => {
  const { app, service } = fakeApp()
  await app.inject({ method: 'GET', url: '/api/files/secret-name' })
  await app.inject({ method: 'GET', url: '/no/such/path' })
  await app.inject({ method: 'POST', url: '/api/pipeline/unknown' })
  await app.close()
  expect(service.counted.map(({ method, route, status }) => [method, route, status])).toEqual([
    ['GET', '/api/files/:name', 404],
    ['GET', '(none)', 404],
    ['POST', '/api/pipeline/:phase', 400],
  ])
  expect(service.counted.every(({ seconds }) => seconds > 0)).toBe(true)
})
