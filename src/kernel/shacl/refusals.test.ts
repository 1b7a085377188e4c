import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTurtle } from '../rdf/index.ts'
import type { Quad } from '../rdf/index.ts'
import { compileShaclRules } from './index.ts'

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

const faultsOf = (shapes: string): string[] => compileShaclRules(read(shapes), { id: 'r' }).faults.map(({ message }) => message)

/** A shape over ex:C whose one rule says `this ex:out <object>`. */
const ruleWith = (object: string, more = ''): string => `ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:rule
  [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate ex:out ; sh:object ${object} ; ${more} ] .`

const sparqlWith = (query: string): string => `ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:rule
  [ a sh:SPARQLRule ; sh:prefixes <http://example.org/> ; sh:construct """${query}""" ] .`

describe('what has no reading is refused by name', () => {
  const condition = (shape: string) => ruleWith('1', `sh:condition ${shape}`)
  const declaring = (prefix: string, namespace: string) => `${sparqlWith('CONSTRUCT { $this a ex:X } WHERE {}')}
<http://example.org/> sh:declare [ sh:prefix ${prefix} ; sh:namespace ${namespace} ] .`
  it.each([
    [
      'sh:TripleRule without an object',
      'ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:rule [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate ex:p ] .',
      'has no sh:object',
    ],
    ['two subjects', ruleWith('1', 'sh:subject ex:other'), 'has 2 values of sh:subject, at most one is allowed'],
    [
      'a literal property',
      ruleWith('1').replace('sh:predicate ex:out', 'sh:predicate "p"'),
      'sh:predicate of the sh:rule of <http://example.org/S> is "p", expected an IRI',
    ],
    ['a literal subject', ruleWith('1').replace('sh:subject sh:this', 'sh:subject "s"'), 'is the literal "s"'],
    [
      'a rule of no type',
      ruleWith('1').replace('a sh:TripleRule ;', ''),
      'is of no type, expected sh:TripleRule or sh:SPARQLRule',
    ],
    [
      'a JavaScript rule',
      ruleWith('1').replace('sh:TripleRule', 'sh:JSRule'),
      'is of type sh:JSRule, expected sh:TripleRule or sh:SPARQLRule',
    ],
    ['a SPARQL rule without a query', 'ex:S sh:targetClass ex:C ; sh:rule [ a sh:SPARQLRule ] .', 'has no sh:construct'],
    [
      'a SPARQL target',
      `${ruleWith('1')} ex:S sh:target [ a sh:SPARQLTarget ; sh:select "" ] .`,
      'sh:target of <http://example.org/S> is not supported',
    ],
    [
      'an order that is no number',
      ruleWith('1', 'sh:order "first"'),
      'sh:order of the sh:rule of <http://example.org/S> is no number',
    ],
    [
      'sh:values',
      'ex:S a sh:NodeShape ; sh:property [ sh:path ex:p ; sh:values [ sh:path ex:q ] ] .',
      'sh:values of the sh:property of <http://example.org/S> is not supported',
    ],
    [
      'a node expression with sh:if',
      ruleWith('[ sh:if [ sh:path ex:p ] ; sh:then 1 ; sh:else 2 ]'),
      'sh:if is not supported in a node expression',
    ],
    ['a node expression without meaning', ruleWith('[ rdfs:label "x" ]'), 'the arguments of rdfs:label: the list is broken'],
    ['an unknown function', ruleWith('[ ex:f ( sh:this ) ]'), 'the function <http://example.org/f> is not supported'],
    [
      'a function with too few arguments',
      `${ruleWith('[ ex:f () ]')} ex:f a sh:SPARQLFunction ; sh:parameter [ sh:path ex:x ] ; sh:select "SELECT ?r {}" .`,
      'takes 1 arguments, 0 are given',
    ],
    [
      'a function over JavaScript',
      `${ruleWith('[ ex:f () ]')} ex:f a sh:JSFunction .`,
      'the function <http://example.org/f> is not supported',
    ],
    [
      'a node expression in a circle',
      `${ruleWith('_:e')} _:e sh:path ex:p ; sh:nodes _:e .`,
      'the node expression runs in a circle',
    ],
    ['a path in a circle', `${ruleWith('[ sh:path _:p ]')} _:p sh:inversePath _:p .`, 'the property path runs in a circle'],
    ['a list in a circle', `${ruleWith('[ sh:path _:l ]')} _:l rdf:first ex:p ; rdf:rest _:l .`, 'the list runs in a circle'],
    ['a list without an end', `${ruleWith('[ sh:union _:l ]')} _:l rdf:first ex:p .`, 'the list is broken'],
    ['a path of one', ruleWith('[ sh:path ( ex:p ) ]'), 'a sequence path needs at least two members'],
    ['a property shape without a path', condition('[ sh:property [ sh:minCount 1 ] ]'), 'is a property shape without sh:path'],
    ['a count outside of a path', condition('[ sh:minCount 1 ]'), 'needs a sh:path beside it'],
    [
      'a count that is none',
      condition('[ sh:property [ sh:path ex:p ; sh:minCount "many" ] ]'),
      'expected a whole number from 0 upward',
    ],
    [
      'two datatypes',
      condition('[ sh:datatype xsd:string, xsd:integer ]'),
      'has 2 values of sh:datatype, at most one is allowed',
    ],
    ['an unknown node kind', condition('[ sh:nodeKind sh:Thing ]'), 'expected a node kind such as sh:IRI'],
    [
      'a shape that refers to itself',
      `${condition('ex:T')} ex:T a sh:NodeShape ; sh:property [ sh:path ex:p ; sh:node ex:T ] .`,
      'refers to itself',
    ],
    [
      'a SPARQL constraint',
      condition('[ sh:sparql [ sh:select "" ] ]'),
      'sh:sparql in the sh:condition of <http://example.org/S> is not supported in a condition',
    ],
    ['an expression constraint', condition('[ sh:expression [ sh:path ex:p ] ]'), 'sh:expression in'],
    ['a word of a later SHACL', condition('[ sh:reifierShape [] ]'), 'sh:reifierShape in'],
    [
      'a constraint component of its own',
      `${condition('[ ex:maxWords 3 ]')} ex:M a sh:ConstraintComponent ; sh:parameter [ sh:path ex:maxWords ] .`,
      '<http://example.org/maxWords> in',
    ],
    [
      'a qualified shape without counts',
      condition('[ sh:property [ sh:path ex:p ; sh:qualifiedValueShape [] ] ]'),
      'without sh:qualifiedMinCount or sh:qualifiedMaxCount',
    ],
    ['a prefix for two namespaces', declaring('"ex"', '"http://other.example/"'), 'stands for two namespaces'],
    [
      'a namespace that would end its declaration',
      declaring('"a"', '"http://x/> SELECT"'),
      'is no prefix that a query can declare',
    ],
  ])('%s', (_, shapes, message) => {
    const { rules, faults } = compileShaclRules(read(shapes), { id: 'r' })
    expect(faults.map((fault) => fault.message).join('\n')).toContain(message)
    expect(rules).toEqual([])
  })

  it('and the other rules still run', () => {
    const shapes = `${ruleWith('1')} ex:S sh:rule
      [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate ex:bad ; sh:object [ sh:if 1 ] ] .`
    const compiled = compileShaclRules(read(shapes), { id: 'r' })
    expect([compiled.faults.length, compiled.rules.length]).toEqual([1, 1])
  })

  it('deep nesting and wide sharing end in a fault, not in a hang', () => {
    const deep = Array.from({ length: 200 }, (_, n) => `ex:s${n} a sh:NodeShape ; sh:node ex:s${n + 1} .`).join('\n')
    expect(faultsOf(`${condition('ex:s0')} ${deep}`).join()).toContain('nested more than')
    const wide = Array.from({ length: 40 }, (_, n) => `ex:s${n} a sh:NodeShape ; sh:and ( ex:s${n + 1} ex:s${n + 1} ) .`)
    expect(faultsOf(`${condition('ex:s0')} ${wide.join(' ')} ex:s40 sh:class ex:D .`).join()).toContain('too large together')
  })

  it('any graph of shapes ends in rules or faults', () => {
    const words = `rule condition subject predicate object path property node not or and in nodes filterShape union intersection
      inversePath alternativePath zeroOrMorePath targetClass targetNode class minCount qualifiedValueShape closed construct
      prefixes declare deactivated count minus`
    const property = fc.constantFrom(...words.split(/\s+/).map((name) => `sh:${name}`), 'a', 'rdf:first', 'rdf:rest')
    const subject = fc.constantFrom('ex:S', 'ex:T', '_:a', '_:b', '_:c')
    const constants = ['rdf:nil', 'sh:this', '1', '"t"', 'sh:TripleRule', 'sh:NodeShape']
    const node = fc.oneof(subject, fc.constantFrom(...constants))
    fc.assert(
      fc.property(fc.array(fc.tuple(subject, property, node), { minLength: 4, maxLength: 30 }), (triples) => {
        const start = 'ex:S sh:rule _:a ; sh:targetClass ex:C . _:a a sh:TripleRule .'
        const compiled = compileShaclRules(read(`${start} ${triples.map((triple) => `${triple.join(' ')} .`).join('\n')}`))
        expect(compiled.rules.length + compiled.faults.length).toBeGreaterThan(0)
      }),
      { seed: 7, numRuns: process.env['WHEREFORE_FULL'] === undefined ? 300 : 5000 },
    )
  })
})
