/** Logs and tables in one graph: names in log lines are records, and what follows from an event reaches customers. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'n3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateLogs } from '../examples/log-rca/generate.ts'
import type { Tier } from '../src/contracts/index.ts'
import { type World, caller, newWorld } from './support.ts'

const BASE = 'https://enterprise.example/ontology#'
const RECORD = 'https://enterprise.example/record/'

function writeLogs(world: World, change: (line: string) => string = (line) => line): string {
  const logs = join(world.folder, 'logs')
  mkdirSync(logs, { recursive: true })
  for (const { file, text } of generateLogs()) {
    writeFileSync(join(logs, file), text.split('\n').map((line) => (line === '' ? line : change(line))).join('\n'))
  }
  return logs
}

const output = (world: World, name: string): string => readFileSync(join(world.folder, 'output', 'ontology', name), 'utf8')
const linesOf = async (world: World, phase: string, options: Parameters<World['service']['runPhase']>[1] = {}) =>
  (await world.service.runPhase(phase, options)).flatMap(({ lines }) => lines)

async function approved(world: World, change?: (line: string) => string): Promise<void> {
  await world.service.runPhase('mine', { logPath: writeLogs(world, change) })
  const { candidates } = world.service.candidates({ kind: 'LOG_CAUSAL_EDGE', status: 'PENDING', limit: 200 }, caller()).value
  for (const { pid } of candidates) world.service.decide(pid, 'approve', {}, caller())
}

/** name -> its objects, of one subject or of all */
function graphOf(text: string) {
  const quads = new Parser().parse(text)
  const objects = (subject: string, property: string): string[] =>
    quads.filter((q) => q.subject.value === subject && q.predicate.value === property).map((q) => q.object.value)
  const subjects = (property: string, object: string): string[] =>
    quads.filter((q) => q.object.value === object && q.predicate.value === property).map((q) => q.subject.value)
  return { objects, subjects }
}
const A = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'

describe('logs beside a database', () => {
  let world: World
  beforeAll(async () => {
    world = newWorld()
    await approved(world)
    for (const phase of ['2', 'abox', 'reason']) await world.service.runPhase(phase, {})
  }, 60_000)
  afterAll(() => world.close())

  it('the crt-07 of a log line is the router of the database, and its customers are a walk away', () => {
    const { objects, subjects } = graphOf(output(world, 'materialised.ttl'))
    const [router] = world.query("select id from resource where name = 'crt-07'").map(({ id }) => `${RECORD}Resource/${String(id)}`)
    const down = subjects(`${BASE}onEntity`, `${RECORD}entity/node/crt-07`).filter((event) => objects(event, A).includes(`${BASE}LinkDown`))
    expect(down).toHaveLength(3)
    for (const event of down) expect(objects(event, `${BASE}involves`)).toEqual([router])
    const services = subjects(`${BASE}ServiceResource.resource`, router!).flatMap((row) => objects(row, `${BASE}ServiceResource.service`))
    const customers = new Set(services.flatMap((service) => subjects(`${BASE}Subscription.service`, service)).flatMap((row) => objects(row, `${BASE}Subscription.customer`)))
    const [expected] = world.query(`select count(distinct customer_id) n from subscription join service_resource using (service_id)
      join resource on resource.id = resource_id where resource.name = 'crt-07'`)
    expect(customers.size).toBe(expected?.['n'])
    expect(customers.size).toBeGreaterThan(0)
  })

  it('every instance says in which line it stands, and the line is about what it says', () => {
    const { objects, subjects } = graphOf(output(world, 'log-events.ttl'))
    const lost = subjects(A, `${BASE}BgpPeerLost`)
    expect(lost).toHaveLength(7)
    for (const event of lost) {
      const [file = '', offset = ''] = ['logFile', 'logOffset'].flatMap((name) => objects(event, BASE + name))
      const line = readFileSync(join(world.folder, 'logs', file)).subarray(Number(offset)).toString('utf8').split('\n')[0] ?? ''
      expect(line).toContain('bgp peer lost')
      expect(line).toContain(objects(event, `${BASE}startedAt`)[0])
    }
  })

  it('the rules of the database still run beside the events', () => {
    const report = output(world, 'materialisation_report.md')
    expect(report).not.toContain('arguments, at most')
    expect(report).toContain('at-risk')
  })

  it('a file for a lower ceiling knows only what stands below it, names its ceiling, and comes out the same twice', async () => {
    for (const [maxTier, classes] of [['Public', /RequestAccepted/], ['Internal', /NfHeartbeatLost/]] as [Tier, RegExp][]) {
      await world.service.runPhase('2', { maxTier })
      const [events, schema] = [output(world, 'log-events.ttl'), output(world, 'enterprise.ttl')]
      expect(events.startsWith(`# ceiling: ${maxTier}\n`)).toBe(true)
      expect(events).toMatch(classes)
      for (const text of [events, schema]) expect(text).not.toMatch(/LinkDown|BgpPeerLost|NfDeregister|AlarmRaised/)
      await world.service.runPhase('2', { maxTier })
      expect([output(world, 'log-events.ttl'), output(world, 'enterprise.ttl')]).toEqual([events, schema])
    }
  })
})

