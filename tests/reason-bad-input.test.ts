import { describe, expect, it } from 'vitest'
import type { Rule } from '../src/contracts/index.ts'
import { inputFrom, materialisationFiles, materialise, textOf } from '../src/materialise/index.ts'
import { validateRule } from '../src/rules/index.ts'

/** What people and other programs hand to the reason phase by mistake: a clear refusal or a flagged result, within the budget. */
const BASE = 'urn:t:'
const PREFIXES = `@prefix : <${BASE}> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n`
const SPARQL = `PREFIX : <${BASE}>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n`

const rule = (kind: Rule['kind'], body: string): Rule => ({
  id: 'odd', kind, label: '', body, enabled: true, nl_summary: '', source: 'user',
})
const reason = (schema: string, data: string, rules: readonly Rule[] = [], maxFacts = 20_000) =>
  materialise(inputFrom({ enterprise: PREFIXES + schema, instances: PREFIXES + data }, { baseIri: BASE, rules, budget: { maxFacts } }))
const triples = (m: ReturnType<typeof reason>) =>
  m.derived.map(({ quad: { subject, predicate, object } }) => [subject, predicate, object].map(({ value }) => value.replace(BASE, ':')).join(' '))

describe('a rule that cannot run is refused, and says where', () => {
  it.each<[string, Rule['kind'], string, string]>([
    ['an unsafe variable', 'datalog', 'bad(?x, ?y) :- C(?x).', 'line 1, column 9: ?y in the head is bound by no positive atom'],
    ['a negation in a cycle', 'datalog', 'a(?x) :- C(?x), not b(?x). b(?x) :- C(?x), not a(?x).', 'a negation inside a cycle'],
    ['a calculation that feeds itself', 'datalog', 'n(?x, 1) :- C(?x). n(?x, ?m) :- n(?x, ?k), ?m = ?k + 1.', 'a calculation inside a cycle'],
    ['SPARQL that ends too early', 'sparql', `${SPARQL}CONSTRUCT { ?x :p ?y } WHERE { ?x :q ?y`, 'line 3, column '],
    ['Turtle that ends too early', 'shacl', `${PREFIXES}:S sh:rule [`, 'line '],
    ['a negation over what the rule derives', 'sparql', `${SPARQL}CONSTRUCT { ?x :p ?y } WHERE { ?x :q ?y FILTER NOT EXISTS { ?y :p ?z } }`, 'a negation inside a cycle'],
    ['200 parentheses', 'sparql', `${SPARQL}CONSTRUCT { ?x :p 1 } WHERE { ?x :q ?y FILTER(${'('.repeat(200)}?y${')'.repeat(200)} > 1) }`, 'nest'],
    ['200 parentheses in rule text', 'datalog', `p(?x) :- C(?x), ?y = ${'('.repeat(200)}1${')'.repeat(200)}.`, 'at most'],
    ['another host', 'sparql', `${SPARQL}CONSTRUCT { ?x :p 1 } WHERE { SERVICE <http://far.example/> { ?x :q 1 } }`, 'SERVICE is not supported'],
    ['a value that changes', 'sparql', `${SPARQL}CONSTRUCT { ?x :p ?n } WHERE { ?x :q 1 BIND(NOW() AS ?n) }`, 'another value each time'],
  ])('%s', (_, kind, body, message) => {
    const m = reason(':C a owl:Class . :q a owl:ObjectProperty .', ':x a :C ; :q :y .', [rule(kind, body)])
    expect(m.refused.map(({ reason: why }) => why).join(' ')).toContain(message)
    expect(m.derived).toEqual([])
    const { ok } = validateRule(rule(kind, body), { baseIri: BASE })
    // what two rules do to each other shows only when they run together
    if (!message.includes('cycle')) expect(ok).toBe(false)
  })
})

describe('a rule without an end', () => {
  it('stops at the budget, and the result says so', () => {
    const grows = rule('sparql', `${SPARQL}CONSTRUCT { ?x :n ?m } WHERE { ?x :n ?k BIND(?k + 1 AS ?m) }`)
    const m = reason('', ':x :n 0 .', [grows], 500)
    expect(m.notices.join(' ')).toContain('the result is incomplete')
    expect(m.derived.length).toBeLessThanOrEqual(500)
    expect(materialisationFiles(m).map(textOf).at(-1)).toContain('incomplete')
  })

  it('neither does a product of everything with everything', () => {
    const product = rule('sparql', `${SPARQL}CONSTRUCT { ?x :with ?y } WHERE { ?x a :C . ?y a :C }`)
    const many = Array.from({ length: 400 }, (_, n) => `:x${n} a :C .`).join('\n')
    const m = reason('', many, [product], 5000)
    expect(m.notices.join(' ')).toContain('the run stopped at its budget (facts)')
  })
})

describe('odd data', () => {
  it.each([
    ['a list that bites its tail', ':A owl:intersectionOf _:a . _:a rdf:first :B ; rdf:rest _:a .'],
    ['a list without an end', ':A owl:unionOf [ rdf:first :B ] .'],
    ['a list with two heads', ':A owl:oneOf [ rdf:first :B, :C ; rdf:rest rdf:nil ] .'],
    ['a chain of itself', ':p owl:propertyChainAxiom ( :p :p ) .'],
    ['a class below itself', ':A rdfs:subClassOf :A . :A owl:equivalentClass :A . :A owl:disjointWith :Z .'],
    ['axioms about the vocabulary', 'rdf:type rdfs:subPropertyOf :kind . rdfs:subClassOf a owl:SymmetricProperty .'],
  ])('%s ends', (_, schema) => {
    const m = reason(schema, ':x a :A ; :p :y . :y :p :z .')
    expect(m.model.stopped).toBeNull()
  })

  it('literals that are none of their type compare with nothing', () => {
    const late = rule('sparql', `${SPARQL}CONSTRUCT { ?x :late true } WHERE { ?x :at ?t FILTER(?t > "2024-01-01T00:00:00Z"^^xsd:dateTime) }`)
    const m = reason('', ':a :at "2024-06-01T00:00:00Z"^^xsd:dateTime . :b :at "yesterday"^^xsd:dateTime . :c :at "2024-13-01T00:00:00Z"^^xsd:dateTime .', [late])
    expect(triples(m)).toEqual([':a :late true'])
  })

  it('times in several zones compare as moments, and one without a zone with none that has one', () => {
    const before = rule('sparql', `${SPARQL}CONSTRUCT { ?x :before ?y } WHERE { ?x :at ?s . ?y :at ?t FILTER(?s < ?t) }`)
    const at = (name: string, time: string) => `:${name} :at "${time}"^^xsd:dateTime .`
    const m = reason('', [at('a', '2024-01-01T12:00:00+02:00'), at('b', '2024-01-01T10:30:00Z'), at('c', '2024-01-01T10:15:00')].join('\n'), [before])
    expect(triples(m)).toEqual([':a :before :b'])
  })

  it('integers of any size stay exact', () => {
    const more = rule('datalog', 'more(?x, ?m) :- C(?x), count(?x, ?n), ?m = ?n + 1.')
    const m = reason(':C a owl:Class . :count a owl:DatatypeProperty .', ':x a :C ; :count 99999999999999999999999999999999 .', [more])
    expect(m.refused).toEqual([])
    expect(triples(m)).toContain(':x :more 100000000000000000000000000000000')
  })
})
