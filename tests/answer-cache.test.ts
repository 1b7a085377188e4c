/** A second asking through the whole service: the same bytes under its own ids, and nothing stale. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchEvent, SearchOptions } from '../src/contracts/index.ts'
import { type HttpWorld, framesOf, httpWorld } from './support-http.ts'
import { type World, caller, newWorld } from './support.ts'

// a plan of our own: what is tested is not how a question is read
const plan = { intent: 'list', from: 'Customer', select: [{ path: ['name'] }], where: [{ path: ['segment'], op: '=', value: 'retail' }] } as SearchOptions['plan']
const asking: SearchOptions = { materialize: true, ...(plan === undefined ? {} : { plan }) }
const QUESTION = 'the retail customers'

const BLANK = new Set(['run_id', 'ms', 'timings_ms', 'id', 'request_id'])
const blanked = (value: unknown) => JSON.stringify(value, (key, each: unknown) => (BLANK.has(key) ? null : each))
const idsOf = (events: readonly SearchEvent[]) => {
  const last = events.at(-1)
  return last?.event === 'answer' ? { run: last.data.run_id, graph: last.data.subgraph.id } : null
}

let world: World
let http: HttpWorld
beforeAll(async () => {
  world = newWorld()
  http = await httpWorld({ keepRuns: true })
})
afterAll(async () => {
  await world.close()
  await http.close()
})

describe('the same question again', () => {
  it('has the same bytes and ids of its own, and its graph answers under its own id', async () => {
    const [first, second] = [await world.events(QUESTION, asking), await world.events(QUESTION, asking)]
    expect(blanked(second)).toBe(blanked(first))
    const [one, two] = [idsOf(first), idsOf(second)]
    expect(two?.run).not.toBe(one?.run)
    expect(two?.graph).not.toBe(one?.graph)
    const query = 'SELECT ?s ?p ?o WHERE { ?s ?p ?o } ORDER BY ?s ?p ?o'
    const rows = async (subgraphId: string) => (await world.service.sparql({ subgraphId, query }, caller())).value
    expect(await rows(two?.graph ?? '')).toBe(await rows(one?.graph ?? ''))
    await expect(world.service.sparql({ subgraphId: two?.graph ?? '', query }, caller('Restricted', 'another'))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('sees what has changed in the data', async () => {
    const names = async () => (await world.ask(QUESTION, { ...asking, limit: 1000 })).results.rows.flat()
    const before = await names()
    expect(await names()).toEqual(before)
    world.change("update customer set name = 'Renamed Since' where id = (select min(id) from customer where segment = 'retail')")
    expect(before).not.toContain('Renamed Since')
    expect(await names()).toContain('Renamed Since')
  })
})

describe('over HTTP', () => {
  const post = (url: string) => http.call('POST', url, 'Restricted', { question: QUESTION, ...asking })

  it('answer, stream, headers, history and counters do not tell a second asking from a first', async () => {
    const [first, second] = [await post('/api/search'), await post('/api/search')]
    expect(first.statusCode).toBe(200)
    expect(blanked(second.json())).toBe(blanked(first.json()))
    expect(Object.keys(second.headers)).toEqual(Object.keys(first.headers))
    const streams = [await post('/api/search/stream'), await post('/api/search/stream')].map(({ body }) => framesOf(body))
    expect(blanked(streams[1])).toBe(blanked(streams[0]))
    const { runs } = (await http.call('GET', '/api/search/runs')).json()
    expect(runs).toHaveLength(4)
    const again = await http.call('GET', `/api/search/runs/${second.json().run_id}`)
    expect(again.json()).toEqual(second.json())
    const metrics = (await http.call('GET', '/metrics')).body
    expect(metrics).toMatch(/service_search_requests_total\{status="ok",provider="embedded"\} 4/)
  })

  it('a change of tiers is seen at once', async () => {
    expect((await post('/api/search')).statusCode).toBe(200)
    const read = await http.call('GET', '/api/metadata')
    const row = { target_type: 'column', table_name: 'customer', column_name: 'name', sensitivity_tier: 'Restricted' }
    const put = await http.call('PUT', '/api/metadata', 'Restricted', { rows: [row] }, { 'if-match': String(read.headers['etag'] ?? '') })
    expect(put.statusCode).toBe(200)
    const after = await post('/api/search')
    expect(after.body).not.toContain('Acme')
    expect(after.statusCode).not.toBe(500)
  })
})
