import { describe, expect, it } from 'vitest'
import { LIMITS, type RuleKind } from '../contracts/index.ts'
import { type RuleVocabulary, vocabularyOfGraph } from './rule-vocabulary.ts'
import { parseFragment } from './turtle-fragment.ts'
import { type RuleDraft, validateRule } from './validate.ts'

/** Rules that must not be kept: each with the line that is to blame and the cause in words. */
const BASE = 'https://enterprise.example/ontology#'
const P = `PREFIX : <${BASE}>\n`
const T = `@prefix : <${BASE}> .\n`

const schema = parseFragment(`${T}
:Alarm a owl:Class . :Resource a owl:Class . :CausalEvent a owl:Class .
:Alarm.severity a owl:DatatypeProperty ; rdfs:domain :Alarm ; rdfs:range xsd:string .
:Alarm.count a owl:DatatypeProperty ; rdfs:domain :Alarm ; rdfs:range xsd:integer .
:Alarm.raised_at a owl:DatatypeProperty ; rdfs:domain :Alarm ; rdfs:range xsd:dateTime .
:Alarm.resource a owl:ObjectProperty ; rdfs:domain :Alarm ; rdfs:range :Resource .
:startedAt a owl:DatatypeProperty ; rdfs:range xsd:dateTime . :hasCause a owl:ObjectProperty .`)
const vocabulary: RuleVocabulary = vocabularyOfGraph(schema.ok ? schema.quads : [], BASE)

const shape = (rule: string) => `${T}:S a sh:NodeShape ;\n  sh:targetClass :Alarm ;\n  sh:rule [ ${rule} ] .`
const triple = (more: string) => shape(`a sh:TripleRule ;\n  ${more}\n  sh:subject sh:this ; sh:predicate :urgent ; sh:object true`)
const where = (pattern: string) => `${P}CONSTRUCT { ?a :urgent true }\nWHERE { ${pattern} }`

type Case = readonly [what: string, kind: RuleKind, body: string, line: number, cause: RegExp, more?: Partial<RuleDraft>]

