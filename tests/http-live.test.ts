import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { STAGES } from '../src/contracts/index.ts'
import { QUESTION } from './support.ts'
import { CAN_FREEZE, type LiveServer, children, framesOf, freeze, liveServer } from './support-live.ts'

/** Streams of searches that are under way: listened to, left, joined again, stopped. */
const COUNT = 'How many customers are there?'
/** Each asks for another number of rows, so that none is answered from memory. */
let asked = 0
const search = (more: object = {}) => ({ question: COUNT, flavor: 'network-ops', timeout_ms: 20_000, limit: 500 + (asked += 1), ...more })
let server: LiveServer
let thaw = (): void => undefined
beforeAll(async () => {
  server = await liveServer()
  await server.ask(COUNT)
}, 60_000)
afterEach(() => thaw())
afterAll(() => server.close(), 60_000)

const events = (runId: string) => `/api/search/runs/${runId}/events`
const standStill = () => (thaw = freeze())
const stream = (more: object = {}, who?: string) =>
  server.listen('/api/search/stream', { body: search(more), ...(who === undefined ? {} : { who }) })
const runOf = async (listener: Awaited<ReturnType<typeof stream>>): Promise<string> => (await listener.heard('run')).data.run_id
/** How a run ended, once history has it. */
const recorded = (runId: string) =>
  vi.waitFor(async () => {
    const { runs } = (await (await server.send('/api/search/runs?limit=100')).json()) as { runs: { run_id: string; status: string; code: string }[] }
    const line = runs.find(({ run_id }) => run_id === runId)
    if (line === undefined) throw new Error('not yet')
    return [line.status, line.code]
  }, { timeout: 10_000, interval: 20 })
const inFlight = async (): Promise<number> =>
  Number(/^service_search_in_flight (\d+)$/m.exec(await (await server.send('/metrics')).text())?.[1])

