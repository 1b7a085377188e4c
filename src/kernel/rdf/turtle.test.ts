import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Term } from '../term.ts'
import { XSD, iri, literal } from '../term.ts'
import { parseTurtle } from './parse.ts'
import type { Quad } from './quad.ts'
import { RDF, RDFS, RDF_TYPE, STANDARD_PREFIXES, quad, quadKey } from './quad.ts'
import { writeTurtle } from './turtle.ts'

const BASE = 'https://enterprise.example/ontology#'
const own = (name: string) => iri(BASE + name)
const prefixes = { ...STANDARD_PREFIXES, '': BASE }

it('writes a small graph in one spelling, with `a` first and only the prefixes it needs', () => {
  const text = writeTurtle(
    [
      quad(own('Subscription.status'), iri(`${RDFS}label`), literal('status')),
      quad(own('Subscription.status'), own('since'), literal('2024-05-01', `${XSD}date`)),
      quad(own('Subscription.status'), iri(RDF_TYPE), own('Property')),
      quad(own('Alarm'), own('open'), literal('true', `${XSD}boolean`)),
      quad(own('Alarm'), own('open'), literal('false', `${XSD}boolean`)),
    ],
    { prefixes, header: ['ceiling: Public', 'second\nthird'] },
  )
  expect(text).toBe(`# ceiling: Public
# second
# third

@prefix : <${BASE}> .
@prefix rdfs: <${RDFS}> .
@prefix xsd: <${XSD}> .

:Alarm :open false, true .

:Subscription.status a :Property ;
  rdfs:label "status" ;
  :since "2024-05-01"^^xsd:date .
`)
})

it.each<[string, Term, string]>([
  ['an inner dot stays in a prefixed name', own('A.b'), ':A.b'],
  ['a final dot does not', own('A.'), `<${BASE}A.>`],
  ['a slash does not', own('a/b'), `<${BASE}a/b>`],
  ['a percent sign does not', own('a%20b'), `<${BASE}a%20b>`],
  ['letters beyond ASCII do', own('Größe'), ':Größe'],
  ['a leading digit does', own('5G'), ':5G'],
  ['a leading hyphen does not', own('-x'), `<${BASE}-x>`],
  ['a foreign IRI is written in full', iri('urn:x'), '<urn:x>'],
  ['a blank node keeps its label', { kind: 'bnode', value: 'b0' }, '_:b0'],
  ['an integer is short', literal('-7', `${XSD}integer`), '-7'],
  ['an integer with a stray sign is long', literal('7-', `${XSD}integer`), '"7-"^^xsd:integer'],
  ['a boolean written as a digit is long', literal('1', `${XSD}boolean`), '"1"^^xsd:boolean'],
  ['a decimal is long', literal('1.50', `${XSD}decimal`), '"1.50"^^xsd:decimal'],
  ['quotes, backslashes and line ends are escaped', literal('a"b\\c\nd\re\tf'), String.raw`"a\"b\\c\nd\re\tf"`],
  ['a control character is escaped', literal('\u0007'), String.raw`"\u0007"`],
  ['a language is a suffix', { kind: 'literal', value: 'x', datatype: `${RDF}langString`, language: 'en-gb' }, '"x"@en-gb'],
])('%s', (_, term, written) => {
  expect(writeTurtle([quad(own('s'), own('p'), term)], { prefixes })).toContain(`:s :p ${written} .\n`)
})

it('refuses what Turtle cannot spell', () => {
  expect(() => writeTurtle([quad(iri('urn:a b'), own('p'), own('o'))])).toThrow('not an IRI')
  expect(() => writeTurtle([quad({ kind: 'bnode', value: 'a b' }, own('p'), own('o'))])).toThrow('not a blank node label')
})

const someIri = fc.oneof(
  fc.constantFrom('a', 'A.b', 'A.', '5G', '-x', 'a/b', 'Größe', '', 'a..b', 'x:y').map(own),
  fc.constantFrom('urn:x:1', `${RDF}type`, `${RDFS}label`).map(iri),
)
const someLiteral = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => literal(text.toWellFormed())),
  fc
    .string({ unit: fc.constantFrom('"', '\\', '\n', '\r', "'", '.', '\u0000', '\u007F', 'é', '😀', '^', '@', '#') })
    .map((text) => literal(text)),
  fc.integer().map((n) => literal(String(n), `${XSD}integer`)),
  fc
    .tuple(fc.constantFrom('true', '1', 'no', '+5', '.5', '5.', ''), fc.constantFrom('boolean', 'integer', 'decimal', 'double'))
    .map(([text, type]) => literal(text, XSD + type)),
  fc
    .string()
    .map((value): Term => ({ kind: 'literal', value: value.toWellFormed(), datatype: `${RDF}langString`, language: 'en-gb' })),
)
const someQuads = fc.array(
  fc.record({ subject: someIri, predicate: someIri, object: fc.oneof(someIri, someLiteral) }) as fc.Arbitrary<Quad>,
  { maxLength: 12 },
)
const keys = (quads: readonly Quad[]) => [...new Set(quads.map(quadKey))].toSorted()

it('comes back from a parser as the same set of triples', () => {
  fc.assert(
    fc.property(someQuads, fc.boolean(), (quads, short) => {
      const back = parseTurtle(writeTurtle(quads, short ? { prefixes } : {}))
      expect(back.ok && keys(back.quads)).toEqual(keys(quads))
    }),
    { numRuns: 300 },
  )
})

it('gives the same bytes whatever the order of the triples, and a second time', () => {
  fc.assert(
    fc.property(someQuads, (quads) => {
      const text = writeTurtle(quads, { prefixes })
      expect(writeTurtle([...quads.toReversed(), ...quads], { prefixes })).toBe(text)
      const back = parseTurtle(text)
      expect(back.ok && writeTurtle(back.quads, { prefixes })).toBe(text)
    }),
  )
})
