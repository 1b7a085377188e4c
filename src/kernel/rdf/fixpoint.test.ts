import { describe, expect, it } from 'vitest'
import type { DatalogRule } from '../datalog/index.ts'
import { iri } from '../term.ts'
import type { GraphView } from './fixpoint.ts'
import { faultsOver, reasonOver } from './fixpoint.ts'
import { parseTurtle } from './parse.ts'
import { factTriple, tripleAtom, tripleFact, tripleHead } from './partition.ts'
import { RDFS, RDF_TYPE, quadKey } from './quad.ts'

const PREFIX = `@prefix : <urn:> . @prefix rdfs: <${RDFS}> .\n`
const graph = (text: string) => {
  const parsed = parseTurtle(PREFIX + text)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return parsed.quads.map((quad) => tripleFact(quad))
}
const v = (variable: string) => ({ variable })
const named = (name: string) => ({ term: iri(name) })
const body = (...atoms: ReturnType<typeof tripleAtom>[]) => atoms.map((atom) => ({ kind: 'atom' as const, atom }))

const derived = ({ model }: ReturnType<typeof reasonOver>): string[] =>
  model.facts
    .filter((fact) => !fact.asserted)
    .flatMap((fact) => (fact.predicate === RDF_TYPE ? [] : (factTriple(fact) ?? [])))
    .map((quad) => quadKey(quad).replaceAll(/<urn:(\w+)>/g, ':$1').replace(`<${RDF_TYPE}>`, 'a'))
    .toSorted()

/** A rule for each rdfs:subPropertyOf. */
const subProperties = (view: GraphView): DatalogRule[] =>
  view.triples(`${RDFS}subPropertyOf`).map(({ subject, object }) => ({
    id: `sub~${subject.value} ${object.value}`,
    head: tripleHead(v('x'), object.value, v('y')),
    body: body(tripleAtom(v('x'), subject.value, v('y'))),
  }))

describe('a pattern with an open property', () => {
  it('reads every triple, types included', () => {
    const rule = { id: 'all', head: tripleHead(v('s'), 'urn:seen', v('p')), body: body(tripleAtom(v('s'), v('p'), v('o'))) }
    const facts = graph(':a :p :b . :a a :C .')
    expect(derived(reasonOver({ facts, rules: [rule] }))).toEqual([
      ':a :seen :p',
      ':a :seen :seen',
      ':a :seen a',
    ])
  })

  it('makes triples of properties and classes that only the data name', () => {
    const copy = { id: 'copy', head: tripleHead(v('s'), v('to'), v('o')), body: body(tripleAtom(v('s'), 'urn:p', v('o')), tripleAtom(named('urn:p'), 'urn:to', v('to'))) }
    const type = { id: 'type', head: tripleHead(v('s'), RDF_TYPE, v('c')), body: body(tripleAtom(v('s'), 'urn:kind', v('c'))) }
    const use = { id: 'use', head: tripleHead(v('s'), 'urn:ok', v('o')), body: body(tripleAtom(v('s'), 'urn:new', v('o')), tripleAtom(v('s'), RDF_TYPE, named('urn:D'))) }
    const facts = graph(':a :p :b ; :kind :D . :p :to :new .')
    expect(derived(reasonOver({ facts, rules: [copy, type, use] }))).toEqual([':a :new :b', ':a :ok :b', ':a a :D'])
  })
})

describe('rules that follow from the graph', () => {
  it('are made once for the axioms that are given', () => {
    const run = reasonOver({ facts: graph(':p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :r . :a :p :b .'), rules: [], specialise: subProperties })
    expect(derived(run)).toEqual([':a :q :b', ':a :r :b'])
  })

  it('are made for axioms that a rule derives from the data', () => {
    const rule = { id: 'axiom', head: tripleHead(v('p'), `${RDFS}subPropertyOf`, v('q')), body: body(tripleAtom(v('p'), 'urn:below', v('q'))) }
    const run = reasonOver({ facts: graph(':p :below :q . :a :p :b .'), rules: [rule], specialise: subProperties })
    expect(derived(run)).toEqual([':a :q :b', `:p <${RDFS}subPropertyOf> :q`])
  })

  it('stop at the budget with a flag', () => {
    const facts = graph(':p rdfs:subPropertyOf :q . :a :p :b , :c , :d .')
    expect(reasonOver({ facts, rules: [], specialise: subProperties, budget: { maxFacts: 5 } }).model.stopped).toBe('facts')
  })
})

it('names the negation that stands in a cycle', () => {
  const rule: DatalogRule = {
    id: 'paradox',
    head: tripleHead(v('x'), 'urn:p', v('x')),
    body: [...body(tripleAtom(v('x'), 'urn:q', v('y'))), { kind: 'not', atom: tripleAtom(v('x'), 'urn:p', null) }],
  }
  expect(faultsOver({ facts: [], rules: [rule] }).map(({ message }) => message)).toEqual([
    'paradox: a negation inside a cycle: urn:p -> not urn:p',
  ])
})

it('a rule that makes types may deny what it reads of other properties', () => {
  const rule: DatalogRule = {
    id: 'kind',
    head: tripleHead(v('x'), RDF_TYPE, v('c')),
    body: [...body(tripleAtom(v('x'), 'urn:kind', v('c'))), { kind: 'not', atom: tripleAtom(v('x'), 'urn:retired', null) }],
  }
  const facts = graph(':a :kind :C . :b :kind :C ; :retired 1 .')
  expect(faultsOver({ facts, rules: [rule] })).toEqual([])
  expect(derived(reasonOver({ facts, rules: [rule] }))).toEqual([':a a :C'])
})