describe.skipIf(!CAN_FREEZE)('a run that is under way', () => {
  it('STREAM-2 is joined by the caller who asked, from the event they name, and told to its one end', async () => {
    standStill()
    const first = await stream()
    const runId = await runOf(first)
    const joined = await Promise.all([server.listen(events(runId)), server.listen(events(runId), { last: 1 }), server.listen(events(runId), { last: 77 })])
    for (const { status, headers } of joined) {
      expect([status, headers.get('content-type'), headers.get('x-accel-buffering')]).toEqual([200, 'text/event-stream', 'no'])
    }
    await vi.waitFor(() => expect(joined[0].text()).toMatch(/^: still here$/m))
    thaw()
    const told = await first.ended()
    expect(told.filter(({ event }) => event === 'stage').map(({ data }) => data.stage)).toEqual([...STAGES])
    expect(told.at(-1)).toMatchObject({ event: 'answer', data: { status: 'ok', run_id: runId } })
    expect(told.map(({ id }) => id)).toEqual(told.map((_, at) => at + 1))
    expect(await joined[0].ended()).toEqual(told)
    expect(await joined[1].ended()).toEqual(told.slice(1))
    expect(await joined[2].ended()).toEqual(told)
    const after = await server.listen(events(runId), { last: 3 })
    expect((await after.ended()).map(({ id, event }) => [id, event])).toEqual(told.slice(3).map(({ id, event }) => [id, event]))
  })

  it('TRUST-1 is as unknown to others and to a lower grant as one that never was', async () => {
    standStill()
    const own = await stream()
    const runId = await runOf(own)
    const refusals = await Promise.all(
      [
        server.send(events('nosuch')),
        server.send(events(runId), { who: 'bob' }),
        server.send(events(runId), { who: 'ann-low' }),
        server.send(`${events(runId)}?max_tier=Public`),
      ].map(async (sent) => {
        const reply = await sent
        return [reply.status, (await reply.text()).replace(/"request_id":"[^"]*"/, '')]
      }),
    )
    expect(refusals[0]).toEqual([404, expect.stringContaining('not_found')])
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0])
    own.leave()
  })

  it('is seen under its own ceiling while it runs as it is once it has ended', async () => {
    standStill()
    const own = await stream()
    const path = `${events(await runOf(own))}?max_tier=Internal`
    await own.heard('stage') // its plan, which says that nothing is blocked
    const joined = await server.listen(path)
    expect(joined.status).toBe(200)
    thaw()
    const told = await own.ended()
    expect(await joined.ended()).toEqual(told)
    expect((await (await server.listen(path)).ended()).at(-1)).toEqual(told.at(-1))
  })

  it('STREAM-3 is stopped when its client leaves', async () => {
    await server.ask(COUNT) // somebody is there to be busy with it
    standStill()
    const before = children()
    const listener = await stream()
    const runId = await runOf(listener)
    listener.leave()
    expect(await recorded(runId)).toEqual(['failed', 'cancelled'])
    // whoever was busy with it is gone, not asleep
    await vi.waitFor(() => expect(before.some((pid) => !children().includes(pid))).toBe(true))
    thaw()
    expect((await server.ask(COUNT)).status).toBe('ok')
    expect(await inFlight()).toBe(0)
  })

  it('STREAM-4 goes on while nobody listens if it is resumable, and its answer waits', async () => {
    standStill()
    const listener = await stream({ resumable: true })
    const runId = await runOf(listener)
    listener.leave()
    await new Promise((resolve) => void setTimeout(resolve, 50)) // the server has heard of it
    thaw()
    expect(await recorded(runId)).toEqual(['ok', null])
    const again = await (await server.listen(events(runId), { last: 1 })).ended()
    expect(again.at(-1)).toMatchObject({ event: 'answer', data: { run_id: runId, status: 'ok' } })
    expect(again[0]!.id).toBe(2)
  })

  it('STREAM-4 whoever comes back in time keeps it going', async () => {
    standStill()
    const listener = await stream({ resumable: true })
    const runId = await runOf(listener)
    listener.leave()
    const back = await server.listen(events(runId), { last: 1 })
    expect(back.status).toBe(200)
    thaw()
    expect((await back.ended()).at(-1)).toMatchObject({ event: 'answer', data: { run_id: runId, status: 'ok' } })
  })

  it('STREAM-4 and is stopped when nobody came back in time', async () => {
    await server.restart({ resumeMs: 50 })
    await server.ask(COUNT)
    standStill()
    const listener = await stream({ resumable: true })
    const runId = await runOf(listener)
    listener.leave()
    expect(await recorded(runId)).toEqual(['failed', 'cancelled'])
    const told = await (await server.listen(events(runId))).ended()
    expect(told.at(-1)).toMatchObject({ event: 'error', data: { code: 'cancelled', status: 499 } })
    expect(await inFlight()).toBe(0)
    thaw()
    await server.restart()
    await server.ask(COUNT)
  })

  it('STREAM-5 hears of the end of the service, resumable or not, and history says so after the restart', async () => {
    standStill()
    const listeners = [await stream(), await stream({ resumable: true }), await stream({ resumable: true })]
    const ids = await Promise.all(listeners.map(runOf))
    listeners[2]!.leave()
    await server.restart()
    thaw()
    for (const listener of listeners.slice(0, 2)) {
      expect((await listener.ended()).at(-1)).toMatchObject({ event: 'error', data: { code: 'shutting_down', status: 503 } })
    }
    for (const id of ids) expect(await recorded(id)).toEqual(['failed', 'shutting_down'])
    expect((await server.ask(COUNT)).status).toBe('ok')
  })
})

describe('history', () => {
  it('RUNS-1 outlives the service: answers, events, claims and feedback', async () => {
    const answer = await server.ask(QUESTION)
    const said = await server.send(`/api/search/runs/${answer.run_id}/feedback`, { body: { right: true } })
    expect(said.status).toBe(200)
    await server.restart()
    expect(await (await server.send(`/api/search/runs/${answer.run_id}`)).json()).toEqual(answer)
    expect((await (await server.listen(events(answer.run_id))).ended()).at(-1)).toMatchObject({ event: 'answer', data: answer })
    const claim = await server.send(`/api/search/runs/${answer.run_id}/claims/${answer.claims[0]!.id}`)
    expect(await claim.json()).toMatchObject({ claim: answer.claims[0] })
    const { runs } = (await (await server.send('/api/search/runs?limit=1')).json()) as { runs: object[] }
    expect(runs[0]).toMatchObject({ run_id: answer.run_id, feedback: { right: true } })
  })
})

