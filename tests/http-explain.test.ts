import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Explanation, MaterialisedPage, WhyNot } from '../src/contracts/index.ts'
import { BASE, INCIDENT, RECORD, asking, graphWorld, writeGraph } from './support-graph.ts'
import { type HttpWorld, httpWorld } from './support-http.ts'

let world: HttpWorld
beforeAll(async () => {
  world = await graphWorld()
})
afterAll(() => world.close())

const get = (url: string, who = 'Internal', headers: Record<string, string> = {}) =>
  world.call('GET', url, who, undefined, headers)
const triple = (subject: string, predicate: string, object: string) => ({ subject, predicate, object })
const explain = (of: Record<string, string | number>, who?: string) => get(`/api/explain?${asking(of)}`, who)
const whyNot = (of: Record<string, string | number>, who?: string) => get(`/api/why-not?${asking(of)}`, who)
const pageOf = async (query: Record<string, string | number> = {}, who?: string): Promise<MaterialisedPage> =>
  (await get(`/api/materialised/triples?${asking(query)}`, who)).json()

const CAUSE = triple('record:e3', ':hasCause', 'record:e2')

describe('GET /api/explain', () => {
  it('shows the triple, whether it is asserted, and each derivation with its rule, engine, bindings and premises', async () => {
    const reply = await explain(CAUSE)
    expect(reply.statusCode).toBe(200)
    const { triple: said, asserted, derivations }: Explanation = reply.json()
    expect(said).toEqual(triple(`${RECORD}e3`, `${BASE}hasCause`, `${RECORD}e2`))
    expect(asserted).toBe(false)
    expect(derivations.map(({ engine, rule }) => [engine, rule])).toEqual([
      ['sparql', 'causal-bgppeerlost-nfheartbeatlost'], ['owl', 'prp-inv1'],
    ])
    expect(derivations[0]!.bindings).toMatchObject({ cause: `${RECORD}e2`, effect: `${RECORD}e3` })
    const text = '2024-05-01T10:00:06.000Z is within 30 s of 2024-05-01T10:00:02.000Z'
    expect(derivations[0]!.premises).toContainEqual({ kind: 'condition', text })
    expect(derivations[0]!.premises).toContainEqual({
      kind: 'triple', triple: triple(`${RECORD}e3`, `${BASE}onEntity`, `${RECORD}crt-07`), asserted: true, derivations: [],
    })
  })

  it('takes a depth from 1 to 4', async () => {
    const root = triple('record:e3', ':rootCause', 'record:e1')
    const sizes: number[] = []
    for (const depth of [1, 2, 3, 4]) sizes.push((await explain({ ...root, depth })).body.length)
    expect(sizes).toEqual(sizes.toSorted((x, y) => x - y))
    expect(new Set(sizes).size).toBe(4)
    for (const depth of ['0', '5', '1.5', 'x', '', '-1', '1e0x']) {
      const reply = await explain({ ...root, depth })
      const errors = [{ path: 'depth', message: 'a whole number from 1 to 4' }]
      expect([reply.statusCode, reply.json()]).toEqual([400, expect.objectContaining({ errors })])
    }
  })

  it.each([
    [`<${RECORD}e3>`, `<${BASE}hasCause>`, `<${RECORD}e2>`],
    [`${RECORD}e3`, 'hasCause', `${RECORD}e2`],
    ['record:e3', 'a', ':NfHeartbeatLost'],
    ['record:e3', ':startedAt', '2024-05-01T10:00:06.000Z'],
    ['record:e3', ':startedAt', '"2024-05-01T10:00:06.000Z"^^xsd:dateTime'],
  ])('finds %s %s %s', async (subject, predicate, object) => {
    expect((await explain(triple(subject, predicate, object))).statusCode).toBe(200)
  })

  it('says what a term may be where a text cannot be one', async () => {
    const reply = await explain(triple('"text"', ':hasCause', 'record:e2'))
    expect([reply.statusCode, reply.json()]).toEqual([400, expect.objectContaining({ hint: expect.stringContaining('record:') })])
  })

  it('reads the same for a triple above the ceiling and for none at all', async () => {
    const hidden = triple('record:e4', ':hasCause', 'record:e3')
    expect((await explain(hidden, 'Restricted')).statusCode).toBe(200)
    // but for the name that was asked for
    const without = ({ request_id: _id, detail, ...rest }: Record<string, unknown>) =>
      ({ ...rest, detail: String(detail).replace(/e[49]/, 'e') })
    const above = await explain(hidden)
    const absent = await explain(triple('record:e9', ':hasCause', 'record:e3'))
    const lowered = await explain({ ...hidden, max_tier: 'Internal' }, 'Restricted')
    expect(above.statusCode).toBe(404)
    expect(without(above.json())).toEqual(without(absent.json()))
    expect(without(lowered.json())).toEqual(without(absent.json()))
    expect(above.json().detail).toBe('record:e4 occurs nowhere in the graph')
  })

  it('knows a root only as far as the caller sees: a cause above the ceiling takes nothing away', async () => {
    const root = triple('record:e3', ':rootCause', 'record:e1')
    expect((await explain(root)).statusCode).toBe(200)
    expect((await explain(root, 'Public')).statusCode).toBe(404)
  })
})

