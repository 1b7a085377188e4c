import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RDF, RDF_TYPE, XSD } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { iri, literal, termKey } from '../kernel/term.ts'
import { BASE, RECORD, incident } from './graph.test-support.ts'
import { findTriple, projectPrefixes, readingsOf, shortText, termText } from './terms.ts'

const prefixes = projectPrefixes(BASE, RECORD)
const first = (text: string, place: 'subject' | 'predicate' | 'object' = 'object') => readingsOf(text, place, prefixes)[0]

describe('the readings of a text', () => {
  it.each<[string, Term]>([
    ['https://a.example/x', iri('https://a.example/x')],
    ['<urn:a:b>', iri('urn:a:b')],
    [':LinkDown', iri(`${BASE}LinkDown`)],
    ['record:event/T1-1', iri(`${RECORD}event/T1-1`)],
    ['rdfs:label', iri('http://www.w3.org/2000/01/rdf-schema#label')],
    ['_:b0', { kind: 'bnode', value: 'b0' }],
    ['"a \\"b\\""', literal('a "b"')],
    ['"5"^^<http://www.w3.org/2001/XMLSchema#integer>', literal('5', `${XSD}integer`)],
    ['"5"^^xsd:integer', literal('5', `${XSD}integer`)],
    ['"chat"@FR', { kind: 'literal', value: 'chat', datatype: `${RDF}langString`, language: 'fr' }],
    ['plain text', literal('plain text')],
    ['17', literal('17', `${XSD}integer`)],
    ['1.5', literal('1.5', `${XSD}decimal`)],
    ['true', literal('true', `${XSD}boolean`)],
    ['2024-05-01T10:12:29Z', literal('2024-05-01T10:12:29Z', `${XSD}dateTime`)],
    ['2024-05-01', literal('2024-05-01', `${XSD}date`)],
    // not a literal after all, and not a way to smuggle a second triple in
    ['"unclosed', literal('"unclosed')],
    ['"a" . <urn:x> <urn:p> "b"', literal('"a" . <urn:x> <urn:p> "b"')],
    ['toString:x', iri('toString:x')],
  ])('%s is read as a term', (text, term) => {
    expect(first(text)).toEqual(term)
  })

  it('a bare name is one of the ontology, and `a` is a type where a property stands', () => {
    expect(first('hasCause', 'predicate')).toEqual(iri(`${BASE}hasCause`))
    expect(first('a', 'predicate')).toEqual(iri(RDF_TYPE))
    expect(first('a', 'subject')).toEqual(iri(`${BASE}a`))
  })

  it.each<[string, 'subject' | 'predicate']>([['"x"', 'subject'], ['"x"', 'predicate'], ['_:b0', 'predicate']])(
    '%s is refused as a %s, with the prefixes that are known',
    (text, place) => {
      const refused = expect.objectContaining({ code: 'invalid_request', about: { hint: expect.stringContaining('record:') } })
      expect(() => readingsOf(text, place, prefixes)).toThrow(refused)
    },
  )
})

describe('finding a triple', () => {
  const m = incident()
  it.each([
    ['record:e1', 'a', ':LinkDown'],
    ['record:e1', ':line', '17'],
    ['record:e1', ':line', '"17"^^xsd:integer'],
    ['record:e2', ':text', 'a "b"'],
    ['record:e2', 'text', '"a \\"b\\""'],
    [`<${RECORD}e2>`, `${BASE}onEntity`, 'record:crt-07'],
    ['record:e1', ':startedAt', '2024-05-01T10:12:29.000Z'],
  ])('%s %s %s is there however it is written', (subject, predicate, object) => {
    expect(findTriple(m, { subject, predicate, object }, prefixes)?.asserted).toBe(true)
  })

  it('text that only looks alike is not', () => {
    for (const object of ['018', '"17"', '1', '']) {
      expect(findTriple(m, { subject: 'record:e1', predicate: ':line', object }, prefixes)).toBeUndefined()
    }
  })
})

describe('short names', () => {
  it.each([
    [`${BASE}LinkDown`, ':LinkDown'],
    [`${RECORD}event/T1-1`, 'record:event/T1-1'],
    [BASE, `<${BASE}>`],
    ['urn:other', '<urn:other>'],
    [`"5"^^<${XSD}integer>`, '"5"^^xsd:integer'],
    ['"a"', '"a"'],
    ['_:b1', '_:b1'],
  ])('%s is shortened to %s', (text, short) => {
    expect(shortText(text, prefixes)).toBe(short)
  })

  const terms = fc.oneof(
    fc.webUrl().map(iri),
    fc.stringMatching(/^[\w./-]{1,12}$/).map((local) => iri(BASE + local)),
    fc.stringMatching(/^[\w./:-]{1,12}$/).map((local) => iri(RECORD + local)),
    fc.string({ unit: 'grapheme' }).map((text) => literal(text)),
    fc.integer().map((n) => literal(String(n), `${XSD}integer`)),
  )
  it('what is shortened can be read again, and means the same', () => {
    fc.assert(
      fc.property(terms, (term) => {
        const read = readingsOf(shortText(termText(term), prefixes), 'object', prefixes)[0]
        expect(read === undefined ? undefined : termKey(read)).toBe(termKey(term))
      }),
    )
  })
})
