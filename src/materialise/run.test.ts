import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Store } from 'oxigraph'
import { describe, expect, it } from 'vitest'
import type { Rule, Tier } from '../contracts/index.ts'
import { ServiceError, tierRank } from '../contracts/index.ts'
import { PROV, RDF, STANDARD_PREFIXES, XSD, parseTurtle, writeTurtle } from '../kernel/rdf/index.ts'
import { compareText } from '../kernel/term.ts'
import { compileCausalRule, loadLibrary } from '../rules/index.ts'
import { materialiseWithStore } from './delegate-run.ts'
import { explainTriple } from './explain.ts'
import { type FileOptions, MATERIALISED_PATHS, materialisationFiles, textOf } from './files.ts'
import { LINEAGE_PREFIXES } from './lineage.ts'
import { type MaterialisationOptions, inputFrom } from './load.ts'
import type { Materialisation } from './materialisation.ts'
import { waysOf } from './premises.ts'
import { blowUp } from './report.ts'
import { materialise } from './run.ts'

const BASE = 'https://enterprise.example/ontology#'
const RECORD = 'https://enterprise.example/record/'
const PREFIXES = `@prefix : <${BASE}> . @prefix r: <${RECORD}> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n`
const CHAIN = ['LinkDown', 'BgpPeerLost', 'NfHeartbeatLost', 'NfDeregister'] as const
const SCHEMA = `${PREFIXES}
:hasCause rdfs:subPropertyOf :precededBy ; rdfs:domain :CausalEvent .
:rootCause rdfs:subPropertyOf :precededBy ; rdfs:domain :CausalEvent .
:triggers owl:inverseOf :hasCause .
:LinkDown rdfs:subClassOf :CausalEvent ; :sensitivityTier "Confidential" .
:BgpPeerLost rdfs:subClassOf :CausalEvent ; :sensitivityTier "Confidential" .
:NfHeartbeatLost rdfs:subClassOf :CausalEvent ; :sensitivityTier "Internal" .
:NfDeregister rdfs:subClassOf :CausalEvent ; :sensitivityTier "Restricted" .
`
const EVENTS = `${PREFIXES}
r:e1 a :LinkDown ; :startedAt "2024-05-01T10:12:29.000Z"^^xsd:dateTime ; :onEntity r:crt-07 .
r:e2 a :BgpPeerLost ; :startedAt "2024-05-01T10:12:31.100Z"^^xsd:dateTime ; :onEntity r:crt-07 .
r:e3 a :NfHeartbeatLost ; :startedAt "2024-05-01T10:12:35.000Z"^^xsd:dateTime ; :onEntity r:crt-07 .
r:e4 a :NfDeregister ; :startedAt "2024-05-01T10:12:41.100Z"^^xsd:dateTime ; :onEntity r:crt-07 .
r:far a :BgpPeerLost ; :startedAt "2024-05-01T10:12:33.000Z"^^xsd:dateTime ; :onEntity r:crt-09 .
r:late a :BgpPeerLost ; :startedAt "2024-05-01T11:12:33.000Z"^^xsd:dateTime ; :onEntity r:crt-07 .
`
const library = loadLibrary(readFileSync('templates/rules/rca.yaml', 'utf8'))
const causalRules = CHAIN.slice(1).map((effectClass, n) =>
  compileCausalRule({
    id: `cause-${n}`,
    pid: '',
    causeClass: CHAIN[n]!,
    effectClass,
    windowSeconds: 30,
    sharedEntity: 'node',
    baseIri: BASE,
  }),
)
const filesOf = (m: Materialisation, options?: FileOptions) =>
  materialisationFiles(m, options).map((file) => ({ path: file.path, text: textOf(file) }))

const reason = (options: Partial<MaterialisationOptions> = {}, logEvents = EVENTS): Materialisation =>
  materialise(inputFrom({ enterprise: SCHEMA, logEvents }, { baseIri: BASE, rules: library.rules, causalRules, ...options }))