describe('GET /api/why-not', () => {
  it('names the rule that came closest, what held and what it needs', async () => {
    const reply = await whyNot(triple('record:late', ':hasCause', 'record:e1'))
    const { holds, misses }: WhyNot = reply.json()
    expect([reply.statusCode, holds]).toEqual([200, false])
    expect(misses[0]).toMatchObject({
      engine: 'sparql', rule: 'causal-linkdown-bgppeerlost',
      missing: { kind: 'condition', text: '2024-05-01T10:10:00.000Z is within 30 s of 2024-05-01T10:00:00.000Z' },
    })
    expect(misses[0]!.held.length).toBeGreaterThan(5)
  })

  it('names what occurs nowhere in the graph, also where that is because of the ceiling', async () => {
    const asked = triple('record:e4', ':hasCause', 'record:nosuch')
    expect((await whyNot(asked)).json()).toMatchObject({ holds: false, unknown: ['record:e4', 'record:nosuch'] })
    expect((await whyNot(asked, 'Restricted')).json()).toMatchObject({ unknown: ['record:nosuch'] })
    expect((await whyNot(triple('record:late', ':hasCause', 'record:e1'))).json()).not.toHaveProperty('unknown')
  })

  it('says of a triple that is there that explain knows more', async () => {
    const there = (await whyNot(CAUSE)).json()
    expect(there).toMatchObject({ holds: true, asserted: false, misses: [], notes: [expect.stringContaining('explain')] })
  })

  it('wants all three terms and nothing it does not know', async () => {
    expect((await get('/api/why-not?subject=a')).json()).toMatchObject({ errors: [{ path: 'predicate' }, { path: 'object' }] })
    expect((await whyNot({ ...CAUSE, depth: 2 })).statusCode).toBe(400)
  })
})

