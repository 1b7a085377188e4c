import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { ModelFailure, type ModelProvider, ProviderCatalogue, needsConsent, providerNamed, providerStatuses, providersFor, testProvider } from './index.ts'
import { staysNear } from './address.ts'
import { ADAPTER_IDS } from './adapters.ts'

const catalogue = ProviderCatalogue.parse(JSON.parse(readFileSync('runtime/llm_providers.json', 'utf8')))
const having = (id: string, said: Partial<ProviderCatalogue['providers'][string]>): ProviderCatalogue => ({
  ...catalogue, providers: { ...catalogue.providers, [id]: { ...catalogue.providers[id]!, ...said } },
})
const reasonOf = (from: ProviderCatalogue, id: string, env: Record<string, string>, installed?: (name: string) => boolean) => {
  const state = providerNamed(from, id, env, installed)
  return state.ready ? null : state.reason
}

it('PROV-1 the interface of a provider is frozen: it changes by addition only', () => {
  const state = providerNamed(catalogue, 'openai', { OPENAI_API_KEY: 'x' })
  const model = (state.ready ? state.model : null) as ModelProvider
  expect(Object.fromEntries(Object.entries(model).map(([name, value]) => [name, typeof value]))).toMatchObject({
    id: 'string', model: 'string', residency: 'string', maxTier: 'string', generate: 'function', stream: 'function',
  })
  // what a caller hands in, as a value of the type: a field that is renamed or newly required no longer compiles
  const request: Parameters<ModelProvider['generate']>[0] = { system: '', prompt: '', maxTokens: 1, deadlineMs: 1 }
  const reply: Awaited<ReturnType<ModelProvider['generate']>> = { value: '', usage: { inputTokens: 0, outputTokens: 0 } }
  expect([request, reply]).toHaveLength(2)
  expect(Object.keys(catalogue.providers)).toEqual(['embedded', 'openai', 'anthropic', 'azure', 'vertex', 'ollama', 'openai-compatible'])
})

it('PROV-2 every provider of the catalogue but embedded has an adapter, and says where its data goes', () => {
  expect(ADAPTER_IDS.toSorted()).toEqual(Object.keys(catalogue.providers).filter((id) => id !== 'embedded').toSorted())
  const residency = Object.fromEntries(Object.entries(catalogue.providers).map(([id, entry]) => [id, entry.residency]))
  expect(residency).toEqual({
    embedded: 'air-gapped', openai: 'us-cloud', anthropic: 'us-cloud', azure: 'tenant-region', vertex: 'gcp-region',
    ollama: 'air-gapped', 'openai-compatible': 'tenant-region',
  })
  expect(Object.entries(catalogue.providers).filter(([, entry]) => needsConsent(entry)).map(([id]) => id)).toEqual(['openai', 'anthropic', 'vertex'])
})

it('PROV-3 says what is missing: the first key by name, else the SDK', () => {
  const none = () => false
  expect(reasonOf(catalogue, 'openai', {})).toBe('key not set (OPENAI_API_KEY)')
  expect(reasonOf(catalogue, 'openai', { OPENAI_API_KEY: ' ' })).toBe('key not set (OPENAI_API_KEY)')
  expect(reasonOf(catalogue, 'azure', { AZURE_API_KEY: 'x' })).toBe('key not set (AZURE_RESOURCE_NAME)')
  expect(reasonOf(having('azure', { base_url_default: 'https://models.example/openai/v1' }), 'azure', { AZURE_API_KEY: 'x' })).toBe(null)
  expect(reasonOf(catalogue, 'vertex', { GOOGLE_VERTEX_PROJECT: 'p' })).toBe('key not set (GOOGLE_VERTEX_LOCATION)')
  expect(reasonOf(catalogue, 'vertex', { GOOGLE_VERTEX_API_KEY: 'x' })).toBe(null)
  expect(reasonOf(catalogue, 'openai-compatible', {})).toBe('key not set (OPENAI_COMPATIBLE_BASE_URL)')
  expect(reasonOf(having('openai-compatible', { base_url_default: 'http://10.0.0.7:8000/v1' }), 'openai-compatible', {})).toBe(null)
  expect(reasonOf(catalogue, 'openai', { OPENAI_API_KEY: 'x' }, none)).toBe('SDK not installed (ai)')
  expect(reasonOf(catalogue, 'anthropic', { ANTHROPIC_API_KEY: 'x' }, (name) => name === 'ai')).toBe('SDK not installed (@ai-sdk/anthropic)')
  expect(reasonOf(catalogue, 'embedded', {}, none)).toBe(null)
})

