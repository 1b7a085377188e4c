import { createHash } from 'node:crypto'
import { SparqlEndpointFetcher } from 'fetch-sparql-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchAnswer, Tier } from '../src/contracts/index.ts'
import { type Project, type Service, createService } from '../src/runtime/index.ts'
import { type App, type Token, buildApp } from '../src/surfaces/http/index.ts'
import { fakeApp } from './e2e/fake-app.ts'
import { QUESTION, type World, newWorld } from './support.ts'

/** SPARQL over the subgraph of an answer, as a client sees it that knows the SPARQL 1.1 Protocol and nothing of us. */
const token = (name: string, max_tier: Tier, word: string): Token => ({
  name, max_tier, roles: ['reader', 'author', 'admin'], sha256: createHash('sha256').update(word).digest('hex'),
})
/** ann holds two tokens, one of them with a lower grant */
const TOKENS = [token('ann', 'Restricted', 'ann'), token('ann', 'Internal', 'ann-low'), token('bob', 'Restricted', 'bob')]
const MINUTE = 60_000

interface Server {
  readonly world: World
  readonly origin: string
  /** lets time pass; subgraphs leave memory after a while */
  wait(ms: number): void
  /** the same project in a new process */
  restart(change?: (project: Project) => Project): Promise<void>
  send(path: string, init?: RequestInit & { who?: string }): Promise<Response>
  search(more?: object, who?: string): Promise<SearchAnswer>
  close(): Promise<void>
}

async function serve(): Promise<Server> {
  const world = newWorld()
  let passed = 0
  let origin = ''
  let running: { service: Service; app: App }
  const start = async (project: Project): Promise<void> => {
    const clock = { now: () => passed }
    const service = createService(project, { keepRuns: true, clock, onBug: (error) => console.error(error) })
    let n = 0
    const ids = () => `r${(n += 1)}`
    const app = buildApp({ service, config: project.config, tokens: TOKENS, enabled: () => true, clock, ids })
    origin = await app.listen({ host: '127.0.0.1', port: 0 })
    running = { service, app }
  }
  const stop = async (): Promise<void> => {
    await running.app.close()
    await running.service.close()
  }
  await start(world.project)
  const send: Server['send'] = (path, { who = 'ann', headers, ...init } = {}) =>
    fetch(origin + path, { ...init, headers: { authorization: `Bearer ${who}`, ...(headers as Record<string, string>) } })
  return {
    world,
    get origin() {
      return origin
    },
    wait: (ms) => void (passed += ms),
    restart: async (change = (project) => project) => {
      await stop()
      await start(change(world.project))
    },
    send,
    search: async (more = {}, who = 'ann') => {
      const body = JSON.stringify({ question: QUESTION, flavor: 'network-ops', materialize: true, ...more })
      const reply = await send('/api/search', { who, method: 'POST', body, headers: { 'content-type': 'application/json' } })
      return (await reply.json()) as SearchAnswer
    },
    close: async () => {
      await stop()
      await world.close()
    },
  }
}

let server: Server
let answer: SearchAnswer
let endpoint: string

beforeAll(async () => {
  server = await serve()
  answer = await server.search()
  endpoint = `/api/sparql?subgraph_id=${answer.subgraph.id}`
})
afterAll(() => server.close())

const COUNT = 'SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }'
const LABELS = 'SELECT ?label WHERE { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?label } ORDER BY ?label LIMIT 2'
const posted = (type: string, body: string, headers: object = {}): RequestInit => ({
  method: 'POST', headers: { 'content-type': type, ...headers }, body,
})
const form = (fields: Record<string, string>) => posted('application/x-www-form-urlencoded', `${new URLSearchParams(fields)}`)
const direct = (query: string, accept = '*/*') => posted('application/sparql-query', query, { accept })
const json = (body: object) => posted('application/json', JSON.stringify(body))
const counted = async (reply: Response): Promise<number> => {
  const body = (await reply.json()) as { results: { bindings: [{ n: { value: string } }] } }
  if (reply.status !== 200) throw new Error(JSON.stringify(body))
  return Number(body.results.bindings[0].n.value)
}
const failure = async (reply: Response) => [reply.status, ((await reply.json()) as { code: string }).code]