describe('GET /api/materialised/triples', () => {
  it('pages through the derived triples with their tiers and rules', async () => {
    const whole = await pageOf({ limit: 500 })
    expect(whole).toMatchObject({ next_cursor: null, total: whole.triples.length })
    expect(whole.triples).toContainEqual({
      triple: triple(`${RECORD}e3`, `${BASE}hasCause`, `${RECORD}e2`),
      tier: 'Internal',
      derivations: [{ engine: 'sparql', rule: 'causal-bgppeerlost-nfheartbeatlost' }, { engine: 'owl', rule: 'prp-inv1' }],
    })
    const seen: MaterialisedPage['triples'] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: MaterialisedPage = await pageOf({ limit: 4, ...(cursor === '' ? {} : { cursor }) })
      expect(page.total).toBe(whole.total)
      seen.push(...page.triples)
      cursor = page.next_cursor
    }
    expect(seen).toEqual(whole.triples)
  })

  it('filters by engine, rule, term and text', async () => {
    const { triples } = await pageOf({ engine: 'sparql', rule: 'rca-rootcause-onehop', subject: 'record:e3' })
    expect(triples.map(({ triple: { object } }) => object)).toEqual([`${RECORD}e1`])
    expect((await pageOf({ rule: 'no-such-rule' })).total).toBe(0)
    expect((await pageOf({ q: 'HASCAUSE' })).total).toBe(2)
    expect((await pageOf({ q: 'HASCAUSE' }, 'Restricted')).total).toBe(3)
  })

  const WRONG = ['engine=prolog', 'limit=0', 'limit=501', 'limit=x', 'cursor=', 'cursor=abc', 'other=1', 'engine=']
  it.each(WRONG)('refuses %s', async (query) => {
    const reply = await get(`/api/materialised/triples?${query}`)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid_request'])
  })

  it('takes a cursor back only for the graph and the filters that gave it', async () => {
    const { next_cursor: cursor } = await pageOf({ limit: 2 }, 'Restricted')
    expect((await get(`/api/materialised/triples?${asking({ cursor: cursor! })}`, 'Restricted')).statusCode).toBe(200)
    for (const [query, who] of [[{ cursor: cursor! }, 'Internal'], [{ cursor: cursor!, engine: 'owl' }, 'Restricted']] as const) {
      const reply = await get(`/api/materialised/triples?${asking(query)}`, who)
      const hint = expect.stringContaining('without a cursor')
      expect([reply.statusCode, reply.json()]).toEqual([400, expect.objectContaining({ hint })])
    }
  })

  it('carries an ETag over what the caller sees', async () => {
    const first = await get('/api/materialised/triples')
    const again = await get('/api/materialised/triples', 'Internal', { 'if-none-match': String(first.headers['etag']) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const other = await get('/api/materialised/triples', 'Restricted', { 'if-none-match': String(first.headers['etag']) })
    expect(other.statusCode).toBe(200)
    expect(first.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'authorization' })
  })
})

describe('the graph behind them', () => {
  it('follows the files and the session, whoever changed them', async () => {
    const own = await graphWorld()
    try {
      const ask = (subject: string) => own.call('GET', `/api/explain?${asking(triple(subject, ':hasCause', 'record:e1'))}`)
      expect([(await ask('record:e2')).statusCode, (await ask('record:e5')).statusCode]).toEqual([200, 404])
      writeGraph(own.folder, { ...INCIDENT, events: [...INCIDENT.events, ['e5', 'BgpPeerLost', 3]] })
      expect((await ask('record:e5')).statusCode).toBe(200)
      writeGraph(own.folder, { ...INCIDENT, causes: [] })
      expect((await ask('record:e2')).statusCode).toBe(404)
    } finally {
      await own.close()
    }
  })

  it('is asked for where there is none yet', async () => {
    const empty = await httpWorld()
    try {
      for (const path of ['explain', 'why-not']) {
        const reply = await empty.call('GET', `/api/${path}?${asking(CAUSE)}`)
        const hint = 'run wherefore toolkit --phase all, or mine, review, 2 and reason for logs'
        expect([reply.statusCode, reply.json()]).toEqual([404, expect.objectContaining({ hint })])
      }
      expect((await empty.call('GET', '/api/materialised/triples')).statusCode).toBe(404)
    } finally {
      await empty.close()
    }
  })

  it('needs a caller', async () => {
    for (const path of [`explain?${asking(CAUSE)}`, `why-not?${asking(CAUSE)}`, 'materialised/triples']) {
      expect((await get(`/api/${path}`, 'nobody')).statusCode).toBe(401)
    }
  })
})