const short = (value: string) => value.replace(BASE, ':').replace(RECORD, 'r:')
const has = (m: Materialisation, property: string) =>
  m.derived
    .filter(({ quad }) => quad.predicate.value === BASE + property)
    .map(({ quad }) => `${short(quad.subject.value)} ${short(quad.object.value)}`)
const sparql = (id: string, body: string): Rule => ({
  id,
  kind: 'sparql',
  label: '',
  body: `PREFIX : <${BASE}>\n${body}`,
  enabled: true,
  nl_summary: '',
  source: 'user',
})
const triple = (subject: string, property: string, object: string) => ({
  subject: RECORD + subject,
  predicate: BASE + property,
  object: RECORD + object,
})
const bgpAt = (time: string) => EVENTS.replace('10:12:31.100Z', time)
const causesAmong = (lines: readonly string[]) => has(reason({}, PREFIXES + lines.join('\n')), 'hasCause')

describe('the causal chain', () => {
  it('runs from the link to the deregistration, within the window and on one entity', () => {
    const m = reason()
    expect(has(m, 'hasCause')).toEqual(['r:e2 r:e1', 'r:e3 r:e2', 'r:e4 r:e3'])
    expect(has(m, 'triggers')).toEqual(['r:e1 r:e2', 'r:e2 r:e3', 'r:e3 r:e4'])
    expect(has(m, 'rootCause')).toEqual(['r:e2 r:e1', 'r:e3 r:e1', 'r:e4 r:e1'])
    expect(has(m, 'precededBy')).toEqual(['r:e2 r:e1', 'r:e3 r:e1', 'r:e3 r:e2', 'r:e4 r:e1', 'r:e4 r:e3'])
    expect(has(m, 'derivation')).toEqual(['r:e4 inferred'])
    expect(m.refused).toEqual([])
  })

  it('lets any earlier cause count when windows are ignored', () => {
    expect(has(reason({ ignoreWindows: true }), 'hasCause')).toEqual(['r:e2 r:e1', 'r:e3 r:e2', 'r:e4 r:e3', 'r:late r:e1'])
  })

  it('relates events of different entities without the entity join', () => {
    expect(has(reason({ entityJoin: false }), 'hasCause')).toEqual([
      'r:e2 r:e1',
      'r:e3 r:e2',
      'r:e3 r:far',
      'r:e4 r:e3',
      'r:far r:e1',
    ])
  })

  it('counts a cause at the edge of the window and none beyond it', () => {
    expect(has(reason({}, bgpAt('10:12:59.000Z')), 'hasCause')).toContain('r:e2 r:e1')
    expect(has(reason({}, bgpAt('10:12:59.001Z')), 'hasCause')).not.toContain('r:e2 r:e1')
    expect(has(reason({}, bgpAt('10:12:29.000Z')), 'hasCause')).not.toContain('r:e2 r:e1')
  })

  it('loses its root when the cause is removed', () => {
    const m = reason(
      {},
      EVENTS.split('\n')
        .filter((line) => !line.includes('LinkDown'))
        .join('\n'),
    )
    expect(has(m, 'rootCause')).toEqual(['r:e3 r:e2', 'r:e4 r:e2'])
  })

  it('flags an event with two causes', () => {
    const m = reason({}, `${EVENTS}r:e1b a :LinkDown ; :startedAt "2024-05-01T10:12:28Z"^^xsd:dateTime ; :onEntity r:crt-07 .`)
    expect(has(m, 'multipleCandidateCauses')).toEqual(['r:e2 true'])
  })
})

