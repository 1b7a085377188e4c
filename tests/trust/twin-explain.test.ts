import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MaterialisedPage } from '../../src/contracts/index.ts'
import { type GraphParts, INCIDENT, RECORD, asking, graphWorld } from '../support-graph.ts'
import { caller } from '../support.ts'
import { type HttpWorld, steady } from '../support-http.ts'

/**
 * Non-interference over proofs: two projects whose graphs, rules and sessions differ only above Internal send the same bytes to a
 * caller with the ceiling Internal, also where that caller guesses at what is hidden.
 */
let worlds: [HttpWorld, HttpWorld]

/** The twin has another hidden effect, a hidden cause of the first event, hidden classes and values, and rules about them. */
const TWIN: GraphParts = {
  classes: { PowerLost: 'CRITICAL', ...INCIDENT.classes, Outage: 'CRITICAL' },
  causes: [['PowerLost', 'LinkDown'], ['NfDeregister', 'Outage'], ...INCIDENT.causes],
  events: [
    ['h0', 'PowerLost', -2], ['h9', 'Outage', 14], ...INCIDENT.events.filter(([name]) => name !== 'e4'),
    ['e5', 'NfDeregister', 11],
  ],
  schema: `:PowerLost rdfs:subClassOf :Outage ; rdfs:label "power" .
:Outage rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :site ; owl:hasValue "north" ] .
:site a owl:DatatypeProperty ; :sensitivityTier "Restricted" .
:sabotage a owl:ObjectProperty ; rdfs:subPropertyOf :hasCause ; :sensitivityTier "Restricted" .\n`,
  data: 'r:e1 :site "north" . r:e2 :sabotage r:h0 .\n',
}

beforeAll(async () => {
  worlds = [await graphWorld(INCIDENT), await graphWorld(TWIN)]
})
afterAll(async () => {
  for (const world of worlds) await world.close()
})

async function both(url: string, who: string, headers: Record<string, string> = {}) {
  const [a, b] = await Promise.all(
    worlds.map(async (world) => {
      const { statusCode, body, headers: sent } = await world.call('GET', url, who, undefined, headers)
      return [statusCode, steady(body), sent['etag'], sent['content-type']]
    }),
  )
  return { a, b }
}

const of = (subject: string, predicate: string, object: string) => asking({ subject, predicate, object })
const VISIBLE = [
  of('record:e2', ':hasCause', 'record:e1'), of('record:e3', ':rootCause', 'record:e1'), of('record:e1', 'a', ':CausalEvent'),
]
const HIDDEN = [
  of('record:e4', ':hasCause', 'record:e3'), of('record:e5', ':hasCause', 'record:e3'), of('record:e1', ':hasCause', 'record:h0'),
  of('record:e2', ':rootCause', 'record:h0'), of('record:h0', 'a', ':Outage'), of('record:e1', ':site', 'north'),
  of('record:e2', ':hasCause', 'record:h0'), of(':PowerLost', 'rdfs:subClassOf', ':CausalEvent'),
  of('record:h9', ':derivation', 'inferred'),
]
const ABSENT = [
  of('record:late', ':hasCause', 'record:e1'), of('record:e1', ':hasCause', 'record:e3'), of('record:x', ':nope', '5'),
]
const RULES = ['causal-powerlost-linkdown', 'causal-linkdown-bgppeerlost', 'prp-spo1', 'cls-hv1']

const READS = [
  ...[...VISIBLE, ...HIDDEN, ...ABSENT].flatMap((triple) => [
    `/api/explain?${triple}`, `/api/explain?${triple}&depth=4`, `/api/why-not?${triple}`,
  ]),
  '/api/materialised/triples',
  '/api/materialised/triples?limit=3',
  ...['owl', 'shacl', 'sparql', 'datalog'].map((engine) => `/api/materialised/triples?engine=${engine}`),
  ...RULES.map((rule) => `/api/materialised/triples?rule=${rule}`),
  ...['h0', 'north', 'outage', 'e5', 'hasCause'].map((q) => `/api/materialised/triples?q=${q}`),
]