it('PROV-4 a provider that is not ready is refused by name, an unknown one with the names that are known', () => {
  expect(() => providersFor(catalogue, 'openai', {})).toThrow('key not set (OPENAI_API_KEY)')
  expect(() => providersFor(catalogue, { planner: 'embedded', synthesizer: 'anthropic' }, {})).toThrow('ANTHROPIC_API_KEY')
  expect(() => providersFor(catalogue, 'toString', {})).toThrow(expect.objectContaining({ code: 'unknown_provider' }))
  const both = providersFor(catalogue, { planner: 'azure', synthesizer: 'openai' }, { AZURE_API_KEY: 'x', AZURE_RESOURCE_NAME: 'y', OPENAI_API_KEY: 'z' })
  expect([both.planner.id, both.synthesizer.id, both.maxTier]).toEqual(['azure', 'openai', 'Public'])
  expect(JSON.stringify(both)).not.toMatch(/"[xyz]"/)
})

it.each([
  ['http://127.0.0.1:11434/v1', true], ['http://127.8.9.1/v1', true], ['http://localhost:1/', true], ['http://[::1]:8080/', true],
  ['http://10.1.2.3/', true], ['http://172.16.0.9/', true], ['http://172.32.0.9/', false], ['http://192.168.4.5/', true],
  ['http://[fd12::7]/', true], ['http://8.8.8.8/', false], ['http://169.254.169.254/', false], ['http://0.0.0.0/', false],
  ['http://models.example/', false], ['http://localhost.models.example/', false], ['http://127.0.0.1.models.example/', false],
  ['http://[::ffff:8.8.8.8]/', false], ['http://2130706433/', true], ['http://0x7f.1/', true], ['http://ollama:11434/', false],
])('PROV-5 %s is near: %s', (url, near) => {
  expect(staysNear(new URL(url))).toBe(near)
})

it('PROV-6 an air-gapped provider with an address elsewhere is refused before any name is looked up', async () => {
  const far = having('ollama', { base_url_default: 'http://models.example:11434/v1' })
  const lookup = vi.spyOn(dns, 'lookup')
  expect(reasonOf(far, 'ollama', {})).toBe('unreachable (models.example:11434)')
  expect(await testProvider(far, 'ollama', {})).toMatchObject({ ok: false, reason: 'unreachable (models.example:11434)' })
  const listed = await providerStatuses(far, {})
  expect(listed.find(({ id }) => id === 'ollama')).toMatchObject({ ready: false, reason: 'unreachable (models.example:11434)' })
  expect(lookup).not.toHaveBeenCalled()
  lookup.mockRestore()
  // the same address is no secret to a provider of another residency
  expect(reasonOf(having('ollama', { base_url_default: 'http://models.example:11434/v1', residency: 'tenant-region' }), 'ollama', {})).toBe(null)
})

it('PROV-7 the list knocks at what is near, and holds no key', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const near = having('ollama', { base_url_default: `http://127.0.0.1:${port}/v1` })
  const env = { OPENAI_API_KEY: 'CANARY-KEY', AZURE_API_KEY: 'CANARY-KEY', AZURE_RESOURCE_NAME: 'CANARY-NAME' }
  const up = await providerStatuses(near, env)
  server.close()
  await new Promise((resolve) => server.once('close', resolve))
  const down = await providerStatuses(near, env)
  const ollama = (list: typeof up) => list.find(({ id }) => id === 'ollama')
  expect(ollama(up)).toMatchObject({ ready: true, reason: null })
  expect(ollama(down)).toMatchObject({ ready: false, reason: `unreachable (127.0.0.1:${port})` })
  expect(up.find(({ id }) => id === 'openai')).toEqual({
    id: 'openai', label: 'OpenAI', model: catalogue.providers['openai']!.model, residency: 'us-cloud', max_tier: 'Public', ready: true, reason: null,
  })
  expect(JSON.stringify([up, down])).not.toContain('CANARY')
})

it('a failure says nothing that a provider wrote', () => {
  const failure = new ModelFailure('openai', 'key_refused', 'OPENAI_API_KEY')
  expect(failure).toMatchObject({ code: 'provider_failed', message: 'the provider openai refused the key: OPENAI_API_KEY', cause: undefined })
})
