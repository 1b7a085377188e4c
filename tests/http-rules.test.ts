import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE, INCIDENT, writeGraph } from './support-graph.ts'
import { type HttpWorld, httpWorld } from './support-http.ts'

/** Rules over HTTP, on the network example with a small graph of causes beside it. */
let world: HttpWorld
const P = `PREFIX : <${BASE}>\n`
const urgent = (severity: string) => ({ kind: 'sparql', body: `${P}CONSTRUCT { ?a :urgent true }\nWHERE { ?a a :Alarm ; :Alarm.severity "${severity}" }` })

beforeAll(async () => {
  world = await httpWorld()
  writeGraph(world.folder, INCIDENT)
})
afterAll(() => world.close())

const put = (id: string, payload: unknown, who = 'Restricted', headers = {}) => world.call('PUT', `/api/rules/${id}`, who, payload, headers)
const files = () => readdirSync(world.folder, { recursive: true }).map(String).filter((name) => !/store\.db/.test(name)).toSorted()

describe('a rule', () => {
  it('is saved, shown, changed and removed; its sentence is written for it', async () => {
    const made = await put('urgent', urgent('critical'))
    expect([made.statusCode, made.json().rule.nl_summary]).toEqual([201, "An alarm is marked urgent when the alarm's severity is critical."])
    const shown = await world.call('GET', '/api/rules/urgent')
    expect(shown.headers['etag']).toBe(made.headers['etag'])
    expect(shown.json()).toMatchObject({ id: 'urgent', kind: 'sparql', source: 'user', read_only: false, tier: 'Internal' })
    expect((await world.call('GET', '/api/session')).json().session.rules.map(({ id }: { id: string }) => id)).toEqual(['urgent'])
    expect((await put('urgent', urgent('major'))).statusCode).toBe(200)
    expect((await world.call('DELETE', '/api/rules/urgent')).json()).toEqual({ removed: 'urgent', warnings: [] })
    expect((await world.call('GET', '/api/rules/urgent')).statusCode).toBe(404)
  })

  it('of two authors at once loses nothing: the second of them is told', async () => {
    const { headers: { etag } } = await put('shared', urgent('critical'))
    const tag = { 'if-match': String(etag) }
    const replies = await Promise.all([put('shared', urgent('major'), 'Restricted', tag), put('shared', urgent('minor'), 'Restricted', tag)])
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412])
    expect((await put('shared', urgent('x'), 'Restricted', { 'if-none-match': '*' })).statusCode).toBe(412)
    expect((await world.call('DELETE', '/api/rules/shared', 'Restricted', undefined, tag)).statusCode).toBe(412)
    const before = (await world.call('GET', '/api/session')).json().version
    expect((await put('shared', urgent('last'))).statusCode).toBe(200)
    expect((await world.call('GET', '/api/session')).json().version).toBe(before + 1)
    const many = await Promise.all(Array.from({ length: 8 }, (_, n) => put(`many-${n}`, urgent(`s${n}`))))
    expect(many.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(201))
    const { rules } = (await world.call('GET', '/api/rules')).json()
    expect(rules.filter(({ id }: { id: string }) => id.startsWith('many-')).length).toBe(8)
    for (let n = 0; n < 8; n += 1) await world.call('DELETE', `/api/rules/many-${n}`)
    await world.call('DELETE', '/api/rules/shared')
  })

  it.each([
    ['that is broken', 'broken', { kind: 'sparql', body: `${P}CONSTRUCT { ?a :urgent true }\nWHERE { ?a a :Alrm }` }, 422, /:Alrm; did you mean :Alarm/],
    ['without a text', 'empty', { kind: 'sparql' }, 422, /write the rule/],
    ['with an unsafe pattern', 'slow', { kind: 'shacl', meta: { target_class: 'Alarm', conditions: [{ path: 'Alarm.severity', op: 'regex', value: '(a)\\1' }], assertion: { path: 'b', value: true } } }, 422, /pattern/],
    ['with a field nobody knows', 'odd', { ...urgent('x'), extra: 1 }, 400, /extra/],
    ['with a path in its id', '..%2f..%2fx', urgent('x'), 422, /rule id/],
    ['under the name of a route', 'coverage', urgent('x'), 422, /reserved/],
    ['under the name of an approved edge', 'causal-a-b', urgent('x'), 422, /approved edges/],
    ['that says it comes from logs', 'logs', { ...urgent('x'), source: 'log-discovery' }, 422, /cannot come/],
    ['in the place of one of a flavor', 'at-risk', urgent('x'), 409, /flavor/],
    ['under another id than its own', 'one', { ...urgent('x'), id: 'two' }, 422, /differ/],
  ])('%s is not saved', async (_what, id, payload, status, cause) => {
    const before = (await world.call('GET', '/api/rules')).body
    const reply = await put(id, payload)
    expect([reply.statusCode, reply.body]).toEqual([status, expect.stringMatching(cause)])
    expect((await world.call('GET', '/api/rules')).body).toBe(before)
  })

  it('is written by authors alone', async () => {
    expect((await put('urgent', urgent('x'), 'Restricted:reader')).statusCode).toBe(403)
    expect((await world.call('DELETE', '/api/rules/urgent', 'Restricted:reviewer')).statusCode).toBe(403)
  })

  it('filled in by slots is written out, and slots are read back from a text', async () => {
    const meta = { target_class: 'Alarm', conditions: [{ path: 'Alarm.severity', op: '=', value: 'critical' }], assertion: { path: 'Alarm.escalated', value: true } }
    const made = await put('escalate', { kind: 'shacl', meta })
    expect(made.json().rule).toMatchObject({ meta, nl_summary: 'An alarm whose severity is critical is marked escalated.' })
    const { body } = made.json().rule
    expect((await world.call('POST', '/api/rules/compile', 'Restricted', { meta, id: 'escalate' })).json()).toEqual({ body })
    expect((await put('escalate', { kind: 'shacl', body })).json().rule.meta).toEqual(meta)
    await world.call('DELETE', '/api/rules/escalate')
  })
})

