import { expect, it } from 'vitest'
import { iri, literal } from '../term.ts'
import { RESOURCE, tripleFact } from './partition.ts'
import { RDF_TYPE, quad } from './quad.ts'
import { LIMIT, limitOf, supportFor, windowIn } from './support.ts'

const facts = [
  tripleFact(quad(iri('urn:a'), iri('urn:p'), literal('x'))),
  tripleFact(quad(iri('urn:a'), iri(RDF_TYPE), iri('urn:C'))),
]
const rule = (predicate: string) => ({
  id: 'r',
  head: { predicate: 'urn:q', args: [{ variable: 'x' }, { term: iri('urn:k') }] },
  body: [{ kind: 'atom' as const, atom: { predicate, args: [{ variable: 'x' }] } }],
})

it('gives rules only what they ask for', () => {
  expect(supportFor([rule('urn:p')], facts)).toEqual({ facts: [], rules: [] })
})

it('knows the resources of the graph and of the heads, and no literal', () => {
  const named = supportFor([rule(RESOURCE)], facts).facts.map((fact) => fact.args[0]?.value)
  expect(named).toEqual(['urn:a', 'urn:C', 'urn:k'])
})

it('unites the types by class for a rule that asks for any class', () => {
  expect(supportFor([rule(RDF_TYPE)], facts).rules.map((one) => one.body)).toEqual([
    [{ kind: 'atom', atom: { predicate: `${RDF_TYPE} urn:C`, args: [{ variable: 'x' }, { variable: 'y' }] } }],
  ])
})

it('reads the end of a window back, and takes no sum of an author for one', () => {
  const expr = limitOf({ variable: 't' }, 30)
  expect(windowIn({ into: LIMIT, expr })).toEqual({ from: { variable: 't' }, seconds: 30 })
  expect(windowIn({ into: 'limit', expr })).toBeUndefined()
  expect(windowIn({ into: LIMIT, expr: { variable: 't' } })).toBeUndefined()
})
