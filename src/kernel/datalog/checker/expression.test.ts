/** What the checker makes of expressions: the same as the engine, by its own means and those of a judge, and nothing unjudged. */
import { describe, expect, it } from 'vitest'
import { oxigraphJudge } from '../../../graph-store/judge.ts'
import { iri, literal, termKey, XSD } from '../../term.ts'
import type { Term } from '../../term.ts'
import { FUNCTION_NAMES, isFunction } from '../../values/index.ts'
import { comesTrue, workedOut } from './expression.ts'
import { evaluateExpr } from '../evaluate-expr.ts'
import type { ArithmeticOperator, Expr } from '../program.ts'
import { dice, times } from '../random-programs.test-support.ts'

const judge = oxigraphJudge()
const typed = (value: string, type: string) => literal(value, XSD + type)
const call = (name: string, ...args: Term[]): Expr => ({ call: name, args: args.map((term) => ({ term })) })
const LANG_STRING = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'
const french: Term = { kind: 'literal', value: 'chat', datatype: LANG_STRING, language: 'fr' }
const said = (term: Term | null | undefined | 'unjudged') => (term === 'unjudged' ? term : term ? termKey(term) : 'no value')

const POOL: readonly Term[] = [
  literal(''), literal('a'), literal('Bc 7'), literal('é😀'), literal('5'), french, iri('http://e.example/x'), iri('urn:y'),
  ...['0', '7', '-3', '01', '99999999999999999999999'].map((value) => typed(value, 'integer')),
  ...['2.50', '1.0', '-0.001'].map((value) => typed(value, 'decimal')), typed('1e3', 'double'), typed('-0.5', 'double'),
  typed('true', 'boolean'), typed('0', 'boolean'), typed('x', 'integer'),
  ...['2024-02-29', '2024-03-01Z'].map((value) => typed(value, 'date')),
  ...['2024-01-31T10:00:00Z', '2024-01-31T12:30:00.250+02:00', '2023-12-31T23:59:59'].map((value) => typed(value, 'dateTime')),
  ...['PT5M', '-P1DT2H'].map((value) => typed(value, 'dayTimeDuration')),
  ...['P1Y2M', 'P1M'].map((value) => typed(value, 'yearMonthDuration')),
  { kind: 'bnode', value: 'b0' }, literal('z', 'http://e.example/t'),
]
/** No 64 bits hold it: where the judge has the word, it has none about this number. */
const isHuge = (term: Term) => term.value.length > 20 && term.kind === 'literal' && term.datatype === `${XSD}integer`
const isDouble = (term: Term) => term.kind === 'literal' && term.datatype === `${XSD}double`
const isDuration = (term: Term) => term.kind === 'literal' && term.datatype.endsWith('Duration')
const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', '&&', '||', '!', 'in', 'not in', 'neg', 'pos', 'bound']
const CASTS = ['string', 'boolean', 'decimal', 'double', 'dateTime', 'date'].map((name) => XSD + name)

