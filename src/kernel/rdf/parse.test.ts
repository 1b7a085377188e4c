import { expect, it } from 'vitest'
import { iri, literal, termKey } from '../term.ts'
import { parseTurtle } from './parse.ts'
import { RDF_TYPE, quad } from './quad.ts'

it('reads triples and prefixes', () => {
  const parsed = parseTurtle('@prefix : <http://e/> . :a a :B ; :p "x" .')
  expect(parsed).toEqual({
    ok: true,
    prefixes: { '': 'http://e/' },
    quads: [quad(iri('http://e/a'), iri(RDF_TYPE), iri('http://e/B')), quad(iri('http://e/a'), iri('http://e/p'), literal('x'))],
  })
})

it('names blank nodes by order of appearance, however many documents were read before', () => {
  const text = '[] <http://e/p> [ <http://e/q> _:z ] . _:z <http://e/r> 1 .'
  const first = parseTurtle(text)
  expect(parseTurtle(text)).toEqual(first)
  const labels = first.ok
    ? first.quads
        .flatMap((q) => [q.subject, q.object])
        .filter((term) => term.kind === 'bnode')
        .map((term) => term.value)
    : []
  expect(new Set(labels)).toEqual(new Set(['b0', 'b1', 'b2']))
})

it('reads a language tag in one spelling', () => {
  const parsed = parseTurtle('<http://e/a> <http://e/p> "x"@EN-gb .')
  expect(parsed.ok && parsed.quads[0]!.object).toMatchObject({ language: 'en-gb' })
})

it('has one object for a term, wherever it stands', () => {
  const parsed = parseTurtle('<http://e/a> <http://e/p> "x", "x"@en, 1 . <http://e/b> <http://e/q> "x", "x"@en, 1, <http://e/a> .')
  const terms = parsed.ok ? parsed.quads.flatMap(({ subject, object }) => [subject, object]) : []
  expect(new Set(terms).size).toBe(new Set(terms.map(termKey)).size)
})

it('reads a large text in pieces as it would read it whole, also a string that goes over many lines', () => {
  const long = 'line \u{1F600}\n'.repeat(60_000)
  const lines = Array.from({ length: 8000 }, (_, n) => `<http://e/s${n}> <http://e/p> "value ${n}" . # a comment\n`)
  const text = `${lines.join('')}<http://e/long> <http://e/p> """${long}""" .\n${lines.join('')}<http://e/end> <http://e/p> 1 .`
  const parsed = parseTurtle(text)
  expect(parsed.ok && parsed.quads.length).toBe(16_002)
  expect(parsed.ok && parsed.quads[8000]?.object.value).toBe(long)
  expect(parsed.ok && parsed.quads.at(-2)).toEqual(quad(iri('http://e/s7999'), iri('http://e/p'), literal('value 7999')))
})

it('finds the line of a fault far down in a large text', () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `<http://e/s${n}> <http://e/p> <http://e/o> .\n`)
  expect(parseTurtle(`${lines.join('')}<http://e/b> oops .\n${lines.join('')}`)).toMatchObject({ ok: false, fault: { line: 20_001 } })
})

it('reads nothing in an empty text', () => {
  expect(parseTurtle('')).toEqual({ ok: true, quads: [], prefixes: {} })
})

it.each([
  ['a syntax error on its line', '<http://e/a> <http://e/p> 1 .\n<http://e/b> oops .', { line: 2 }],
  ['an undeclared prefix', '\n\nx:a x:b x:c .', { line: 3 }],
  ['an unfinished string', '<http://e/a> <http://e/p> "x', { line: 1 }],
  ['a relative IRI', '<http://e/a> <http://e/p> 1 .\n <b> <http://e/p> 2 .', { line: 2, column: 2 }],
  ['a relative datatype', '<http://e/a> <http://e/p> "x"^^<_> .', { message: '<_> is not an absolute IRI' }],
  ['a text that ends too early', '<http://e/a> <http://e/p> 1 .\n<http://e/b> <http://e/p>', { line: 2 }],
  [
    'a triple term',
    '<http://e/a> <http://e/p> <<( <http://e/a> <http://e/p> 1 )>> .',
    { message: 'triple terms are not supported' },
  ],
])('refuses %s', (_, text, fault) => {
  expect(parseTurtle(text)).toMatchObject({ ok: false, fault })
})
