import { expect, it } from 'vitest'
import { parseTurtle } from '../rdf/index.ts'
import { entails } from './entail.ts'

const PREFIXES = `@prefix : <urn:t:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n`
const read = (text: string) => {
  const parsed = parseTurtle(PREFIXES + text)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return parsed.quads
}

it.each([
  ['a triple of the closure', ':A rdfs:subClassOf :B . :x a :A .', ':x a :B .', true],
  ['something that exists', ':x :p :y . :y a :B .', ':x :p [ a :B ] .', true],
  ['one thing for two places', ':x :p :y . :z :q :w .', ':x :p _:a . :z :q _:a .', false],
  ['another spelling of a value', ':x :p 1.0 .', ':x :p 1 .', true],
  [
    'disjoint properties from disjoint domains',
    ':p rdfs:domain :A . :q rdfs:domain :B . :A owl:disjointWith :B .',
    ':p owl:propertyDisjointWith :q .',
    true,
  ],
  [
    'two different things',
    ':p a owl:FunctionalProperty . :x :p :a . :y :p :b . :a owl:differentFrom :b .',
    ':x owl:differentFrom :y .',
    true,
  ],
  ['a property that is transitive by a chain', ':p owl:propertyChainAxiom (:p :p) .', ':p a owl:TransitiveProperty .', true],
  ['a chain from a transitive property', ':p a owl:TransitiveProperty .', ':p owl:propertyChainAxiom (:p :p) .', true],
  ['a wider range', ':p rdfs:range xsd:byte .', ':p rdfs:range xsd:short .', true],
  ['a narrower range', ':p rdfs:range xsd:short .', ':p rdfs:range xsd:byte .', false],
  ['membership in a complement', ':A owl:disjointWith :B . :x a :A .', ':x a [ a owl:Class ; owl:complementOf :B ] .', true],
  ['membership in any other complement', ':x a :A .', ':x a [ a owl:Class ; owl:complementOf :B ] .', false],
  ['anything from what cannot be', ':x a owl:Nothing .', ':a :b :c .', true],
  ['nothing from nothing', '', ':A rdfs:subClassOf :B .', false],
])('%s', (_, premise, conclusion, expected) => {
  expect(entails(read(premise), read(conclusion)).entailed).toBe(expected)
})

it('says which triples nothing supports', () => {
  expect(entails(read(':x :p :y .'), read(':x :p :y ; :q :z .')).missing).toEqual(read(':x :q :z .'))
})
