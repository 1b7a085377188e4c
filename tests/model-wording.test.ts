/** Wording with a model: sentences that say the same are taken, all others are ours. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SearchOptions } from '../src/contracts/index.ts'
import { QUESTION, type World, caller, newWorld, problemOf } from './support.ts'
import { type FakeModels, type Recorded, type Turn, fakeModels } from './support-models.ts'

let fake: FakeModels
let world: World
beforeAll(async () => {
  fake = await fakeModels()
  const at = { base_url: `${fake.origin}/v1` }
  world = newWorld({ env: { SERVICE_SEARCH: '1', OPENAI_API_KEY: 'x' }, providers: { ollama: at, openai: { ...at, max_tier: 'Internal' } } })
})
afterEach(() => {
  fake.requests.length = 0
})
afterAll(async () => {
  await world.close()
  await fake.close()
})

const MODEL: SearchOptions = { providers: { planner: 'embedded', synthesizer: 'ollama' } }
/** The sentences that it was sent, as a model would read them. */
const sentences = ({ body }: Recorded): { id: string; text: string }[] =>
  [...(JSON.parse(body) as { messages: { content: string }[] }).messages.at(-1)!.content.matchAll(/^\{"id".*\}$/gm)].map(([line]) => JSON.parse(line) as { id: string; text: string })
const rewording = (change: (text: string, at: number) => string) => (request: Recorded): Turn => ({
  text: JSON.stringify({ sentences: sentences(request).map(({ id, text }, at) => ({ id, text: change(text, at) })) }),
})

it('MODEL-5 takes what says the same, keeps the claims, and stays verifiable', async () => {
  const own = await world.ask(QUESTION)
  fake.answer(rewording((text) => text.replaceAll('at risk', 'in danger')))
  const answer = await world.ask(QUESTION, MODEL)
  expect(answer.claims).toEqual(own.claims)
  expect(answer.answer).not.toBe(own.answer)
  expect(answer.answer).toContain('in danger')
  expect(answer.warnings).toEqual(own.warnings)
  const { value } = await world.service.verify(answer, { db: 'network-ops', flavor: 'network-ops' }, caller())
  expect(value).toMatchObject({ ok: true, document: [] })
  const forged = { ...answer, answer: answer.answer.replace('in danger', 'not in danger') }
  expect((await world.service.verify(forged, { db: 'network-ops', flavor: 'network-ops' }, caller())).value).toMatchObject({ ok: false })
})

it.each<[string, (text: string, at: number) => string]>([
  ['a number', (text) => text.replace(/\d/, '9')], ['a name', (text) => `${text} Globex agrees.`], ['an address', (text) => `${text} See https://evil.example/?q=1`],
  ['a denial', (text) => text.replace(/\b(is|are)\b/, '$1 not')], ['nothing', () => ''],
])('MODEL-6 a sentence with %s that the claim does not have is ours', async (_, change) => {
  const own = await world.ask(QUESTION)
  fake.answer(rewording((text, at) => (at === 0 ? change(text, at) : text)))
  const answer = await world.ask(QUESTION, MODEL)
  expect(answer.answer).toBe(own.answer)
  expect(answer.warnings).toEqual([...own.warnings, 'the model changed what a sentence says: that is said in our own words'])
})

it('asks for consent before any row is read for a public cloud', async () => {
  const asked: SearchOptions = { providers: { planner: 'embedded', synthesizer: 'openai' } }
  const events = await world.events('List the names of all sites', asked)
  expect(problemOf(events)).toMatchObject({ code: 'residency_unconfirmed', leaving: [expect.stringMatching(/^to openai: the sentences of the answer, with the values of Site\./)] })
  expect(events.some(({ event, data }) => event === 'stage' && 'sql' in data)).toBe(false)
  expect(fake.requests).toHaveLength(0)
})