describe('premises', () => {
  it('every derived triple has some, and its tier is that of the highest', () => {
    const m = reason()
    expect(m.derived.length).toBeGreaterThan(20)
    for (const { premises, tier } of m.derived.flatMap((one) => waysOf(m, one.fact).slice(0, 1).map((way) => ({ ...way, tier: one.tier })))) {
      const triples = premises.flatMap((premise) => (premise.kind === 'triple' ? [tierRank(premise.tier)] : []))
      expect(triples.length).toBeGreaterThan(0)
      if (premises.every(({ kind }) => kind !== 'absent')) expect(tierRank(tier)).toBe(Math.max(...triples))
      else expect(tierRank(tier)).toBeGreaterThanOrEqual(Math.max(...triples))
    }
  })

  it('show a path as its steps, the window as a condition, the absence in words', () => {
    const m = reason()
    const of = (subject: string, property: string, object: string) => {
      const [found] = explainTriple(m, triple(subject, property, object), 1, 'Restricted').derivations
      return {
        ...found,
        premises: found!.premises.map((p) =>
          p.kind === 'triple' ? Object.values(p.triple).map(short).join(' ') : `${p.kind}: ${p.text}`,
        ),
      }
    }
    expect(of('e4', 'rootCause', 'e1')).toMatchObject({
      rule: 'rca-rootcause-onehop',
      engine: 'sparql',
      bindings: { event: `${RECORD}e4`, root: `${RECORD}e1` },
      premises: [
        'r:e4 :hasCause r:e3',
        'r:e3 :hasCause r:e2',
        'r:e2 :hasCause r:e1',
        `absent: <${RECORD}e1> has no :hasCause`,
      ],
    })
    expect(of('e2', 'hasCause', 'e1').premises.slice(-2)).toEqual([
      'condition: 2024-05-01T10:12:31.100Z > 2024-05-01T10:12:29.000Z',
      'condition: 2024-05-01T10:12:31.100Z is within 30 s of 2024-05-01T10:12:29.000Z',
    ])
    expect(of('e4', 'precededBy', 'e3')).toMatchObject({
      rule: 'prp-spo1',
      engine: 'owl',
      premises: [':hasCause http://www.w3.org/2000/01/rdf-schema#subPropertyOf :precededBy', 'r:e4 :hasCause r:e3'],
    })
  })

  it('go as deep as asked', () => {
    const m = reason()
    const depth = (node: { derivations?: readonly { premises: readonly object[] }[] }): number =>
      Math.max(0, ...(node.derivations ?? []).map(({ premises }) => 1 + Math.max(0, ...premises.map((p) => depth(p)))))
    const depths = [1, 2, 3, 4].map((n) => depth(explainTriple(m, triple('e4', 'precededBy', 'e1'), n, 'Restricted')))
    expect(depths.slice(0, 3)).toEqual([1, 2, 3])
    for (const bad of [0, 5, 1.5])
      expect(() => explainTriple(m, triple('e4', 'precededBy', 'e1'), bad, 'Restricted')).toThrow(ServiceError)
  })

  it('cannot be told from nothing when they lie above the ceiling', () => {
    const m = reason()
    const message = (subject: string, ceiling: Tier) => {
      try {
        explainTriple(m, triple(subject, 'hasCause', 'e3'), 1, ceiling)
      } catch (error) {
        return error instanceof ServiceError && `${error.code} ${error.message}`
      }
      return 'shown'
    }
    expect(message('e4', 'Restricted')).toBe('shown')
    expect(message('e4', 'Confidential')).toBe(message('nobody', 'Confidential'))
    expect(message('nobody', 'Confidential')).toContain('not_found')
  })
})

describe('the ceiling', () => {
  it('cuts the graph before reasoning', () => {
    const m = reason({ ceiling: 'Confidential' })
    expect(has(m, 'hasCause')).toEqual(['r:e2 r:e1', 'r:e3 r:e2'])
    expect(JSON.stringify(filesOf(m))).not.toContain('NfDeregister a')
    expect(JSON.stringify(filesOf(m))).not.toContain(`${RECORD}e4`)
  })

  it('treats data that nobody labelled as Restricted', () => {
    const m = reason({ ceiling: 'Confidential' }, `${EVENTS}r:x :p r:y .`)
    expect(m.asserted.some(({ quad }) => quad.subject.value === `${RECORD}x`)).toBe(false)
  })
})