describe('libraries and coverage', () => {
  it('tell which rules fit, and a rule of a library is added as any other', async () => {
    const { libraries } = (await world.call('GET', '/api/rules/library')).json()
    expect(libraries.map(({ name }: { name: string }) => name)).toEqual(['finance', 'healthcare', 'rca', 'telecom'])
    const { rules } = (await world.call('GET', '/api/rules/library/telecom')).json()
    const fits = new Map<string, { fits: boolean; added: boolean }>(rules.map((rule: { id: string; fits: boolean; added: boolean }) => [rule.id, rule]))
    expect([fits.get('tel-planned-alarm')?.fits, fits.get('tel-flapping-link')?.fits]).toEqual([true, false])
    const { added: _added, fits: _fits, errors: _errors, id, ...rule } = rules.find((one: { id: string }) => one.id === 'tel-planned-alarm')
    expect((await put(id, rule)).statusCode).toBe(201)
    const again = (await world.call('GET', '/api/rules/library/telecom')).json().rules.find((one: { id: string }) => one.id === id)
    expect(again.added).toBe(true)
    const { classes } = (await world.call('GET', '/api/rules/coverage')).json()
    const alarm = classes.find(({ qname }: { qname: string }) => qname === ':Alarm')
    expect(alarm.rules).toContainEqual({ id, kind: 'sparql', enabled: true, reads: true, derives: false })
    await world.call('DELETE', `/api/rules/${id}`)
    expect((await world.call('GET', '/api/rules/library/nope')).statusCode).toBe(404)
  })
})

describe('a preview', () => {
  const preview = async (rule: unknown, data?: string, who = 'Restricted') =>
    (await world.call('POST', '/api/rules/preview', who, { rule, ...(data === undefined ? {} : { data }) })).json()

  it('runs on data made for the rule and leaves nothing on disk', async () => {
    const before = files()
    const found = await preview(urgent('critical'))
    expect(found).toMatchObject({ count: 1, errors: [], warnings: [] })
    expect(found.derived[0]).toMatchObject({ predicate: `${BASE}urgent` })
    expect(found.lineage[0].premises.map(({ triple }: { triple: { predicate: string } }) => triple.predicate)).toContain(`${BASE}Alarm.severity`)
    expect(found.sample).toContain(':Alarm.severity "critical"')
    expect(files()).toEqual(before)
  })

  it('runs on given data', async () => {
    const data = `@prefix : <${BASE}> . <x:1> a :Alarm ; :Alarm.severity "critical" . <x:2> a :Alarm ; :Alarm.severity "minor" .`
    const found = await preview(urgent('critical'), data)
    expect([found.count, found.derived[0].subject]).toEqual([1, 'x:1'])
    expect(await preview(urgent('critical'), 'not turtle')).toMatchObject({ status: 400, errors: [{ path: 'data', line: 1 }] })
  })

  it('runs on the graph, beside the rules that run there, within the ceiling', async () => {
    const chained = { kind: 'sparql', body: `${P}CONSTRUCT { ?e :afterAll ?c }\nWHERE { ?e :hasCause+ ?c }` }
    const [all, some] = [await preview(chained, 'graph'), await preview(chained, 'graph', 'Internal')]
    expect(all.count).toBeGreaterThan(some.count)
    expect(some.count).toBe(3)
  })

  it('of a broken rule says what is wrong and runs nothing', async () => {
    const found = await preview({ kind: 'sparql', body: `${P}CONSTRUCT { ?a :b ?c }\nWHERE { ?a :nope ?c }` })
    expect(found).toMatchObject({ count: 0, derived: [], errors: [{ line: 3 }] })
  })
})
