import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Session } from '../contracts/index.ts'
import { parseTurtle, quadKey, STANDARD_PREFIXES, writeTurtle } from '../kernel/rdf/index.ts'
import type { StoredEvent } from '../store/index.ts'
import { withTurtle } from './candidate-turtle.ts'
import { cutSession } from './cut.ts'
import { eventQuads } from './instances.ts'
import { rcaTaxonomyQuads } from './taxonomy.ts'

const baseIri = 'https://enterprise.example/ontology#'
const recordBase = 'https://enterprise.example/record/'
const prefixes = { ...STANDARD_PREFIXES, '': baseIri }
const turtle = (quads: Parameters<typeof writeTurtle>[0]) => writeTurtle(quads, { prefixes })

const source = 'log-discovery'
const session = Session.parse({
  events: [
    { name: 'LinkDown', label: 'link down', templates: ['c1'], severity: 'ERROR', service: 'router', source, pid: 'p1' },
    { name: 'Own', source: 'user', templates: ['c2'] },
  ],
  entities: [{ name: 'Node', key_slot: 'node', source, pid: 'p2' }],
  relationships: [{ name: 'linkDownRelatedToGone', from: 'LinkDown', to: 'Gone', source, pid: 'p3' }],
})
const occurrence = (changes: Partial<StoredEvent> = {}): StoredEvent => ({
  clusterId: 'c1', tsMs: Date.parse('2026-01-02T03:04:05.678Z'), service: 'router', trace: '', entities: ['node=crt-07',
    'port=ge-0/0/1'],
  severity: 'ERROR', file: 'router.jsonl', offset: 120, ...changes,
})

describe('the taxonomy', () => {
  it('is absent while the session holds nothing from logs', () => {
    expect(rcaTaxonomyQuads(Session.parse({}), { baseIri })).toEqual([])
    expect(rcaTaxonomyQuads(Session.parse({ events: [{ name: 'Own', source: 'user' }] }), { baseIri })).toEqual([])
  })

  it('says what is below what, and keeps :rootCause apart from :hasCause', () => {
    const text = turtle(rcaTaxonomyQuads(session, { baseIri }))
    expect(text).toContain(`:hasCause a owl:ObjectProperty ;
  rdfs:domain :CausalEvent ;
  rdfs:label "has cause" ;
  rdfs:range :CausalEvent ;
  rdfs:subPropertyOf :precededBy ;
  :sensitivityTier "Public" .`)
    expect(text).toContain(`:rootCause a owl:ObjectProperty ;
  rdfs:label "root cause" ;
  rdfs:subPropertyOf :precededBy ;`)
    expect(text).toContain('owl:inverseOf :hasCause')
    for (const name of ['startedAt', 'endedAt', 'duration']) expect(text).toContain(`:${name} a owl:DatatypeProperty`)
  })

  it('gives each approved event a class with the tier of its severity, and a relationship only classes that exist', () => {
    const text = turtle(rcaTaxonomyQuads(session, { baseIri }))
    expect(text).toContain(`:LinkDown a owl:Class ;
  rdfs:label "link down" ;
  rdfs:subClassOf :CausalEvent ;
  :sensitivityTier "Confidential" .`)
    expect(text).toContain(`:linkDownRelatedToGone a owl:ObjectProperty ;
  rdfs:domain :LinkDown ;
  rdfs:label "LinkDown is related to Gone" .`)
    expect(text).toContain(':Node a owl:Class')
    expect(text).not.toContain(':Own')
  })

  it.each([['DEBUG', 'Public'], ['INFO', 'Public'], ['WARN', 'Internal'], ['ERROR', 'Confidential'], ['CRITICAL', 'Restricted'],
    ['LOUD', 'Restricted']])(
    'holds the lines of severity %s at tier %s',
    (severity, tier) => {
      const quads = rcaTaxonomyQuads(Session.parse({ events: [{ name: 'E', severity, source }] }), { baseIri })
      expect(turtle(quads)).toContain(`rdfs:subClassOf :CausalEvent ;\n  :sensitivityTier "${tier}"`)
    },
  )
})