describe('a name that could be two records', () => {
  it('links nothing and is asked about; the answer links it', async () => {
    const world = newWorld()
    try {
      world.change("insert into site (id, name, city, country) values (990, ' CRT-07', 'Graz', 'AT')")
      await approved(world)
      const told = await linesOf(world, '2')
      expect(told).toContainEqual(expect.stringMatching(/^2 questions about names that could be several records/))
      const linkTo = (record: string) => new RegExp(`:involves\\w+ <${RECORD}${record}>`)
      const router = `Resource/${String(world.query("select id from resource where name = 'crt-07'")[0]?.['id'])}`
      expect(output(world, 'log-events.ttl')).not.toMatch(linkTo(router))
      expect(output(world, 'log-events.ttl')).not.toMatch(linkTo('Site/990'))
      expect(output(world, 'log-events.ttl')).toMatch(/:involvesResourceByName/)
      const { candidates } = world.service.candidates({ kind: 'LOG_RELATIONSHIP', status: 'PENDING', limit: 200 }, caller()).value
      const question = candidates.find(({ name }) => name === 'nodeNamesResource')
      expect(question?.evidence).toMatchObject({ slot: 'node', ambiguous: ['crt-07'] })
      world.service.decide(question!.pid, 'approve', {}, caller())
      await world.service.runPhase('2', {})
      expect(output(world, 'log-events.ttl')).toMatch(linkTo(router))
      expect(output(world, 'enterprise.ttl')).toMatch(/:nodeNamesResource a owl:ObjectProperty ;[^.]*rdfs:range :Resource/)
    } finally {
      await world.close()
    }
  }, 60_000)

  it('a name that only a higher tier could mistake stays linked below it', async () => {
    const world = newWorld()
    try {
      world.change(`create table probe (id integer primary key, tag text not null unique); insert into probe values (1, 'crt-07');
        create table ontology_metadata (target_type text, table_name text, column_name text, sensitivity_tier text);
        insert into ontology_metadata values ('column', 'probe', 'tag', 'Restricted')`)
      await approved(world)
      await world.service.runPhase('2', {})
      const events = output(world, 'log-events.ttl')
      expect(events).toMatch(/:involvesResourceByName <[^>]*Resource\/7>/)
      const { candidates } = world.service.candidates({ kind: 'LOG_RELATIONSHIP', limit: 200 }, caller()).value
      expect(candidates.filter(({ name }) => name === 'nodeNamesProbe').map(({ tier }) => tier)).toEqual(['Restricted'])
    } finally {
      await world.close()
    }
  }, 60_000)
})

describe('phase 2 without approved logs', () => {
  it('writes the same bytes whether logs were mined or not, and no file of events', async () => {
    const texts = await Promise.all([false, true].map(async (mined) => {
      const world = newWorld()
      try {
        if (mined) await world.service.runPhase('mine', { logPath: writeLogs(world) })
        await world.service.runPhase('2', {})
        expect(existsSync(join(world.folder, 'output', 'ontology', 'log-events.ttl'))).toBe(false)
        return [output(world, 'enterprise.ttl'), output(world, 'profile_recommendation.md')]
      } finally {
        await world.close()
      }
    }))
    expect(texts[1]).toEqual(texts[0])
    expect(texts[0]?.[0]).not.toMatch(/CausalEvent|schema:/)
  }, 60_000)
})

it('a clock that jumps is named, and no effect comes before its cause', async () => {
  const world = newWorld()
  try {
    // from nine o'clock on one file lives an hour in the past
    await approved(world, (line) => (line.includes('"bgpd"') ? line.replace('T09:', 'T08:') : line))
    const told = await linesOf(world, '2')
    expect(told).toContainEqual(expect.stringMatching(/^the clock of bgpd\.jsonl jumps back/))
    await world.service.runPhase('reason', {})
    const { objects, subjects } = graphOf(output(world, 'materialised.ttl'))
    const startOf = (event: string) => Date.parse(objects(event, `${BASE}startedAt`)[0] ?? '')
    const effects = subjects(A, `${BASE}CausalEvent`)
    const pairs = effects.flatMap((effect) => objects(effect, `${BASE}hasCause`).map((cause) => startOf(effect) - startOf(cause)))
    expect(pairs.length).toBeGreaterThan(0)
    expect(Math.min(...pairs)).toBeGreaterThan(0)
  } finally {
    await world.close()
  }
}, 60_000)