const CASES: readonly Case[] = [
  ['SPARQL that ends early', 'sparql', `${P}CONSTRUCT { ?a :urgent true }\nWHERE {`, 3, /unexpected end/],
  ['an undeclared prefix', 'sparql', `${P}CONSTRUCT { ?a :urgent true }\nWHERE { ?a no:such ?b }`, 3, /prefix no: is not declared/],
  ['a SELECT', 'sparql', 'SELECT * WHERE { ?s ?p ?o }', 1, /CONSTRUCT/],
  ['an update', 'sparql', 'INSERT DATA { <x:a> <x:b> <x:c> }', 1, /update/],
  ['LOAD', 'sparql', 'LOAD <http://elsewhere.example/data>', 1, /update/],
  ['SERVICE', 'sparql', where('SERVICE <http://elsewhere.example/> { ?a a :Alarm }'), 3, /SERVICE/],
  ['SERVICE SILENT', 'sparql', where('?a a :Alarm . SERVICE SILENT <http://elsewhere.example/> { ?a ?p ?o }'), 3, /SERVICE/],
  ['FROM', 'sparql', `${P}CONSTRUCT { ?a :urgent true }\nFROM <http://elsewhere.example/g>\nWHERE { ?a a :Alarm }`, 3, /FROM/],
  ['another graph', 'sparql', where('GRAPH <x:g> { ?a a :Alarm }'), 3, /GRAPH/],
  ['the clock', 'sparql', where('?a :Alarm.raised_at ?t FILTER(?t < NOW())'), 3, /NOW/i],
  ['chance', 'sparql', where('?a a :Alarm FILTER(RAND() > 0.5)'), 3, /RAND/i],
  ['a function nobody knows', 'sparql', where('?a :Alarm.count ?n FILTER(<x:f>(?n))'), 3, /function/],
  ['65 braces', 'sparql', `${P}CONSTRUCT { ?a :urgent true } WHERE ${'{'.repeat(65)} ?a a :Alarm ${'}'.repeat(65)}`, 2, /64 deep/],
  ['a variable of the head that nothing binds', 'sparql', `${P}CONSTRUCT { ?a :near ?b }\nWHERE { ?a a :Alarm }`, 2, /\?b/],
  ['an unknown class', 'sparql', where('?a a :Alrm'), 3, /no class .* :Alrm; did you mean :Alarm\?/],
  ['an unknown property', 'sparql', where('?a :Alarm.severty "high"'), 3, /no property .* :Alarm.severty; did you mean :Alarm.severity\?/],
  ['an unknown term inside NOT EXISTS', 'sparql', where('?a a :Alarm\n FILTER NOT EXISTS { ?a :Alarm.closed ?t }'), 4, /no property .* :Alarm.closed/],
  ['an unknown term of a path', 'sparql', where('?a :Alarm.resource/:Resource.sit+ ?b'), 3, /no property .* :Resource.sit/],
  ['a term of a mistyped namespace', 'sparql', where('?a a <https://enterprise.exmple/ontology#Alarm>'), 3, /no class .*exmple/],
  ['a pattern with a back reference', 'sparql', where('?a :Alarm.severity ?s FILTER(REGEX(?s, "(a)\\\\1"))'), 3, /linear time/],
  ['a pattern that looks ahead', 'sparql', where('?a :Alarm.severity ?s FILTER(REGEX(?s, "a(?=b)"))'), 3, /linear time/],
  ['a number that is none', 'sparql', where(`?a :Alarm.count ?n FILTER(?n > "many"^^<http://www.w3.org/2001/XMLSchema#integer>)`), 3, /"many" is no xsd:integer/],
  ['an order between a number and a text', 'sparql', where('?a :Alarm.count ?n FILTER(?n > "5")'), 3, /a number and a text/],
  ['a day that is none', 'sparql', where(`?a :Alarm.raised_at ?t FILTER(?t > "2026-02-30T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>)`), 3, /xsd:dateTime/],
  ['negation through itself', 'sparql', `${P}CONSTRUCT { ?a :urgent true }\nWHERE { ?a a :Alarm FILTER NOT EXISTS { ?a :urgent ?x } }`, 1, /negation inside a cycle/],
  ['a window that cannot be read', 'sparql', `# window_seconds: 30s\n${where('?a a :Alarm')}`, 1, /window is written/],
  ['a window of nothing', 'sparql', `# window_seconds: 0\n${P}CONSTRUCT { ?e :hasCause ?c } WHERE { ?c :startedAt ?ct . ?e :startedAt ?et FILTER(?et > ?ct) }`, 1, /no seconds/],
  ['a missing window', 'sparql', `${P}CONSTRUCT { ?e :hasCause ?c } WHERE { ?c :startedAt ?ct . ?e :startedAt ?et FILTER(?et > ?ct) }`, 1, /needs a window/,
    { cause_class: 'Alarm', effect_class: 'Alarm' }],
  ['another window beside the text', 'sparql', `# window_seconds: 30\n${P}CONSTRUCT { ?e :hasCause ?c } WHERE { ?c :startedAt ?ct . ?e :startedAt ?et FILTER(?et > ?ct) }`, 1, /says 30/,
    { window_seconds: 60 }],
  ['a window with nothing to measure', 'sparql', `# window_seconds: 30\n${where('?a a :Alarm')}`, 4, /window/],
  ['a text that is too long', 'sparql', `${where('?a a :Alarm')}\n#${'x'.repeat(LIMITS.rule_body_chars)}`, 1, /characters, at most/],

  ['Turtle that ends early', 'shacl', `${T}:S a sh:NodeShape ;\n  sh:rule [ a sh:TripleRule`, 3, /./],
  ['a shape without a rule', 'shacl', `${T}:S a sh:NodeShape ; sh:targetClass :Alarm .`, 1, /no shape .* sh:rule/],
  ['a rule without a subject', 'shacl', shape('a sh:TripleRule ; sh:predicate :urgent ; sh:object true'), 2, /subject/],
  ['a rule without a predicate', 'shacl', shape('a sh:TripleRule ; sh:subject sh:this ; sh:object true'), 2, /predicate/],
  ['a blank predicate', 'shacl', shape('a sh:TripleRule ; sh:subject sh:this ; sh:predicate [] ; sh:object true'), 2, /predicate/],
  ['an unknown target', 'shacl', `${T}:S a sh:NodeShape ;\n  sh:targetClass :Alrm ;\n  sh:rule [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate :urgent ; sh:object true ] .`, 3, /no class .* :Alrm/],
  ['an unknown path of a condition', 'shacl', triple('sh:condition [ sh:property [ sh:path :Alarm.sevrity ; sh:hasValue "x" ] ] ;'), 5, /no property .* :Alarm.sevrity/],
  ['a count that is none', 'shacl', triple('sh:condition [ sh:property [ sh:path :Alarm.severity ; sh:minCount "some" ] ] ;'), 2, /minCount/],
  ['an unsafe pattern', 'shacl', triple('sh:condition [ sh:property [ sh:path :Alarm.severity ; sh:pattern "(a)\\\\1" ] ] ;'), 5, /linear time/],
  ['a broken query inside', 'shacl', shape('a sh:SPARQLRule ; sh:construct """\nCONSTRUCT { $this <x:urgent> true }\nWHERE { $this ?p"""'), 6, /unexpected/],
  ['SERVICE inside', 'shacl', shape('a sh:SPARQLRule ; sh:construct """\nCONSTRUCT { $this <x:urgent> true }\nWHERE { SERVICE <http://e.example/> { $this ?p ?o } }"""'), 6, /SERVICE/],
  ['slots that say something else', 'shacl', triple(''), 1, /slots do not say/, { meta: { target_class: 'Alarm', conditions: [], assertion: { path: 'calm', value: true } } }],

  ['OWL that does not parse', 'owl', `${T}\n:A :b`, 3, /./],
  ['an undeclared prefix in OWL', 'owl', `${T}:A no:b :C .`, 2, /no/],
  ['nothing', 'owl', '# only a comment\n', 1, /no triple/],
  ['a subclass of nothing known', 'owl', `${T}\n:Alrm rdfs:subClassOf :Trouble .`, 3, /no class .* :Alrm/],
  ['a restriction on an unknown property', 'owl', `${T}:Loud owl:equivalentClass [ a owl:Restriction ;\n  owl:onProperty :Alarm.volume ; owl:hasValue true ] .`, 3, /no property .* :Alarm.volume/],
  ['two unknown terms that say each other', 'owl', `${T}:up owl:inverseOf :down .`, 2, /no property/],
  ['a malformed value in OWL', 'owl', `${T}:Loud owl:equivalentClass [ a owl:Restriction ; owl:onProperty :Alarm.count ;\n owl:hasValue "x"^^xsd:integer ] .`, 3, /"x" is no xsd:integer/],

  ['Datalog that does not parse', 'datalog', 'urgent(?a) :-\n  Alarm(?a', 2, /./],
  ['an unknown class in Datalog', 'datalog', 'urgent(?a) :-\n  Alrm(?a).', 2, /Alrm.*Alarm/],
  ['an unknown column', 'datalog', 'urgent(?a) :-\n  Alarm(?a, severty: "high").', 2, /severty.*severity/],
  ['a variable of the head that is not bound', 'datalog', 'near(?a, ?b) :- Alarm(?a).', 1, /\?b/],
  ['a variable that only a negation has', 'datalog', 'urgent(?a) :- Alarm(?a), not calm(?b), ?b > 3.\ncalm(?a) :- Alarm(?a, severity: "low").', 1, /\?b/],
  ['negation through itself in Datalog', 'datalog', 'urgent(?a) :- Alarm(?a), not urgent(?a).', 1, /negation inside a cycle/],
  ['an open head', 'datalog', 'urgent(_) :- Alarm(?a).', 1, /./],
  ['a class of the data in the head', 'datalog', 'alarm(?a) :- Alarm(?a).', 1, /class Alarm of the data/],
  ['a value in front', 'datalog', 'urgent(?n) :- Alarm(?a, count: ?n).', 1, /is a value/],
  ['a calculation that feeds itself', 'datalog', 'n(?a, ?y) :- n(?a, ?x), ?y = ?x + 1.\nn(?a, ?x) :- Alarm(?a, count: ?x).', 1, /./],
]

