import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Session, type Tier, within } from '../contracts/index.ts'
import { parseTurtle, type Quad, quadKey, STANDARD_PREFIXES, writeTurtle } from '../kernel/rdf/index.ts'
import type { StoredEvent } from '../store/index.ts'
import { withTurtle } from './candidate-turtle.ts'
import { cutSession } from './cut.ts'
import { type InstanceOptions, instancesOf, intervalsOf } from './instances.ts'
import { occurrencesOf } from './occurrences.ts'
import { rcaTaxonomyQuads } from './taxonomy.ts'
import { tiered } from '../materialise/tiers.ts'

const baseIri = 'https://enterprise.example/ontology#'
const recordBase = 'https://enterprise.example/record/'
const prefixes = { ...STANDARD_PREFIXES, '': baseIri }
const turtle = (quads: Parameters<typeof writeTurtle>[0]) => writeTurtle(quads, { prefixes })

const source = 'log-discovery'
const eventQuads = (of: Session, events: readonly StoredEvent[], more: Partial<InstanceOptions> & { isPrivate?: (id: string, slot: string) => boolean; maxTier?: Tier } = {}) =>
  instancesOf(of, occurrencesOf(of, events, more), { baseIri, recordBase, ...more }).quads
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
  rdfs:label "LinkDown is related to Gone" ;
  :sensitivityTier "Restricted" .`)
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
    const text = turtle(eventQuads(session, [occurrence()]))
    const id = /event\/(c1-[0-9a-f]{16})/.exec(text)?.[1]
    expect(text).toBe(`@prefix : <${baseIri}> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<${recordBase}entity/node/crt-07> a :Node ;
  rdfs:label "crt-07" .

<${recordBase}event/${id}> a :LinkDown ;
  rdfs:label "LinkDown at 2026-01-02T03:04:05.678Z" ;
  :duration "PT0S"^^xsd:duration ;
  :endedAt "2026-01-02T03:04:05.678Z"^^xsd:dateTime ;
  :logFile "router.jsonl" ;
  :logOffset 120 ;
  :occurredAtService "router" ;
  :occurrences 1 ;
  :onEntity <${recordBase}entity/node/crt-07>, <${recordBase}entity/port/ge-0%2F0%2F1> ;
  :severity "ERROR" ;
  :startedAt "2026-01-02T03:04:05.678Z"^^xsd:dateTime .
