import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type NewCandidate, openWorkspace, pidOf } from '../src/store/index.ts'
import { withTurtle } from '../src/review/index.ts'
import { type HttpWorld, httpWorld, steady } from './support-http.ts'

/** Review and session over HTTP, good and bad input alike. Every test begins with the same queue. */
let world: HttpWorld
const scratch = mkdtempSync(join(tmpdir(), 'wherefore-review-'))
const LOG = join(scratch, 'router.log')
const LINES = ['2026-01-01T00:00:00Z ERROR link down node=crt-07', '2026-01-01T00:00:02Z ERROR peer lost node=crt-07']
const BASE = 'https://enterprise.example/ontology#'
const NOW = '2026-01-02T03:04:05.000Z'
const common = { confidence: 0.9, consequence: 0.5, lagMsP50: null, lagMsP95: null, evidenceSample: 'link down node=crt-07' } as const
const place = (offset: number) => ({ file: 'router.log', offset, ts: '2026-01-01T00:00:00.000Z' })

const event = (name: string, severity: 'INFO' | 'ERROR' | 'CRITICAL' = 'ERROR', more: object = {}): NewCandidate => ({
  ...common, key: `event:${name}`, proposalType: 'LOG_EVENT', detectionStrategy: 'LOG_TEMPLATE_CLUSTERING', title: `Event ${name}`, name,
  tier: ({ INFO: 'Public', ERROR: 'Confidential', CRITICAL: 'Restricted' } as const)[severity],
  evidence: { clusters: [`c-${name}`], severity, service: 'router', template: `${name} on the line number <*>`, hits: 20, lines: [place(0)], ...more },
})
const edge = (cause: string, effect: string): NewCandidate => ({
  ...common, key: `edge:${cause}:${effect}`, proposalType: 'LOG_CAUSAL_EDGE', detectionStrategy: 'GRANGER_CAUSALITY', title: `${cause} causes ${effect}`,
  name: `${cause}Causes${effect}`, tier: 'Confidential', lagMsP50: 2000, lagMsP95: 2500, confidence: 0.8,
  evidence: {
    cause, effect, cause_cluster: `c-${cause}`, effect_cluster: `c-${effect}`, cause_severity: 'ERROR', effect_severity: 'ERROR', cause_service: 'router',
    effect_service: 'bgpd', shared_entity: 'node', window_seconds: 30, n: 12, q: 0.001, stated_verdict: 'LOG_CAUSAL_EDGE', failed_conditions: ['direction'],
    gate: [{ condition: 'pmi', value: 3.5, operator: '>=', threshold: 2, passed: true }, { condition: 'direction', value: 0.4, operator: '>', threshold: 0.5, passed: false }],
    lags: { followed: 9, expected: 0.5, from_ms: 0, to_ms: 3000, bits: 20, surrogate_bits: 0.3, histogram: [{ to_ms: 1000, observed: 0, expected: 0.2 }, { to_ms: 3000, observed: 9, expected: 0.3 }] },
    line_pairs: [{ cause: place(0), effect: place(LINES[0]!.length + 1), lag_ms: 2000 }],
  },
})
const slots = [
  { slotIdx: 0, name: 'node', type: 'ENUM', subtype: '', distinctCount: 2, sampleCount: 20, topValues: [['crt-07', 15], ['crt-12', 5]], piiRisk: false, tier: 'Public' },
  { slotIdx: 1, name: 'imsi', type: 'NUMERIC', subtype: '', distinctCount: 9, sampleCount: 20, topValues: [['<imsi>', 20]], piiRisk: true, tier: 'Restricted' },
]
const STORY = [
  event('LinkDown', 'ERROR', { slots }), event('PeerLost'), event('Idle', 'INFO', { slots }), event('Panic', 'CRITICAL'), edge('LinkDown', 'PeerLost'),
  ...[1, 2, 3].map((n) => event(`Slow${n}`, 'INFO', { template: `request took too long in part ${n}` })),
]
const [LINK, PEER, IDLE, PANIC, EDGE] = STORY.map(({ key }) => pidOf(key)) as [string, string, string, string, string]