const check = (rule: Partial<RuleDraft> & { kind: RuleKind; body: string }) => validateRule({ id: 'r', ...rule }, { vocabulary, baseIri: BASE })

describe('a broken rule is not kept', () => {
  it('of every kind there are several', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(50)
    for (const kind of ['sparql', 'shacl', 'owl', 'datalog']) expect(CASES.filter(([, each]) => each === kind).length).toBeGreaterThanOrEqual(6)
  })

  it.each(CASES.map(([what, kind, body, line, cause, more = {}]) => ({ what, kind, body, line, cause, more })))('$what', ({ kind, body, line, cause, more }) => {
    const { ok, errors } = check({ kind, body, ...more })
    expect(ok).toBe(false)
    const blamed = errors.find(({ message }) => cause.test(message))
    expect({ errors, blamed: blamed !== undefined }).toMatchObject({ blamed: true })
    if (blamed?.path === undefined || blamed.line !== undefined) expect(blamed).toMatchObject({ line, column: expect.any(Number) })
  })

  it.each(['../x', 'a/b', 'A', '', 'x'.repeat(65), 'coverage', 'library', 'validate', 'compile', 'preview', 'draft', 'summarise', 'a b', 'é'])('under the id %j', (id) => {
    expect(validateRule({ id, kind: 'sparql', body: where('?a a :Alarm') }, { vocabulary, baseIri: BASE })).toMatchObject({ ok: false, errors: [{ path: 'id' }] })
  })

  it('that denies what another one derives from it', () => {
    const others = [{ id: 'other', kind: 'sparql' as const, body: `${P}CONSTRUCT { ?a :calm true } WHERE { ?a :urgent true }` }]
    const body = `${P}CONSTRUCT { ?a :urgent true }\nWHERE { ?a a :Alarm FILTER NOT EXISTS { ?a :calm true } }`
    expect(validateRule({ id: 'r', kind: 'sparql', body }, { vocabulary, baseIri: BASE, others })).toMatchObject({ ok: false, errors: [{ message: expect.stringMatching(/cycle/) }] })
  })

  it('but what another rule gives is known', () => {
    const body = where('?a :calm true')
    expect(check({ kind: 'sparql', body }).ok).toBe(false)
    const others = [{ id: 'other', kind: 'datalog' as const, body: 'calm(?a, ?s) :- Alarm(?a, severity: ?s).' }]
    expect(validateRule({ id: 'r', kind: 'sparql', body }, { vocabulary, baseIri: BASE, others }).errors).toEqual([])
  })
})
