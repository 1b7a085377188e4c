/** The compiled rules against an independent SPARQL engine, on random small graphs. */
import fc from 'fast-check'
import oxigraph from 'oxigraph'
import { expect, it } from 'vitest'
import { checkProof, evaluate, proofOf } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { XSD, iri, literal } from '../term.ts'
import { oxigraphJudge } from '../../graph-store/judge.ts'
import type { Quad } from '../rdf/index.ts'
import { RDF_TYPE, factTriple, parseTurtle, quadKey, supportFor, tripleFact, writeTurtle } from '../rdf/index.ts'
import { compileConstruct } from './construct.ts'

const E = 'http://e/'
const nodes = ['a', 'b', 'c', 'd'].map((name) => iri(E + name))
const classes = ['C', 'D'].map((name) => iri(E + name))
const values: Term[] = [
  literal('1', `${XSD}integer`),
  literal('2', `${XSD}integer`),
  literal('2', `${XSD}decimal`),
  literal('x'),
  literal('y'),
  literal('2024-05-01T10:00:00Z', `${XSD}dateTime`),
  literal('2024-05-01T12:00:10+02:00', `${XSD}dateTime`),
  literal('true', `${XSD}boolean`),
]

const someQuad: fc.Arbitrary<Quad> = fc.oneof(
  fc.record({
    subject: fc.constantFrom(...nodes),
    predicate: fc.constantFrom(iri(`${E}p`), iri(`${E}r`)),
    object: fc.constantFrom(...nodes),
  }),
  fc.record({
    subject: fc.constantFrom(...nodes),
    predicate: fc.constant(iri(`${E}v`)),
    object: fc.constantFrom(...values, ...nodes),
  }),
  fc.record({ subject: fc.constantFrom(...nodes), predicate: fc.constant(iri(RDF_TYPE)), object: fc.constantFrom(...classes) }),
)
const someGraph = fc.array(someQuad, { minLength: 5, maxLength: 20, size: 'max' })

const variable = fc.constantFrom('?x', '?y', '?z')
const node = fc.oneof({ weight: 4, arbitrary: variable }, fc.constantFrom(':a', ':b'))
const triple = fc.oneof(
  fc.tuple(node, fc.constantFrom(':p', ':r', ':p+', ':v'), node).map((parts) => parts.join(' ')),
  fc.tuple(node, fc.constantFrom(':C', ':D', '?x')).map(([subject, type]) => `${subject} a ${type}`),
  fc.tuple(node, fc.constantFrom('1', '"x"', '?y', '[ :p ?z ]', '?z, ?y')).map(([subject, object]) => `${subject} :v ${object}`),
)
const bgp = fc.array(triple, { minLength: 1, maxLength: 3 }).map((triples) => triples.join(' . '))
// binds ?x and ?y, so that most templates and filters have what they need
const outer = fc
  .tuple(fc.constantFrom('?x :p ?y', '?y :r ?x', '?x :v ?y', '?x :v ?y ; :v ?z', '?x :p+ ?y'), fc.array(triple, { maxLength: 2 }))
  .map(([first, more]) => [first, ...more].join(' . '))
const side = fc.oneof(
  { weight: 3, arbitrary: variable },
  fc.constantFrom('2', '1.5', '"x"', ':a', 'true', '"2024-05-01T10:00:05Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'),
)
const comparison = fc.tuple(side, fc.constantFrom('=', '!=', '<', '<=', '>', '>='), side).map((parts) => parts.join(' '))
const filter = fc.oneof(
  fc.array(comparison, { minLength: 1, maxLength: 2 }).map((all) => `FILTER(${all.join(' && ')})`),
  bgp.map((inner) => `FILTER NOT EXISTS { ${inner.replaceAll('?z', '?w')} }`),
)
const query = fc
  .record({
    bgp: outer,
    filters: fc.array(filter, { maxLength: 2 }),
    template: fc.constantFrom('?x :out ?y', '?y :out ?x . ?x :out2 1', '?x a :Out', ':a :out ?x'),
  })
  // a rule that reads every type and gives one would feed itself, which a single CONSTRUCT does not
  .filter(({ bgp, filters, template }) => template !== '?x a :Out' || !`${bgp} ${filters.join(' ')}`.includes(' a ?'))
  .map(({ bgp, filters, template }) => `PREFIX : <${E}>\nCONSTRUCT { ${template} } WHERE { ${bgp} ${filters.join(' ')} }`)

function oracle(graph: readonly Quad[], text: string): string[] {
  const store = new oxigraph.Store()
  store.load(writeTurtle(graph), { format: 'text/turtle' })
  const answer = parseTurtle(store.query(text, { results_format: 'text/turtle' }) as string)
  if (!answer.ok) throw new Error(answer.fault.message)
  return [...new Set(answer.quads.map(quadKey))].toSorted()
}

const judge = oxigraphJudge()

function ours(graph: readonly Quad[], text: string): { keys: string[]; proven: boolean } | null {
  const compiled = compileConstruct(text, { id: 'r' })
  if (!compiled.ok) return null
  const given = graph.map((quad) => tripleFact(quad))
  const support = supportFor(compiled.rules, given)
  const rules = [...new Map([...compiled.rules, ...support.rules].map((rule) => [rule.id, rule])).values()]
  const base = [...given, ...support.facts]
  const model = evaluate({ relations: [], rules }, base)
  const derived = model.facts.filter((fact) => !fact.asserted && factTriple(fact) !== undefined && fact.predicate !== RDF_TYPE)
  const proven = derived.every(
    (fact) => checkProof(proofOf(model, fact.id), { rules, base, judge, closed: (predicate) => model.find(predicate) }).valid,
  )
  return { keys: [...new Set(derived.map((fact) => quadKey(factTriple(fact)!)))].toSorted(), proven }
}

it('every accepted CONSTRUCT derives exactly what another engine constructs, and proves it', () => {
  let accepted = 0
  let derived = 0
  fc.assert(
    fc.property(someGraph, query, (graph, text) => {
      const result = ours(graph, text)
      if (result === null) return
      accepted += 1
      derived += result.keys.length
      expect(result.keys).toEqual(oracle(graph, text))
      expect(result.proven).toBe(true)
    }),
    { numRuns: 120, seed: 7 },
  )
  // most of the generated queries must be ones that we claim to support, and they must not all come out empty
  expect(accepted).toBeGreaterThan(75)
  expect(derived).toBeGreaterThan(60)
})