describe('rules that cannot run', () => {
  it('are refused with a reason while the others run', () => {
    const rules: Rule[] = [
      sparql('good', 'CONSTRUCT { ?x :seen true } WHERE { ?x a :LinkDown }'),
      sparql('good', 'CONSTRUCT { ?x :other true } WHERE { ?x a :LinkDown }'),
      sparql('broken', 'CONSTRUCT { ?x :seen } WHERE { ?x a :LinkDown }'),
      sparql('circular', 'CONSTRUCT { ?x :hasCause ?x } WHERE { ?x a :LinkDown FILTER NOT EXISTS { ?x :precededBy ?y } }'),
      sparql('elsewhere', 'CONSTRUCT { ?x :seen true } WHERE { SERVICE <urn:far> { ?x a :LinkDown } }'),
      { ...sparql('off', 'nonsense'), enabled: false },
      { ...sparql('shape', ''), kind: 'shacl' },
      { ...sparql('text', ''), kind: 'datalog', body: 'odd(?x) :- LinkDown(?x), not even(?y, ?x).' },
      { ...sparql('axiom', ''), kind: 'owl', body: ':a :b .' },
    ]
    const m = reason({ rules, causalRules: [] })
    expect(has(m, 'seen')).toEqual(['r:e1 true'])
    expect(m.refused.map(({ rule, reason: why }) => `${rule}: ${why}`)).toEqual([
      expect.stringContaining('axiom: line 1: '),
      expect.stringContaining('shape: there is no sh:rule in it'),
      'broken: line 2, column 22: unexpected }',
      expect.stringContaining('circular: a negation inside a cycle'),
      expect.stringContaining('elsewhere: line 2'),
      'good: another rule has the same id',
      expect.stringContaining('text: '),
    ])
  })

  it('a rule that derives nothing is named', () => {
    expect(
      reason({ rules: [sparql('idle', 'CONSTRUCT { ?x :seen true } WHERE { ?x a :Nothing }')] }).rulesWithoutFirings,
    ).toEqual([{ engine: 'sparql', rule: 'idle' }])
  })

  it('axioms that come as a rule, or out of one, are applied', () => {
    const owl: Rule = { ...sparql('axioms', ''), kind: 'owl', body: `${PREFIXES} :CausalEvent rdfs:subClassOf :Event .` }
    const meta = sparql(
      'meta',
      'PREFIX s: <http://www.w3.org/2000/01/rdf-schema#>\n' +
        'CONSTRUCT { :Event s:subClassOf :Thing } WHERE { :CausalEvent s:subClassOf :Event }',
    )
    const m = reason({ rules: [owl, meta], causalRules: [] })
    const things = m.derived.filter(({ quad }) => quad.object.value === `${BASE}Thing` && quad.subject.value.startsWith(RECORD))
    expect(things.map(({ origins }) => origins[0]?.rule)).toEqual(Array.from({ length: 6 }, () => 'cax-sco'))
  })
})

