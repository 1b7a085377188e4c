/** One behaviour suite that the adapter of every provider passes, against the loopback fake over real HTTP. */
import { readFileSync } from 'node:fs'
import { type TestContext, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type FakeModels, fakeModels } from '../../tests/support-models.ts'
import { LIMITS, type Problem, ServiceError, problem } from '../contracts/index.ts'
import { type ModelProvider, ProviderCatalogue, providerNamed, testProvider } from './index.ts'

const bundled = ProviderCatalogue.parse(JSON.parse(readFileSync('runtime/llm_providers.json', 'utf8')))
const KEY = 'CANARY-KEY-5f1d0c77'

/** Where each keeps its key, and the path below which it is spoken to. */
const CASES = [
  { id: 'openai', env: { OPENAI_API_KEY: KEY }, path: '/v1', wire: 'responses' },
  { id: 'azure', env: { AZURE_API_KEY: KEY, AZURE_RESOURCE_NAME: 'unused' }, path: '/openai/v1', wire: 'responses' },
  { id: 'anthropic', env: { ANTHROPIC_API_KEY: KEY }, path: '/v1', wire: 'messages' },
  { id: 'vertex', env: { GOOGLE_VERTEX_API_KEY: KEY }, path: '/v1/publishers/google', wire: 'gemini' },
  { id: 'ollama', env: {}, path: '/v1', wire: 'chat' },
  { id: 'openai-compatible', env: { OPENAI_COMPATIBLE_API_KEY: KEY }, path: '/v1', wire: 'chat' },
] as const

const Answer = z.strictObject({ town: z.string(), people: z.int() })
const SHAPE = {
  name: 'town',
  jsonSchema: {
    type: 'object', properties: { town: { type: 'string' }, people: { type: 'integer' } }, required: ['town', 'people'], additionalProperties: false,
  },
  read: Answer,
}
const ASK = { system: 'You answer in short.', prompt: 'How large is Bergen?', maxTokens: 200, deadlineMs: 3000 }
const BERGEN = '{"town":"Bergen","people":291940}'

