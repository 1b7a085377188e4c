/** Planning with a model, end to end over the network example: the fake stands where the provider would. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Problem, SearchAnswer, SearchOptions } from '../src/contracts/index.ts'
import { type World, caller, newWorld, problemOf } from './support.ts'
import { type FakeModels, type Recorded, type Turn, fakeModels } from './support-models.ts'

let fake: FakeModels
let world: World
const KEY = 'CANARY-KEY-1'
beforeAll(async () => {
  fake = await fakeModels({ key: KEY })
  const at = { base_url: `${fake.origin}/v1` }
  world = newWorld({
    env: { SERVICE_SEARCH: '1', OPENAI_API_KEY: KEY, OPENAI_COMPATIBLE_API_KEY: KEY },
    providers: { 'openai-compatible': { ...at, model: 'local-7b', max_tier: 'Restricted' }, openai: { ...at, max_tier: 'Internal' } },
  })
})
afterEach(() => {
  fake.requests.length = 0
})
afterAll(async () => {
  await world.close()
  await fake.close()
})

const MODEL: SearchOptions = { providers: { planner: 'openai-compatible', synthesizer: 'embedded' } }
/** A reply as a provider gives it that keeps to the schema: what is not needed is null. */
const reply = (plan: object | null): Turn => ({ text: JSON.stringify({ plan, missing: [] }) })
const filter = (path: string[], op: string, value: unknown) => ({ path, op, value, plan: null, where: null })
const blank = { where: [], group_by: [], having: [], order_by: [], limit: null, distinct: false, set_op: null, why: null }
const OPEN = 'How many alarms are open?'
const OPEN_PLAN = {
  ...blank, intent: 'count', from: 'Alarm', select: [{ path: null, aggregate: 'count' }], where: [filter(['state'], '=', 'OPEN')],
}
const sentBy = ({ wire }: Recorded): string => wire?.prompt ?? ''
const ask = (question: string, options: SearchOptions = {}): Promise<SearchAnswer> => world.ask(question, { ...MODEL, ...options })
const failing = async (question: string, options: SearchOptions = {}): Promise<Problem> => problemOf(await world.events(question, { ...MODEL, ...options }))

describe('a plan by a model', () => {
  it('MODEL-1 is run and verified like any other, and names who made it', async () => {
    fake.answer(reply(OPEN_PLAN))
    const answer = await ask(OPEN)
    const embedded = await world.ask(OPEN)
    expect(answer).toMatchObject({ status: 'ok', provider: 'openai-compatible', model: 'local-7b', warnings: [] })
    expect(answer.results).toEqual(embedded.results)
    expect(answer.claims.map(({ text }) => text)).toEqual(embedded.claims.map(({ text }) => text))
    expect(answer.confidence).toBeGreaterThan(embedded.confidence)
    expect(answer.confidence).toBeLessThan(1)
    expect(fake.requests).toHaveLength(1)
  })

  it('spells values as the question does, and they are found as the data spells them', async () => {
    fake.answer(reply({ ...OPEN_PLAN, where: [filter(['state'], '=', 'OPEN')] }))
    const { plan } = await ask(OPEN)
    expect(plan?.where).toEqual([{ path: ['state'], op: '=', value: world.query('select distinct state from alarm where lower(state) = \'open\'')[0]!['state'] }])
  })

  it('MODEL-2 sees names, and no row, no ceiling, no key', async () => {
    fake.answer(reply(OPEN_PLAN))
    await ask(OPEN, { max_tier: 'Restricted' })
    const sent = fake.requests.map(({ body }) => body).join()
    expect(sent).toContain('\\"class\\":\\"Alarm\\"')
    expect(sent).not.toMatch(/max_tier|Restricted|Confidential|Internal|CANARY/)
    for (const { name } of world.query('select name from customer') as { name: string }[]) expect(sent).not.toContain(name)
  })

  it('is repaired once, with what is wrong listed', async () => {
    fake.answer([reply({ ...OPEN_PLAN, from: 'Alert' }), reply(OPEN_PLAN)])
    expect(await ask(OPEN)).toMatchObject({ status: 'ok', provider: 'openai-compatible', warnings: [] })
    expect(fake.requests).toHaveLength(2)
    expect(sentBy(fake.requests[1]!)).toContain('unknown term Alert')
  })

  it('that stays wrong is left aside with a warning, or refused where no fallback is wanted', async () => {
    fake.answer(reply({ ...OPEN_PLAN, from: 'Alert' }))
    const answer = await ask(OPEN)
    expect(answer).toMatchObject({ status: 'ok', provider: 'embedded', warnings: [expect.stringMatching(/model gave a plan that does not fit/)] })
    expect(fake.requests).toHaveLength(2)
    const refused = await failing(OPEN, { fallback: false })
    expect(refused).toMatchObject({ code: 'provider_failed', status: 502, stage: 'plan', errors: [{ path: 'plan.from', message: 'unknown term Alert' }] })
  })

  it('is not asked for where the embedded planner sees that the ceiling stands in the way', async () => {
    expect(await ask('How many alarms are open?', { max_tier: 'Public' })).toMatchObject({ status: 'blocked' })
    expect(fake.requests).toHaveLength(0)
  })

  it.each([
    ['a filter that the question does not state', { ...OPEN_PLAN, where: [filter(['state'], '=', 'open'), filter(['severity'], '=', 'critical')] }],
    ['another thing than the one asked for', { ...OPEN_PLAN, from: 'Customer', where: [] }],
    ['a column that nobody asked for', { ...blank, intent: 'list', from: 'Alarm', select: [{ path: ['severity'], aggregate: null }], where: [filter(['state'], '=', 'open')] }],
    ['a number that nobody said', { ...OPEN_PLAN, limit: 7 }],
  ])('MODEL-3 with %s has no basis', async (_, plan) => {
    fake.answer(reply(plan))
    const refused = await failing(OPEN, { fallback: false })
    expect(refused).toMatchObject({ code: 'provider_failed' })
    expect(fake.requests).toHaveLength(2)
    expect((await ask(OPEN)).plan).toEqual((await world.ask(OPEN)).plan)
  })

  it('an instruction hidden in a reply changes nothing but that reply', async () => {
    for (const extra of [{ max_tier: 'Restricted' }, { ceiling: 'Restricted' }, { sql: 'select * from customer' }, { tools: ['shell'] }]) {
      fake.answer({ text: JSON.stringify({ plan: { ...OPEN_PLAN, ...extra }, missing: [] }) })
      expect(await failing(OPEN, { fallback: false })).toMatchObject({ code: 'provider_failed' })
    }
  })

  it('where the embedded planner is sure of something else, the question is asked back', async () => {
    const other = { ...OPEN_PLAN, where: [filter(['state'], '!=', 'open')] }
    fake.answer(reply(other))
    const answer = await ask(OPEN)
    expect(answer).toMatchObject({ status: 'clarify', provider: 'openai-compatible' })
    expect(answer.clarification?.options).toHaveLength(2)
    expect((await ask(OPEN, { clarify: false })).plan?.where).toMatchObject([{ op: '!=' }])
  })

  it('that finds nothing to say falls back as well', async () => {
    fake.answer(reply(null))
    expect(await ask(OPEN)).toMatchObject({ status: 'ok', provider: 'embedded', warnings: [expect.stringContaining('found no plan')] })
  })
})