describe('SPARQL-1 every form of the protocol asks the same graph', () => {
  it.each<[string, () => [string, RequestInit?]]>([
    ['GET', () => [`${endpoint}&query=${encodeURIComponent(COUNT)}`]],
    ['GET by run', () => [`/api/sparql?run_id=${answer.run_id}&query=${encodeURIComponent(COUNT)}`]],
    ['POST of the query itself', () => [endpoint, direct(COUNT)]],
    ['POST of the query itself by run', () => [`/api/sparql?run_id=${answer.run_id}`, direct(COUNT)]],
    ['POST of a form', () => [endpoint, form({ query: COUNT })]],
    ['POST of a form that names the graph', () => ['/api/sparql', form({ query: COUNT, subgraph_id: answer.subgraph.id! })]],
    ['POST of JSON', () => ['/api/sparql', json({ query: COUNT, subgraph_id: answer.subgraph.id })]],
    ['POST of JSON by run', () => ['/api/sparql', json({ query: COUNT, run_id: answer.run_id })]],
    ['POST of JSON with the graph in the URL', () => [endpoint, json({ query: COUNT })]],
    ['POST of a query with a prefix', () => [endpoint, direct(`PREFIX rdfs: <urn:x> ${COUNT}`)]],
  ])('%s', async (_form, request) => {
    const [path, init] = request()
    expect(await counted(await server.send(path, init))).toBe(answer.subgraph.count)
    expect(answer.subgraph.count).toBeGreaterThan(20)
  })

  it.each<[string, number, string, () => [string, RequestInit?]]>([
    ['a default graph in the URL', 422, 'unsupported_query', () => [`${endpoint}&query=ASK%7B%7D&default-graph-uri=urn:x`]],
    ['two named graphs', 422, 'unsupported_query', () => [`${endpoint}&named-graph-uri=a:b&named-graph-uri=a:c`, direct(COUNT)]],
    ['a default graph in a form', 422, 'unsupported_query', () => [endpoint, form({ query: COUNT, 'default-graph-uri': 'a:b' })]],
    ['FROM', 422, 'unsupported_query', () => [endpoint, direct('SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }')]],
    ['SERVICE', 422, 'unsupported_query', () => [endpoint, direct('SELECT * { SERVICE ?e { ?s ?p ?o } }')]],
    ['CONSTRUCT', 422, 'unsupported_query', () => [endpoint, direct('CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }')]],
    ['an update as a query', 422, 'unsupported_query', () => [endpoint, form({ query: 'DELETE WHERE { ?s ?p ?o }' })]],
    ['an update as the protocol sends it', 400, 'invalid_request', () => [endpoint, form({ update: 'DROP ALL' })]],
    ['an update as a body', 415, 'unsupported_media_type', () => [endpoint, posted('application/sparql-update', 'DROP ALL')]],
    ['no query', 400, 'invalid_request', () => [endpoint]],
    ['two queries', 400, 'invalid_request', () => [`${endpoint}&query=ASK%7B%7D&query=ASK%7B%7D`]],
    ['no graph', 400, 'invalid_request', () => ['/api/sparql?query=ASK%7B%7D']],
    ['a graph in the URL and in the body', 400, 'invalid_request', () => [endpoint, json({ query: COUNT, subgraph_id: 'x' })]],
    ['a run and a graph', 400, 'invalid_request', () => ['/api/sparql?run_id=x', json({ query: COUNT, subgraph_id: 'x' })]],
    ['a query without end', 400, 'invalid_request', () => [endpoint, direct(`ASK { VALUES ?x { ${'1 '.repeat(10_000)} } }`)]],
    ['a prefix of the query before', 422, 'unsupported_query', () => [endpoint, direct('SELECT * { ?s rdfs:label ?o }')]],
    ['an unknown parameter', 400, 'invalid_request', () => [`${endpoint}&query=ASK%7B%7D&timeout=1`]],
    ['an empty query', 400, 'invalid_request', () => [endpoint, direct('')]],
    ['a graph that never was', 404, 'not_found', () => ['/api/sparql?subgraph_id=x', direct(COUNT)]],
    ['a run that never was', 404, 'not_found', () => ['/api/sparql?run_id=x', direct(COUNT)]],
  ])('%s is refused with %s %s', async (_what, status, code, request) => {
    const [path, init] = request()
    expect(await failure(await server.send(path, init))).toEqual([status, code])
  })
})