/** What a caller would see of the failure, with the time it took. */
async function failing(work: Promise<unknown>): Promise<Problem & { ms: number }> {
  const since = performance.now()
  const error: unknown = await work.then(() => undefined, (thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).not.toHaveProperty('cause.message')
  return { ...problem(error, 'r1'), ms: performance.now() - since }
}

describe.concurrent.each(CASES)('the adapter of $id', ({ id, env, path, wire }) => {
  /** The catalogue with this provider at that address. */
  const at = (origin: string): ProviderCatalogue => ({
    ...bundled, providers: { ...bundled.providers, [id]: { ...bundled.providers[id]!, base_url_default: `${origin}${path}` } },
  })
  const given = (catalogue: ProviderCatalogue, vars: Record<string, string>): ModelProvider => {
    const state = providerNamed(catalogue, id, vars)
    if (!state.ready || state.model === null) throw new Error('not ready')
    return state.model
  }
  /** A server of its own for each test, closed when it ends. */
  const scene = async ({ onTestFinished }: TestContext): Promise<{ fake: FakeModels; model: ModelProvider; catalogue: ProviderCatalogue }> => {
    const fake = await fakeModels(Object.keys(env).length === 0 ? {} : { key: KEY })
    onTestFinished(() => fake.close())
    const catalogue = at(fake.origin)
    return { fake, model: given(catalogue, env), catalogue }
  }

  it('gives a text, with what it cost', async (test) => {
    const { fake, model } = await scene(test)
    fake.answer({ text: 'About 290,000.' })
    expect(await model.generate(ASK)).toEqual({ value: 'About 290,000.', usage: { inputTokens: 11, outputTokens: 7 } })
    const [request] = fake.requests
    expect(request!.wire?.name).toBe(wire)
    expect(request!.body).toContain('How large is Bergen?')
    expect(request!.body).toContain('You answer in short.')
    expect(request!.body).toContain('200')
    expect(request!.body).not.toContain(KEY)
    if (wire === 'responses') expect(JSON.parse(request!.body)).toMatchObject({ store: false }) // nobody keeps what was asked
  })

  it('asks for the schema and gives a value of it', async (test) => {
    const { fake, model } = await scene(test)
    fake.answer({ text: BERGEN })
    expect((await model.generate({ ...ASK, shape: SHAPE })).value).toEqual({ town: 'Bergen', people: 291_940 })
    expect(JSON.stringify(fake.requests[0]!.wire?.schema)).toContain('"people"')
  })

  it('streams a text', async (test) => {
    const { fake, model } = await scene(test)
    fake.answer({ text: 'Bergen has about 290,000 people, says the register.' })
    const pieces: string[] = []
    for await (const piece of model.stream(ASK)) pieces.push(piece)
    expect(pieces.join('')).toBe('Bergen has about 290,000 people, says the register.')
    expect(pieces.length).toBeGreaterThan(1)
    expect(fake.requests).toHaveLength(1)
  })

  const FAULTS = [
    ['a reply of another shape', { text: '{"town": 7}' }, 'provider_failed', 1],
    ['a reply that is no JSON', { text: 'I would rather not.' }, 'provider_failed', 1],
    ['JSON that was cut', { fault: 'cut_json', text: BERGEN }, 'provider_failed', 1],
    ['a body of another kind', { fault: 'not_json' }, 'provider_failed', 1],
    ['a refusal', { fault: 'status', status: 400 }, 'provider_failed', 1],
    ['a key that is refused', { fault: 'status', status: 401 }, 'provider_failed', 1],
    ['too many requests, and no word when to come back', { fault: 'status', status: 429 }, 'provider_failed', 1],
    ['too many requests until long after the deadline', { fault: 'status', status: 429, retryAfter: '60' }, 'provider_failed', 1],
    ['a failing server', { fault: 'status', status: 500 }, 'provider_failed', 2],
    ['a connection that breaks off', { fault: 'broken_off', text: BERGEN }, 'provider_failed', 2],
    ['a reply of 10 MB', { fault: 'huge' }, 'provider_failed', 1],
    ['a redirect to another address', { fault: 'redirect' }, 'provider_not_ready', 1],
  ] as const
  it.for(FAULTS)('%s ends as a defined failure', async ([, turn, code, tries], test) => {
    const { fake, model } = await scene(test)
    fake.answer(turn)
    const failure = await failing(model.generate({ ...ASK, shape: SHAPE }))
    expect(failure).toMatchObject({ code })
    expect(failure.detail).toContain(id)
    if ('fault' in turn && turn.fault === 'huge') expect(failure.detail).toContain('cut off')
    expect(fake.requests).toHaveLength(tries)
    expect(JSON.stringify(failure)).not.toMatch(/CANARY|Bergen/)
    expect(failure.ms).toBeLessThan(ASK.deadlineMs)
  })

  it.for(['time_out', 'endless', 'slow_drip'] as const)('%s ends at the deadline, and the connection with it', async (fault, test) => {
    const { fake, model } = await scene(test)
    fake.answer({ fault })
    const failure = await failing(model.generate({ ...ASK, deadlineMs: 150, shape: SHAPE }))
    expect(failure).toMatchObject({ code: 'deadline_exceeded' })
    expect(failure.ms).toBeLessThan(600)
    await vi.waitFor(() => expect(fake.underWay()).toBe(0))
  })

  it.for(['time_out', 'endless', 'slow_drip', 'huge'] as const)('a stream with %s ends too', async (fault, test) => {
    const { fake, model } = await scene(test)
    fake.answer({ fault })
    const drained = async () => {
      let chars = 0
      for await (const piece of model.stream({ ...ASK, deadlineMs: 150 })) chars += piece.length
      return chars
    }
    const failure = await failing(drained())
    expect(['deadline_exceeded', 'provider_failed']).toContain(failure.code)
    expect(failure.ms).toBeLessThan(1500)
  })

  it('a second try helps where the first met a fault that passes', async (test) => {
    const { fake, model } = await scene(test)
    for (const fault of [{ fault: 'status', status: 503 }, { fault: 'status', status: 429, retryAfter: '0' }, { fault: 'broken_off', text: BERGEN }] as const) {
      fake.requests.length = 0
      fake.answer([fault, { text: BERGEN }])
      expect((await model.generate({ ...ASK, shape: SHAPE })).value).toEqual({ town: 'Bergen', people: 291_940 })
      expect(fake.requests).toHaveLength(2)
    }
  })

  it('is cancelled with its caller', async (test) => {
    const { fake, model } = await scene(test)
    fake.answer({ fault: 'time_out' })
    const leaving = new AbortController()
    const work = failing(model.generate({ ...ASK, signal: leaving.signal }))
    setTimeout(() => leaving.abort(), 50)
    expect(await work).toMatchObject({ code: 'cancelled' })
    await vi.waitFor(() => expect(fake.underWay()).toBe(0))
  })

  it('nobody at the address is said by its host and port', async () => {
    const gone = await fakeModels()
    await gone.close()
    const catalogue = at(gone.origin)
    expect(await failing(given(catalogue, env).generate(ASK))).toMatchObject({ code: 'provider_not_ready', detail: expect.stringContaining(`127.0.0.1:${gone.port}`) })
    expect(await testProvider(catalogue, id, env)).toMatchObject({ ok: false, reason: `unreachable (127.0.0.1:${gone.port})` })
  })

  it('the test call works, and says what is wrong where it does not', async (test) => {
    const { fake, catalogue } = await scene(test)
    fake.answer({ text: '{"ready":true}' })
    expect(await testProvider(catalogue, id, env)).toMatchObject({ id, ok: true, reason: null })
    fake.answer({ text: '{"ready":false}' })
    expect(await testProvider(catalogue, id, env)).toMatchObject({ ok: false, reason: expect.stringContaining('shape') })
  })

  it('a wrong key is named and not shown', async (test) => {
    const [name] = Object.keys(env)
    if (name === undefined) return // it has none
    const { fake, catalogue } = await scene(test)
    fake.answer({ text: BERGEN })
    const failure = await failing(given(catalogue, { ...env, [name]: 'CANARY-WRONG-KEY' }).generate(ASK))
    expect(failure).toMatchObject({ code: 'provider_failed', detail: expect.stringContaining(name) })
    expect(JSON.stringify(failure)).not.toContain('CANARY')
  })

  it('a prompt beyond the budget is not sent', async (test) => {
    const { fake, model } = await scene(test)
    const failure = await failing(model.generate({ ...ASK, prompt: 'word '.repeat(LIMITS.model_prompt_tokens) }))
    expect(failure).toMatchObject({ code: 'provider_failed' })
    expect(fake.requests).toHaveLength(0)
  })
})