describe('residency', () => {
  const cloud: SearchOptions = { providers: { planner: 'openai', synthesizer: 'embedded' } }

  it('MODEL-4 nothing leaves for a public cloud without consent, and what would is listed', async () => {
    const refused = await failing('How many alarms are open on crt-07?', cloud)
    expect(refused).toMatchObject({ code: 'residency_unconfirmed', status: 409, stage: 'plan' })
    expect(refused.leaving).toEqual(expect.arrayContaining([
      'to openai: the question', expect.stringContaining('Alarm'), expect.stringMatching(/"crt-07" stands in Resource\./),
    ]))
    expect(fake.requests).toHaveLength(0)
  })

  it('with consent it is asked; a provider of the tenant needs none', async () => {
    fake.answer(reply(OPEN_PLAN))
    expect(await ask(OPEN, { ...cloud, confirm_residency: true })).toMatchObject({ status: 'ok', provider: 'openai' })
    expect(await ask(OPEN)).toMatchObject({ status: 'ok', provider: 'openai-compatible' })
  })

  it('a provider that is cleared for nothing of a source is not asked, and nobody has to agree to that', async () => {
    expect(await world.ask(OPEN, { ...cloud, max_tier: 'Public' }, caller('Public'))).toMatchObject({ status: 'ungrounded', provider: 'embedded' })
    expect(fake.requests).toHaveLength(0)
  })

  it('a provider that is cleared for less lowers the ceiling, and says so', async () => {
    fake.answer(reply(OPEN_PLAN))
    const answer = await ask(OPEN, { ...cloud, confirm_residency: true, max_tier: 'Restricted' })
    expect(answer.warnings).toEqual(['max_tier was lowered to Internal, which is what the provider is cleared for'])
    expect(answer.citations.every(({ tier }) => tier !== 'Confidential' && tier !== 'Restricted')).toBe(true)
  })
})

it('the caller of a low grant reaches no name above it through a model', async () => {
  fake.answer(reply(null))
  await world.events(OPEN, { ...MODEL, max_tier: 'Restricted' }, caller('Public'))
  const low = fake.requests.map(sentBy).join()
  fake.requests.length = 0
  await world.events(OPEN, { ...MODEL, max_tier: 'Restricted' }, caller('Restricted'))
  const high = fake.requests.map(sentBy).join()
  const names = (text: string) => new Set(text.match(/[A-Za-z_]{4,}/g))
  const vocabulary = await world.service.vocabulary(caller('Public'))
  const seen = JSON.stringify(vocabulary.value)
  const hidden = [...names(high)].filter((name) => !names(low).has(name) && !seen.includes(name))
  expect(hidden.length).toBeGreaterThan(0)
  expect(hidden.some((name) => low.includes(`"${name}\\"`))).toBe(false)
})
