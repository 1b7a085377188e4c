import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SearchAnswer, STAGES } from '../src/contracts/index.ts'
import { QUESTION, type World, caller, newWorld, problemOf } from './support.ts'

/** The independent truth: a recursive query that knows nothing of rules. */
const AT_RISK = readFileSync(new URL('../examples/network-ops/at-risk.sql', import.meta.url), 'utf8')

let world: World
beforeAll(() => {
  world = newWorld()
})
afterAll(() => world.close())

const expected = (at: World = world) =>
  at
    .query(AT_RISK)
    .filter((row) => row['resource'] === 'crt-07')
    .map((row) => String(row['customer']))
    .toSorted()
const customersIn = (answer: SearchAnswer) =>
  [...new Set(answer.claims.slice(1).map(({ text }) => text.split(' is at risk from ')[0] ?? ''))].toSorted()

describe('the flagship question', () => {
  it('SEARCH-1 names exactly the customers that a hand-written query finds', async () => {
    const answer = await world.ask(QUESTION)
    expect(answer.status).toBe('ok')
    expect(expected().length).toBeGreaterThan(3)
    expect(customersIn(answer)).toEqual(expected())
  })

  it('SEARCH-2 passes the five stages in order and ends in exactly one answer', async () => {
    const events = await world.events(QUESTION)
    expect(events[0]?.event).toBe('run')
    expect(events.filter(({ event }) => event === 'stage').map(({ data }) => (data as { stage: string }).stage)).toEqual([...STAGES])
    expect(events.filter(({ event }) => event === 'answer')).toHaveLength(1)
    expect(events.at(-1)?.event).toBe('answer')
  })

  it('SEARCH-3 supports every claim with records that exist, the rules that fired and the SQL that ran', async () => {
    const answer = await world.ask(QUESTION)
    const numbers = new Set(answer.citations.map(({ n }) => n))
    for (const claim of answer.claims) {
      expect(claim.verified).toBe(true)
      expect(claim.citations.length).toBeGreaterThan(0)
      for (const n of claim.citations) expect(numbers.has(n)).toBe(true)
      expect(claim.rule_ids).toContain('at-risk')
      for (const [query, from, to] of claim.sql_spans) expect(answer.executed_queries[query]?.sql.slice(from, to)).toMatch(/^select /)
    }
    for (const { source_table, key } of answer.citations) {
      const where = Object.entries(key).map(([column, value]) => `"${column}" = '${value}'`).join(' and ')
      expect(world.query(`select 1 from "${source_table}" where ${where}`)).toHaveLength(1)
    }
  })

  it('SEARCH-4 gives the same answer twice, but for ids and times', async () => {
    const [first, second] = [await world.ask(QUESTION), await world.ask(QUESTION)]
    expect(timeless(second)).toEqual(timeless(first))
  })

  it('SEARCH-5 never writes to the source', async () => {
    const hash = () => createHash('sha256').update(readFileSync(world.database)).digest('hex')
    const before = hash()
    await world.ask(QUESTION, { materialize: true })
    expect(hash()).toBe(before)
  })
})

describe('changing the data changes the answer', () => {
  it.each([
    {
      name: 'clearing the alarms of crt-07 leaves nobody at risk',
      sql: `update alarm set state = 'cleared' where resource_id = (select id from resource where name = 'crt-07')`,
    },
    {
      name: 'a redundant path takes its customers out of the answer',
      sql: `insert into service_resource (service_id, resource_id)
            select s.id, r.id from service s, resource r where s.name = 'MPLS VPN North' and r.name = 'crt-08'`,
    },
    {
      name: 'an expired subscription takes its customer out of the answer',
      sql: `update subscription set status = 'expired' where customer_id = (select id from customer where name = 'Harbor Bank')`,
    },
    {
      name: 'a maintenance window that begins takes its service out of the answer',
      sql: `update maintenance_window set state = 'in_progress' where service_id = (select id from service where name = 'Video Backhaul')`,
    },
  ])('SEARCH-6 $name', async ({ sql }) => {
    const own = newWorld()
    try {
      const before = await own.ask(QUESTION)
      own.change(sql)
      const after = await own.ask(QUESTION)
      expect(expected(own)).not.toEqual(customersIn(before))
      if (expected(own).length === 0) {
        expect(after.status).toBe('empty')
        expect(after.claims.map(({ kind }) => kind)).toEqual(['none_found'])
        expect(after.answer).toMatch(/^None of the customers are at risk from crt-07/)
      } else expect(customersIn(after)).toEqual(expected(own))
    } finally {
      await own.close()
    }
  })
})

describe('counts and lists', () => {
  it.each([
    { question: 'How many alarms are open?', sql: `select count(*) n from alarm where state = 'open'` },
    { question: 'How many critical alarms are open?', sql: `select count(*) n from alarm where state = 'open' and severity = 'critical'` },
    { question: 'How many routers are degraded?', sql: `select count(*) n from resource where kind = 'router' and status = 'degraded'` },
  ])('$question', async ({ question, sql }) => {
    const answer = await world.ask(question)
    expect(answer.results.rows).toEqual([[world.query(sql)[0]?.['n']]])
    expect(answer.claims[0]?.kind).toBe('aggregate')
    expect(answer.claims[0]?.support_count).toBe(world.query(sql)[0]?.['n'])
  })

  it('shows the part of the SQL that a claim rests on', async () => {
    const answer = await world.ask('How many alarms are open?')
    const shown = answer.claims[0]?.sql_spans.map(([query, from, to]) => answer.executed_queries[query]?.sql.slice(from, to))
    expect(shown).toEqual(['count(*) as "count"', '"t0"."state" = ?'])
  })

  it('says so when nothing is found, and cites the query', async () => {
    const answer = await world.ask('Which alarms are open?', {
      plan: { intent: 'list', from: 'Alarm', select: [{ path: ['severity'] }], where: [{ path: ['state'], op: '=', value: 'no such state' }] },
    })
    expect(answer.status).toBe('empty')
    expect(answer.claims[0]).toMatchObject({ kind: 'none_found', sql_spans: [[0, 0, answer.executed_query.length]] })
  })
})

