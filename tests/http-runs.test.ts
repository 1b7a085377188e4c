import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SearchAnswer, type SearchEvent, SearchRequest, ServiceError } from '../src/contracts/index.ts'
import { runDesk } from '../src/runtime/run-desk.ts'
import { claimView } from '../src/runtime/run-record.ts'
import { runRecorder } from '../src/runtime/run-recorder.ts'
import { type Workspace, openWorkspace } from '../src/store/index.ts'
import { type HttpWorld, framesOf, httpWorld, steady } from './support-http.ts'
import { QUESTION } from './support.ts'

const COUNT = 'How many customers are there?'
const BLOCKED = 'What is the contact email of Acme Retail?'
const NOTHING = { code: 'not_found', detail: 'nothing here by that name' }

const ask = async (world: HttpWorld, question: string, who = 'Restricted', more: object = {}): Promise<SearchAnswer> => {
  const reply = await world.call('POST', '/api/search', who, { question, ...more })
  if (reply.statusCode !== 200) throw new Error(reply.body)
  return reply.json()
}

interface Line {
  readonly run_id: string
}
interface Page {
  readonly runs: readonly Line[]
  readonly next_cursor: string | null
}

let world: HttpWorld
beforeAll(async () => {
  world = await httpWorld({ keepRuns: true })
})
afterAll(() => world.close())

const get = (path: string, who?: string, headers: Record<string, string> = {}) =>
  world.call('GET', `/api/search/runs${path}`, who, undefined, headers)

