import { expect, it } from 'vitest'
import { materialisationFrom } from './load.ts'

const PREFIXES = `@prefix : <urn:t:> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n`
const reason = (schema: string, data: string) =>
  materialisationFrom({ enterprise: PREFIXES + schema, instances: PREFIXES + data }, { baseIri: 'urn:t:', rules: [] })
const derived = (schema: string, data: string) =>
  reason(schema, data).derived.map(({ rule, quad, premises }) => {
    const text = [quad.subject, quad.predicate, quad.object].map(({ value }) =>
      value
        .replace('urn:t:', ':')
        .replace(/.*#type$/, 'a')
        .replace(/.*#/, ''),
    )
    return `${rule}: ${text.join(' ')} (${premises.length})`
  })

it.each([
  ['cax-sco', ':A rdfs:subClassOf :B .', ':x a :A .', ['cax-sco: :x a :B (2)']],
  ['cax-eqc', ':A owl:equivalentClass :B .', ':x a :A . :y a :B .', ['cax-eqc1: :x a :B (2)', 'cax-eqc2: :y a :A (2)']],
  ['prp-spo1', ':p rdfs:subPropertyOf :q .', ':x :p 1 .', ['prp-spo1: :x :q 1 (2)']],
  ['prp-eqp', ':p owl:equivalentProperty :q .', ':x :p 1 . :y :q 2 .', ['prp-eqp1: :x :q 1 (2)', 'prp-eqp2: :y :p 2 (2)']],
  ['prp-dom', ':p rdfs:domain :A .', ':x :p 1 .', ['prp-dom: :x a :A (2)']],
  ['prp-rng', ':p rdfs:range :A .', ':x :p :y .', ['prp-rng: :y a :A (2)']],
  ['prp-rng never types a literal', ':p rdfs:range :A .', ':x :p "y" .', []],
  ['prp-rng never types by a datatype', ':p rdfs:range xsd:string .', ':x :p :y .', []],
  ['prp-inv', ':p owl:inverseOf :q .', ':x :p :y . :z :q :w .', ['prp-inv2: :w :p :z (2)', 'prp-inv1: :y :q :x (2)']],
  ['prp-inv never makes a literal a subject', ':p owl:inverseOf :q .', ':x :p "y" .', []],
  ['prp-symp', ':p a owl:SymmetricProperty .', ':x :p :y .', ['prp-symp: :y :p :x (2)']],
  ['prp-trp', ':p a owl:TransitiveProperty .', ':x :p :y . :y :p :z .', ['prp-trp: :x :p :z (3)']],
  ['scm-sco', ':A rdfs:subClassOf :B . :B rdfs:subClassOf :C .', '', ['scm-sco: :A subClassOf :C (2)']],
  ['scm-spo', ':p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :r .', '', ['scm-spo: :p subPropertyOf :r (2)']],
  [
    'a hierarchy is climbed',
    ':A rdfs:subClassOf :B . :B rdfs:subClassOf :C .',
    ':x a :A .',
    ['scm-sco: :A subClassOf :C (2)', 'cax-sco: :x a :B (2)', 'cax-sco: :x a :C (2)'],
  ],
  [
    'a circle ends',
    ':A rdfs:subClassOf :B . :B rdfs:subClassOf :A .',
    ':x a :A .',
    ['scm-sco: :A subClassOf :A (2)', 'scm-sco: :B subClassOf :B (2)', 'cax-sco: :x a :B (2)'],
  ],
])('%s', (_, schema, data, expected) => {
  expect(derived(schema, data)).toEqual(expected)
})

it('two values of a functional property are a conflict, not one and the same record', () => {
  const m = reason(':p a owl:FunctionalProperty .', ':x :p :y, :z .')
  expect(m.derived).toEqual([])
  expect(m.inconsistencies).toEqual([{ rule: 'prp-fp', text: ':x has two values for the functional property :p: :y and :z' }])
})

it('an instance of two disjoint classes is reported', () => {
  expect(reason(':A owl:disjointWith :B .', ':x a :A, :B .').inconsistencies).toEqual([
    { rule: 'cax-dw', text: ':x is both a :A and a :B, which are disjoint' },
  ])
})

it('axioms that no rule reads are counted', () => {
  const m = reason(':A owl:hasKey (:p) . :B owl:unionOf (:A) . :p a owl:InverseFunctionalProperty .', '')
  expect(m.notices).toEqual([
    'axioms that this version does not reason over: owl:InverseFunctionalProperty (1), owl:hasKey (1), owl:unionOf (1)',
  ])
})
