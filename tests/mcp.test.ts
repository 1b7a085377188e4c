import { resolve } from 'node:path'
import { Client, type Progress, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SearchAnswer } from '../src/contracts/index.ts'
import { BASE, graphWorld } from './support-graph.ts'
import type { HttpWorld } from './support-http.ts'

/** The official client over both transports and both generations of the protocol, on the network example with an incident. */
const NAMES = ['explain', 'rca', 'rule_preview', 'search', 'sparql', 'vocabulary']
const REVISIONS = [['2025', 'legacy'], ['2026', 'auto']] as const
const RULE = { kind: 'sparql', body: `PREFIX : <${BASE}>\nCONSTRUCT { ?a :urgent true }\nWHERE { ?a a :Alarm ; :Alarm.severity "critical" }` }

let world: HttpWorld
let url: string
const clients: Client[] = []
/** replies that are not at their end */
const open = new Set<object>()

beforeAll(async () => {
  world = await graphWorld()
  world.app.server.on('request', (_request, reply) => {
    open.add(reply)
    reply.once('close', () => open.delete(reply))
  })
  url = `${await world.app.listen({ port: 0, host: '127.0.0.1' })}/mcp`
})
afterAll(async () => {
  for (const client of clients) await client.close()
  expect(open.size).toBe(0)
  world.app.server.closeAllConnections() // those that were opened ahead and never used
  await world.close()
})

const newClient = (mode: 'legacy' | 'auto'): Client => {
  const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } })
  clients.push(client)
  return client
}