describe('the instances', () => {
  it('tell when, where and in which line', () => {
    expect(turtle(eventQuads(session, [occurrence()], { baseIri, recordBase }))).toBe(`@prefix : <${baseIri}> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<${recordBase}entity/node/crt-07> a :Node ;
  rdfs:label "crt-07" .

<${recordBase}event/c1-1> a :LinkDown ;
  rdfs:label "LinkDown at 2026-01-02T03:04:05.678Z" ;
  :logFile "router.jsonl" ;
  :logOffset 120 ;
  :onEntity <${recordBase}entity/node/crt-07>, <${recordBase}entity/port/ge-0%2F0%2F1> ;
  :service "router" ;
  :severity "ERROR" ;
  :startedAt "2026-01-02T03:04:05.678Z"^^xsd:dateTime .
`)
  })

  it('leave out templates that nobody approved, times outside the calendar and private slots', () => {
    expect(eventQuads(session, [occurrence({ clusterId: 'c2' }), occurrence({ clusterId: 'c3' })], { baseIri,
      recordBase })).toEqual([])
    expect(eventQuads(session, [occurrence({ tsMs: Number.NaN }), occurrence({ tsMs: 8.64e15 })], { baseIri,
      recordBase })).toEqual([])
    const quads = eventQuads(session, [occurrence()], { baseIri, recordBase, privateSlots: new Set(['node']) })
    expect(turtle(quads)).not.toContain('crt-07')
  })

  it('stay below the ceiling, with their classes, entities and rules', () => {
    const graver = Session.parse({
      events: [...session.events, { name: 'Noted', templates: ['c4'], severity: 'INFO', source }],
      entities: session.entities,
      relationships: [...session.relationships, { name: 'notedRelatedToLinkDown', from: 'Noted', to: 'LinkDown', source }],
      causal_rules: [{ id: 'r', kind: 'sparql', body: '', source, cause_class: 'LinkDown', effect_class: 'Noted' }],
    })
    const events = [occurrence(), occurrence({ clusterId: 'c4', severity: 'INFO' }), occurrence({ clusterId: 'c4', offset: 200 })]
    const options = { baseIri, recordBase, maxTier: 'Internal' } as const
    const text = turtle([...rcaTaxonomyQuads(graver, options), ...eventQuads(graver, events, options)])
    expect(text).toContain('event/c4-1> a :Noted')
    expect(text).not.toMatch(/LinkDown|RelatedTo|:Node|c4-2/)
    expect(cutSession(graver, 'Internal').causal_rules).toEqual([])
    expect(cutSession(graver, 'Restricted')).toEqual(graver)
  })

  it('are the same whatever order the events come in, and readable whatever the log says', () => {
    const events = fc.array(
      fc.record({ ms: fc.integer({ min: 0, max: 5 }), offset: fc.integer({ min: 0, max: 9 }), slot: fc.string(),
        value: fc.string({ unit: 'binary' }), service: fc.string() }),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(events, fc.integer(), (drawn, turn) => {
        const all = drawn.map(({ ms, offset, slot, value, service }, i) =>
          occurrence({ tsMs: ms, offset: offset * 10 + i, entities: [`${slot}=${value}`], service: service.toWellFormed() }),
        )
        const text = turtle(eventQuads(session, all, { baseIri, recordBase }))
        const turned = all.map((_, i) => all[(((i + turn) % all.length) + all.length) % all.length]!)
        expect(turtle(eventQuads(session, turned, { baseIri, recordBase }))).toBe(text)
        const parsed = parseTurtle(text)
        expect(parsed.ok && new Set(parsed.quads.map(quadKey)).size).toBe(new Set(eventQuads(session, all, { baseIri,
          recordBase }).map(quadKey)).size)
      }),
      { numRuns: 100 },
    )
  })
})

it('a candidate shows the Turtle that its approval would add, or none when its evidence is incomplete', () => {
  const candidate = {
    key: 'k', proposalType: 'LOG_EVENT', detectionStrategy: 'LOG_TEMPLATE_CLUSTERING', title: 't', name: 'LinkDown',
    confidence: 1, consequence: 1,
    lagMsP50: null, lagMsP95: null, tier: 'Public', evidence: { clusters: ['c'], severity: 'WARN' }, evidenceSample: '',
  } as const
  const [shown, broken] = withTurtle([candidate, { ...candidate, proposalType: 'LOG_ENTITY' }], { baseIri })
  expect(shown?.candidateTurtle).toContain(':LinkDown a owl:Class')
  expect(broken?.candidateTurtle).toBe('')
})