describe('the files', () => {
  it('are the seven of the specification, parse, and say the same whatever the order of the input', () => {
    const files = filesOf(reason())
    expect(files.map(({ path }) => path)).toEqual([
      'ontology/enterprise-inferred.ttl',
      'ontology/inferred-shacl.ttl',
      'ontology/inferred-sparql.ttl',
      'ontology/inferred-datalog.ttl',
      'ontology/materialised.ttl',
      'ontology/materialised-lineage.ttl',
      'ontology/materialisation_report.md',
    ])
    expect(files.map(({ path }) => path)).toEqual(MATERIALISED_PATHS)
    for (const { path, text } of files) {
      if (!path.endsWith('.ttl')) continue
      const parsed = parseTurtle(text)
      expect(parsed.ok && parsed.quads.length, path).toBe(Number(/triples: (\d+)/.exec(text)?.[1]))
      expect(text).toContain('# ceiling: Restricted')
    }
    const lines = EVENTS.split('\n')
    const turned = [...lines.slice(0, 2), ...lines.slice(2).toReversed()].join('\n')
    expect(
      filesOf(reason({ rules: library.rules.toReversed(), causalRules: causalRules.toReversed() }, turned)),
    ).toEqual(files)
  })

  it('the lineage leads from every derived triple to statements and a rule', () => {
    const m = reason()
    const parsed = parseTurtle(filesOf(m).find(({ path }) => path.endsWith('lineage.ttl'))!.text)
    const quads = parsed.ok ? parsed.quads : []
    const subjects = (property: string) =>
      new Set(quads.filter(({ predicate }) => predicate.value.endsWith(property)).map(({ subject }) => subject.value))
    expect(subjects('#tier').size).toBe(m.derived.length)
    expect(subjects('wasGeneratedBy').size).toBe(m.derived.flatMap(({ origins }) => origins).length)
    expect(subjects('wasDerivedFrom')).toEqual(subjects('wasGeneratedBy'))
    const statements = subjects('#subject')
    for (const { predicate, object } of quads)
      if (predicate.value.endsWith('wasDerivedFrom')) expect(statements.has(object.value)).toBe(true)
  })

  it('the lineage is made block by block, yet spelt as any graph of ours', () => {
    const twin = sparql('twin', 'CONSTRUCT { ?x :precededBy ?y } WHERE { ?x :hasCause ?y }')
    const m = reason({ rules: [...library.rules, twin] })
    expect(m.derived.some(({ origins }) => origins.length > 1)).toBe(true)
    const text = filesOf(m).find(({ path }) => path.endsWith('lineage.ttl'))!.text
    const parsed = parseTurtle(text)
    const quads = parsed.ok ? parsed.quads : []
    const prefixes = { ...STANDARD_PREFIXES, ...LINEAGE_PREFIXES, '': BASE }
    const header = text.split('\n').filter((line) => line.startsWith('# ')).map((line) => line.slice(2))
    expect(writeTurtle(quads, { prefixes, header })).toBe(text)
    const lines = filesOf(m, { rdf12: true }).find(({ path }) => path.endsWith('lineage.ttl'))!.text.split('\n').slice(3, -1)
    expect(lines.length).toBe(quads.length - 3 * quads.filter(({ object }) => object.value === `${RDF}Statement`).length)
    expect(lines.toSorted(compareText)).toEqual(lines)
  })

  it('the report counts by rule, warns of growth, and lists what is more sensitive than its label', () => {
    const m = reason()
    const text = filesOf(m).at(-1)!.text
    expect(text).toContain('| owl | cax-sco | 6 |')
    expect(text).toContain('| sparql | rca-rootcause-onehop | 3 |')
    expect(text).toContain('| :rootCause | Confidential | ')
    expect(text).not.toContain('Warning')
    const nodes = Array.from({ length: 14 }, (_, n) => `r:n${n} :next r:n${n + 1} .`).join('\n')
    const grown = materialise(
      inputFrom(
        { enterprise: `${PREFIXES}:next a owl:TransitiveProperty .`, instances: PREFIXES + nodes },
        { baseIri: BASE, rules: [] },
      ),
    )
    expect(blowUp(grown)).toBeGreaterThan(5)
    expect(filesOf(grown).at(-1)!.text).toContain('**Warning**')
  })
})

