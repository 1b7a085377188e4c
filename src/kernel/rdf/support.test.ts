import { expect, it } from 'vitest'
import { XSD, iri, literal } from '../term.ts'
import { RESOURCE, laterPredicate, tripleFact } from './partition.ts'
import { RDF_TYPE, quad } from './quad.ts'
import { secondsAfter, supportFor } from './support.ts'

const time = (text: string) => literal(text, `${XSD}dateTime`)

it.each([
  ['2024-05-01T10:12:29.250Z', '2024-05-01T10:12:59.250Z'],
  ['2024-05-01T10:12:29.1234567Z', '2024-05-01T10:12:59.1234567Z'],
  ['2024-12-31T23:59:45Z', '2025-01-01T00:00:15Z'],
  ['2024-05-01T10:12:29+02:00', '2024-05-01T08:12:59Z'],
  ['2024-05-01T10:12:29', '2024-05-01T10:12:59'],
])('30 seconds after %s is %s', (from, to) => {
  expect(secondsAfter(time(from), 30)).toEqual(time(to))
})

it.each([time('yesterday'), time('2024-13-01T00:00:00Z'), literal('2024-05-01T10:12:29Z'), iri('urn:x')])(
  '%o has no later time',
  (term) => {
    expect(secondsAfter(term, 30)).toBeUndefined()
  },
)

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
  expect(supportFor([rule(laterPredicate(30))], facts).facts).toEqual([])
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