beforeAll(async () => {
  writeFileSync(LOG, `${LINES.join('\n')}\n`)
})
beforeEach(async () => {
  await world?.close()
  world = await httpWorld({ sourcesDir: false, project: (folder) => ({ database: '', config: { sources: {}, log_roots: ['logs'], base_iri: BASE, store: join(folder, 'store.db') } }) })
  const store = openWorkspace(join(world.folder, 'store.db'))
  const template = (name: string) => ({
    clusterId: `c-${name}`, template: name === 'LinkDown' ? 'link down node=<*>' : 'peer lost node=<*>', eventName: name, sampleLine: '', hits: 20, firstSeen: NOW, lastSeen: NOW, severity: 'ERROR' as const, service: 'router', slots: [],
  })
  const line = (name: string, offset: number) => ({
    clusterId: `c-${name}`, tsMs: 0, service: 'router', trace: '', entities: [], severity: 'ERROR' as const, file: 'router.log', offset, run: LOG,
  })
  store.logs.save(
    { templates: ['LinkDown', 'PeerLost'].map(template), events: [line('LinkDown', 0), line('PeerLost', LINES[0]!.length + 1)], edges: [] },
    { run: LOG, now: NOW },
  )
  store.proposals.upsert(withTurtle(STORY, { baseIri: BASE }), NOW)
  store.close()
})
afterAll(async () => {
  await world.close()
  rmSync(scratch, { recursive: true, force: true })
})

const queue = '/api/log-discovery'
const get = async (path: string, who?: string) => (await world.call('GET', `${queue}${path}`, who)).json()
const post = (path: string, body?: object, headers: Record<string, string> = {}, who?: string) => world.call('POST', `${queue}${path}`, who, body, headers)
const names = ({ candidates }: { candidates: { name: string }[] }) => candidates.map(({ name }) => name)