describe('all kinds of rules run together', () => {
  const prefixes = `${PREFIXES}@prefix sh: <http://www.w3.org/ns/shacl#> .\n`
  const text = (id: string, body: string): Rule => ({ ...sparql(id, ''), kind: 'datalog', body })
  const shape: Rule = {
    ...sparql('shape', ''),
    kind: 'shacl',
    body: `${prefixes}:Shape a sh:NodeShape ; sh:targetClass :Outage ; sh:rule [
      a sh:TripleRule ; sh:subject sh:this ; sh:predicate :severity ; sh:object "high" ;
      sh:condition [ sh:property [ sh:path :onEntity ; sh:minCount 1 ] ] ] .`,
  }
  const RULES = [
    text('outage', 'outage(?e) :- LinkDown(?e).'),
    shape,
    sparql('alert', 'CONSTRUCT { ?e :alert ?s } WHERE { ?e :severity ?s OPTIONAL { ?e :handled ?h } FILTER(!BOUND(?h)) }'),
    sparql('also', 'CONSTRUCT { ?e a :Outage } WHERE { ?e a :LinkDown }'),
  ]

  it('each reading what the others derive', () => {
    const m = reason({ rules: RULES, causalRules: [] })
    expect(m.refused).toEqual([])
    expect(has(m, 'alert')).toEqual(['r:e1 high'])
    const severity = m.derived.find(({ quad }) => quad.predicate.value === `${BASE}severity`)
    const [way] = waysOf(m, severity?.fact ?? -1)
    expect(way).toMatchObject({ engine: 'shacl', rule: 'shape', shape: { value: `${BASE}Shape` }, partial: false })
    expect(short(way?.bindings['this']?.value ?? '')).toBe('r:e1')
  })

  it('and a triple that two engines derive stands with both', () => {
    const m = reason({ rules: RULES, causalRules: [] })
    const outage = m.derived.find(({ quad }) => quad.object.value === `${BASE}Outage`)
    expect(outage?.origins.map(({ engine }) => engine).toSorted()).toEqual(['datalog', 'sparql'])
    const files = new Map(filesOf(m).map(({ path, text: content }) => [path, content]))
    for (const engine of ['datalog', 'sparql']) expect(files.get(`ontology/inferred-${engine}.ttl`)).toContain(':Outage')
    const lineage = files.get('ontology/materialised-lineage.ttl') ?? ''
    expect(lineage).toContain('sh:focusNode')
    expect(lineage).toContain('lineage:alternative')
  })

  it('one that no compiler reads goes through the SPARQL store, and its premises are marked', async () => {
    const first = sparql('first', 'CONSTRUCT { ?e :first true } WHERE { ?e a :LinkDown { SELECT ?e { ?e :startedAt ?t } ORDER BY ?t LIMIT 1 } }')
    const m = await materialiseWithStore(inputFrom({ enterprise: SCHEMA, logEvents: EVENTS }, { baseIri: BASE, rules: [first] }))
    expect(has(m, 'first')).toEqual(['r:e1 true'])
    expect(m.delegated).toMatchObject([{ rule: 'first', solutions: 1 }])
    const [way] = waysOf(m, m.derived.find(({ quad }) => quad.predicate.value === `${BASE}first`)?.fact ?? -1)
    expect(way?.partial).toBe(true)
    expect(way?.premises).toMatchObject([{ kind: 'triple' }])
    expect(filesOf(m).at(-1)?.text).toContain('- first (sparql), 1 solutions: ')
  })
})

it('RDF 1.2 lineage reifies the triples themselves', () => {
  const m = reason()
  const lineage = filesOf(m, { rdf12: true }).find(({ path }) => path.endsWith('lineage.ttl'))?.text ?? ''
  const store = new Store()
  store.load(lineage, { format: 'text/turtle' })
  const [count] = store.query(`SELECT (COUNT(*) AS ?n) { ?statement <${RDF}reifies> ?triple ; <${PROV}wasGeneratedBy> ?rule }`) as unknown as [Map<string, { value: string }>]
  expect(Number(count.get('n')?.value)).toBe(m.derived.length)
})

it('contradictions are reported with what they follow from', () => {
  const schema = `${PREFIXES}:A owl:disjointWith :B . :p a owl:FunctionalProperty .`
  const data = `${PREFIXES}r:x a :A, :B ; :p r:y, r:z .`
  const m = materialise(inputFrom({ enterprise: schema, instances: data }, { baseIri: BASE, rules: [] }))
  expect(m.derived).toEqual([])
  expect(m.inconsistencies.map(({ text }) => text.replaceAll(/<[^>]*\/(\w)>/g, 'r:$1'))).toEqual([
    'r:x has two values for the functional property :p: r:y and r:z',
    'r:x is both a :A and a :B, which are disjoint',
  ])
  expect(filesOf(m).at(-1)?.text).toContain(`  - <${RECORD}x> <${BASE}p> <${RECORD}y>`)
})

