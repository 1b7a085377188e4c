import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { iri, literal, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { conditionHolds, refold } from './checker/values.ts'
import { fold } from './fold.ts'
import type { Comparison } from './program.ts'
import { satisfies, valueOf } from '../values/index.ts'

const typed = (text: string, type: string): Term => literal(text, XSD + type)
const integer = (text: string) => typed(text, 'integer')
const decimal = (text: string) => typed(text, 'decimal')
const double = (text: string) => typed(text, 'double')
const date = (text: string) => typed(text, 'date')
const time = (text: string) => typed(text, 'dateTime')
const ALL: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>=']
const held = (left: Term, right: Term) => ALL.filter((op) => satisfies(op, valueOf(left), valueOf(right))).join(' ')

const EQUAL = '= <= >='
const LESS = '!= < <='
const GREATER = '!= > >='
const DIFFERENT = '!='
const UNDECIDED = ''

describe('comparisons', () => {
  it.each([
    [integer('1'), decimal('1.0'), EQUAL],
    [integer('2'), integer('10'), LESS],
    [integer('+7'), integer('7'), EQUAL],
    [integer('9007199254740993'), integer('9007199254740992'), GREATER],
    [decimal('0.1'), double('0.1'), EQUAL],
    [decimal('-.5'), decimal('-0.25'), LESS],
    [double('1e3'), typed('1000', 'long'), EQUAL],
    [double('NaN'), double('NaN'), DIFFERENT],
    [double('-INF'), integer('0'), LESS],
    [typed('true', 'boolean'), typed('1', 'boolean'), EQUAL],
    [typed('false', 'boolean'), typed('true', 'boolean'), LESS],
    [literal('10'), literal('9'), LESS],
    [literal('\u{1F600}'), literal('\uFFFD'), LESS],
    [literal('1'), integer('1'), DIFFERENT],
    [integer('one'), integer('1'), DIFFERENT],
    [integer('one'), integer('one'), EQUAL],
    [iri('x:a'), iri('x:a'), EQUAL],
    [iri('x:a'), iri('x:b'), DIFFERENT],
    [iri('x:a'), literal('x:a'), DIFFERENT],
    [date('2024-02-29'), date('2024-03-01'), LESS],
    [date('2023-02-29'), date('2024-03-01'), DIFFERENT],
    [date('2024-01-01'), time('2024-01-01T00:00:00'), DIFFERENT],
    [time('2024-01-01T12:00:00+02:00'), time('2024-01-01T10:00:00Z'), EQUAL],
    [time('2024-01-01T24:00:00Z'), time('2024-01-02T00:00:00Z'), EQUAL],
    [time('2024-01-01T10:00:00.5Z'), time('2024-01-01T10:00:00.49Z'), GREATER],
    [time('2024-01-01T10:00:00.10'), time('2024-01-01T10:00:00.1'), EQUAL],
    [time('2024-01-01T10:00:00Z'), time('2024-01-01T10:00:00'), UNDECIDED],
    [date('2024-01-01Z'), date('2024-01-01'), UNDECIDED],
    [date('-0001-12-31'), date('0000-01-01'), LESS],
    [date('1969-12-31'), date('1970-01-01'), LESS],
  ])('%j against %j holds for %s', (left, right, expected) => {
    expect(held(left, right)).toBe(expected)
    expect(ALL.filter((op) => conditionHolds(op, left, right)).join(' '), 'as the proof checker reads it').toBe(expected)
  })
})

const show = (term: Term | null) => (term?.kind === 'literal' ? `${term.value} ${term.datatype.slice(XSD.length)}` : null)

describe('aggregates', () => {
  it.each([
    ['count', [], '0 integer'],
    ['sum', [integer('2'), integer('40')], '42 integer'],
    ['sum', [decimal('0.1'), decimal('0.2'), integer('1')], '1.3 decimal'],
    ['sum', [integer('9007199254740993'), integer('1')], '9007199254740994 integer'],
    ['sum', [integer('1'), double('0.5')], '1.5 double'],
    ['sum', [], null],
    ['sum', [integer('1'), literal('x')], null],
    ['avg', [integer('1'), integer('2')], '1.5 decimal'],
    ['avg', [integer('1'), integer('1'), integer('0')], '0.666666666666666667 decimal'],
    ['avg', [integer('-1'), integer('-1'), integer('0')], '-0.666666666666666667 decimal'],
    ['avg', [integer('4')], '4 decimal'],
    ['min', [integer('10'), decimal('9.5')], '9.5 decimal'],
    ['max', [date('2024-01-01'), date('2023-12-31')], '2024-01-01 date'],
    ['max', [decimal('1.0'), integer('1')], '1 integer'],
    ['min', [integer('1'), literal('a')], null],
    ['min', [iri('x:a')], null],
    ['max', [time('2024-01-01T10:00:00Z'), time('2024-01-01T10:00:00')], null],
    ['max', [], null],
  ] as const)('%s of %j is %s', (fn, terms, expected) => {
    expect(show(fold(fn, terms))).toBe(expected)
    expect(show(refold(fn, terms)), 'as the proof checker counts').toBe(expected)
  })
})

const two = (number: number) => String(number).padStart(2, '0')

const zone = fc.constantFrom('', 'Z', '-03:30', '+14:00')
const anyDouble = fc.double().map((number) => double(String(number).replace('Infinity', 'INF')))
const anyTerm = fc.oneof(
  fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(6)).map(([digits, scale]) => {
    const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
    const number = `${digits < 0n ? '-' : ''}${text.slice(0, text.length - scale)}${scale ? `.${text.slice(-scale)}` : ''}`
    return typed(number, scale === 0 ? 'integer' : 'decimal')
  }),
  anyDouble,
  fc.integer({ min: -3, max: 3 }).map((number) => integer(String(number))),
  fc.constantFrom('0', '1', 'true', 'false', 'maybe').map((text) => typed(text, 'boolean')),
  fc.string({ maxLength: 3 }).map((text) => literal(text)),
  fc
    .tuple(fc.integer({ min: -500, max: 9999 }), fc.nat(13), fc.nat(32), fc.nat(25), fc.constantFrom('', '.5', '.50'), zone)
    .map(([year, month, day, hour, fraction, zone]) => {
      const years = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`
      return time(`${years}-${two(month)}-${two(day)}T${two(hour)}:00:00${fraction}${zone}`)
    }),
)

it('the engine and the proof checker read every value alike', () => {
  fc.assert(
    fc.property(anyTerm, anyTerm, fc.array(anyTerm, { maxLength: 4 }), (left, right, terms) => {
      expect(ALL.filter((op) => conditionHolds(op, left, right)).join(' ')).toBe(held(left, right))
      for (const fn of ['sum', 'avg', 'min', 'max'] as const) expect(refold(fn, terms)).toEqual(fold(fn, terms))
    }),
    { numRuns: 500 },
  )
})

it('no aggregate depends on the order of its values', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(anyTerm), fc.array(anyDouble)), (terms) => {
      for (const fn of ['sum', 'avg', 'min', 'max'] as const) expect(fold(fn, terms.toReversed())).toEqual(fold(fn, terms))
    }),
  )
  const doubles = ['1e16', '1', '1', '-1e16'].map(double)
  expect(show(fold('sum', doubles))).toBe(show(fold('sum', doubles.toReversed())))
  expect(show(fold('sum', doubles))).toBe(show(refold('sum', [1, 0, 3, 2].flatMap((i) => doubles[i] ?? []))))
})

it('swapping the sides turns the comparison around', () => {
  const turned = { '=': '=', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const
  fc.assert(
    fc.property(anyTerm, anyTerm, fc.constantFrom(...ALL), (left, right, op) => {
      expect(satisfies(turned[op], valueOf(right), valueOf(left))).toBe(satisfies(op, valueOf(left), valueOf(right)))
    }),
  )
})