describe('SPARQL-2 results come in the format that Accept likes best', () => {
  const { app: choosing } = fakeApp()
  afterAll(() => choosing.close())
  const [JSON_TYPE, XML_TYPE] = ['application/sparql-results+json', 'application/sparql-results+xml']
  it.each([
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV', 'text/csv'],
    ['text/tab-separated-values', 'text/tab-separated-values'],
    [XML_TYPE, XML_TYPE],
    [`${JSON_TYPE};q=1.0,${XML_TYPE};q=0.7`, JSON_TYPE],
    [`${XML_TYPE};q=0.7, text/csv ; q=0.8`, 'text/csv'],
    [`text/csv, ${JSON_TYPE}`, JSON_TYPE],
    ['text/*', 'text/csv'],
    ['text/csv;q=0, text/*', 'text/tab-separated-values'],
    ['text/csv;q=0.1, */*;q=0.05', 'text/csv'],
    [`${JSON_TYPE};q=0, application/json;q=0, */*`, 'text/csv'],
    ['text/html, image/png', JSON_TYPE],
    ['text/csv;q=nonsense', JSON_TYPE],
    [',;,q=', JSON_TYPE],
  ])('%s -> %s', async (accept, type) => {
    const reply = await choosing.inject({ method: 'GET', url: '/api/sparql?run_id=run-1&query=ASK%7B%7D', headers: { accept } })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`])
    expect(reply.headers['vary']).toBe('accept')
  })

  const as = async (accept: string, query: string): Promise<string> =>
    (await server.send(`${endpoint}&query=${encodeURIComponent(query)}`, { headers: { accept } })).text()

  it('a SELECT reads the same in all four', async () => {
    const { head, results } = JSON.parse(await as(JSON_TYPE, LABELS))
    const values: string[] = results.bindings.map(({ label }: { label: { value: string } }) => label.value)
    expect([head.vars, values.length]).toEqual([['label'], 2])
    expect(await as('text/csv', LABELS)).toBe(`label\r\n${values.map((value) => `${value}\r\n`).join('')}`)
    expect(await as('text/tab-separated-values', LABELS)).toBe(`?label\n${values.map((value) => `"${value}"\n`).join('')}`)
    expect([...(await as(XML_TYPE, LABELS)).matchAll(/<literal>(.*?)<\/literal>/g)].map(([, value]) => value)).toEqual(values)
  })

  it('an ASK too', async () => {
    expect(JSON.parse(await as(JSON_TYPE, 'ASK { ?s ?p ?o }'))).toEqual({ head: {}, boolean: true })
    expect(await as(XML_TYPE, 'ASK { ?s <urn:nothing> ?o }')).toContain('<boolean>false</boolean>')
    expect(await as('text/csv', 'ASK { ?s ?p ?o }')).toBe('true')
    expect(await as('text/tab-separated-values', 'ASK { ?s <urn:nothing> ?o }')).toBe('false')
  })

  it('the same query gives the same bytes', async () => {
    const query = 'SELECT * WHERE { ?s ?p ?o . ?o ?q ?z }'
    expect(await as('text/csv', query)).toBe(await as('text/csv', query))
  })

  it('a failure is a problem, whatever Accept says', async () => {
    const reply = await server.send(endpoint, direct('SELECT', 'text/csv'))
    expect(reply.headers.get('content-type')).toContain('application/problem+json')
  })
})

describe('SPARQL-4 an ordinary client of the protocol is served', () => {
  type Term = { readonly termType: string; readonly value: string; readonly language?: string; readonly datatype?: { readonly value: string } }
  type Row = Readonly<Record<string, Term>>
  const PREFIXES = `PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
    PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>`
  const client = (options: ConstructorParameters<typeof SparqlEndpointFetcher>[0] = {}) =>
    new SparqlEndpointFetcher({ defaultHeaders: new Headers({ authorization: 'Bearer ann' }), ...options })
  const select = async (query: string, fetcher = client(), path = endpoint): Promise<Row[]> =>
    Array.fromAsync((await fetcher.fetchBindings(server.origin + path, `${PREFIXES} ${query}`)) as unknown as AsyncIterable<Row>)

  const graph = () => ({ additionalUrlParams: new URLSearchParams({ subgraph_id: answer.subgraph.id! }) })
  it.each<[string, () => [Parameters<typeof client>[0], string]]>([
    ['as a form', () => [{}, endpoint]],
    ['as a form that names the graph', () => [graph(), '/api/sparql']],
    ['as the query itself', () => [{ directPost: true }, endpoint]],
    ['in the URL', () => [{ method: 'GET', ...graph() }, '/api/sparql']],
  ])('SELECT, %s', async (_, how) => {
    const [options, path] = how()
    const rows = await select('SELECT ?s ?label { ?s rdfs:label ?label } ORDER BY ?s', client(options), path)
    expect(rows.length).toBeGreaterThan(3)
    for (const { s, label } of rows) expect([s!.termType, label!.termType]).toEqual(['NamedNode', 'Literal'])
    // a record is called in the graph what its citation calls it
    expect(rows.map(({ s }) => s!.value)).toEqual(expect.arrayContaining(answer.citations.slice(0, 3).map(({ iri }) => iri)))
  })

  it('literals come with their types', async () => {
    const types = await select('SELECT DISTINCT (datatype(?o) AS ?type) { ?s ?p ?o FILTER(isLiteral(?o)) } ORDER BY ?type')
    const names = types.map(({ type }) => type!.value.split('#')[1])
    expect(names).toEqual(expect.arrayContaining(['dateTime', 'string']))
    const [first] = await select('SELECT ?o { ?s ?p ?o FILTER(datatype(?o) = xsd:dateTime) } ORDER BY ?o LIMIT 1')
    expect(first!['o']).toMatchObject({ termType: 'Literal', datatype: { value: 'http://www.w3.org/2001/XMLSchema#dateTime' } })
    expect(Date.parse(first!['o']!.value)).not.toBeNaN()
    const [tagged] = await select('SELECT (STRLANG("Übersicht", "de") AS ?o) {}')
    expect(tagged!['o']).toMatchObject({ value: 'Übersicht', language: 'de' })
  })

  it('derived triples name what they were derived from, record by record', async () => {
    const rows = await select('SELECT DISTINCT ?fact ?premise { ?fact prov:wasDerivedFrom ?premise } ORDER BY ?fact ?premise')
    expect(rows.length).toBeGreaterThan(answer.inferred.length)
    const records = new Set((await select('SELECT DISTINCT ?s { ?s a ?class }')).map(({ s }) => s!.value))
    const premises = new Set(rows.map(({ premise }) => premise!.value))
    expect([...premises].some((iri) => records.has(iri))).toBe(true)
    const cited = answer.inferred.flatMap(({ derived_from }) => derived_from).filter((iri) => records.has(iri))
    expect(cited.length).toBeGreaterThan(0)
    for (const iri of cited) expect(premises).toContain(iri)
  })

  it('ASK', async () => {
    const ask = (query: string) => client().fetchAsk(server.origin + endpoint, `${PREFIXES} ${query}`)
    expect(await ask('ASK { ?fact prov:wasDerivedFrom ?premise }')).toBe(true)
    expect(await ask('ASK { ?s <urn:nothing> ?o }')).toBe(false)
  })

  it('CONSTRUCT and updates are refused, and so is a client without a token', async () => {
    await expect(client().fetchTriples(server.origin + endpoint, 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }')).rejects.toThrow('422')
    await expect(client().fetchUpdate(server.origin + endpoint, 'DELETE WHERE { ?s ?p ?o }')).rejects.toThrow('415')
    await expect(new SparqlEndpointFetcher().fetchAsk(server.origin + endpoint, 'ASK {}')).rejects.toThrow('401')
  })
})

describe('SPARQL-5 a result is whole or refused', () => {
  const MANY = '?a ?b ?c . ?d ?e ?f . ?g ?h ?i'

  it('more rows than the limit are refused with what to do, and a page of them is given', async () => {
    const reply = await server.send(endpoint, direct(`SELECT * { ${MANY} }`))
    expect([reply.status, await reply.json()]).toEqual([422, expect.objectContaining({ code: 'unsupported_query', hint: expect.stringContaining('LIMIT') })])
    const page = await server.send(endpoint, direct(`SELECT ?a { ${MANY} } LIMIT 10000`, 'text/csv'))
    expect([page.status, (await page.text()).split('\r\n').length]).toEqual([200, 10_002])
    expect(await counted(await server.send(endpoint, direct('SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f }')))).toBe(answer.subgraph.count ** 2)
  }, 30_000)

  it('eighty at once are each answered right or told to come back', async () => {
    const replies = await Promise.all(Array.from({ length: 80 }, () => server.send(endpoint, direct('ASK {}'))))
    for (const reply of replies) {
      if (reply.status === 429) expect(reply.headers.get('retry-after')).toBe('1')
      else expect([reply.status, await reply.json()]).toEqual([200, { head: {}, boolean: true }])
    }
    // two are at work and sixty-two may wait
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(1)
    expect(await counted(await server.send(endpoint, direct(COUNT)))).toBe(answer.subgraph.count)
  }, 60_000)
})

describe('TRUST-1 a subgraph belongs to the caller and ceiling that made it', () => {
  const ask = (who: string, path: string): Promise<Response> => server.send(path, { ...direct(COUNT), who })

  /** All that a caller could tell two refusals apart by. */
  const refusal = async (reply: Response) => {
    const body = (await reply.json()) as object
    return { status: reply.status, body: { ...body, request_id: null } }
  }

  it.each(['in memory', 'in the store'])('%s: another caller, a lower grant and an unknown id hear the same', async (where) => {
    const high = await server.search({ max_tier: 'Restricted' })
    if (where === 'in the store') server.wait(16 * MINUTE)
    const unknown = await refusal(await ask('bob', `/api/sparql?subgraph_id=${'0'.repeat(59)}`))
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const target of [`subgraph_id=${high.subgraph.id}`, `run_id=${high.run_id}`]) {
      for (const who of ['bob', 'ann-low']) expect(await refusal(await ask(who, `/api/sparql?${target}`))).toEqual(unknown)
      expect(await counted(await ask('ann', `/api/sparql?${target}`))).toBe(high.subgraph.count)
    }
    expect(await refusal(await ask('ann', `/api/sparql?subgraph_id=${high.subgraph.id!.slice(0, -1)}`))).toEqual(unknown)
    expect(await refusal(await ask('ann', `/api/sparql?subgraph_id=${high.run_id}.`))).toEqual(unknown)
  })

  it('databases that differ only above the ceiling give the same bytes, from memory and from the store', async () => {
    const [one, two] = [await serve(), await serve()]
    try {
      two.world.change(`update customer set contact_email = 'twin-' || contact_email, contact_phone = '+49 000 ' || id,
        contact_name = 'Twin ' || id, contract_value = contract_value * 3 + 1;
        update sla set penalty_per_hour = penalty_per_hour * 2 + 7`)
      const everything = async (twin: Server, max_tier: Tier, later: boolean) => {
        const { subgraph } = await twin.search({ max_tier })
        if (later) twin.wait(16 * MINUTE)
        const asked = [
          ['application/sparql-results+json', 'SELECT * { ?s ?p ?o }'],
          ['text/csv', 'SELECT (COUNT(?o) AS ?n) (MAX(STR(?o)) AS ?last) { ?s ?p ?o }'],
          ['application/sparql-results+xml', 'ASK { ?s ?p ?o FILTER(CONTAINS(STR(?o), "win")) }'],
          ['text/csv', 'SELECT * { nonsense'],
        ] as const
        const path = `/api/sparql?subgraph_id=${subgraph.id}`
        const replies = await Promise.all(asked.map(([accept, query]) => twin.send(path, direct(query, accept))))
        const bodies = await Promise.all(replies.map((reply) => reply.text()))
        return bodies.map((body, at) => [replies[at]?.status, body.replaceAll(/"request_id":"[^"]*"/g, '')])
      }
      for (const later of [false, true]) {
        expect(await everything(two, 'Internal', later)).toEqual(await everything(one, 'Internal', later))
      }
      expect(await everything(two, 'Restricted', false)).not.toEqual(await everything(one, 'Restricted', false))
    } finally {
      await one.close()
      await two.close()
    }
  }, 60_000)
})

describe('SPARQL-3 a subgraph that left memory comes back from the stored run', () => {
  const ask = ({ subgraph, run_id }: SearchAnswer, by: 'run' | 'graph') =>
    server.send(by === 'run' ? `/api/sparql?run_id=${run_id}` : `/api/sparql?subgraph_id=${subgraph.id}`, direct(COUNT))

  it('after a quarter of an hour, and after a restart', async () => {
    const made = await server.search()
    server.wait(16 * MINUTE)
    for (const by of ['run', 'graph'] as const) expect(await counted(await ask(made, by))).toBe(made.subgraph.count)
    await server.restart()
    for (const by of ['run', 'graph'] as const) expect(await counted(await ask(made, by))).toBe(made.subgraph.count)
  })

  it('not for a run that made none', async () => {
    const { run_id } = await server.search({ materialize: false })
    expect(await failure(await server.send(`/api/sparql?run_id=${run_id}`, direct(COUNT)))).toEqual([404, 'not_found'])
  })

  it('not where the source is now held to a lower tier, or gone', async () => {
    const made = await server.search({ max_tier: 'Restricted' })
    const lower = { path: server.world.database, flavor: 'network-ops', max_tier: 'Internal' as const }
    for (const sources of [{ 'network-ops': lower }, {}]) {
      await server.restart((project) => ({ ...project, config: { ...project.config, sources } as Project['config'] }))
      expect(await failure(await ask(made, 'graph'))).toEqual([404, 'not_found'])
    }
    await server.restart()
    expect(await counted(await ask(made, 'graph'))).toBe(made.subgraph.count)
  })

  it('not once a column in it lies above its ceiling', async () => {
    const made = await server.search()
    server.wait(16 * MINUTE)
    expect(await counted(await ask(made, 'graph'))).toBe(made.subgraph.count)
    const row = { target_type: 'column', table_name: 'customer', column_name: 'name', sensitivity_tier: 'Restricted' }
    expect((await server.send('/api/metadata', { ...json({ rows: [row] }), method: 'PUT' })).status).toBe(200)
    for (const by of ['run', 'graph'] as const) expect(await failure(await ask(made, by))).toEqual([404, 'not_found'])
  })
})