describe('who may say whether an answer was right', () => {
  const say = (runId: string, who: string) => server.send(`/api/search/runs/${runId}/feedback`, { body: { right: true }, who })
  const refusal = async (reply: Response) => [reply.status, (await reply.text()).replace(/"request_id":"[^"]*"/, '')]

  it('TRUST-1 not a lower grant of the same caller, to whom the run is as unknown as one that never was', async () => {
    const { run_id } = await server.ask(COUNT, { max_tier: 'Restricted' })
    const unknown = await refusal(await say('nosuch', 'ann-low'))
    expect(unknown[0]).toBe(404)
    expect(await refusal(await say(run_id, 'ann-low'))).toEqual(unknown)
    expect(await refusal(await say(run_id, 'bob'))).toEqual(unknown)
    expect((await say(run_id, 'ann')).status).toBe(200)
  })
})

describe('a follow-up', () => {
  const refused = async (context: string, more: object = {}, who = 'ann') => {
    const reply = await server.send('/api/search', { body: search({ context, ...more }), who })
    return [reply.status, (await reply.text()).replace(/"request_id":"[^"]*"/, '')]
  }

  it('SEARCH-10 names an earlier run of the same caller, also after a restart', async () => {
    const first = await server.ask(COUNT)
    await server.restart()
    const { status, warnings } = await server.ask(COUNT, { context: first.run_id })
    expect([status, warnings]).toEqual(['ok', []])
  })

  it('TRUST-1 hears the same of a run that is foreign, above its own ceiling, blocked for it, or never was', async () => {
    const low = await server.ask(COUNT, { max_tier: 'Internal' })
    const high = await server.ask(COUNT, { max_tier: 'Restricted' })
    const blocked = await server.ask('What is the contact email of Acme Retail?', { max_tier: 'Internal' })
    expect(blocked.status).toBe('blocked')
    const unknown = await refused('nosuch')
    expect(unknown).toEqual([404, expect.stringContaining('not_found')])
    expect(await refused(low.run_id, {}, 'bob')).toEqual(unknown)
    expect(await refused(low.run_id, { max_tier: 'Public' })).toEqual(unknown)
    expect(await refused(high.run_id, { max_tier: 'Confidential' })).toEqual(unknown)
    expect(await refused(blocked.run_id, { max_tier: 'Internal' })).toEqual(unknown)
    expect((await server.ask(COUNT, { context: high.run_id, max_tier: 'Restricted' })).status).toBe('ok')
  })

  it('is told when the run it names made no plan', async () => {
    const none = await server.ask('Which unicorns are purple?')
    const { status, warnings } = await server.ask(COUNT, { context: none.run_id })
    expect([status, warnings]).toEqual(['ok', [expect.stringContaining('no plan')]])
  })

  it('hears of a run that it may not name also in a stream', async () => {
    const told = await (await stream({ context: 'nosuch' })).ended()
    expect(told).toMatchObject([{ id: 1, event: 'error', data: { code: 'not_found', status: 404 } }])
  })
})

it('resumable means nothing to a search that is not streamed', async () => {
  expect((await server.ask(COUNT, { resumable: true })).status).toBe('ok')
})

describe('STREAM-1 data cannot make frames of its own', () => {
  const INJECTED = 'x\n\nevent: answer\r\ndata: {"status":"ok"}\r\rid: 999\u2028event: error\u2029data: {}\u0085: comment\u0000'
  const KNOWN = ['run', 'stage', 'claim', 'answer', 'error']

  async function told(body: object): Promise<ReturnType<typeof framesOf>> {
    const listener = await server.listen('/api/search/stream', { body: { flavor: 'network-ops', ...body } })
    await listener.ended()
    const text = listener.text()
    // not even a reader that takes other characters for line ends sees more lines than there are
    for (const line of text.split(/[\n\r\v\f\u0085\u2028\u2029]/)) expect(line).toMatch(/^(|: still here|id: \d+|event: [a-z]+|data: \{.*\})$/u)
    const frames = framesOf(text)
    expect(frames.map(({ id }) => id)).toEqual(frames.map((_, at) => at + 1))
    for (const { event } of frames) expect(KNOWN).toContain(event)
    expect(frames.filter(({ event }) => event === 'answer' || event === 'error')).toHaveLength(1)
    return frames
  }

  it('not as a question, nor as a value of a plan', async () => {
    const asked = await told({ question: `Which customers are named "${INJECTED}"?` })
    expect(asked.at(-1)!.event).toBe('answer')
    const where = [{ path: ['name'], op: '=', value: INJECTED }]
    const planned = await told({ question: 'x', plan: { intent: 'list', from: 'Customer', select: [{ path: ['name'] }], where } })
    expect(planned.at(-1)).toMatchObject({ event: 'answer', data: { status: 'empty', executed_queries: [{ params: [INJECTED] }, {}] } })
    const wrong = await told({ question: 'x', plan: { intent: 'list', from: INJECTED, select: [{ path: ['name'] }] } })
    expect(wrong.at(-1)!.event).toBe('error')
  })

  it('not as a value in the database', async () => {
    server.world.change(`update customer set name = '${INJECTED.replace('\u0000', '')}' where id = (select min(id) from customer)`)
    const frames = await told({ question: 'List the names of all customers', plan: { intent: 'list', from: 'Customer', select: [{ path: ['name'] }] } })
    const { rows } = frames.at(-1)!.data.results as { rows: string[][] }
    expect(rows.flat()).toContain(INJECTED.replace('\u0000', ''))
  })
})

describe('under load', () => {
  const DISCONNECTS = process.env['WHEREFORE_FULL'] === undefined ? 100 : 1000
  /** Pauses that a seed decides. */
  const pauses = (seed: number, most: number) => {
    let state = seed
    return () => ((state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648) * most
  }

  it(`STREAM-6 ${DISCONNECTS} clients that leave at random moments leave nothing behind`, async () => {
    const before = CAN_FREEZE ? children().length : 0
    const pause = pauses(7, 400)
    let left = 0
    const one = async (): Promise<void> => {
      while (left < DISCONNECTS) {
        left += 1
        const gone = new AbortController()
        setTimeout(() => gone.abort(), pause())
        const path = left % 4 === 0 ? '/api/search' : '/api/search/stream'
        await server.send(path, { body: search({ question: QUESTION, resumable: left % 5 === 0 }), signal: gone.signal }).then((reply) => reply.text()).catch(() => null)
      }
    }
    await Promise.all(Array.from({ length: 10 }, one))
    await vi.waitFor(async () => expect(await inFlight()).toBe(0), { timeout: 30_000, interval: 50 })
    // every slot is free again: a full house of searches is served
    const answers = await Promise.all(Array.from({ length: 16 }, () => server.ask(COUNT, { timeout_ms: 20_000 })))
    expect(new Set(answers.map(({ status, answer }) => `${status} ${answer}`)).size).toBe(1)
    expect(answers[0]!.status).toBe('ok')
    if (CAN_FREEZE) await vi.waitFor(() => expect(children().length).toBeLessThanOrEqual(Math.max(2, before)))
    expect(server.bugs).toEqual([])
  }, DISCONNECTS * 1200)

  it('SEARCH-9 two hundred at once: each is answered right or told to come back, and nothing hangs', async () => {
    const right = (await server.ask(COUNT)).answer
    const replies = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        if (at % 2 === 0) {
          const reply = await server.send('/api/search', { body: search() })
          return { status: reply.status, retry: reply.headers.get('retry-after'), body: (await reply.json()) as { answer?: string; code?: string } }
        }
        const listener = await server.listen('/api/search/stream', { body: search() })
        const end = (await listener.ended()).at(-1)
        return { status: (end?.data.status as unknown) === 'ok' ? 200 : Number(end?.data.status), retry: '1', body: end?.data as { answer?: string; code?: string } }
      }),
    )
    for (const { status, retry, body } of replies) {
      if (status === 429) expect([retry, body.code]).toEqual(['1', 'too_many_requests'])
      else expect([status, body.answer]).toEqual([200, right])
    }
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(await inFlight()).toBe(0)
    expect(server.bugs).toEqual([])
  }, 120_000)

  it.skipIf(!CAN_FREEZE)('SEARCH-9 who finds the line full is told so at once, by status and header, and the line moves on', async () => {
    standStill()
    const listeners = await Promise.all(Array.from({ length: 256 }, () => stream({ timeout_ms: 60_000 })))
    await vi.waitFor(async () => expect(await inFlight()).toBe(256), { timeout: 10_000 })
    for (const path of ['/api/search', '/api/search/stream']) {
      const reply = await server.send(path, { body: search() })
      expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('content-type')]).toEqual([429, '1', expect.stringContaining('application/problem+json')])
      expect(await reply.json()).toMatchObject({ code: 'too_many_requests', hint: expect.any(String) })
    }
    for (const listener of listeners) listener.leave()
    await vi.waitFor(async () => expect(await inFlight()).toBe(0), { timeout: 10_000 })
    thaw()
    expect((await server.ask(COUNT)).status).toBe('ok')
  }, 60_000)
})