describe('an expression', () => {
  it.each([...FUNCTION_NAMES, ...OPERATORS, ...CASTS])('%s comes to the same for the engine and the checker', (name) => {
    const { pick } = dice(name.length)
    const pool = CASTS.includes(name) ? POOL.filter((term) => !isHuge(term)) : POOL
    for (const arity of [1, 2, 3, 4].filter((count) => isFunction(name, count))) {
      const calls = arity === 1 ? pool.map((term) => [term]) : times(60, () => times(arity, () => pick(pool)))
      for (const args of calls) {
        const expr = call(name, ...args)
        const expected = said(evaluateExpr(expr, (arg) => ('term' in arg ? arg.term : undefined)))
        expect(said(workedOut(expr, judge)), args.map(termKey).join(' ')).toBe(expected)
      }
    }
  })

  it.each(['+', '-', '*', '/'] as const)('%s comes to the same, for numbers as for times', (op: ArithmeticOperator) => {
    for (const left of POOL) {
      for (const right of POOL) {
        const operands = [left, right]
        // a double makes a duration of what the judge cannot multiply
        if (operands.some(isDouble) && operands.some(isDuration)) continue
        const expr: Expr = { op, left: { term: left }, right: { term: right } }
        const expected = said(evaluateExpr(expr, (arg) => ('term' in arg ? arg.term : undefined)))
        expect(said(workedOut(expr, judge)), operands.map(termKey).join(` ${op} `)).toBe(expected)
      }
    }
  })

  it.each([
    ['2024-02-28T23:58:00Z', 'dateTime', '+', 'PT5M', 'dayTimeDuration', '2024-02-29T00:03:00Z'],
    ['2024-03-31T10:00:00+02:00', 'dateTime', '-', 'P1M', 'yearMonthDuration', '2024-02-29T10:00:00+02:00'],
    ['2024-01-01T00:00:00.5', 'dateTime', '-', 'PT0.75S', 'dayTimeDuration', '2023-12-31T23:59:59.75'],
    ['2024-01-31', 'date', '+', 'P1Y1M', 'yearMonthDuration', '2025-02-28'],
    ['2024-03-01Z', 'date', '-', 'PT1H', 'dayTimeDuration', '2024-02-29Z'],
    ['23:30:00', 'time', '+', 'PT45M', 'dayTimeDuration', '00:15:00'],
    ['-0001-03-01T00:00:00Z', 'dateTime', '-', 'P1D', 'dayTimeDuration', '-0001-02-28T00:00:00Z'],
    ['2000-01-01T00:00:00-00:00', 'dateTime', '+', 'P400Y', 'duration', '2400-01-01T00:00:00Z'],
  ] as const)('%s as %s %s %s is worked out without a judge', (moment, type, op, by, durationType, expected) => {
    const expr: Expr = { op, left: { term: typed(moment, type) }, right: { term: typed(by, durationType) } }
    expect(said(workedOut(expr, undefined))).toBe(said(typed(expected, type)))
    expect(said(evaluateExpr(expr, (arg) => ('term' in arg ? arg.term : undefined)))).toBe(said(typed(expected, type)))
  })

  it.each<[Expr, string]>([
    [call('contains', literal('abc'), literal('b')), 'unjudged'],
    [{ call: 'coalesce', args: [call('ucase', literal('a')), { term: literal('x') }] }, 'unjudged'],
    [
      { call: '||', args: [call('contains', literal('abc'), literal('b')), { term: typed('true', 'boolean') }] },
      `"true"^^<${XSD}boolean>`,
    ],
    [{ call: 'if', args: [{ term: literal('') }, call('ucase', literal('a')), { term: literal('x') }] }, '"x"'],
    [call('<', typed('2', 'integer'), typed('10', 'decimal')), `"true"^^<${XSD}boolean>`],
    [call('days_between', typed('2024-02-28', 'date'), typed('2024-03-01', 'date')), `"2"^^<${XSD}integer>`],
    [
      call('seconds_between', typed('2024-01-01T00:00:01.5Z', 'dateTime'), typed('2024-01-01T01:00:01+01:00', 'dateTime')),
      `"-0.5"^^<${XSD}decimal>`,
    ],
    [
      { op: '*', left: { term: typed('PT5M', 'dayTimeDuration') }, right: { term: typed('1.5', 'decimal') } },
      `"PT7M30S"^^<${XSD}dayTimeDuration>`,
    ],
    [{ op: '+', left: { term: literal('hemolysed') }, right: { term: typed('1', 'integer') } }, 'no value'],
  ])('%j without a judge comes to %s', (expr, expected) => {
    expect(said(workedOut(expr, undefined))).toBe(expected)
  })

  it('holds where its value is true, and not where it has none', () => {
    expect(comesTrue({ term: literal('') }, judge)).toBe(false)
    expect(comesTrue({ term: typed('NaN', 'double') }, judge)).toBe(false)
    expect(comesTrue({ term: typed('0.1', 'decimal') }, judge)).toBe(true)
    expect(comesTrue({ variable: 'none' }, judge)).toBe(false)
    expect(comesTrue({ term: iri('urn:x') }, judge)).toBe(false)
    expect(comesTrue(call('regex', literal('abc'), literal('^a.c$')), judge)).toBe(true)
    expect(comesTrue(call('regex', literal('abc'), literal('^a.c$')), undefined)).toBe('unjudged')
  })
})