it('a budget ends the run with a notice instead of an endless one', () => {
  expect(reason({ budget: { maxRounds: 1 } }).notices[0]).toContain('incomplete')
})

it('files that do not parse are named, with the line', () => {
  expect(() => reason({}, 'r:e1 oops')).toThrow('log-events.ttl cannot be read')
})

it('more data never takes away a cause', () => {
  const events = EVENTS.trim()
    .split('\n')
    .filter((line) => line.startsWith('r:'))
  fc.assert(
    fc.property(fc.subarray(events), fc.subarray(events), (some, more) => {
      const all = causesAmong([...new Set([...some, ...more])])
      for (const cause of causesAmong(some)) expect(all).toContain(cause)
    }),
    { numRuns: 30 },
  )
})

it('a rule that the proof checker cannot follow is refused, and the others run', () => {
  // we know this number, the second opinion does not
  const huge = sparql('huge', `PREFIX xsd: <${XSD}>\nCONSTRUCT { ?x :most ?m } WHERE { ?x :load ?v BIND(xsd:double(?v) AS ?m) }`)
  const fine = sparql('fine', 'CONSTRUCT { ?x :loaded true } WHERE { ?x :load ?v }')
  const m = reason({ rules: [huge, fine], causalRules: [] }, `${EVENTS}r:e1 :load 1 . r:e2 :load 99999999999999999999999 .`)
  expect(has(m, 'loaded')).toEqual(['r:e1 true', 'r:e2 true'])
  expect(m.refused.map(({ rule }) => rule)).toEqual(['huge'])
})

it('a blank node of a template is one node for each solution, in every run', () => {
  const made = sparql('made', 'CONSTRUCT { ?x :note _:n . _:n :about ?y } WHERE { ?x :load ?y }')
  const run = () => reason({ rules: [made], causalRules: [] }, `${EVENTS}r:e1 :load 1.50 . r:e2 :load 2 .`)
  const m = run()
  expect(m.refused).toEqual([])
  expect(new Set(m.derived.filter(({ quad }) => quad.predicate.value === `${BASE}note`).map(({ quad }) => quad.object.value)).size).toBe(2)
  expect(has(m, 'about').map((line) => line.split(' ')[1]).toSorted()).toEqual(['1.50', '2'])
  expect(run().derived.map(({ quad }) => quad.object.value)).toEqual(m.derived.map(({ quad }) => quad.object.value))
})

it('a template that names its class by a variable is refused where it would deny what it makes', () => {
  const cls = sparql('cls', 'CONSTRUCT { ?x a ?c } WHERE { ?x :kind ?c FILTER NOT EXISTS { ?x a :Foo } }')
  const fine = sparql('fine', 'CONSTRUCT { ?x :seen true } WHERE { ?x a :LinkDown }')
  const m = reason({ rules: [cls, fine], causalRules: [] }, `${EVENTS}r:e1 :kind :Foo .`)
  expect(m.refused.map(({ rule, reason: why }) => `${rule}: ${why}`)).toEqual([expect.stringContaining('cls: a negation inside a cycle')])
  expect(has(m, 'seen')).toEqual(['r:e1 true'])
})

it('a second engine that derives a triple from the triple itself does not count', () => {
  const inverse = `${SCHEMA}:triggers a owl:SymmetricProperty .`
  const rule = sparql('one', 'CONSTRUCT { ?x :triggers ?y } WHERE { ?x :next ?y }')
  const m = materialise(inputFrom({ enterprise: inverse, logEvents: `${PREFIXES}r:a :next r:b .` }, { baseIri: BASE, rules: [rule] }))
  const forward = m.derived.find(({ quad }) => short(quad.subject.value) === 'r:a' && quad.predicate.value === `${BASE}triggers`)
  expect(forward?.origins.map(({ engine }) => engine)).toEqual(['sparql'])
})