describe('GET /api/search/runs', () => {
  it('lists the own runs of the caller, newest first, page by page', async () => {
    const asked: string[] = []
    for (const question of [COUNT, QUESTION, 'Which unicorns are purple?', COUNT, QUESTION]) {
      asked.unshift((await ask(world, question, 'Internal:reader')).run_id)
    }
    await ask(world, COUNT, 'Internal')
    const whole = (await get('', 'Internal:reader')).json()
    expect(whole.runs.map(({ run_id }: Line) => run_id)).toEqual(asked)
    expect(whole.next_cursor).toBeNull()
    expect(whole.runs[0]).toEqual({
      run_id: asked[0], question: QUESTION, status: 'ok', code: null, source: 'network-ops', max_tier: 'Internal',
      created_at: '2026-01-01T00:00:00.000Z', stale: false, feedback: null,
    })
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = (await get(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`, 'Internal:reader')).json()
      expect(page.runs.length).toBeLessThanOrEqual(2)
      seen.push(...page.runs.map(({ run_id }) => run_id))
      cursor = page.next_cursor
    }
    expect(seen).toEqual(asked)
  })

  it('is empty for a caller who asked nothing', async () => {
    expect((await get('', 'Public:reviewer')).statusCode).toBe(403)
    expect((await get('', 'Public:reader')).json()).toEqual({ runs: [], next_cursor: null })
  })

  const WRONG = ['limit=0', 'limit=101', 'limit=x', 'cursor=', 'cursor=nosuch', 'other=1', 'max_tier=Secret']
  it.each(WRONG)('refuses %s', async (query) => {
    const reply = await get(`?${query}`)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid_request'])
  })

  it('takes no cursor of another caller', async () => {
    const { run_id } = await ask(world, COUNT, 'Confidential')
    expect((await get(`?cursor=${run_id}`, 'Confidential')).statusCode).toBe(200)
    const [other, unknown] = [await get(`?cursor=${run_id}`), await get('?cursor=nosuch')]
    expect(other.statusCode).toBe(400)
    expect(steady(other.body)).toBe(steady(unknown.body))
  })
})

describe('GET /api/search/runs/{run_id}', () => {
  it('gives the answer as it was given', async () => {
    const answer = await ask(world, QUESTION)
    expect((await get(`/${answer.run_id}`)).json()).toEqual(answer)
  })

  it('says of an answer from before a change of the schema that it is one', async () => {
    const answer = await ask(world, COUNT)
    const store = new DatabaseSync(`${world.folder}/.wherefore/store.db`)
    store.prepare("update search_runs set body = json_set(body, '$.stale', json('true')) where run_id = ?").run(answer.run_id)
    store.close()
    const again: SearchAnswer = (await get(`/${answer.run_id}`)).json()
    expect(again).toEqual({ ...answer, warnings: [...answer.warnings, expect.stringContaining('schema has changed')] })
  })

  it('gives one claim with all that it rests on, and nothing else of the answer', async () => {
    const answer = await ask(world, QUESTION)
    const claim = answer.claims.at(-1)! // the first speaks of all customers
    const view = (await get(`/${answer.run_id}/claims/${claim.id}`)).json()
    expect(view).toMatchObject({ run_id: answer.run_id, claim })
    expect(view.citations.map(({ n }: { n: number }) => n).toSorted()).toEqual(claim.citations.toSorted())
    const ids: string[] = view.inferred.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(expect.arrayContaining(claim.fact_ids))
    const known = new Set(answer.inferred.map(({ id }) => id))
    for (const { derived_from } of view.inferred) for (const id of derived_from) if (known.has(id)) expect(ids).toContain(id)
    expect(ids.length).toBeLessThan(known.size)
    for (const [query] of claim.sql_spans) {
      expect(view.executed_queries).toContainEqual(expect.objectContaining({ query, sql: answer.executed_queries[query]!.sql }))
    }
    expect((await get(`/${answer.run_id}/claims/nosuch`)).json()).toMatchObject(NOTHING)
  })
})

describe('what a claim rests on', () => {
  const fact = (id: string, derived_from: string[]): SearchAnswer['inferred'][number] => ({ id, fact: ['s', 'p', 'o'], rule: 'r', derived_from, tier: 'Internal' })
  const claim: SearchAnswer['claims'][number] = {
    id: 'c1', text: '', kind: 'derived', citations: [2], sql_spans: [[1, 0, 6]], rule_ids: ['r'], fact_ids: ['f1'], support_count: 1, verified: true,
    verified_by: 'proof',
  }
  const citation = (n: number): SearchAnswer['citations'][number] => ({
    n, iri: `urn:${n}`, label: '', source_table: 't', key: {}, columns: [], tier: 'Internal', inferred: false,
  })
  const query = (sql: string): SearchAnswer['executed_queries'][number] => ({ sql, params: [], rows: 0, ms: 0, purpose: 'main' })

  it('is followed from premise to premise, each once, in a circle too, and no further', () => {
    const inferred = [fact('f4', []), fact('f1', ['f2', 'urn:record']), fact('f2', ['f3', 'no redundant path']), fact('f3', ['f1'])]
    const answer = { run_id: 'r', claims: [claim], citations: [1, 2, 3].map(citation), inferred, executed_queries: ['a', 'b', 'c'].map(query) }
    expect(claimView(answer as unknown as SearchAnswer, claim)).toEqual({
      run_id: 'r', claim, citations: [citation(2)], inferred: inferred.slice(1), executed_queries: [{ query: 1, sql: 'b', params: [] }],
    })
  })
})

describe('GET /api/search/runs/{run_id}/events', () => {
  it('replays the stream, number by number, from where the listener left off', async () => {
    const live = framesOf((await world.call('POST', '/api/search/stream', 'Restricted', { question: QUESTION })).body)
    const { run_id } = live[0]!.data
    const replay = async (last?: string) => {
      const reply = await get(`/${run_id}/events`, 'Restricted', last === undefined ? {} : { 'last-event-id': last })
      expect(reply.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
      return framesOf(reply.body)
    }
    expect(live.length).toBeGreaterThan(8)
    expect(await replay()).toEqual(live)
    expect(await replay('3')).toEqual(live.slice(3))
    for (const all of ['0', '-1', 'x', '1.5', '999']) expect(await replay(all)).toEqual(live)
    expect(await replay(String(live.length))).toEqual(live.slice(-1))
  })

  it('replays a refusal and a failure too', async () => {
    const stream = async (asked: object) => framesOf((await world.call('POST', '/api/search/stream', 'Restricted', asked)).body)
    const refused = await stream({ question: 'Which unicorns are purple?' })
    expect(framesOf((await get(`/${refused[0]!.data.run_id}/events`)).body)).toEqual(refused)

    const plan = { intent: 'list', select: [{ path: ['nosuch'] }], from: 'Nosuch' }
    const failed = await stream({ question: COUNT, plan })
    const { run_id } = failed[0]!.data
    expect(failed.at(-1)!.event).toBe('error')
    expect(framesOf((await get(`/${run_id}/events`)).body)).toEqual(failed)
    expect((await get('?limit=1')).json().runs[0]).toMatchObject({ run_id, status: 'failed', code: failed.at(-1)!.data.code })
    const reply = await get(`/${run_id}`)
    expect([reply.statusCode, reply.json()]).toEqual([404, expect.objectContaining({ hint: 'its events say why' })])
  })
})

describe('POST /api/search/runs/{run_id}/feedback', () => {
  const say = (runId: string, body: unknown, who?: string) =>
    world.call('POST', `/api/search/runs/${runId}/feedback`, who, body)

  it('keeps what the caller said last, and leaves the answer alone', async () => {
    const answer = await ask(world, COUNT)
    const first = await say(answer.run_id, { right: false, note: 'three "more"\nare missing' })
    const feedback = { right: false, note: 'three "more"\nare missing', at: '2026-01-01T00:00:00.000Z' }
    expect([first.statusCode, first.json()]).toEqual([200, { run_id: answer.run_id, feedback }])
    expect((await get('?limit=1')).json().runs[0]).toMatchObject({ run_id: answer.run_id, feedback })
    await say(answer.run_id, { right: true })
    expect((await get('?limit=1')).json().runs[0].feedback).toEqual({ ...feedback, right: true, note: null })
    expect((await get(`/${answer.run_id}`)).json()).toEqual(answer)
  })

  const long = 'x'.repeat(2001)
  const wrong = [{}, { right: 'yes' }, { right: true, note: 1 }, { right: true, more: 1 }, { right: true, note: long }, null]
  it.each(wrong)('refuses a body that does not fit (%#)', async (body) => {
    const { run_id } = await ask(world, COUNT)
    expect((await say(run_id, body)).json().code).toBe('invalid_request')
  })

  it('is taken only from the caller who asked', async () => {
    const { run_id } = await ask(world, COUNT, 'Internal')
    expect((await say(run_id, { right: true }, 'Restricted')).json()).toMatchObject(NOTHING)
    expect((await get('?limit=1', 'Internal')).json().runs[0].feedback).toBeNull()
  })
})

describe('who may see a run', () => {
  const paths = (id: string, claim: string) => [`/${id}`, `/${id}/claims/${claim}`, `/${id}/events`]

  it('TRUST-1 one of another caller, one above the ceiling and one that never was read alike', async () => {
    const high = await ask(world, COUNT, 'Restricted', { max_tier: 'Restricted' })
    const claim = high.claims[0]!.id
    for (const [at, path] of paths(high.run_id, claim).entries()) {
      expect((await get(path)).statusCode).toBe(200)
      const absent = await get(paths('nosuch', claim)[at]!)
      expect([absent.statusCode, absent.json()]).toEqual([404, expect.objectContaining(NOTHING)])
      const others = [await get(path, 'Confidential'), await get(path, 'Restricted:reader')]
      for (const reply of [...others, await get(`${path}?max_tier=Internal`)]) {
        expect([reply.statusCode, steady(reply.body)]).toEqual([404, steady(absent.body)])
      }
    }
  })

  it('a run under a lower ceiling stays open to a higher grant of the same caller', async () => {
    const low = await ask(world, COUNT, 'Restricted', { max_tier: 'Internal' })
    for (const path of paths(low.run_id, low.claims[0]!.id)) {
      expect((await get(path)).statusCode).toBe(200)
      expect((await get(`${path}?max_tier=Internal`)).statusCode).toBe(200)
      expect((await get(`${path}?max_tier=Public`)).statusCode).toBe(404)
    }
  })

  it('that a question was blocked is told only to the grant it was told to', async () => {
    const blocked = await ask(world, BLOCKED, 'Restricted', { max_tier: 'Internal' })
    expect(blocked.status).toBe('blocked')
    expect((await get(`/${blocked.run_id}`)).statusCode).toBe(200)
    expect((await get(`/${blocked.run_id}?max_tier=Internal`)).statusCode).toBe(404)
    const listed = async (query: string) => (await get(`?limit=100${query}`)).json().runs.map(({ run_id }: Line) => run_id)
    expect(await listed('')).toContain(blocked.run_id)
    expect(await listed('&max_tier=Internal')).not.toContain(blocked.run_id)
  })

  it('needs a caller with the role reader, and search', async () => {
    expect((await get('', 'nobody')).statusCode).toBe(401)
    const off = await httpWorld({ env: { SERVICE_SEARCH: '0' }, keepRuns: true })
    try {
      for (const path of ['', '/x', '/x/claims/1', '/x/events']) {
        expect((await off.call('GET', `/api/search/runs${path}`)).json().code).toBe('search_disabled')
      }
      const said = await off.call('POST', '/api/search/runs/x/feedback', 'Restricted', { right: true })
      expect(said.json().code).toBe('search_disabled')
    } finally {
      await off.close()
    }
  })
})

describe('TRUST-1 two projects that differ only above the ceiling keep the same history', () => {
  let twins: [HttpWorld, HttpWorld]
  beforeAll(async () => {
    twins = [await httpWorld({ keepRuns: true }), await httpWorld({ keepRuns: true })]
    const db = new DatabaseSync(twins[1].database)
    db.exec(`update customer set contact_email = 'twin-' || contact_email, contact_phone = '+49 000 ' || id,
      contact_name = 'Twin ' || id, contract_value = contract_value * 3 + 1;
      update sla set penalty_per_hour = penalty_per_hour * 2 + 7`)
    db.close()
  })
  afterAll(async () => {
    for (const twin of twins) await twin.close()
  })

  /** Everything that `who` can read of the own runs; ids and times are chance. */
  async function history(twin: HttpWorld, who: string): Promise<string> {
    const read = async (path: string) => {
      const { statusCode, body } = await twin.call('GET', `/api/search/runs${path}`, who)
      return `${statusCode} ${body}`
    }
    const first = await read('?limit=2')
    const { runs, next_cursor } = JSON.parse(first.slice(4)) as Page
    const texts = [first]
    if (next_cursor !== null) texts.push(await read(`?cursor=${next_cursor}`))
    for (const { run_id } of runs) for (const path of ['', '/events', '/claims/c1']) texts.push(await read(`/${run_id}${path}`))
    return steady(texts.join('\n'))
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '(id)')
      .replaceAll(/"timings_ms":\{[^}]*\}/g, '"timings_ms":{}')
  }

  it.each(['Internal', 'Public'])('%s', async (who) => {
    for (const [at, twin] of twins.entries()) {
      for (const question of [COUNT, QUESTION, BLOCKED]) {
        await ask(twin, question, who, { max_tier: who })
        // others, who see more, ask more in one of the two
        for (let more = 0; more < at; more += 1) await ask(twin, question, 'Restricted', { max_tier: 'Restricted' })
      }
    }
    const [a, b] = [await history(twins[0], who), await history(twins[1], who)]
    expect(a).toContain(COUNT)
    expect(b).toBe(a)
  })

  it('the harness sees a difference where there is one', async () => {
    for (const twin of twins) await ask(twin, BLOCKED, 'Restricted:reader', { max_tier: 'Restricted' })
    const [a, b] = [await history(twins[0], 'Restricted:reader'), await history(twins[1], 'Restricted:reader')]
    expect(b).not.toBe(a)
    expect(b.replaceAll('twin-', '')).toBe(a)
  })
})

describe('the recorder', () => {
  const REQUEST = SearchRequest.parse({ question: COUNT })
  const CALLER = { name: 'ann', grant: 'Internal', roles: ['reader'] } as const
  const ASKED = { request: REQUEST, caller: CALLER, requestId: 'r-1' }
  const NOW = '2026-01-01T00:00:00.000Z'
  const LISTENING = { after: 0, signal: new AbortController().signal }
  const deskOf = (workspace: Workspace) =>
    runDesk({ workspace: () => workspace, peek: () => workspace, now: () => NOW, demandEnabled: () => undefined, join: () => null })

  async function* begun(): AsyncGenerator<SearchEvent> {
    yield { event: 'run', data: { run_id: 'run-1' } }
    yield { event: 'stage', data: { stage: 'plan', status: 'done', ms: 1 } }
    yield { event: 'stage', data: { stage: 'execute', status: 'done', ms: 1 } }
  }

  it('keeps a run whose client left as cancelled, with the stages it got to', async () => {
    const workspace = openWorkspace(':memory:')
    const { recorded } = runRecorder({ workspace: () => workspace, now: () => NOW, onBug: () => undefined })
    for await (const { event } of recorded(begun(), ASKED)) if (event === 'stage') break
    const desk = deskOf(workspace)
    const line = { run_id: 'run-1', question: COUNT, status: 'failed', code: 'cancelled' }
    expect(desk.list({}, CALLER).value.runs).toMatchObject([line])
    const events = (await Array.fromAsync(desk.events('run-1', CALLER, LISTENING).value)).map(({ id, event }) => [id, event])
    expect(events).toEqual([[1, 'run'], [2, 'stage'], [3, 'error']])
    workspace.close()
  })

  it('lets the events pass where nothing can be written, and says so in the log', async () => {
    const bugs: [string, string][] = []
    const workspace = () => {
      throw new ServiceError('storage_full', 'no room left')
    }
    const { recorded } = runRecorder({ workspace, now: () => NOW, onBug: (error, id) => bugs.push([String(error), id]) })
    const seen: string[] = []
    for await (const { event } of recorded(begun(), ASKED)) seen.push(event)
    expect(seen).toEqual(['run', 'stage', 'stage'])
    expect(bugs).toEqual([[expect.stringContaining('no room left'), 'r-1']])
  })

  it('passes over what another program stored in another shape', () => {
    const workspace = openWorkspace(':memory:')
    const bodies = [{}, 'text', { answer: { status: 'odd' } }, { answer: { status: 'ok' } }]
    for (const [at, body] of bodies.entries()) {
      workspace.runs.save({ runId: `run-${at}`, ceiling: 'Internal', caller: 'ann', body, createdAt: NOW })
    }
    const desk = deskOf(workspace)
    expect(desk.list({}, CALLER).value.runs.map(({ run_id }) => run_id)).toEqual(['run-3'])
    for (const at of bodies.keys()) {
      for (const look of [() => desk.answer(`run-${at}`, CALLER), () => desk.events(`run-${at}`, CALLER, LISTENING)]) {
        expect(look).toThrow(expect.objectContaining({ code: 'not_found' }))
      }
    }
    workspace.close()
  })
})
