import { describe, expect, it } from 'vitest'
import { type Expr, type Fact, checkModel, evaluate } from '../kernel/datalog/index.ts'
import { type Term, literal, XSD } from '../kernel/term.ts'
import { oxigraphJudge } from './judge.ts'

const judge = oxigraphJudge()
const typed = (value: string, type: string) => literal(value, XSD + type)
const call = (name: string, ...args: Term[]): Expr => ({ call: name, args: args.map((term) => ({ term })) })

const deep = Array.from({ length: 500 }).reduce<Expr>((inner) => ({ call: '!', args: [inner] }), { term: literal('a') })

describe('the judge', () => {
  it('works out what a function comes to', () => {
    expect(judge.expression(call('strlen', literal('a"\\b\n')))).toEqual(typed('5', 'integer'))
    expect(judge.expression(call('year', typed('2024-02-29T00:00:00Z', 'dateTime')))).toEqual(typed('2024', 'integer'))
    expect(judge.holds(call('contains', literal('abc'), literal('b')))).toBe(true)
    expect(judge.holds(call('contains', literal('abc'), literal('x')))).toBe(false)
  })

  it.each<[string, Expr]>([
    ['an error', call('strlen', typed('1', 'integer'))],
    ['an operand without a value', { call: 'strlen', args: [{ variable: 'x' }] }],
    ['a blank node', call('isiri', { kind: 'bnode', value: 'b' })],
    ['an unknown function', call('days_between', literal('a'), literal('b'))],
    ['a name that would leave the query', call('strlen(1)) {} #', literal('a'))],
    ['an IRI that would leave the query', call('str', { kind: 'iri', value: 'x> AS ?result) {} #' })],
    ['half a character', call('strlen', literal('\ud800'))],
    ['nesting that no parser survives', deep],
  ])('has no value for %s', (_, expr) => {
    expect(judge.expression(expr)).toBeNull()
    expect(judge.holds(expr)).toBe(false)
  })

  it('folds as SPARQL does', () => {
    const numbers = ['1', '2', '2'].map((value) => typed(value, 'integer'))
    expect(judge.aggregate('sum', true, undefined, numbers)).toEqual(typed('3', 'integer'))
    expect(judge.aggregate('concat', false, '-', [literal('b'), literal('a')])).toEqual(literal('b-a'))
    expect(judge.aggregate('sum', false, undefined, [...numbers, literal('x')])).toBeNull()
    expect(judge.aggregate('latest', false, undefined, numbers)).toBeNull()
  })
})

it.each<['sum' | 'avg' | 'min' | 'max' | 'count' | 'sample' | 'concat', boolean]>([
  ['sum', false], ['sum', true], ['avg', true], ['min', false], ['max', true],
  ['count', true], ['concat', false], ['sample', false],
])('lets the checker accept SPARQL\'s %s (distinct: %s)', (fn, distinct) => {
  const rules = [
    // what negates the folded value makes its being complete part of the check
    {
      id: 'unfolded', head: { predicate: 'unfolded', args: [{ variable: 'g' }] },
      body: [
        { kind: 'atom' as const, atom: { predicate: 'group', args: [{ variable: 'g' }] } },
        { kind: 'not' as const, atom: { predicate: 'folded', args: [{ variable: 'g' }, { term: literal('none') }] } },
      ],
    },
    {
      id: 'fold', head: { predicate: 'folded', args: [{ variable: 'g' }, { variable: 'n' }] },
      body: [
        { kind: 'atom' as const, atom: { predicate: 'group', args: [{ variable: 'g' }] } },
        {
          kind: 'aggregate' as const, into: 'n', fn, of: 'v', sparql: { distinct, separator: ', ' },
          body: [{ predicate: 'value', args: [{ variable: 'g' }, { variable: 'i' }, { variable: 'v' }] }],
        },
      ],
    },
  ]
  const texts = [literal('b'), literal('a'), literal('b')]
  const numbers = [typed('3.0', 'decimal'), typed('1', 'integer'), typed('3', 'integer')]
  const values = fn === 'concat' ? texts : numbers
  const base: Fact[] = [
    { predicate: 'group', args: [literal('x')] },
    ...values.map((value, i): Fact => ({ predicate: 'value', args: [literal('x'), typed(String(i), 'integer'), value] })),
  ]
  const model = evaluate({ relations: [], rules }, base)
  expect(model.find('folded').length).toBe(1)
  expect(model.find('unfolded').length).toBe(1)
  expect(checkModel({ rules, base, model, judge })).toEqual({ valid: true })
  if (fn !== 'count' && fn !== 'sample') expect(checkModel({ rules, base, model }).valid).toBe(false)
})