`)
  })

  it('are known by what they say: neither the file nor what comes before changes the name of one', () => {
    const named = (events: readonly StoredEvent[]) =>
      new Set(turtle(eventQuads(session, events)).match(/event\/c1-[0-9a-f]{16}/g))
    const [only] = named([occurrence()])
    expect(named([occurrence({ file: 'router.jsonl.1', offset: 7 })])).toEqual(new Set([only]))
    expect(named([occurrence({ tsMs: 0 }), occurrence()])).toContain(only)
    for (const other of [{ tsMs: 1 }, { service: 'switch' }, { entities: ['node=crt-08'] }, { trace: 't' }, { severity: 'CRITICAL' }] as const) {
      expect(named([occurrence(other)])).not.toContain(only)
    }
  })

  it('join what repeats itself on one thing, and keep the place of the first and of the last line', () => {
    const start = occurrence().tsMs
    const at = (seconds: number, changes: Partial<StoredEvent> = {}) => occurrence({ tsMs: start + seconds * 1000, offset: seconds, ...changes })
    const events = [at(0), at(2), at(5), at(600), at(602), at(605), at(3, { entities: ['node=crt-08'] })]
    const text = turtle(eventQuads(session, events))
    expect(text.match(/:occurrences \d+/g)?.toSorted()).toEqual([':occurrences 1', ':occurrences 3', ':occurrences 3'])
    expect(text).toContain(`:duration "PT5S"^^xsd:duration ;
  :endedAt "2026-01-02T03:04:10.678Z"^^xsd:dateTime ;
  :lastLogFile "router.jsonl" ;
  :lastLogOffset 5 ;
  :logFile "router.jsonl" ;
  :logOffset 0 ;`)
    expect(text).toContain(':repeats "[[2000,2],[5000,5]]"')
    const moved = eventQuads(session, [at(0), at(2), at(5, { file: 'rotated.jsonl' }), at(600), at(602), at(605)])
    expect(moved.filter(({ predicate }) => predicate.value.endsWith('repeats')).map(({ object }) => object.value)).toEqual([
      '[[2000,2],[5000,5,"rotated.jsonl"]]', '[[2000,602],[5000,605]]',
    ])
  })

  it('begin anew after a known cause, unless it lies above what may be seen', () => {
    const at = (seconds: number, changes: Partial<StoredEvent> = {}) => occurrence({ tsMs: seconds * 1000, offset: seconds, ...changes })
    const events = [0, 2, 4, 6, 8].map((seconds) => at(seconds, { clusterId: 'c4' }))
    const counts = (severity: string) => {
      const of = Session.parse({
        events: [
          { name: 'Cause', templates: ['c5'], severity, source }, { name: 'Effect', templates: ['c4'], severity: 'ERROR', source },
        ],
        causal_rules: [{ id: 'r', kind: 'sparql', body: '?cause :onEntity ?e', source, cause_class: 'Cause', effect_class: 'Effect' }],
      })
      const quads = eventQuads(of, [...events, at(5, { clusterId: 'c5', severity: severity as 'ERROR' })])
      const effects = new Set(quads.filter(({ object }) => object.value === `${baseIri}Effect`).map(({ subject }) => subject.value))
      const counted = quads.filter(({ subject, predicate }) => effects.has(subject.value) && predicate.value === `${baseIri}occurrences`)
      return counted.map(({ object }) => Number(object.value)).toSorted()
    }
    expect(counts('ERROR')).toEqual([2, 3])
    expect(counts('CRITICAL')).toEqual([5])
  })

  it('a line that is graver than its class is as sensitive as its severity says', () => {
    const of = Session.parse({ events: [{ name: 'Noted', templates: ['c1'], severity: 'INFO', source }] })
    const quads = eventQuads(of, [occurrence({ severity: 'INFO' }), occurrence({ severity: 'ERROR', tsMs: 9 })])
    const schema = rcaTaxonomyQuads(of, { baseIri })
    const tiers = new Set(tiered(schema, quads, baseIri).slice(schema.length).flatMap(({ quad: { predicate, object }, tier }) =>
      predicate.value === `${baseIri}severity` ? [`${object.value} ${tier}`] : []))
    expect(tiers).toEqual(new Set(['INFO Public', 'ERROR Confidential']))
  })

  it('leave out templates that nobody approved, times outside the calendar and private slots', () => {
    expect(eventQuads(session, [occurrence({ clusterId: 'c2' }), occurrence({ clusterId: 'c3' })])).toEqual([])
    expect(eventQuads(session, [occurrence({ tsMs: Number.NaN }), occurrence({ tsMs: 8.64e15 })])).toEqual([])
    const quads = eventQuads(session, [occurrence()], { isPrivate: (id, slot) => id === 'c1' && slot === 'node' })
    expect(turtle(quads)).not.toContain('crt-07')
  })

  it('of more than fit the lowest tiers stay, and what is left out is counted', () => {
    const of = Session.parse({ events: [
      { name: 'Low', templates: ['c1'], severity: 'INFO', source }, { name: 'High', templates: ['c4'], severity: 'CRITICAL', source },
    ] })
    const events = [occurrence({ clusterId: 'c4', tsMs: 0 }), occurrence({ severity: 'INFO', tsMs: 1 }), occurrence({ severity: 'INFO', tsMs: 99_999 })]
    const found = instancesOf(of, occurrencesOf(of, events), { baseIri, recordBase, limit: 2 })
    expect([found.count, found.leftOut, turtle(found.quads).includes('High')]).toEqual([2, 1, false])
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
    expect(text.match(/> a :Noted/g)).toHaveLength(1)
    expect(text).not.toMatch(/LinkDown|RelatedTo|:Node/)
    expect(cutSession(graver, 'Internal').causal_rules).toEqual([])
    expect(cutSession(graver, 'Restricted')).toEqual(graver)
  })

  it('below a ceiling are what they would be if there were nothing above it', () => {
    const severities = ['INFO', 'WARN', 'ERROR', 'CRITICAL'] as const
    const of = Session.parse({
      events: severities.slice(0, 3).map((severity, i) => ({ name: `E${i}`, templates: [`c${i}`], severity, source })),
      causal_rules: [{ id: 'r', kind: 'sparql', body: '?cause :onEntity ?e', source, cause_class: 'E2', effect_class: 'E0' }],
      entities: [{ name: 'Node', key_slot: 'node', source }],
    })
    const drawn = fc.array(
      fc.record({ kind: fc.nat(2), severity: fc.constantFrom(...severities), second: fc.nat(60), node: fc.nat(1) }), { maxLength: 40 },
    )
    fc.assert(
      fc.property(drawn, fc.constantFrom<Tier>('Public', 'Internal', 'Confidential'), (lines, ceiling) => {
        const all = lines.map(({ kind, severity, second, node }, i) =>
          occurrence({ clusterId: `c${kind}`, severity, tsMs: second * 1000, offset: i, entities: [`node=n-${node}`] }))
        const own = (quads: readonly Quad[]) => quads.filter(({ subject }) => subject.value.includes('/event/')).map(quadKey).toSorted()
        const linksOf = () => [{ property: `${baseIri}involvesX`, record: `${recordBase}X/1` }]
        const low = eventQuads(of, all, { maxTier: ceiling, linksOf })
        const schema = rcaTaxonomyQuads(of, { baseIri, links: [{ iri: `${baseIri}involvesX`, label: '', range: `${baseIri}X`, tier: 'Public' }] })
        const whole = tiered(schema, eventQuads(of, all, { linksOf }), baseIri).slice(schema.length)
        expect(own(whole.filter(({ tier }) => within(tier, ceiling)).map(({ quad }) => quad))).toEqual(own(low))
      }),
      { numRuns: 150 },
    )
  })

  it('count every line once, and no two of one event on the same things overlap', () => {
    const drawn = fc.array(fc.record({ second: fc.nat(300), node: fc.nat(2) }), { maxLength: 60 })
    fc.assert(
      fc.property(drawn, (lines) => {
        const all = lines.map(({ second, node }, i) => occurrence({ tsMs: second * 100, offset: i, entities: [`node=n-${node}`] }))
        const intervals = intervalsOf(occurrencesOf(session, all), recordBase, session)
        expect(intervals.flatMap(({ occurrences }) => occurrences.map(({ offset }) => offset)).toSorted((x, y) => x - y)).toEqual(all.map((_, i) => i))
        expect(new Set(intervals.map(({ iri }) => iri)).size).toBe(intervals.length)
        for (const own of Map.groupBy(intervals, ({ first }) => first.things[0]?.value).values()) {
          for (const [i, { first }] of own.entries()) expect(first.tsMs).toBeGreaterThan(own[i - 1]?.last.tsMs ?? -1)
        }
      }),
      { numRuns: 100 },
    )
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
        const text = turtle(eventQuads(session, all))
        const turned = all.map((_, i) => all[(((i + turn) % all.length) + all.length) % all.length]!)
        expect(turtle(eventQuads(session, turned))).toBe(text)
        const parsed = parseTurtle(text)
        expect(parsed.ok && new Set(parsed.quads.map(quadKey)).size).toBe(new Set(eventQuads(session, all).map(quadKey)).size)
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
