import { expect, it } from 'vitest'
import { iri, literal } from '../term.ts'
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

it.each([
  ['a syntax error on its line', '<http://e/a> <http://e/p> 1 .\n<http://e/b> oops .', { line: 2 }],
  ['an undeclared prefix', '\n\nx:a x:b x:c .', { line: 3 }],
  ['an unfinished string', '<http://e/a> <http://e/p> "x', { line: 1 }],
  ['a relative IRI', '<http://e/a> <http://e/p> 1 .\n <b> <http://e/p> 2 .', { line: 2, column: 2 }],
  [
    'a triple term',
    '<http://e/a> <http://e/p> <<( <http://e/a> <http://e/p> 1 )>> .',
    { message: 'triple terms are not supported' },
  ],
])('refuses %s', (_, text, fault) => {
  expect(parseTurtle(text)).toMatchObject({ ok: false, fault })
})