/** Kinds of event that are there, that only the twin has, that nobody has; by phrase, IRI, time and entity. */
const ROOT_CAUSES = ['root-cause', 'similar-incidents'].flatMap((preset) => [
  ...['LinkDown', 'BgpPeerLost', 'NfHeartbeatLost', 'NfDeregister', 'PowerLost', 'Outage', 'Sunspot', 'crt-07'].map((event) => ({ preset, event })),
  ...['e1', 'e3', 'e4', 'e5', 'h0', 'late'].map((name) => ({ preset, event_iri: `${RECORD}${name}` })),
  { preset, event: 'BgpPeerLost', at: '10:05' }, { preset, event: 'BgpPeerLost', on: 'crt-07' }, { preset, event: 'Outage', at: '10:05' },
])
const timeless = (body: string): string => steady(body).replace(/"duration_ms":[\d.]+/, '')

describe('TRUST-1 two graphs that differ only above the ceiling cannot be told apart', () => {
  for (const who of ['Internal', 'Public']) {
    it.each(READS)(`${who}: %s`, async (url) => {
      const { a, b } = await both(url, who)
      expect(b).toEqual(a)
    })
  }

  it('a caller with a higher grant who asks to see less', async () => {
    for (const url of READS) {
      const { a, b } = await both(`${url}${url.includes('?') ? '&' : '?'}max_tier=Internal`, 'Restricted')
      expect(b).toEqual(a)
    }
  })

  it('cursors and tags of one graph are those of the other', async () => {
    const [first, second] = worlds
    const page = await first.call('GET', '/api/materialised/triples?limit=2', 'Internal')
    const { next_cursor: cursor }: MaterialisedPage = page.json()
    const { a, b } = await both(`/api/materialised/triples?limit=2&${asking({ cursor: cursor! })}`, 'Internal')
    expect(a?.[0]).toBe(200)
    expect(b).toEqual(a)
    const tag = { 'if-none-match': String(page.headers['etag']) }
    const again = await second.call('GET', '/api/materialised/triples?limit=2', 'Internal', undefined, tag)
    expect(again.statusCode).toBe(304)
  })

  it.each(ROOT_CAUSES)('root causes of %o', async (body) => {
    for (const [who, max_tier] of [['Internal', 'Internal'], ['Public', 'Public'], ['Restricted', 'Internal']] as const) {
      const replies = await Promise.all(worlds.map((world) => world.call('POST', '/api/insights/rca', who, { ...body, max_tier })))
      const [a, b] = replies.map(({ statusCode, body: text }) => [statusCode, timeless(text)])
      expect(b).toEqual(a)
    }
  })

  it('post-mortems', async () => {
    for (const event of ['NfHeartbeatLost', 'NfDeregister', 'PowerLost']) {
      const reports = await Promise.all(worlds.map(({ service }) =>
        service.rcaReport({ preset: 'root-cause', event, include_materialised: true, confirm_residency: false }, caller('Internal')).then(
          ({ value }) => value, (error: unknown) => String(error)),
      ))
      expect(reports[1]).toBe(reports[0])
      if (event === 'NfHeartbeatLost') expect(reports[0]).toContain('was caused by LinkDown')
    }
  })

  it('the harness sees a difference where there is one', async () => {
    const [a, b] = await Promise.all(worlds.map((world) => world.call('POST', '/api/insights/rca', 'Restricted', { event: 'NfHeartbeatLost' })))
    expect(timeless(b!.body)).not.toEqual(timeless(a!.body))
    const telling = [`/api/explain?${HIDDEN[0]}`, `/api/explain?${VISIBLE[1]}`, `/api/why-not?${HIDDEN[2]}`]
    for (const url of [...telling, '/api/materialised/triples']) {
      const { a, b } = await both(url, 'Restricted')
      expect(b).not.toEqual(a)
    }
  })
})
