import { describe, expect, it } from 'vitest'
import { factTriple, faultsOver, parseTurtle, reasonOver, tripleFact } from '../rdf/index.ts'
import type { Quad } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { compileShaclRules, orderedGroups } from './index.ts'
import type { CompiledShacl } from './index.ts'

const PREFIXES = `@prefix ex: <http://example.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<http://example.org/> sh:declare [ sh:prefix "ex" ; sh:namespace "http://example.org/"^^xsd:anyURI ] .
`

function read(turtle: string): readonly Quad[] {
  const parsed = parseTurtle(PREFIXES + turtle)
  if (!parsed.ok) throw new Error(`line ${parsed.fault.line}: ${parsed.fault.message}`)
  return parsed.quads
}

const short = (term: Term): string => (term.kind === 'literal' ? term.value : term.value.replace(/^.*[/#]/, ''))

function reason(compiled: CompiledShacl, data: string) {
  return reasonOver({
    facts: read(data).map((quad) => tripleFact(quad)),
    rules: compiled.rules.flatMap(({ rules }) => rules),
    specialise: compiled.specialise,
  })
}

/** The derived triples, each as "subject property object". */
function derived(shapes: string, data: string): string[] {
  const compiled = compileShaclRules(read(shapes), { id: 'r' })
  expect(compiled.faults).toEqual([])
  return reason(compiled, data)
    .model.facts.filter(({ asserted }) => !asserted)
    .flatMap((fact) => factTriple(fact) ?? [])
    .map(({ subject, predicate, object }) => [subject, predicate, object].map(short).join(' '))
    .toSorted()
}

const faultsOf = (shapes: string): string[] => compileShaclRules(read(shapes), { id: 'r' }).faults.map(({ message }) => message)

/** A shape over ex:C whose one rule says `this ex:out <object>`. */
const ruleWith = (object: string, more = ''): string => `ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:rule
  [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate ex:out ; sh:object ${object} ; ${more} ] .`

const sparqlWith = (query: string): string => `ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:rule
  [ a sh:SPARQLRule ; sh:prefixes <http://example.org/> ; sh:construct """${query}""" ] .`

describe('a triple rule', () => {
  it('derives with the focus node and real premises', () => {
    const compiled = compileShaclRules(read(ruleWith('[ sh:path ex:name ]')), { id: 'r' })
    const { model } = reason(compiled, 'ex:a a ex:Sub ; ex:name "A" . ex:Sub rdfs:subClassOf ex:C .')
    const [fact] = model.find('http://example.org/out')
    const derivation = model.derivation(fact!.id)
    expect(derivation?.rule).toBe('r')
    expect(derivation?.bindings['this']).toEqual({ kind: 'iri', value: 'http://example.org/a' })
    const leaves = new Set<string>()
    const pending = [fact!.id]
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const premises = model.derivation(id)?.premises ?? []
      if (premises.length === 0) leaves.add(model.fact(id).args.map((term) => short(term!)).join(' '))
      pending.push(...premises.flatMap((premise) => (premise.kind === 'fact' ? [premise.fact] : [])))
    }
    expect([...leaves].toSorted()).toEqual(['Sub C', 'a A', 'a Sub'])
    const shape = { kind: 'iri', value: 'http://example.org/S' }
    expect(compiled.rules).toMatchObject([{ id: 'r', kind: 'triple', order: 0, deactivated: false, shape }])
  })

  const data = `ex:a a ex:C ; ex:p ex:b, ex:c ; ex:n 1, 2, 3 . ex:b ex:p ex:c ; ex:q "x" . ex:c a ex:D ; ex:q "y" .`
  it.each([
    ['a constant', 'ex:yes', ['a out yes']],
    ['the focus node', 'sh:this', ['a out a']],
    ['a path', '[ sh:path ( ex:p ex:q ) ]', ['a out x', 'a out y']],
    ['a path from other nodes', '[ sh:path ex:q ; sh:nodes [ sh:path ex:p ] ]', ['a out x', 'a out y']],
    ['an inverse path', '[ sh:path [ sh:inversePath ex:p ] ; sh:nodes [ sh:path ex:p ] ]', ['a out a', 'a out b']],
    ['the inverse of a sequence', '[ sh:path [ sh:inversePath ( ex:p ex:q ) ] ; sh:nodes "y" ]', ['a out a', 'a out b']],
    ['steps that may be empty', '[ sh:path [ sh:oneOrMorePath [ sh:zeroOrOnePath ex:p ] ] ]', ['a out a', 'a out b', 'a out c']],
    ['alternatives', '[ sh:path [ sh:alternativePath ( ex:n ex:z ) ] ]', ['a out 1', 'a out 2', 'a out 3']],
    ['any number of steps', '[ sh:path [ sh:zeroOrMorePath ex:p ] ]', ['a out a', 'a out b', 'a out c']],
    ['at least one step', '[ sh:path [ sh:oneOrMorePath ex:p ] ]', ['a out b', 'a out c']],
    ['at most one step', '[ sh:path ( ex:p [ sh:zeroOrOnePath ex:q ] ) ]', ['a out b', 'a out c', 'a out x', 'a out y']],
    ['nodes of a shape', '[ sh:filterShape [ sh:class ex:D ] ; sh:nodes [ sh:path ex:p ] ]', ['a out c']],
    ['a constant of a shape', '[ sh:filterShape [ sh:class ex:D ] ; sh:nodes ex:c ]', ['a out c']],
    ['a union', '[ sh:union ( [ sh:path ex:p ] ex:z ) ]', ['a out b', 'a out c', 'a out z']],
    ['an intersection', '[ sh:intersection ( [ sh:path ex:p ] [ sh:path ( ex:p ex:p ) ] ) ]', ['a out c']],
    ['a difference', '[ sh:minus [ sh:path ( ex:p ex:p ) ] ; sh:nodes [ sh:path ex:p ] ]', ['a out b']],
    ['a count', '[ sh:count [ sh:path ex:n ] ]', ['a out 3']],
    ['a count of nothing', '[ sh:count [ sh:path ex:z ] ]', ['a out 0']],
    ['a sum', '[ sh:sum [ sh:path ex:n ] ]', ['a out 6']],
    ['a least value', '[ sh:min [ sh:path ex:n ] ]', ['a out 1']],
    ['a greatest value', '[ sh:max [ sh:path ex:n ] ]', ['a out 3']],
    ['distinct nodes', '[ sh:distinct [ sh:path ex:n ] ]', ['a out 1', 'a out 2', 'a out 3']],
  ])('reads %s', (_, object, expected) => {
    expect(derived(ruleWith(object), data)).toEqual(expected)
  })

  it('makes no triple with a literal as its subject or without an IRI as its property', () => {
    const rule = (parts: string) => `ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:rule [ a sh:TripleRule ; ${parts} ] .`
    const facts = 'ex:a a ex:C ; ex:p ex:b, "text" .'
    const subject = rule('sh:subject [ sh:path ex:p ] ; sh:predicate ex:of ; sh:object sh:this')
    expect(derived(subject, facts)).toEqual(['b of a'])
    const property = rule('sh:subject sh:this ; sh:predicate [ sh:path ex:p ] ; sh:object ex:o')
    expect(derived(property, facts)).toEqual(['a b o'])
  })

  it('runs with the other rules to a fixpoint', () => {
    const copy = (from: string, to: string) =>
      `[ a sh:TripleRule ; sh:subject sh:this ; sh:predicate ex:${to} ; sh:object [ sh:path ex:${from} ] ]`
    const chain = [copy('p', 'q'), copy('q', 'r'), copy('r', 's')]
    // the last rule is written first
    const shapes = `ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:rule ${chain.toReversed().join(', ')} .`
    expect(derived(shapes, 'ex:a a ex:C ; ex:p 1 .')).toEqual(['a q 1', 'a r 1', 'a s 1'])
  })

  it('calls SPARQL functions for each combination of their arguments, with what they read as premises', () => {
    const shapes = `${ruleWith('[ ex:join ( [ sh:path ex:p ] [ sh:path ex:q ] ) ]')}
ex:join a sh:SPARQLFunction ; sh:prefixes <http://example.org/> ;
  sh:parameter [ sh:path ex:left ; sh:order 1 ], [ sh:path ex:right ; sh:order 2 ] ;
  sh:select "SELECT (CONCAT($left, ?s, $right) AS ?r) WHERE { ex:join ex:separator ?s }" .`
    const facts = 'ex:a a ex:C ; ex:p "1", "2" ; ex:q "x" . ex:join ex:separator "-" .'
    expect(derived(shapes, facts)).toEqual(['a out 1-x', 'a out 2-x'])
  })
})

describe('targets', () => {
  const data = `ex:a a ex:C ; ex:p ex:b . ex:b a ex:D . ex:c a ex:E ; ex:p "t" . ex:f a ex:F .
ex:F rdfs:subClassOf ex:D . ex:D rdfs:subClassOf ex:C .`
  const rule = 'sh:rule [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate ex:out ; sh:object 1 ]'
  const out = (target: string) => derived(`ex:S a sh:NodeShape ; ${target} ; ${rule} .`, data)
  it.each([
    ['a class and those below it', 'sh:targetClass ex:C', ['a out 1', 'b out 1', 'f out 1']],
    ['nodes, also such as the data do not know', 'sh:targetNode ex:a, ex:z', ['a out 1', 'z out 1']],
    ['subjects of a property', 'sh:targetSubjectsOf ex:p', ['a out 1', 'c out 1']],
    ['objects of a property, where they can be subjects', 'sh:targetObjectsOf ex:p', ['b out 1']],
    ['several kinds', 'sh:targetNode ex:c ; sh:targetClass ex:D', ['b out 1', 'c out 1', 'f out 1']],
  ])('are %s', (_, target, expected) => {
    expect(out(target)).toEqual(expected)
  })

  it('include the class that the shape itself is', () => {
    for (const type of ['rdfs:Class', 'owl:Class', 'ex:Meta . ex:Meta rdfs:subClassOf rdfs:Class . ex:C a sh:NodeShape'])
      expect(derived(`ex:C a sh:NodeShape, ${type} ; ${rule} .`, data)).toEqual(['a out 1', 'b out 1', 'f out 1'])
  })

  it('that are missing are worth a notice', () => {
    const { notices, faults } = compileShaclRules(read(ruleWith('1').replace('sh:targetClass ex:C ;', '')), { id: 'r' })
    expect(notices).toEqual(['r: <http://example.org/S> has no target, so its rule never fires'])
    expect(faults).toEqual([])
  })
})

describe('conditions', () => {
  it('must all hold', () => {
    const condition = `sh:condition [ sh:property [ sh:path ex:age ; sh:minCount 1 ; sh:minInclusive 65 ] ] ;
      sh:condition [ sh:property [ sh:path ex:state ; sh:hasValue "active" ] ]`
    const data = `ex:a a ex:C ; ex:age 70 ; ex:state "active" . ex:b a ex:C ; ex:age 70 .
ex:c a ex:C ; ex:age 64 ; ex:state "active" . ex:d a ex:C ; ex:state "active" . ex:e a ex:C ; ex:age 66, 3 ; ex:state "active" .`
    expect(derived(ruleWith('"senior"', condition), data)).toEqual(['a out senior'])
  })

  it('with a negation over what the rule itself gives are refused by the engine, with the cycle', () => {
    const shapes = ruleWith('1', 'sh:condition [ sh:property [ sh:path ex:out ; sh:maxCount 0 ] ]')
    const rules = compileShaclRules(read(shapes), { id: 'r' }).rules.flatMap((rule) => rule.rules)
    const faults = faultsOver({ facts: read('ex:a a ex:C .').map((quad) => tripleFact(quad)), rules })
    expect(faults[0]?.message).toContain('a negation inside a cycle')
  })

  it('on a closed shape count what the rule itself gives', () => {
    const { rules, specialise } = compileShaclRules(read(ruleWith('1', 'sh:condition [ sh:closed true ]')), { id: 'r' })
    const facts = read('ex:a ex:p 1 .').map((quad) => tripleFact(quad))
    const faults = faultsOver({ facts, rules: rules.flatMap((rule) => rule.rules), specialise })
    expect(faults[0]?.message).toContain('a negation inside a cycle')
  })

  it.each([
    ['xsd:byte', '"127", "-128", "+5"', '"128", "-129", "abc", "1.0", ""'],
    ['xsd:integer', '"123456789012345678901234567890", "-0"', '"1e3", "0x1", " 1"'],
    ['xsd:nonNegativeInteger', '"0"', '"-1"'],
    ['xsd:boolean', '"true", "0"', '"TRUE", "yes"'],
    ['xsd:decimal', '"1.50", "-.5"', '"1e0", "one"'],
    ['xsd:date', '"2024-02-29"', '"2023-02-29", "2024-2-9"'],
    ['xsd:dateTime', '"2024-02-29T10:00:00Z"', '"2024-02-29"'],
    ['xsd:gYear', '"2024"', '"24"'],
    ['ex:code', '"anything"', ''],
  ])('know which spellings of %s are right', (type, right, wrong) => {
    const values = (texts: string) => [...texts.matchAll(/"[^"]*"/g)].map(([text]) => `${text}^^${type}`)
    const node = (name: string) => (value: string, n: number) => `ex:${name}${n} a ex:C ; ex:v ${value} .`
    const data = [...values(right).map(node('right')), ...values(wrong).map(node('wrong'))].join(' ')
    const found = derived(ruleWith('1', `sh:condition [ sh:property [ sh:path ex:v ; sh:datatype ${type} ] ]`), data)
    expect(found).toEqual(values(right).map((_, n) => `right${n} out 1`))
    const refused = derived(ruleWith('1', `sh:condition [ sh:not [ sh:property [ sh:path ex:v ; sh:datatype ${type} ] ] ]`), data)
    expect(refused).toEqual(values(wrong).map((_, n) => `wrong${n} out 1`))
  })

  it('with a closed shape never hold while nobody says which properties there are', () => {
    const closed = 'sh:condition [ sh:closed true ; sh:ignoredProperties ( rdf:type ex:out ) ]'
    const compiled = compileShaclRules(read(ruleWith('1', closed)))
    const facts = read('ex:a a ex:C . ex:b a ex:C ; ex:p 1 .').map((quad) => tripleFact(quad))
    const rules = compiled.rules.flatMap((rule) => rule.rules)
    const out = (input: Parameters<typeof reasonOver>[0]) =>
      reasonOver(input).model.find('http://example.org/out').map(({ args }) => short(args[0]!))
    expect(out({ facts, rules })).toEqual([])
    expect(out({ facts, rules, specialise: compiled.specialise })).toEqual(['a'])
  })

  it('stay small where alternatives multiply', () => {
    const some = ['a', 'b', 'c', 'd'].map((name) => `[ sh:property [ sh:path ex:${name} ; sh:minCount 1 ] ]`)
    const either = `sh:condition [ sh:or ( ${some.join(' ')} ) ]`
    const compiled = compileShaclRules(read(ruleWith('1', Array.from({ length: 9 }, () => either).join(' ; '))), { id: 'r' })
    expect(compiled.faults).toEqual([])
    expect(compiled.rules[0]?.rules.length).toBeLessThan(100)
  })
})

describe('a SPARQL rule', () => {
  it('sees the focus node as $this everywhere', () => {
    const query = `CONSTRUCT { $this ex:out ?v } WHERE {
  OPTIONAL { $this ex:p ?p } BIND(COALESCE(?p, 0) AS ?v) FILTER NOT EXISTS { $this ex:off true } }`
    const data = 'ex:a a ex:C ; ex:p 5 . ex:b a ex:C . ex:c a ex:C ; ex:off true . ex:d ex:p 7 .'
    expect(derived(sparqlWith(query), data)).toEqual(['a out 5', 'b out 0'])
  })

  it('obeys conditions, counting ones too', () => {
    const condition = 'sh:condition [ sh:property [ sh:path ex:p ; sh:minCount 2 ] ]'
    const query = 'CONSTRUCT { $this a ex:Busy } WHERE { OPTIONAL { $this ex:q ?q FILTER(?q != $this) } FILTER(!BOUND(?q)) }'
    const shapes = sparqlWith(query).replace('sh:prefixes', `${condition} ; sh:prefixes`)
    expect(derived(shapes, 'ex:a a ex:C ; ex:p 1, 2 . ex:b a ex:C ; ex:p 1 . ex:c a ex:C ; ex:p 1, 2 ; ex:q 3 .')).toEqual([
      'a type Busy',
    ])
  })

  it('is refused at the place in its text', () => {
    const query = 'CONSTRUCT { $this ex:out ?v }\nWHERE { $this ex:p ?v\n  FILTER(nope:f(?v)) }'
    const faults = compileShaclRules(read(sparqlWith(query))).faults
    expect(faults).toMatchObject([{ line: 3, message: expect.stringContaining('nope') }])
    const first = compileShaclRules(read(sparqlWith('CONSTRUCT { $this ex:out ?w } WHERE { $this ex:p ?v }'))).faults
    expect(first).toMatchObject([{ line: 1, column: 26 }])
  })

  it('names a feature that another engine might have', () => {
    const query = 'CONSTRUCT { $this ex:out ?v } WHERE { GRAPH ex:g { $this ex:p ?v } }'
    expect(compileShaclRules(read(sparqlWith(query))).faults).toMatchObject([{ unsupported: 'GRAPH' }])
  })

  it('may not hide $this in a sub-SELECT', () => {
    const hidden = 'CONSTRUCT { $this ex:out ?n } WHERE { { SELECT (COUNT(*) AS ?n) WHERE { $this ex:p ?x } } }'
    expect(faultsOf(sparqlWith(hidden))).toEqual([
      'sh:construct of the sh:rule of <http://example.org/S>: the sub-SELECT uses $this and must also select it',
    ])
    const shown = hidden.replace('SELECT', 'SELECT $this').replace('?x }', '?x } GROUP BY $this')
    expect(derived(sparqlWith(shown), 'ex:a a ex:C ; ex:p 1, 2 . ex:b a ex:C . ex:c ex:p 1 .')).toEqual(['a out 2'])
  })
})

describe('order and activity', () => {
  const two = `ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:rule ex:Late, ex:Early .
ex:Late a sh:TripleRule ; sh:order 2 ; sh:subject sh:this ; sh:predicate ex:late ; sh:object 1 .
ex:Early a sh:TripleRule ; sh:order 0.5 ; sh:subject sh:this ; sh:predicate ex:early ; sh:object 1 .`

  it('groups come by ascending order', () => {
    const groups = orderedGroups(compileShaclRules(read(two)).rules)
    expect(groups.map((group) => group.map(({ node, order }) => [short(node), order]))).toEqual([[['Early', 0.5]], [['Late', 2]]])
  })

  it('a rule is deactivated by itself or by its shape', () => {
    const active = (subject: string) => {
      const { rules } = compileShaclRules(read(`${two} ${subject} sh:deactivated true .`))
      expect(rules.map(({ deactivated, rules }) => deactivated === (rules.length === 0))).toEqual([true, true])
      return rules.filter(({ deactivated }) => !deactivated).map(({ node }) => short(node))
    }
    expect(active('ex:Late')).toEqual(['Early'])
    expect(active('ex:S')).toEqual([])
  })

  it('ids of two rules and their parts never meet', () => {
    const shapes = `${two} ex:S sh:targetNode ex:n ; sh:targetSubjectsOf ex:p .`
    const ids = compileShaclRules(read(shapes), { id: 'r' }).rules.flatMap(({ rules }) => rules.map((rule) => rule.id))
    expect(new Set(ids.filter((id) => id.startsWith('r'))).size).toBe(ids.filter((id) => id.startsWith('r')).length)
  })
})