describe('the queue', () => {
  it('counts, filters, searches, sorts and pages', async () => {
    expect(await get('/summary')).toMatchObject({
      available: true, by_kind: { LOG_EVENT: { PENDING: 7 }, LOG_CAUSAL_EDGE: { PENDING: 1 } }, anomalies: 0, drift: 0, last_run: NOW,
      ranking: { decisions: 0, auc: null, used: false },
    })
    expect(names(await get('/candidates?kind=LOG_CAUSAL_EDGE'))).toEqual(['LinkDownCausesPeerLost'])
    expect(names(await get('/candidates?service=BGPD'))).toEqual(['LinkDownCausesPeerLost'])
    expect(names(await get('/candidates?q=linkdown%20peer'))).toEqual(['LinkDownCausesPeerLost'])
    expect(names(await get('/candidates?strategy=GRANGER_CAUSALITY&min_confidence=0.85'))).toEqual([])
    expect(names(await get('/candidates?sort=name&limit=3'))).toEqual(['Idle', 'LinkDown', 'LinkDownCausesPeerLost'])
    const seen: string[] = []
    let cursor = ''
    for (let at = 0; at < 5; at += 1) {
      const page = await get(`/candidates?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(...page.candidates.map(({ pid }: { pid: string }) => pid))
      await post(`/${page.candidates[0].pid}/reject`) // decisions in between skip and repeat nothing
      if (page.next_cursor === null) break
      cursor = page.next_cursor
    }
    expect(seen.toSorted()).toEqual(STORY.map(({ key }) => pidOf(key)).toSorted())
  })

  it('shows near-duplicates as one row, and decides on them together', async () => {
    const page = await get('/candidates?grouped=true')
    const slow = page.candidates.find(({ name }: { name: string }) => name.startsWith('Slow'))
    expect([page.total, slow.group_size, slow.group_members.length]).toEqual([6, 3, 3])
    expect((await get(`/candidates?group=${slow.group_members[2]}`)).total).toBe(3)
    const before = (await world.call('GET', `${queue}/candidates`)).body
    const dry = (await post('/bulk', { group: slow.pid, action: 'approve', dry_run: true })).json()
    expect(dry).toMatchObject({ dry_run: true, done: 3, refused: 0 })
    expect((await world.call('GET', `${queue}/candidates`)).body).toBe(before)
    const done = (await post('/bulk', { group: slow.pid, action: 'approve' })).json()
    expect({ ...done, dry_run: true }).toEqual(dry) // a dry run says exactly what happens
    const again = (await post('/bulk', { ids: [slow.pid, 'nobody', PEER], action: 'reject', note: 'noise' })).json()
    expect(again.outcomes.map(({ outcome, code }: { outcome: string; code?: string }) => code ?? outcome)).toEqual(['conflict', 'not_found', 'done'])
  })

  it('tells what a candidate rests on, as far as the tier allows', async () => {
    const edge = await get(`/${EDGE}/evidence`)
    expect(edge.gate[1]).toEqual({ condition: 'direction', value: 0.4, operator: '>', threshold: 0.5, passed: false })
    expect(edge.lag_histogram.bins[1]).toEqual({ from_ms: 1000, to_ms: 3000, observed: 9, expected: 0.3 })
    expect(edge.line_pairs[0]).toMatchObject({ cause: { file: 'router.log', offset: 0, text: LINES[0] }, effect: { text: LINES[1] }, lag_ms: 2000 })
    const event = await get(`/${LINK}/evidence`, 'Confidential')
    expect(event.slots.map(({ name }: { name: string }) => name)).toEqual(['node'])
    expect(event.slots[0].histogram[0]).toEqual({ value: 'crt-07', count: 15 })
    expect((await get(`/${LINK}/evidence`)).slots).toHaveLength(2)
    await post(`/${EDGE}/edit`, { edits: { proposal_type: 'LOG_RELATIONSHIP' } })
    expect((await get(`/${EDGE}/evidence`)).why_demoted).toBe('a reviewer took the causal claim away')
    writeFileSync(LOG, 'rotated away\nand written anew\n')
    expect((await get(`/${EDGE}/evidence`)).line_pairs[0].cause.text).toBeNull()
    writeFileSync(LOG, `${LINES.join('\n')}\n`)
  })

  it('learns from twenty decisions and says how well', async () => {
    const store = openWorkspace(join(world.folder, 'store.db'))
    store.proposals.upsert(Array.from({ length: 60 }, (_, n) => event(`Extra${n}`, n % 2 === 0 ? 'ERROR' : 'INFO', { template: `extra ${n}` })), NOW)
    store.close()
    for (let n = 0; n < 40; n += 1) await post(`/${pidOf(`event:Extra${n}`)}/${n % 2 === 0 ? 'approve' : 'reject'}`)
    const { ranking } = await get('/summary')
    expect(ranking).toMatchObject({ decisions: 40, used: true, auc: 1 })
    const learned = names(await get('/candidates?sort=learned&q=extra&limit=10'))
    expect(learned.every((name) => Number(name.slice(5)) % 2 === 0)).toBe(true)
    expect(await get('/summary', 'Public')).toMatchObject({ ranking: { decisions: 20, used: false } }) // sees the rejected INFO ones only
  })
})

describe('decisions', () => {
  it('approve with edits, edit, demote and undo carry the session along', async () => {
    const approved = (await post(`/${LINK}/approve`, { edits: { name: 'LinkLost', label: 'link is lost' }, note: 'sure' })).json()
    expect(approved).toMatchObject({ proposal: { status: 'APPROVED', name: 'LinkLost', version: 2 }, session_entry: { name: 'LinkLost', label: 'link is lost', source: 'log-discovery' } })
    expect((await post(`/${EDGE}/approve`)).json().session_entry).toMatchObject({ cause_class: 'LinkLost', effect_class: 'PeerLost', window_seconds: 30 })
    await post(`/${LINK}/edit`, { edits: { name: 'LineDown' } })
    await post(`/${EDGE}/edit`, { edits: { window_seconds: 90 } })
    const session = async () => (await world.call('GET', '/api/session')).json().session
    expect((await session()).causal_rules).toMatchObject([{ cause_class: 'LineDown', window_seconds: 90 }])
    await post(`/${EDGE}/edit`, { edits: { proposal_type: 'LOG_RELATIONSHIP' } })
    expect(await session()).toMatchObject({ causal_rules: [], relationships: [{ from: 'LineDown', to: 'PeerLost' }] })
    for (const pid of [EDGE, EDGE, EDGE, LINK, LINK]) expect((await post(`/${pid}/undo`)).statusCode).toBe(200)
    expect(await session()).toMatchObject({ causal_rules: [], relationships: [], events: [] })
    expect((await get(`/${LINK}`)).name).toBe('LinkDown')
    const { audit } = await get(`/${LINK}/audit`)
    expect(audit.map(({ action, from, to }: Record<string, string>) => [action, from, to])).toEqual([
      ['approve', 'PENDING', 'APPROVED'], ['edit', 'APPROVED', 'APPROVED'], ['undo', 'APPROVED', 'APPROVED'], ['undo', 'APPROVED', 'PENDING'],
    ])
    expect(audit[0]).toMatchObject({ reviewer: 'Restricted', note: 'sure', edits: { name: 'LinkLost', label: 'link is lost' } })
  })

  it('merging lets the target cover the templates, and undo takes that back', async () => {
    await post(`/${LINK}/approve`)
    const merged = (await post(`/${PEER}/merge`, { into: 'LinkDown' })).json()
    expect(merged).toMatchObject({ proposal: { status: 'MERGED', merged_into: LINK }, merged_into: { pid: LINK } })
    const templates = async () => (await world.call('GET', '/api/session')).json().session.events[0].templates
    expect(await templates()).toEqual(['c-LinkDown', 'c-PeerLost'])
    expect((await get(`/${LINK}/evidence`)).merged).toEqual([{ pid: PEER, name: 'PeerLost' }])
    await post(`/${PEER}/undo`)
    expect(await templates()).toEqual(['c-LinkDown'])
  })

  const twice = (pid: string, first: string) => async () => void (await post(`/${pid}/${first}`))
  it.each<[string, () => Promise<unknown>, string, object | undefined, number, string]>([
    ['approve twice', twice('', ''), 'approve', undefined, 409, 'conflict'],
    ['approve a rejected one', twice('', ''), 'approve', undefined, 409, 'conflict'],
    ['undo with nothing to undo', async () => {}, 'undo', undefined, 409, 'conflict'],
    ['merge into itself', async () => {}, 'merge', { into: LINK }, 409, 'conflict'],
    ['merge into itself by name', async () => {}, 'merge', { into: 'LinkDown' }, 409, 'conflict'],
    ['merge into a merged one', () => post(`/${PEER}/merge`, { into: IDLE }), 'merge', { into: PEER }, 409, 'conflict'],
    ['merge in a circle', () => post(`/${PEER}/merge`, { into: LINK }), 'merge', { into: PEER }, 409, 'conflict'],
    ['merge into a rejected one', () => post(`/${PEER}/reject`), 'merge', { into: PEER }, 409, 'conflict'],
    ['merge across kinds', async () => {}, 'merge', { into: EDGE }, 409, 'conflict'],
    ['merge into nobody', async () => {}, 'merge', { into: 'nobody' }, 404, 'not_found'],
    ['edit a rejected one', () => post(`/${LINK}/reject`), 'edit', { edits: { name: 'X' } }, 409, 'conflict'],
    ['a name that is taken', async () => {}, 'edit', { edits: { name: 'PeerLost' } }, 409, 'conflict'],
    ['a name of ours', async () => {}, 'edit', { edits: { name: 'hasCause' } }, 409, 'conflict'],
    ['a name that breaks out of an IRI', async () => {}, 'edit', { edits: { name: 'a> <b' } }, 400, 'invalid_request'],
    ['a label with a line break', async () => {}, 'edit', { edits: { label: 'a\nb' } }, 400, 'invalid_request'],
    ['a severity below its lines', async () => {}, 'edit', { edits: { severity: 'INFO' } }, 400, 'invalid_request'],
    ['a window for an event', async () => {}, 'edit', { edits: { window_seconds: 5 } }, 400, 'invalid_request'],
    ['a demotion of an event', async () => {}, 'approve', { edits: { proposal_type: 'LOG_RELATIONSHIP' } }, 400, 'invalid_request'],
    ['no edits at all', async () => {}, 'edit', { edits: {} }, 400, 'invalid_request'],
    ['an unknown edit', async () => {}, 'edit', { edits: { tier: 'Public' } }, 400, 'invalid_request'],
    ['a note of the wrong type', async () => {}, 'reject', { note: 1 }, 400, 'invalid_request'],
  ])('%s is refused, and nothing is lost', async (what, prepare, action, body, status, code) => {
    if (what === 'approve twice') await post(`/${LINK}/approve`)
    else if (what === 'approve a rejected one') await post(`/${LINK}/reject`)
    else await prepare()
    const stands = async () => [await get(`/${LINK}`), await get(`/${LINK}/audit`), (await world.call('GET', '/api/session')).body]
    const before = await stands()
    const reply = await post(`/${LINK}/${action}`, body)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
    if (status === 409) expect(reply.json().hint).toBeTruthy()
    expect(await stands()).toEqual(before)
  })

  it.each(['nobody', '..%2F..%2Fetc%2Fpasswd', 'a%00b', '%27%20or%201=1--', 'x'.repeat(90), PANIC])('the id %s is unknown to a caller below it', async (pid) => {
    const replies = await Promise.all([
      world.call('GET', `${queue}/${pid}`, 'Confidential'), world.call('GET', `${queue}/${pid}/evidence`, 'Confidential'), world.call('GET', `${queue}/${pid}/audit`, 'Confidential'),
      ...['approve', 'reject', 'defer', 'undo'].map((action) => post(`/${pid}/${action}`, {}, {}, 'Confidential')),
      post(`/${pid}/edit`, { edits: { name: 'X' } }, {}, 'Confidential'), post(`/${pid}/merge`, { into: LINK }, {}, 'Confidential'), post(`/${LINK}/merge`, { into: decodeURIComponent(pid) }, {}, 'Confidential'),
    ])
    for (const { statusCode, body } of replies) expect([statusCode, JSON.parse(body).code]).toEqual([404, 'not_found'])
    expect(new Set(replies.map(({ body }) => steady(body))).size).toBe(1)
  })

  it('two reviewers at once: one decision stands, the other is told', async () => {
    const { etag } = (await world.call('GET', `${queue}/${LINK}`)).headers
    expect(etag).toBe('"1"')
    const replies = await Promise.all(['approve', 'reject', 'defer'].map((action) => post(`/${LINK}/${action}`, {}, { 'if-match': etag! })))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412, 412])
    expect(replies.find(({ statusCode }) => statusCode === 412)!.json().code).toBe('stale')
    expect((await get(`/${LINK}/audit`)).audit).toHaveLength(1)
    const next = replies.find(({ statusCode }) => statusCode === 200)!.headers.etag
    for (const [action, body] of [['edit', { edits: { label: 'x' } }], ['merge', { into: PEER }], ['undo', {}]] as const) {
      expect((await post(`/${LINK}/${action}`, body, { 'if-match': etag! })).statusCode).toBe(412)
    }
    expect((await post(`/${LINK}/undo`, {}, { 'if-match': next as string })).statusCode).toBe(200)
  })
})

describe('the session', () => {
  const put = (body: unknown, headers: Record<string, string> = {}, who?: string) => world.call('PUT', '/api/session', who, body, headers)
  const rule = (id: string, body = 'CONSTRUCT { ?a <x:b> ?c }\nWHERE { ?a <x:d> ?c }') => ({ id, kind: 'sparql', body })

  const OF_LINKS = `CONSTRUCT { ?a <x:b> true }\nWHERE { ?a a <${BASE}LinkDown> }`

  it('takes no rule that could not be saved on its own, and none below what it names', async () => {
    await post(`/${LINK}/approve`)
    const { session } = (await world.call('GET', '/api/session')).json()
    const sent = (body: string, tier?: string) => put({ session: { ...session, rules: [{ ...rule('mine', body), ...(tier === undefined ? {} : { tier }) }] } })
    const refused = await sent(OF_LINKS.replace('LinkDown', 'LinkDwon'))
    expect([refused.statusCode, refused.json()]).toMatchObject([422, { code: 'invalid_rule', errors: [{ path: 'rules.0.body', line: 2 }] }])
    expect((await world.call('GET', '/api/session')).json().session.rules).toEqual([])
    expect((await sent(OF_LINKS, 'Public')).json().session.rules).toMatchObject([{ id: 'mine', tier: 'Confidential' }])
    expect((await sent(OF_LINKS, 'Restricted')).json().session.rules).toMatchObject([{ tier: 'Restricted' }])
    expect((await sent(OF_LINKS)).json().session.rules[0]).not.toHaveProperty('tier')
    // what stands may stay, whatever has become of what it names
    await post(`/${LINK}/undo`)
    const stands = (await world.call('GET', '/api/session')).json()
    expect((await put(stands)).statusCode).toBe(200)
  })

  it('is replaced whole, by who saw what stands', async () => {
    await post(`/${LINK}/approve`)
    const seen = await world.call('GET', '/api/session')
    const { version, session } = seen.json()
    const sent = { version, session: { ...session, rules: [rule('mine', OF_LINKS)] } }
    const done = await put(sent, { 'if-match': seen.headers.etag! })
    expect(done.json()).toMatchObject({ version: version + 1, session: { rules: [{ id: 'mine', nl_summary: '', enabled: true }], events: [{ source: 'log-discovery' }] } })
    expect((await put(sent)).json().code).toBe('stale')
    expect((await put({ session }, { 'if-match': seen.headers.etag! })).statusCode).toBe(412)
    expect((await world.call('GET', '/api/session', 'Restricted', undefined, { 'if-none-match': done.headers.etag as string })).statusCode).toBe(304)
  })

  it.each([
    ['3.1', { rules: [{ id: 'old', kind: 'sparql', body: rule('old').body }] }],
    ['3.2', { causal_rules: [{ ...rule('causal-old'), source: 'log-discovery' }], events: [{ name: 'Old', source: 'log-discovery' }] }],
    ['an empty one', {}],
  ])('of the shape of %s gets its defaults', async (_, session) => {
    const saved = (await put({ session })).json().session
    expect(saved).toMatchObject(session)
    for (const list of ['rules', 'causal_rules', 'entities', 'events', 'relationships', 'competency_questions']) expect(saved[list]).toBeInstanceOf(Array)
    for (const each of [...saved.rules, ...saved.causal_rules]) expect(each.nl_summary).toBe('')
  })

  it.each<[string, object, number, object]>([
    ['a broken rule', { rules: [rule('fine'), rule('bad', 'CONSTRUCT { ?a <x:b> ?c }\nWHERE { ?a <x:d> }')] }, 422, { path: 'rules.1.body', line: 2 }],
    ['a broken causal rule', { causal_rules: [rule('bad', 'nonsense')] }, 422, { path: 'causal_rules.0.body', line: 1 }],
    ['one id twice', { rules: [rule('same')], causal_rules: [rule('same')] }, 422, { path: 'rules.0.id' }],
    ['an id with path characters', { rules: [rule('../evil')] }, 400, { path: 'session.rules.0.id' }],
    ['a reserved id', { rules: [rule('library')] }, 400, { path: 'session.rules.0.id' }],
    ['a name that breaks out of an IRI', { events: [{ name: 'a> <b', source: 'user' }] }, 400, { path: 'events.0.name' }],
    ['one name twice', { events: [{ name: 'A', source: 'user' }], entities: [{ name: 'A', source: 'user' }] }, 400, { path: 'entities.0.name' }],
    ['a word of ours', { relationships: [{ name: 'hasCause', from: 'A', to: 'B', source: 'user' }] }, 400, { path: 'relationships.0.name' }],
  ])('refuses %s and names the place', async (_, session, status, fault) => {
    const before = (await world.call('GET', '/api/session')).body
    const reply = await put({ session })
    expect([reply.statusCode, reply.json().errors[0]]).toEqual([status, expect.objectContaining(fault)])
    expect((await world.call('GET', '/api/session')).body).toBe(before)
  })

  it('of a caller below keeps what is hidden from them, at its place', async () => {
    await post(`/${PANIC}/approve`)
    await post(`/${IDLE}/approve`)
    await post(`/${LINK}/merge`, { into: 'Idle' })
    const before = (await world.call('GET', '/api/session')).json().session
    const low = await world.call('GET', '/api/session', 'Public')
    expect(low.json().session.events).toMatchObject([{ name: 'Idle', templates: ['c-Idle'] }])
    expect((await put(low.json(), { 'if-match': low.headers.etag! }, 'Public')).statusCode).toBe(200)
    expect((await world.call('GET', '/api/session')).json().session).toEqual(before)
    expect((await put({ session: { events: [{ name: 'Up', severity: 'CRITICAL', source: 'user' }] } }, {}, 'Public')).json().code).toBe('invalid_request')
  })
})
