/** Each rule of the profile's tables on the smallest graph that fires it. */
import { describe, expect, it } from 'vitest'
import { proofChecker, proofOf } from '../datalog/index.ts'
import { parseTurtle, quadKey } from '../rdf/index.ts'
import { closureOf } from './closure.ts'
import { inconsistentRule } from './inconsistency.ts'
import { owlNotices } from './tbox.ts'
import type { OwlOptions } from './rule.ts'
import { ruleName } from './rule.ts'

const PREFIXES = `@prefix : <urn:t:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n`

const read = (text: string) => {
  const parsed = parseTurtle(PREFIXES + text)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return parsed.quads
}
const short = (text: string) =>
  text
    .replaceAll(/<urn:t:([^>]*)>/g, ':$1')
    .replaceAll(/\^\^<[^>]*#(\w+)>/g, '^^$1')
    .replaceAll(/<[^>]*#type>/g, 'a')
    .replaceAll(/<[^>]*#(\w+)>/g, '$1')

/** The names of all rules that were made in this file. */
const seen = new Set<string>()

/** Every derived triple and inconsistency with the rule that gave it. Each proof must convince the independent checker. */
function derived(text: string, options: Partial<OwlOptions> = {}): string[] {
  const { model, program, base, inconsistencies, triples } = closureOf(read(text), options)
  for (const { id } of program) seen.add(ruleName(id))
  const check = proofChecker({ rules: program, base, closed: (predicate) => model.find(predicate) })
  for (const fact of model.facts) expect(check(proofOf(model, fact.id))).toEqual({ valid: true })
  const known = new Set(triples.map(quadKey))
  const found = model.facts
    .filter((fact) => !fact.asserted && fact.args.length === 2 && fact.args.every((term) => term !== null))
    .flatMap((fact) => {
      const [x, y] = fact.args
      const property = fact.predicate.split(' ')[0] ?? ''
      const key = x && y ? quadKey({ subject: x, predicate: { kind: 'iri', value: property }, object: y }) : ''
      return known.has(key) ? [`${ruleName(model.derivation(fact.id)?.rule ?? '')}: ${short(key)}`] : []
    })
  const wrong = inconsistencies.map(({ predicate, args }) => {
    const words = args.map((term) => (term?.kind === 'iri' ? short(`<${term.value}>`) : JSON.stringify(term?.value)))
    return `${inconsistentRule(predicate)}! ${words.join(' ')}`
  })
  return [...new Set([...found, ...wrong])].toSorted()
}

const MERGING = { uniqueNames: false }
const TRIVIAL = { uniqueNames: false, trivial: true }
type Row = readonly [name: string, graph: string, expected: readonly string[], options?: Partial<OwlOptions>]
const named = (rows: readonly Row[]) =>
  rows.map(([name, graph, expected, options = MERGING]) => ({ name, graph, expected, options }))
const includes = (rows: readonly Row[]) =>
  it.each(named(rows))(
    '$name', ({ graph, expected, options }) => expect(derived(graph, options)).toEqual(expect.arrayContaining([...expected]))
  )
const exactly = (rows: readonly Row[]) =>
  it.each(named(rows))('$name', ({ graph, expected, options }) => expect(derived(graph, options)).toEqual(expected.toSorted()))
const restriction = (rest: string) => `:R a owl:Restriction ; owl:onProperty :p ; ${rest} .`

describe('table 4: equality', () => {
  includes([
    ['eq-ref', ':x :p :y .', ['eq-ref: :x sameAs :x', 'eq-ref: :y sameAs :y', 'eq-ref: :p sameAs :p'], TRIVIAL],
    ['eq-sym and eq-rep-s', ':x owl:sameAs :y . :x :p 1 .', ['eq-rep-s: :y :p "1"^^integer', 'eq-sym: :y sameAs :x']],
    ['eq-trans', ':x owl:sameAs :y . :y owl:sameAs :z .', ['eq-trans: :x sameAs :z']],
    ['eq-rep-o', ':x owl:sameAs :y . :z :p :x .', ['eq-rep-o: :z :p :y']],
    ['eq-rep-o for classes', ':C owl:sameAs :D . :x a :C .', ['eq-rep-o: :x a :D']],
    ['eq-rep-p', ':p owl:sameAs :q . :x :p :y .', ['eq-rep-p: :x :q :y']],
    ['eq-diff1', ':x owl:sameAs :y ; owl:differentFrom :y .', ['eq-diff1! :x :y']],
    ['eq-diff2', '[] a owl:AllDifferent ; owl:members (:x :y :z) . :x owl:sameAs :z .', ['eq-diff2! :x :z']],
    ['eq-diff3', '[] a owl:AllDifferent ; owl:distinctMembers (:x :y :z) . :z owl:sameAs :y .', ['eq-diff3! :y :z']],
  ])
  exactly([
    ['a graph without equalities gets no rules for them', ':x :p :y .', []],
    ['classes made equal share their axioms', ':C owl:sameAs :D . :D rdfs:subClassOf :E . :x a :C .', [
      'eq-rep-o: :x a :D', 'eq-rep-s: :C subClassOf :E', 'eq-sym: :D sameAs :C', 'cax-sco: :x a :E',
    ]],
  ])
})

describe('table 5: properties', () => {
  exactly([
    ['prp-dom', ':p rdfs:domain :A . :x :p 1 .', ['prp-dom: :x a :A']],
    ['prp-rng', ':p rdfs:range :A . :x :p :y .', ['prp-rng: :y a :A']],
    ['prp-rng never types a literal', ':p rdfs:range :A . :x :p "y" .', []],
    ['prp-rng does not type by a datatype', ':p rdfs:range xsd:string . :x :p :y .', []],
    ['prp-ifp', ':p a owl:InverseFunctionalProperty . :x :p 1 . :y :p 1 .', ['prp-ifp: :x sameAs :y', 'prp-ifp: :y sameAs :x']],
    ['prp-irp', ':p a owl:IrreflexiveProperty . :x :p :x, :y .', ['prp-irp! :x :p']],
    ['prp-symp', ':p a owl:SymmetricProperty . :x :p :y, "z" .', ['prp-symp: :y :p :x']],
    ['prp-asyp', ':p a owl:AsymmetricProperty . :x :p :y . :y :p :x .', ['prp-asyp! :x :p :y', 'prp-asyp! :y :p :x']],
    ['prp-trp', ':p a owl:TransitiveProperty . :x :p :y . :y :p :z .', ['prp-trp: :x :p :z']],
    ['prp-spo1', ':p rdfs:subPropertyOf :q . :x :p 1 .', ['prp-spo1: :x :q "1"^^integer']],
    [
      'prp-spo1 into a type',
      ':isA rdfs:subPropertyOf rdf:type . :C rdfs:subClassOf :D . :x :isA :C .',
      ['made: :x a :C', 'cax-sco: :x a :D'],
    ],
    ['prp-spo2', ':u owl:propertyChainAxiom (:p :q) . :x :p :y . :y :q :z .', ['prp-spo2: :x :u :z']],
    ['prp-spo2 through an inverse', ':u owl:propertyChainAxiom (:p [ owl:inverseOf :p ]) . :x :p :y . :z :p :y .', [
      'prp-spo2: :x :u :x', 'prp-spo2: :x :u :z', 'prp-spo2: :z :u :x', 'prp-spo2: :z :u :z',
    ]],
    [
      'prp-eqp1',
      ':p owl:equivalentProperty :q . :x :p 1 .',
      [
        'prp-eqp1: :x :q "1"^^integer',
        'scm-eqp1: :p subPropertyOf :q',
        'scm-eqp1: :q subPropertyOf :p',
        'scm-eqp2: :q equivalentProperty :p',
      ],
    ],
    [
      'prp-eqp2',
      ':p owl:equivalentProperty :q . :x :q 1 .',
      [
        'prp-eqp2: :x :p "1"^^integer',
        'scm-eqp1: :p subPropertyOf :q',
        'scm-eqp1: :q subPropertyOf :p',
        'scm-eqp2: :q equivalentProperty :p',
      ],
    ],
    ['prp-pdw', ':p owl:propertyDisjointWith :q . :x :p :y ; :q :y, :z .', ['prp-pdw! :x :p :q :y']],
    ['prp-adp', '[] a owl:AllDisjointProperties ; owl:members (:p :q :r) . :x :p :y ; :r :y .', ['prp-adp! :x :p :r :y']],
    ['prp-inv1 and prp-inv2', ':p owl:inverseOf :q . :x :p :y . :z :q :w .', ['prp-inv1: :y :q :x', 'prp-inv2: :w :p :z']],
    ['prp-inv never makes a literal a subject', ':p owl:inverseOf :q . :x :p "y" .', []],
    [
      'prp-key',
      ':C owl:hasKey (:p :q) . :x a :C ; :p 1 ; :q 2 . :y a :C ; :p 1 ; :q 2 . :z a :C ; :p 1 ; :q 3 .',
      ['prp-key: :x sameAs :y', 'prp-key: :y sameAs :x'],
    ],
    ['prp-key by value', ':C owl:hasKey (:p) . :x a :C ; :p 1 . :y a :C ; :p 1.0 .', [
      'dt-eq: :y :p "1"^^integer', 'prp-key: :x sameAs :y', 'prp-key: :y sameAs :x', 'eq-rep-s: :x :p "1.0"^^decimal',
    ]],
    [
      'prp-npa1',
      '[] owl:sourceIndividual :x ; owl:assertionProperty :p ; owl:targetIndividual :y . :x :p :y .',
      ['prp-npa1! :x :p :y'],
    ],
    [
      'prp-npa2',
      '[] owl:sourceIndividual :x ; owl:assertionProperty :p ; owl:targetValue 5 . :x :p 5 .',
      ['prp-npa2! :x :p "5"'],
    ],
  ])
  includes([
    ['prp-ap', ':x :p :y .', ['prp-ap: label a AnnotationProperty'], TRIVIAL],
    ['prp-fp', ':p a owl:FunctionalProperty . :x :p :y, :z .', ['prp-fp: :y sameAs :z']],
    ['prp-fp between values', ':p a owl:FunctionalProperty . :x :p 1, 2 .', ['prp-fp! :x :p "1" "2"']],
  ])
})

describe('table 6: classes', () => {
  exactly([
    ['cls-nothing2', ':x a owl:Nothing .', ['cls-nothing2! :x']],
    [
      'cls-int1',
      ':C owl:intersectionOf (:A :B) . :x a :A, :B . :y a :A .',
      ['cls-int1: :x a :C', 'scm-int: :C subClassOf :A', 'scm-int: :C subClassOf :B'],
    ],
    [
      'cls-int2',
      ':C owl:intersectionOf (:A :B) . :x a :C .',
      ['cls-int2: :x a :A', 'cls-int2: :x a :B', 'scm-int: :C subClassOf :A', 'scm-int: :C subClassOf :B'],
    ],
    [
      'cls-uni',
      ':C owl:unionOf (:A :B) . :x a :B .',
      ['cls-uni: :x a :C', 'scm-uni: :A subClassOf :C', 'scm-uni: :B subClassOf :C'],
    ],
    ['cls-com', ':C owl:complementOf :D . :x a :C, :D .', ['cls-com! :x :C :D']],
    ['cls-svf1', `${restriction('owl:someValuesFrom :A')} :x :p :y . :y a :A .`, ['cls-svf1: :x a :R']],
    [
      'cls-svf1 with a datatype',
      `${restriction('owl:someValuesFrom xsd:integer')} :x :p 1.0 . :y :p 1.5 .`,
      ['cls-svf1: :x a :R'],
    ],
    ['cls-svf2', `${restriction('owl:someValuesFrom owl:Thing')} :x :p 1 .`, ['cls-svf2: :x a :R']],
    ['cls-avf', `${restriction('owl:allValuesFrom :A')} :x a :R ; :p :y, "z" .`, ['cls-avf: :y a :A']],
    ['cls-hv1', `${restriction('owl:hasValue 7')} :x a :R .`, ['cls-hv1: :x :p "7"^^integer']],
    ['cls-hv2', `${restriction('owl:hasValue :v')} :x :p :v .`, ['cls-hv2: :x a :R']],
    ['cls-hv2 by value', `${restriction('owl:hasValue 7')} :x :p 7.0 .`, ['dt-eq: :x :p "7"^^integer', 'cls-hv2: :x a :R']],
    ['cls-maxc1', `${restriction('owl:maxCardinality 0')} :x a :R ; :p 1 .`, ['cls-maxc1! :x :p "1"']],
    [
      'cls-maxqc1',
      `${restriction('owl:maxQualifiedCardinality 0 ; owl:onClass :A')} :x a :R ; :p :y, :z . :y a :A .`,
      ['cls-maxqc1! :x :p :y'],
    ],
    [
      'cls-maxqc2',
      `${restriction('owl:maxQualifiedCardinality 0 ; owl:onClass owl:Thing')} :x a :R ; :p :y .`,
      ['cls-maxqc2! :x :p :y'],
    ],
    ['cls-oo', ':C owl:oneOf (:x :y) .', ['cls-oo: :x a :C', 'cls-oo: :y a :C']],
  ])
  includes([
    ['cls-thing and cls-nothing1', ':x :p :y .', ['cls-thing: Thing a Class', 'cls-nothing1: Nothing a Class'], TRIVIAL],
    ['cls-maxc2', `${restriction('owl:maxCardinality 1')} :x a :R ; :p :y, :z .`, ['cls-maxc2: :y sameAs :z']],
    [
      'cls-maxqc3',
      `${restriction('owl:maxQualifiedCardinality 1 ; owl:onClass :A')} :x a :R ; :p :y, :z, :w . :y a :A . :z a :A .`,
      ['cls-maxqc3: :y sameAs :z'],
    ],
    [
      'cls-maxqc4',
      `${restriction('owl:maxQualifiedCardinality 1 ; owl:onClass owl:Thing')} :x a :R ; :p :y, :z .`,
      ['cls-maxqc4: :y sameAs :z'],
    ],
  ])
})

describe('table 7: axioms between classes', () => {
  exactly([
    ['cax-sco', ':A rdfs:subClassOf :B . :x a :A .', ['cax-sco: :x a :B']],
    [
      'cax-eqc1',
      ':A owl:equivalentClass :B . :x a :A .',
      ['cax-eqc1: :x a :B', 'scm-eqc1: :A subClassOf :B', 'scm-eqc1: :B subClassOf :A', 'scm-eqc2: :B equivalentClass :A'],
    ],
    [
      'cax-eqc2',
      ':A owl:equivalentClass :B . :x a :B .',
      ['cax-eqc2: :x a :A', 'scm-eqc1: :A subClassOf :B', 'scm-eqc1: :B subClassOf :A', 'scm-eqc2: :B equivalentClass :A'],
    ],
    ['cax-dw', ':A owl:disjointWith :B . :x a :A, :B .', ['cax-dw! :x :A :B']],
    ['cax-adc', '[] a owl:AllDisjointClasses ; owl:members (:A :B :C) . :x a :A, :C .', ['cax-adc! :x :A :C']],
    ['that everything is a thing is not worth a triple', ':A rdfs:subClassOf owl:Thing . :x a :A .', []],
    [
      'unless an axiom goes on from there',
      ':A rdfs:subClassOf owl:Thing . owl:Thing rdfs:subClassOf :T . :x a :A .',
      ['cax-sco: :x a :T', 'cax-sco: :x a Thing', 'scm-sco: :A subClassOf :T'],
    ],
  ])
})

describe('table 8: datatypes', () => {
  includes([
    ['dt-type1', ':x :p 1 .', ['dt-type1: integer a Datatype'], TRIVIAL],
    ['dt-eq', ':x :p 1 . :y :q 1.0 .', ['dt-eq: :x :p "1.0"^^decimal', 'dt-eq: :y :q "1"^^integer'], TRIVIAL],
    ['dt-diff', ':x owl:sameAs 1, 2 .', ['dt-diff! "1" "2"', 'dt-diff! "2" "1"']],
  ])
  exactly([
    ['dt-type2 only where a rule asks', ':x :p 1 .', []],
    ['dt-not-type by a range', ':p rdfs:range xsd:integer . :x :p "one", 1, 1.0 .', ['dt-not-type! :x :p "one" integer']],
    [
      'dt-not-type by the range of a wider property',
      ':p rdfs:subPropertyOf :q . :q rdfs:range xsd:byte . :x :p 300 .',
      ['dt-not-type! :x :q "300" byte', 'prp-spo1: :x :q "300"^^integer', 'scm-rng2: :p range byte'],
    ],
    [
      'dt-not-type by a restriction',
      `${restriction('owl:allValuesFrom xsd:string')} :x a :R ; :p 5 . :y :p 5 .`,
      ['dt-not-type! :x :p "5" string'],
    ],
    ['a datatype that is not known concludes nothing', ':p rdfs:range :D . :D a rdfs:Datatype . :x :p 5 .', []],
    [
      'a range that the graph defines',
      ':p rdfs:range :D . :D a rdfs:Datatype ; owl:oneOf (1 2) . :x :p 5, 2.0 .',
      ['dt-not-type! :x :p "5" :D'],
    ],
    ['a range of two', ':p rdfs:range :D . :D a rdfs:Datatype ; owl:intersectionOf (xsd:byte xsd:long) . :x :p 500, 5 .', [
      'dt-not-type! :x :p "500" :D', 'scm-int: :D subClassOf byte', 'scm-int: :D subClassOf long', 'scm-rng1: :p range byte',
      'scm-rng1: :p range long',
    ]],
  ])
})

describe('table 9: the schema', () => {
  const two = (kind: string, [f, g]: readonly [string, string], [p, q]: readonly [string, string]) =>
    `:C ${kind} ${f} ; owl:onProperty ${p} . :D ${kind} ${g} ; owl:onProperty ${q} .`
  exactly([
    ['scm-sco', ':A rdfs:subClassOf :B . :B rdfs:subClassOf :C .', ['scm-sco: :A subClassOf :C']],
    [
      'scm-eqc2',
      ':A rdfs:subClassOf :B . :B rdfs:subClassOf :A .',
      ['scm-eqc2: :A equivalentClass :B', 'scm-eqc2: :B equivalentClass :A'],
    ],
    ['scm-spo', ':p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :r .', ['scm-spo: :p subPropertyOf :r']],
    [
      'scm-eqp2',
      ':p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :p .',
      ['scm-eqp2: :p equivalentProperty :q', 'scm-eqp2: :q equivalentProperty :p'],
    ],
    ['scm-dom1', ':p rdfs:domain :A . :A rdfs:subClassOf :B .', ['scm-dom1: :p domain :B']],
    ['scm-dom2', ':q rdfs:domain :A . :p rdfs:subPropertyOf :q .', ['scm-dom2: :p domain :A']],
    ['scm-rng1', ':p rdfs:range :A . :A rdfs:subClassOf :B .', ['scm-rng1: :p range :B']],
    ['scm-rng2', ':q rdfs:range :A . :p rdfs:subPropertyOf :q .', ['scm-rng2: :p range :A']],
    ['scm-hv', `${two('owl:hasValue', [':i', ':i'], [':p', ':q'])} :p rdfs:subPropertyOf :q .`, ['scm-hv: :C subClassOf :D']],
    [
      'scm-svf1',
      `${two('owl:someValuesFrom', [':A', ':B'], [':p', ':p'])} :A rdfs:subClassOf :B . :x a :C .`,
      ['scm-svf1: :C subClassOf :D', 'cax-sco: :x a :D'],
    ],
    [
      'scm-svf2',
      `${two('owl:someValuesFrom', [':A', ':A'], [':p', ':q'])} :p rdfs:subPropertyOf :q . :x a :C .`,
      ['scm-svf2: :C subClassOf :D', 'cax-sco: :x a :D'],
    ],
    [
      'scm-avf1',
      `${two('owl:allValuesFrom', [':A', ':B'], [':p', ':p'])} :A rdfs:subClassOf :B . :x a :C .`,
      ['scm-avf1: :C subClassOf :D', 'cax-sco: :x a :D'],
    ],
    [
      'scm-avf2',
      `${two('owl:allValuesFrom', [':A', ':A'], [':p', ':q'])} :p rdfs:subPropertyOf :q . :x a :D .`,
      ['scm-avf2: :D subClassOf :C', 'cax-sco: :x a :C'],
    ],
    [
      'a circle ends',
      ':A rdfs:subClassOf :B . :B rdfs:subClassOf :A . :x a :A .',
      ['cax-sco: :x a :B', 'scm-eqc2: :A equivalentClass :B', 'scm-eqc2: :B equivalentClass :A'],
    ],
  ])
  includes([
    [
      'scm-cls',
      ':C a owl:Class .',
      [
        'scm-cls: :C subClassOf :C',
        'scm-cls: :C equivalentClass :C',
        'scm-cls: :C subClassOf Thing',
        'scm-cls: Nothing subClassOf :C',
      ],
      TRIVIAL,
    ],
    ['scm-op', ':p a owl:ObjectProperty .', ['scm-op: :p subPropertyOf :p', 'scm-op: :p equivalentProperty :p'], TRIVIAL],
    ['scm-dp', ':p a owl:DatatypeProperty .', ['scm-dp: :p subPropertyOf :p', 'scm-dp: :p equivalentProperty :p'], TRIVIAL],
  ])
})

describe('unique names', () => {
  const unique = { uniqueNames: true }
  exactly([
    [
      'two values of a functional property are a conflict',
      ':p a owl:FunctionalProperty . :x :p :y, :z .',
      ['prp-fp! :x :p :y :z'],
      unique,
    ],
    [
      'two owners of a value are a conflict',
      ':p a owl:InverseFunctionalProperty . :x :p 1 . :y :p 1 .',
      ['prp-ifp! "1" :p :x :y'],
      unique,
    ],
    [
      'two rows with one key are a conflict',
      ':C owl:hasKey (:p) . :x a :C ; :p 1 . :y a :C ; :p 1 .',
      ['prp-key! :C :x :y'],
      unique,
    ],
    ['two spellings of a value are none', ':p a owl:FunctionalProperty . :x :p 1, 1.0 .', [], unique],
    [
      'two names that are said to be one thing are none',
      ':p a owl:FunctionalProperty . :x :p :y, :z . :y owl:sameAs :z .',
      ['eq-sym: :z sameAs :y'],
      unique,
    ],
  ])
  it('a blank node is no name and merges', () => {
    expect(derived(':p a owl:FunctionalProperty . :x :p :y, [ :q 1 ] .', unique)).toEqual(
      expect.arrayContaining(['prp-fp: _:b0 sameAs :y', 'eq-rep-s: :y :q "1"^^integer']),
    )
  })
})

describe('lists', () => {
  const members = (count: number) => Array.from({ length: count }, (_, i) => `:m${i}`).join(' ')
  it('one that runs in a circle is skipped, and said so', () => {
    const graph = ':C owl:intersectionOf _:l . _:l rdf:first :A ; rdf:rest _:l . :x a :A .'
    expect(derived(graph)).toEqual([])
    expect(owlNotices(read(graph))).toEqual(['the list _:b0 is not read: it runs in a circle'])
  })
  it.each([
    ['without an end', '_:l rdf:first :A .', 'a cell has no rdf:rest'],
    ['without a member', '_:l rdf:rest () .', 'a cell has no rdf:first'],
    ['with two ends', '_:l rdf:first :A ; rdf:rest (), (:B) .', 'a cell has more than one rdf:first or rdf:rest'],
  ])('one %s is skipped, and said so', (_, cells, why) => {
    const graph = `:C owl:unionOf _:l . ${cells} :x a :A .`
    expect(derived(graph)).toEqual([])
    expect(owlNotices(read(graph))).toEqual([`the list _:b0 is not read: ${why}`])
  })
  it('a long one is read to its end', () => {
    expect(derived(`:C owl:oneOf (${members(300)}) .`)).toContain('cls-oo: :m299 a :C')
    expect(derived(`:C owl:unionOf (${members(120)}) . :x a :m119 .`)).toContain('cls-uni: :x a :C')
  })
  it('one that is too long to be a premise as a whole is said so', () => {
    expect(owlNotices(read(`:C owl:intersectionOf (${members(100)}) .`))).toEqual([
      '<urn:t:C> has a list of 100 members for http://www.w3.org/2002/07/owl#intersectionOf: more than 80 are not joined',
    ])
  })
})

describe('the rules', () => {
  it('take axioms that rules derive from data', () => {
    expect(
      derived(':below rdfs:subPropertyOf rdfs:subClassOf . :A :below :B . :x a :A .')
    ).toEqual(['cax-sco: :x a :B', 'prp-spo1: :A subClassOf :B'])
  })
  it('show the axiom, its list and the data as premises', () => {
    const { model } = closureOf(read(':C owl:intersectionOf (:A :B) . :x a :A, :B .'))
    const fact = model.facts.find((one) => ruleName(model.derivation(one.id)?.rule ?? '') === 'cls-int1')
    expect(model.derivation(fact?.id ?? -1)?.premises).toHaveLength(1 + 4 + 2)
  })
})

/** Tables 4 to 9 of https://www.w3.org/TR/owl2-profiles/#Reasoning_in_OWL_2_RL_and_RDF_Graphs_using_Rules. */
const TABLES = {
  eq: 'ref sym trans rep-s rep-p rep-o diff1 diff2 diff3',
  prp: 'ap dom rng fp ifp irp symp asyp trp spo1 spo2 eqp1 eqp2 pdw adp inv1 inv2 key npa1 npa2',
  cls: 'thing nothing1 nothing2 int1 int2 uni com svf1 svf2 avf hv1 hv2 maxc1 maxc2 maxqc1 maxqc2 maxqc3 maxqc4 oo',
  cax: 'sco eqc1 eqc2 dw adc',
  dt: 'type1 type2 eq diff not-type',
  scm: 'cls sco eqc1 eqc2 op dp spo eqp1 eqp2 dom1 dom2 rng1 rng2 hv svf1 svf2 avf1 avf2 int uni',
}

it('every rule of the tables was made above, by its name', () => {
  const names = Object.entries(TABLES).flatMap(([table, rules]) => rules.split(' ').map((name) => `${table}-${name}`))
  expect(names).toHaveLength(78)
  expect(names.filter((name) => !seen.has(name))).toEqual([])
})

it('membership in a class without a name is left out on demand, where no rule goes on from it', () => {
  const schema = `:A rdfs:subClassOf [ owl:onProperty :p ; owl:minCardinality 1 ] , [ owl:onProperty :q ; owl:allValuesFrom :B ] . :p rdfs:domain :A .`
  const data = ':x a :A ; :q :y .'
  const named = derived(`${schema} ${data}`, { anonymous: false })
  expect(named.filter((line) => line.includes('_:'))).toHaveLength(1)
  expect(named).toContain('cls-avf: :y a :B')
  expect(derived(`${schema} ${data}`).filter((line) => line.includes('_:')).length).toBeGreaterThan(2)
})

it('a node without a name does not make two names one', () => {
  const data = ':p a owl:FunctionalProperty . :x :p _:b, :a . :y :p _:b, :c .'
  const found = derived(data, { uniqueNames: true })
  expect(found.filter((line) => line.includes(':a sameAs :c') || line.includes(':c sameAs :a'))).toEqual([])
  expect(found).toContain('eq-trans! :a :c')
})

it('two spellings of one restriction are one class', () => {
  const data = `:F a owl:Class . :A rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :F ] .
    :B owl:equivalentClass [ owl:onProperty :p ; owl:someValuesFrom :F ] . :x a :A .`
  expect(derived(data).some((line) => line.endsWith(': :x a :B'))).toBe(true)
})

it('a thing that is different from itself is a contradiction', () => {
  expect(derived(':a owl:differentFrom :a .')).toContain('eq-diff1! :a :a')
})

it('many disjoint classes need no rule for each pair', () => {
  const names = Array.from({ length: 120 }, (_, n) => `:C${n}`)
  const { program, inconsistencies } = closureOf(read(`[] a owl:AllDisjointClasses ; owl:members ( ${names.join(' ')} ) . ${names.map((name, n) => `:x${n} a ${name} .`).join(' ')} :x3 a :C7 .`))
  expect(program.length).toBeLessThan(400)
  expect(inconsistencies).toHaveLength(1)
})
