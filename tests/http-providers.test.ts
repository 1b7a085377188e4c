/** The providers over HTTP: who may ask, what is said, and that no key is in any of it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HttpWorld, httpWorld } from './support-http.ts'
import { type FakeModels, fakeModels } from './support-models.ts'

const KEY = 'CANARY-KEY-77'
let fake: FakeModels
let world: HttpWorld
beforeAll(async () => {
  fake = await fakeModels({ key: KEY })
  world = await httpWorld({
    env: { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: 'CANARY-WRONG' },
    project: () => ({
      database: '',
      config: { providers: { default: 'openai', catalogue: { openai: { base_url: `${fake.origin}/v1` }, anthropic: { base_url: `${fake.origin}/v1` } } } },
    }),
  })
})
afterAll(async () => {
  await world.close()
  await fake.close()
})

it('lists them for every reader, with reasons and without keys', async () => {
  const reply = await world.call('GET', '/api/insights/providers', 'Public:reader')
  expect(reply.statusCode).toBe(200)
  const { default: usual, providers } = reply.json()
  expect(usual).toBe('openai')
  expect(Object.fromEntries(providers.map(({ id, reason }: { id: string; reason: string | null }) => [id, reason]))).toMatchObject({
    embedded: null, openai: null, anthropic: null, azure: 'key not set (AZURE_API_KEY)', vertex: 'key not set (GOOGLE_VERTEX_PROJECT)',
  })
  expect(reply.body).not.toContain('CANARY')
  expect(fake.requests).toHaveLength(0)
})

it('tries one for an admin only', async () => {
  expect((await world.call('POST', '/api/insights/providers/openai/test', 'Restricted:author')).json()).toMatchObject({ code: 'forbidden_role' })
  expect((await world.call('POST', '/api/insights/providers/nobody/test')).json()).toMatchObject({ code: 'unknown_provider', status: 400 })
  expect((await world.call('POST', '/api/insights/providers/embedded/test')).json()).toMatchObject({ ok: true })
  expect((await world.call('POST', '/api/insights/providers/azure/test')).json()).toMatchObject({ ok: false, reason: 'key not set (AZURE_API_KEY)' })
  expect((await world.call('POST', '/api/insights/providers/openai/test')).json()).toMatchObject({ id: 'openai', ok: true, reason: null })
  const refused = await world.call('POST', '/api/insights/providers/anthropic/test')
  expect(refused.json()).toMatchObject({ ok: false, reason: 'the provider anthropic refused the key: ANTHROPIC_API_KEY' })
  expect(refused.body).not.toContain('CANARY')
})