describe('it refuses rather than guesses', () => {
  it('names the words it does not know and runs nothing', async () => {
    const answer = await world.ask('List the frobnicators of crt-07')
    expect(answer).toMatchObject({ status: 'ungrounded', executed_query: '', claims: [] })
    expect(answer.answer).toContain('"frobnicators"')
  })

  it('is blocked by a column above the ceiling but within the grant, and does not know it above the grant', async () => {
    const question = 'What is the contact email of customers?'
    expect((await world.ask(question)).status).toBe('blocked')
    const low = await world.ask(question, {}, caller('Internal'))
    const unknown = await world.ask('What is the contact zzzzz of customers?', {}, caller('Internal'))
    expect(low.status).toBe('ungrounded')
    expect(low.answer.replace('email', 'zzzzz')).toBe(unknown.answer)
    expect((await world.ask(question, { max_tier: 'Restricted', limit: 3 })).status).toBe('ok')
  })

  it('lowers a ceiling above the grant and says so', async () => {
    const answer = await world.ask('What is the contact email of customers?', { max_tier: 'Restricted' }, caller('Internal'))
    expect(answer.status).toBe('ungrounded')
    expect(answer.warnings.join()).toContain('lowered to Internal')
  })

  it.each([
    { name: 'an unknown flavor', options: { flavor: 'netops' }, code: 'unknown_flavor' },
    { name: 'a flavor that is a path', options: { flavor: '../../etc/passwd' }, code: 'unknown_flavor' },
    { name: 'a database that is not configured', options: { db_path: '/etc/passwd' }, code: 'source_not_allowed' },
    { name: 'an unknown provider', options: { providers: 'skynet' }, code: 'unknown_provider' },
    { name: 'a provider without its key', options: { providers: 'openai' }, code: 'provider_not_ready' },
    { name: 'a plan with unknown terms', options: { plan: { intent: 'list', from: 'Customer', select: [{ path: ['shoe_size'] }] } }, code: 'invalid_request' },
    {
      name: 'a plan that names a column above the ceiling',
      options: { plan: { intent: 'list', from: 'Customer', select: [{ path: ['name'] }], where: [{ path: ['contact_email'], op: 'like', value: 'a%' }] } },
      code: 'invalid_request',
    },
  ] as const)('$name is $code', async ({ options, code }) => {
    expect(problemOf(await world.events(QUESTION, options as never)).code).toBe(code)
  })

  it('is switched off without SERVICE_SEARCH', async () => {
    const off = newWorld({ env: {} })
    try {
      expect(problemOf(await off.events(QUESTION)).code).toBe('search_disabled')
    } finally {
      await off.close()
    }
  })
})

describe('the subgraph', () => {
  const select = 'SELECT ?c ?premise WHERE { ?st rdf:predicate :at_risk ; rdf:subject ?c ; prov:wasDerivedFrom ?premise }'
  const prefixes =
    'PREFIX : <https://enterprise.example/ontology#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> PREFIX prov: <http://www.w3.org/ns/prov#> '

  it('answers SPARQL over records and derivations, for the caller who made it only', async () => {
    const answer = await world.ask(QUESTION, { materialize: true })
    expect(answer.subgraph.count).toBeGreaterThan(50)
    const { value } = await world.service.sparql({ runId: answer.run_id, query: prefixes + select }, caller())
    const customers = new Set(JSON.parse(value).results.bindings.map((row: { c: { value: string } }) => row.c.value))
    expect(customers.size).toBe(expected().length)
    const other = caller('Restricted', 'somebody else')
    await expect(world.service.sparql({ runId: answer.run_id, query: select }, other)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('has none unless asked to', async () => {
    expect((await world.ask(QUESTION)).subgraph).toMatchObject({ id: null, count: 0 })
  })

  it.each(['DELETE WHERE { ?s ?p ?o }', 'CONSTRUCT WHERE { ?s ?p ?o }', 'SELECT * { SERVICE SILENT <http://127.0.0.1:1/> { ?s ?p ?o } }',
    'SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }', 'SELECT * WHER', `SELECT * ${'{'.repeat(80)}${'}'.repeat(80)}`])(
    'refuses %s',
    async (query) => {
      const answer = await world.ask(QUESTION, { materialize: true })
      await expect(world.service.sparql({ runId: answer.run_id, query }, caller())).rejects.toMatchObject({ code: 'unsupported_query' })
    },
  )
})

/** An answer without what may differ between two runs: its ids and its times. */
function timeless(answer: SearchAnswer): unknown {
  return JSON.parse(
    JSON.stringify({ ...answer, run_id: '', timings_ms: {}, subgraph: { ...answer.subgraph, id: null } }, (key, value: unknown) => (key === 'ms' ? 0 : value)),
  )
}
