import fc from 'fast-check'
import { Store } from 'oxigraph'
import { expect, it } from 'vitest'
import { iri, literal, termKey, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { sortOrder } from './compare.ts'
import { foldSparql } from './fold-sparql.ts'
import type { SparqlFold } from './fold-sparql.ts'

const typed = (type: string) => (text: string): Term => literal(text, XSD + type)
const [integer, decimal, double, date] = [typed('integer'), typed('decimal'), typed('double'), typed('date')]
const english = (text: string): Term => ({
  kind: 'literal',
  value: text,
  datatype: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString',
  language: 'en',
})

const fold = (fn: SparqlFold['fn'], values: readonly (Term | undefined)[], distinct = false) =>
  foldSparql({ fn, distinct }, values)

it.each<[SparqlFold['fn'], (Term | undefined)[], Term | undefined]>([
  ['count', [integer('1'), undefined], integer('1')],
  ['count', [], integer('0')],
  ['sum', [], integer('0')],
  ['avg', [], integer('0')],
  ['min', [], undefined],
  ['sample', [], undefined],
  ['concat', [], literal('')],
  ['sum', [integer('9223372036854775807'), integer('1')], integer('9223372036854775808')],
  ['sum', [integer('1'), decimal('0.10')], decimal('1.1')],
  ['sum', [integer('1'), literal('1')], undefined],
  ['sum', [integer('1'), undefined], undefined],
  ['avg', [integer('1'), integer('1'), integer('0')], decimal('0.666666666666666666')],
  ['avg', [double('1'), integer('2')], double('1.5')],
  ['min', [integer('10'), decimal('9.5')], decimal('9.5')],
  ['min', [literal('a'), iri('x:z')], iri('x:z')],
  ['max', [date('2024-01-01'), date('2023-12-31')], date('2024-01-01')],
  ['max', [integer('1'), undefined], undefined],
  ['max', [literal('2'), integer('10')], literal('2')],
  ['sample', [undefined, integer('2'), integer('1')], integer('1')],
  ['concat', [literal('b'), literal('a'), literal('b')], literal('a b b')],
  ['concat', [english('b'), english('a')], english('a b')],
  ['concat', [english('b'), literal('a')], literal('a b')],
  ['concat', [integer('1')], undefined],
])('%s of %j is %j', (fn, values, expected) => {
  expect(fold(fn, values)).toEqual(expected)
})

it('distinct looks at terms: 1 and 1.0 are two', () => {
  const values = [integer('1'), decimal('1.0'), integer('1')]
  expect(fold('count', values, true)).toEqual(integer('2'))
  expect(fold('sum', values, true)).toEqual(decimal('2'))
  const words = [literal('b'), literal('a'), literal('b')]
  expect(foldSparql({ fn: 'concat', distinct: true, separator: '|' }, words)).toEqual(literal('a|b'))
})

/** Sums of these are exact in any order; oxigraph spells none of them otherwise. */
const numbers = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map((n) => integer(String(n))),
  fc.integer({ min: -1000, max: 1000 }).map((n) => decimal(String(n / 8))),
  fc.integer({ min: -1000, max: 1000 }).map((n) => double(String(n / 8))),
  fc.integer({ min: -1000, max: 1000 }).map((n) => typed('float')(String(n / 8))),
)
const plain = fc.string({ unit: 'binary', maxLength: 3 }).map((text) => literal(text))
const texts = fc.oneof(plain, fc.string({ maxLength: 2 }).map(english))
const dates = fc
  .tuple(fc.integer({ min: 1900, max: 2100 }), fc.integer({ min: 10, max: 28 }))
  .map((parts) => date(parts.join('-02-')))
const mixed = fc.oneof(numbers, texts, dates, fc.constantFrom(iri('x:a'), iri('x:b'), literal('a', 'x:t')))

const nameOf = (fn: SparqlFold['fn']): string => (fn === 'concat' ? 'GROUP_CONCAT' : fn.toUpperCase())
const store = new Store()

interface Group {
  readonly fn: SparqlFold['fn']
  readonly distinct: boolean
  readonly values: readonly Term[]
}

interface Cell {
  readonly type: string
  readonly value: string
  readonly datatype?: string
  readonly 'xml:lang'?: string
}

interface Answer {
  readonly results: { readonly bindings: readonly Readonly<Record<'i' | 'r', Cell>>[] }
}

const written = (term: Term): string =>
  term.kind === 'literal' ? termKey(term).replaceAll('\u007f', '\\u007f') : `<${term.value}>`

/** All groups of one function in one query. */
function theirs(groups: readonly Group[], fn: SparqlFold['fn'], distinct: boolean): Map<number, Term> {
  const rows = groups.flatMap(({ values }, i) => values.map((value) => `(${i} ${written(value)})`)).join('\n')
  const folded = `${nameOf(fn)}(${distinct ? 'DISTINCT ' : ''}?v)`
  const query = `SELECT ?i (${folded} AS ?r) WHERE { VALUES (?i ?v) { ${rows} } } GROUP BY ?i`
  const answer = JSON.parse(store.query(query, { results_format: 'json' }) as string) as Answer
  const known = answer.results.bindings.filter(({ r }) => r !== undefined)
  return new Map(known.map(({ i, r }) => [Number(i.value), termOf(r)]))
}

const termOf = (cell: Cell): Term => {
  if (cell.type === 'uri') return iri(cell.value)
  return cell['xml:lang'] === undefined ? literal(cell.value, cell.datatype) : english(cell.value)
}

it('folds as oxigraph does', () => {
  const homogeneous = fc.oneof(...[numbers, texts, dates].map((kind) => fc.array(kind, { minLength: 1, maxLength: 6 })))
  // among more than two of mixed kinds the order of ORDER BY is none
  const pairs = fc.array(mixed, { minLength: 1, maxLength: 2 })
  for (const fn of ['count', 'sum', 'avg', 'min', 'max', 'concat'] as const) {
    for (const distinct of [false, true]) {
      const arbitrary = fc.oneof(homogeneous, pairs).map((values): Group => ({ fn, distinct, values }))
      const groups = fc.sample(arbitrary, { numRuns: 150, seed: 7 })
      const expected = theirs(groups, fn, distinct)
      groups.forEach(({ values }, i) => {
        const [ours, oxigraphs] = [foldSparql({ fn, distinct }, values), expected.get(i)]
        const about = `${fn} of ${values.map(termKey).join(', ')}`
        if (fn === 'concat') expect(sorted(ours), about).toEqual(sorted(oxigraphs))
        else if (fn === 'min' || fn === 'max') expect(ours && oxigraphs && sortOrder(ours, oxigraphs), about).toBe(0)
        else expect(ours && termKey(ours), about).toBe(oxigraphs && termKey(oxigraphs))
      })
    }
  }
})

/** They join in the order of the rows, which SPARQL leaves open. */
const sorted = (term: Term | undefined) => term && [[...term.value].toSorted().join(''), term.kind === 'literal' && term.language]

it('no fold depends on the order of its values', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(mixed, fc.constant(undefined))), fc.boolean(), (values, distinct) => {
      for (const fn of ['count', 'sum', 'avg', 'min', 'max', 'sample', 'concat'] as const) {
        expect(foldSparql({ fn, distinct }, values.toReversed())).toEqual(foldSparql({ fn, distinct }, values))
      }
    }),
  )
})