async function overHttp(who: string, mode: 'legacy' | 'auto' = 'auto'): Promise<Client> {
  const client = newClient(mode)
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${who}` } } }))
  return client
}

/** Everything that the process wrote to standard output went through the client, which reports what it cannot read. */
async function overPipe(env: Record<string, string>, ...args: string[]): Promise<{ client: Client; faults: Error[] }> {
  const client = newClient('legacy')
  const faults: Error[] = []
  // oxlint-disable-next-line prefer-add-event-listener -- it has no other way
  client.onerror = (error) => faults.push(error)
  const command = { command: process.execPath, args: [resolve('bin/wherefore.js'), 'mcp', ...args], cwd: world.folder, env, stderr: 'ignore' as const }
  await client.connect(new StdioClientTransport(command))
  return { client, faults }
}

const call = async (client: Client, name: string, given: Record<string, unknown>) => {
  const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: given })
  const [first] = content
  expect(JSON.parse(first?.type === 'text' ? first.text : '')).toEqual(structuredContent)
  // oxlint-disable-next-line no-explicit-any -- whatever the tool says
  return { isError, value: structuredContent as any }
}

async function callsEveryTool(client: Client): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).toSorted()).toEqual(NAMES)
  for (const { description, inputSchema } of tools) {
    expect(description).toMatch(/Returns: /)
    expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object), additionalProperties: false })
  }
  const { value: answer } = await call(client, 'search', { question: 'How many alarms are open?', materialize: true })
  expect(answer).toMatchObject({ status: 'ok', claims: [{ verified: true }], executed_query: expect.stringContaining('select') })
  expect(answer.citations.length).toBeGreaterThan(0)
  const query = 'SELECT ?s WHERE { ?s ?p ?o } LIMIT 3'
  const rows = await call(client, 'sparql', { subgraph_id: answer.subgraph.id, query })
  expect(rows.value.results.bindings).toHaveLength(3)
  const { value: terms } = await call(client, 'vocabulary', { q: 'alarm' })
  expect(terms.classes.map(({ qname }: { qname: string }) => qname)).toContain(':Alarm')
  expect(JSON.stringify(terms.classes)).not.toContain(':Customer')
  const why = await call(client, 'explain', { subject: 'record:e3', predicate: ':hasCause', object: 'record:e2' })
  expect(why.value).toMatchObject({ asserted: false, derivations: [{ rule: 'causal-bgppeerlost-nfheartbeatlost' }, {}] })
  const { value: cause } = await call(client, 'rca', { event: 'NfHeartbeatLost' })
  expect(cause.chain.map(({ event }: { event: string }) => event.slice(-2))).toEqual(['e1', 'e2', 'e3'])
  const { value: preview } = await call(client, 'rule_preview', { rule: RULE })
  expect([preview.count > 0, preview.errors]).toEqual([true, []])
}

describe('MCP over HTTP', () => {
  it('MCP-1 the official client lists and calls every tool', async () => {
    const client = await overHttp('Restricted')
    expect(client.getServerVersion()?.name).toBe('wherefore')
    expect(client.getInstructions()).toContain('cites the records')
    await callsEveryTool(client)
  })

  it.each(REVISIONS)('MCP-2 a search tells its stages as they are done, revision of %s', async (_year, mode) => {
    const client = await overHttp('Restricted', mode)
    const told: Progress[] = []
    await client.callTool({ name: 'search', arguments: { question: 'How many alarms are open?' } }, { onprogress: (progress) => told.push(progress) })
    expect(told.map(({ progress, total }) => [progress, total])).toEqual([1, 2, 3, 4, 5].map((n) => [n, 5]))
    expect(told[0]?.message).toBe('plan: done')
    expect((await client.listTools()).tools).toHaveLength(NAMES.length)
  })

  it('MCP-3 lists and reads the output files within the ceiling; what is above it is not there', async () => {
    const [all, few] = [await overHttp('Restricted'), await overHttp('Public')]
    const { resources } = await all.listResources()
    const uri = 'wherefore://files/ontology/enterprise.ttl'
    expect(resources.find((each) => each.uri === uri)).toMatchObject({ mimeType: expect.stringContaining('turtle'), size: expect.any(Number) })
    const { contents } = await all.readResource({ uri })
    expect(contents[0]).toMatchObject({ uri, text: expect.stringContaining('owl:Class') })
    expect((await few.listResources()).resources).toEqual([])
    const refusals = await Promise.all([uri, 'wherefore://files/none.ttl', 'file:///etc/passwd', 'wherefore://files/../wherefore.json'].map(async (each) => {
      const refused: unknown = await few.readResource({ uri: each }).catch((error: unknown) => error)
      return String(refused)
    }))
    expect([...new Set(refusals)]).toEqual([expect.stringContaining('nothing here by that name')])
    expect((await all.listResourceTemplates()).resourceTemplates).toHaveLength(1)
  })

  it('MCP-4 a caller sees nothing above the grant, whatever max_tier says', async () => {
    const [all, few] = [await overHttp('Restricted'), await overHttp('Internal')]
    const seen = async (client: Client, name: string, given: object) => JSON.stringify(await call(client, name, { ...given, max_tier: 'Restricted' }))
    expect(await seen(all, 'vocabulary', {})).toContain('contact_email')
    expect(await seen(few, 'vocabulary', {})).not.toContain('contact_email')
    const email = { question: 'What is the contact email of the customers?' }
    expect(await seen(all, 'search', email)).toContain('"status":"ok"')
    expect(await seen(few, 'search', email)).toMatch(/"status":"(ungrounded|clarify)"/)
    expect(await seen(all, 'rca', { event: 'NfDeregister' })).toContain('"isError":false')
    expect(await seen(few, 'rca', { event: 'NfDeregister' })).toContain('"code":"not_found"')
  })

  it.each([
    ['search', { question: 'x', frob: 1 }, 'invalid_request', 'frob'],
    ['search', { question: '' }, 'invalid_request', 'question'],
    ['search', { question: 'x', db_path: '/etc/passwd' }, 'source_not_allowed', ''],
    ['search', { question: 'x', flavor: 'nope' }, 'unknown_flavor', ''],
    ['search', { question: 'x', context: 'x'.repeat(70_000) }, 'payload_too_large', ''],
    ['sparql', { query: 'ASK { ?s ?p ?o }' }, 'invalid_request', 'exactly one'],
    ['sparql', { run_id: 'none', query: 'ASK { ?s ?p ?o }' }, 'not_found', ''],
    ['explain', { subject: 'a', predicate: 'b', object: 'c', depth: 9 }, 'invalid_request', 'depth'],
    ['explain', { subject: 'record:e3', predicate: ':hasCause', object: 'record:none' }, 'not_found', ''],
    ['rca', {}, 'invalid_request', 'event'],
    ['rule_preview', { rule: { ...RULE, more: 1 } }, 'invalid_request', 'rule.more'],
    ['vocabulary', { max_tier: 'Secret' }, 'invalid_request', 'max_tier'],
  ])('MCP-5 %s is refused with a problem of the table: %$', async (name, given, code, word) => {
    const { isError, value } = await call(await overHttp('Restricted'), name, given)
    expect([isError, value.code, value.type]).toEqual([true, code, `urn:wherefore:problem:${code}`])
    expect(JSON.stringify(value)).toContain(word)
  })

  it('an unknown tool is an error of the protocol', async () => {
    await expect((await overHttp('Restricted')).callTool({ name: 'drop_tables' })).rejects.toThrow('no such tool; there are search, ')
  })

  it('MCP-6 a client that cancels ends the search', async () => {
    const client = await overHttp('Restricted')
    const leaving = new AbortController()
    const onprogress = () => leaving.abort()
    const given = { question: 'Which customers are at risk from the degraded core router crt-07, and why?' }
    const asked = client.callTool({ name: 'search', arguments: given }, { signal: leaving.signal, onprogress })
    await expect(asked).rejects.toThrow()
    await vi.waitFor(async () => expect((await world.call('GET', '/metrics')).body).toMatch(/requests_total\{status="cancelled",provider="embedded"\} 1/))
  })

  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  it.each([
    ['no token', message, { authorization: '' }, 401, 'unauthenticated'],
    ['a token without the role', message, { authorization: 'Bearer Internal:reviewer' }, 403, 'forbidden_role'],
    ['a foreign Host', message, { host: 'evil.example' }, 403, 'forbidden_origin'],
    ['a foreign Origin', message, { origin: 'https://evil.example' }, 403, 'forbidden_origin'],
    ['several messages at once', [message, message], {}, 400, 'invalid_request'],
    ['another content type', 'x', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ])('MCP-7 %s is refused before anything is read', async (_what, payload, headers, status, code) => {
    const accept = 'application/json, text/event-stream'
    const reply = await world.call('POST', '/mcp', 'Restricted', payload, { accept, ...headers })
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })

  it('GET has nothing to offer, and says what has', async () => {
    const reply = await world.call('GET', '/mcp')
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'POST'])
  })
})

describe('MCP over standard input and output', () => {
  it('MCP-1 the official client lists and calls every tool, and nothing else is printed', { timeout: 60_000 }, async () => {
    const { client, faults } = await overPipe({ SERVICE_SEARCH: '1' })
    await callsEveryTool(client)
    const { value } = await call(client, 'search', { question: 'x', db_path: '/etc/passwd' })
    expect(value.code).toBe('source_not_allowed')
    const told: Progress[] = []
    const asked = client.callTool({ name: 'search', arguments: { question: 'How many alarms are open?' } }, { onprogress: (each) => told.push(each) })
    expect((await asked).structuredContent as unknown as SearchAnswer).toMatchObject({ status: 'ok' })
    expect(told).toHaveLength(5)
    expect(faults).toEqual([])
  })

  it('MCP-8 --max-tier is the most a client may see; without SERVICE_SEARCH search and sparql are off', { timeout: 60_000 }, async () => {
    const { client } = await overPipe({}, '--max-tier', 'Internal')
    const { value } = await call(client, 'vocabulary', { max_tier: 'Restricted' })
    expect(JSON.stringify(value)).not.toContain('contact_email')
    for (const [name, given] of [['search', { question: 'x' }], ['sparql', { run_id: 'x', query: 'ASK {}' }]] as const) {
      expect((await call(client, name, given)).value.code).toBe('search_disabled')
    }
  })
})
