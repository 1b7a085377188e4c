import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { iri, literal, termKey, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { callFunction, effectiveBoolean, FUNCTION_NAMES, isFunction } from './functions.ts'

const typed = (type: string) => (text: string): Term => literal(text, XSD + type)
const [integer, decimal, double, boolean] = [typed('integer'), typed('decimal'), typed('double'), typed('boolean')]
const [dateTime, date, time] = [typed('dateTime'), typed('date'), typed('time')]
const [dayTime, yearMonth, duration] = [typed('dayTimeDuration'), typed('yearMonthDuration'), typed('duration')]
const english = (text: string): Term => ({
  kind: 'literal',
  value: text,
  datatype: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString',
  language: 'en',
})
const text = literal
const T = boolean('true')
const F = boolean('false')
const no = undefined

describe('a function', () => {
  it('shortens a name and says how long it is', () => {
    const name = callFunction('strbefore', [text('core-router-7'), text('-7')])
    expect(name).toEqual(text('core-router'))
    expect(callFunction('strlen', [name])).toEqual(integer('11'))
  })

  it.each<[string, (Term | undefined)[], Term | undefined]>([
    ['+', [integer('9223372036854775807'), integer('1')], integer('9223372036854775808')],
    ['+', [decimal('0.1'), decimal('0.2')], decimal('0.3')],
    ['+', [integer('1'), double('0.5')], double('1.5')],
    ['+', [typed('float')('0.1'), decimal('0.2')], typed('float')('0.3')],
    ['+', [integer('1'), text('1')], no],
    ['+', [integer('1'), no], no],
    ['*', [decimal('0.0000000001'), decimal('0.0000000001')], decimal('0.00000000000000000001')],
    ['*', [double('1e200'), double('1e200')], double('INF')],
    ['/', [integer('1'), integer('3')], decimal('0.333333333333333333')],
    ['/', [integer('-2'), integer('3')], decimal('-0.666666666666666666')],
    ['/', [integer('1'), integer('0')], no],
    ['/', [double('1'), integer('0')], double('INF')],
    ['-', [dateTime('2024-03-01T00:04:10Z'), dateTime('2024-03-01T02:00:00+02:00')], dayTime('PT4M10S')],
    ['-', [dateTime('2024-03-01T00:00:00Z'), dateTime('2024-03-01T00:00:00')], no],
    ['-', [date('2024-03-01'), date('2023-03-01')], dayTime('P366D')],
    ['-', [time('01:00:00'), time('02:30:00')], dayTime('-PT1H30M')],
    ['+', [dateTime('2024-01-31T10:00:00Z'), yearMonth('P1M')], dateTime('2024-02-29T10:00:00Z')],
    ['+', [dateTime('2024-12-31T23:59:59.5'), dayTime('PT0.5S')], dateTime('2025-01-01T00:00:00')],
    ['+', [duration('P1M1D'), date('2023-01-31')], date('2023-03-01')],
    ['-', [date('2024-12-31'), yearMonth('P1Y')], date('2023-12-31')],
    ['-', [date('0001-01-01'), yearMonth('P1Y')], date('0000-01-01')],
    ['-', [date('2024-03-01'), dayTime('PT1S')], date('2024-02-29')],
    ['+', [time('23:00:00'), dayTime('PT2H')], time('01:00:00')],
    ['+', [time('23:00:00'), yearMonth('P1M')], no],
    ['+', [dayTime('P1D'), dayTime('PT36H')], dayTime('P2DT12H')],
    ['+', [yearMonth('P1Y'), dayTime('P1D')], duration('P1Y1D')],
    ['-', [yearMonth('P1Y'), dayTime('P1D')], no],
    ['*', [dayTime('PT1M'), decimal('2.5')], dayTime('PT2M30S')],
    ['*', [integer('3'), yearMonth('P5M')], yearMonth('P1Y3M')],
    ['/', [dayTime('PT1H'), integer('2')], dayTime('PT30M')],
    ['/', [dayTime('P1D'), dayTime('PT6H')], decimal('4')],
    ['neg', [dayTime('PT5M')], dayTime('-PT5M')],
    ['neg', [double('0')], double('-0')],
    ['+', [dateTime('99999999-12-31T23:59:59'), dayTime('PT1S')], no],
  ])('%s of %j is %j', (name, args, expected) => {
    expect(callFunction(name, args)).toEqual(expected)
  })

  it.each<[string, (Term | undefined)[], Term | undefined]>([
    ['=', [integer('1'), decimal('1.0')], T],
    ['=', [double('NaN'), double('NaN')], F],
    ['=', [text('a'), english('a')], F],
    ['=', [integer('one'), integer('one')], T],
    ['=', [integer('one'), integer('1')], no],
    ['=', [iri('x:a'), integer('one')], F],
    ['=', [dateTime('2024-01-01T00:00:00Z'), dateTime('2024-01-01T00:00:00')], no],
    ['=', [dateTime('2024-01-01T00:00:00Z'), dateTime('2024-01-03T00:00:00')], F],
    ['=', [yearMonth('P1Y'), duration('P12M')], T],
    ['<', [duration('P1M'), duration('P30D')], no],
    ['<', [duration('P1M'), duration('P32D')], T],
    ['<', [boolean('false'), boolean('1')], T],
    ['<', [text('\uFFFD'), text('\u{1F600}')], T],
    ['<', [text('a'), integer('1')], no],
    ['>=', [double('NaN'), integer('1')], F],
    ['<', [time('10:00:00'), time('09:00:00')], F],
    ['&&', [F, no], F],
    ['&&', [T, no], no],
    ['||', [no, T], T],
    ['!', [text('')], T],
    ['!', [iri('x:a')], no],
    ['in', [integer('1'), no, decimal('1.0')], T],
    ['in', [integer('1'), no, decimal('2')], no],
    ['not in', [integer('1'), integer('2')], T],
    ['in', [integer('1')], F],
    ['if', [T, integer('1'), no], integer('1')],
    ['if', [no, integer('1'), integer('2')], no],
    ['coalesce', [no, integer('2')], integer('2')],
    ['bound', [no], F],
  ])('%s of %j is %j', (name, args, expected) => {
    expect(callFunction(name, args)).toEqual(expected)
  })

  it.each<[string, (Term | undefined)[], Term | undefined]>([
    ['substr', [text('\u{1F600}bc'), integer('2')], text('bc')],
    ['substr', [text('12345'), integer('0'), integer('3')], text('12')],
    ['strlen', [english('\u{1F600}')], integer('1')],
    ['concat', [], text('')],
    ['concat', [english('a'), english('b')], english('ab')],
    ['concat', [english('a'), text('b')], text('ab')],
    ['contains', [text('abc'), english('b')], no],
    ['strafter', [english('abc'), text('b')], english('c')],
    ['strafter', [english('abc'), text('x')], text('')],
    ['encode_for_uri', [text("a b/é!")], text('a%20b%2F%C3%A9%21')],
    ['replace', [text('abc'), text('(b)(c)'), text('$2$1')], text('acb')],
    ['replace', [text('abc'), text('b'), text('\\$')], text('a$c')],
    ['replace', [text('abc'), text('b'), text('$')], no],
    ['replace', [text('abab'), text('b*'), text('-')], text('-a-a-')],
    ['regex', [text('Größe 7'), text('^\\w+\\s\\d$')], T],
    ['regex', [text('a.c'), text('.C'), text('qi')], T],
    ['regex', [text('ac'), text('a c'), text('x')], T],
    ['regex', [text('a'), text('(a)\\1')], no],
    ['regex', [text('a'), text('[a-z-[aeiou]]')], no],
    ['regex', [text('a'), text('[\\W]')], no],
    ['regex', [text('a'), text('\\p{IsBasicLatin}')], no],
    ['regex', [text('a'), text('a'), text('y')], no],
    ['iri', [text('../x'), iri('http://a.example/b/c/d')], iri('http://a.example/b/x')],
    ['iri', [text('../x')], no],
    ['iri', [text('urn:a b')], no],
    ['strlang', [text('a'), text('EN-us')], { ...english('a'), language: 'en-us' } as Term],
    ['strdt', [text('7'), iri(`${XSD}integer`)], integer('7')],
    ['strdt', [text('7'), iri('http://www.w3.org/1999/02/22-rdf-syntax-ns#langString')], no],
    ['str', [integer('007')], text('007')],
    ['sameterm', [integer('007'), integer('7')], F],
    ['datatype', [english('a')], iri('http://www.w3.org/1999/02/22-rdf-syntax-ns#langString')],
    ['lang', [text('a')], text('')],
    ['langmatches', [text('en-GB'), text('EN')], T],
    ['langmatches', [text('eng'), text('en')], F],
    ['md5', [text('abc')], text('900150983cd24fb0d6963f7d28e17f72')],
    ['sha1', [text('abc')], text('a9993e364706816aba3e25717850c26c9cd0d89d')],
    ['md5', [english('abc')], no],
  ])('%s of %j is %j', (name, args, expected) => {
    expect(callFunction(name, args)).toEqual(expected)
  })

  it.each<[string, (Term | undefined)[], Term | undefined]>([
    ['year', [date('-0001-12-31')], integer('-1')],
    ['month', [dateTime('2024-01-31T24:00:00')], integer('2')],
    ['hours', [date('2024-01-01')], no],
    ['year', [time('10:00:00')], no],
    ['seconds', [time('10:00:07.250')], decimal('7.25')],
    ['timezone', [dateTime('2024-01-01T00:00:00-05:30')], dayTime('-PT5H30M')],
    ['timezone', [dateTime('2024-01-01T00:00:00')], no],
    ['tz', [date('2024-01-01')], text('')],
    ['tz', [date('2024-01-01+00:00')], text('Z')],
    ['round', [decimal('-2.5')], decimal('-2')],
    ['round', [double('-2.5')], double('-2')],
    ['ceil', [decimal('0.0000000000000000000001')], decimal('1')],
    ['days_between', [date('2024-02-28'), date('2024-03-01')], integer('2')],
    ['days_between', [dateTime('2024-03-01T12:00:00Z'), dateTime('2024-02-29T13:00:00Z')], integer('0')],
    ['days_between', [date('2024-03-01'), date('2024-02-28')], integer('-2')],
    ['seconds_between', [dateTime('2024-03-01T00:00:00Z'), dateTime('2024-03-01T02:00:00.5+01:00')], decimal('3600.5')],
    ['seconds_between', [date('2024-03-01'), dateTime('2024-03-01T00:00:00')], no],
    [`${XSD}integer`, [double('1e20')], integer('100000000000000000000')],
    [`${XSD}integer`, [decimal('-1.9')], integer('-1')],
    [`${XSD}integer`, [double('NaN')], no],
    [`${XSD}decimal`, [double('0.5')], decimal('0.5')],
    [`${XSD}decimal`, [text(' 1')], no],
    [`${XSD}double`, [text('1e3')], double('1000')],
    [`${XSD}boolean`, [double('NaN')], F],
    [`${XSD}string`, [integer('007')], text('7')],
    [`${XSD}dateTime`, [date('2024-01-01Z')], dateTime('2024-01-01T00:00:00Z')],
    [`${XSD}date`, [dateTime('-0001-01-01T10:00:00')], date('-0001-01-01')],
    [`${XSD}dayTimeDuration`, [duration('P1M1D')], no],
    [`${XSD}duration`, [dayTime('PT60S')], duration('PT1M')],
    ['isnumeric', [integer('one')], F],
    ['isblank', [{ kind: 'bnode', value: 'b' }], T],
  ])('%s of %j is %j', (name, args, expected) => {
    expect(callFunction(name, args)).toEqual(expected)
  })
})

it('what hangs on chance or the clock is no function, and a wrong number of arguments is none either', () => {
  for (const name of ['rand', 'uuid', 'struuid', 'now', 'bnode', 'lower', 'uri', 'toString']) {
    expect(isFunction(name, 0) || isFunction(name, 1), name).toBe(false)
    expect(() => callFunction(name, [])).toThrow('no function is called')
  }
  expect([1, 2, 3, 4].filter((arity) => isFunction('substr', arity))).toEqual([2, 3])
  expect(() => callFunction('substr', [text('a')])).toThrow('does not take 1 arguments')
  expect(FUNCTION_NAMES).toEqual(FUNCTION_NAMES.toSorted())
  expect(FUNCTION_NAMES.filter((name) => !/^[a-z]\w*$/.test(name))).toEqual([])
})

it('a result that has grown beyond all reason is an error', () => {
  let [number, word]: (Term | undefined)[] = [decimal('1.7'), text('ab')]
  for (let i = 0; i < 40; i++) {
    number = callFunction('*', [number, number])
    word = callFunction('concat', [word, word])
  }
  expect([number, word]).toEqual([undefined, undefined])
})

it.each([
  [text('a'), true],
  [text(''), false],
  [english('a'), undefined],
  [integer('0'), false],
  [decimal('0.01'), true],
  [double('NaN'), false],
  [integer('one'), undefined],
  [undefined, undefined],
])('the truth of %j is %s', (term, expected) => {
  expect(effectiveBoolean(term)).toBe(expected)
})

const anyMoment = fc
  .tuple(fc.integer({ min: -1_000_000, max: 10 ** 6 }), fc.nat(86_399), fc.nat(999), fc.constantFrom('', 'Z', '-03:30', '+14:00'))
  .map(([days, seconds, millis, zone]) => {
    const away = dayTime(`${days < 0 ? '-' : ''}P${Math.abs(days)}D`)
    const start = callFunction('+', [dateTime(`1970-01-01T00:00:00${zone}`), away])
    return callFunction('+', [start, dayTime(`PT${seconds}.${String(millis).padStart(3, '0')}S`)])
  })

it('going back as far as one went leads to where one was', () => {
  fc.assert(
    fc.property(anyMoment, anyMoment, (from, to) => {
      const apart = callFunction('-', [to, from])
      const back = callFunction('+', [from, apart])
      if (apart !== undefined) expect(callFunction('=', [back, to])).toEqual(T)
    }),
  )
})

it('a duration of months and days is the months first, then the days', () => {
  fc.assert(
    fc.property(anyMoment, fc.nat(500), fc.nat(500), fc.constantFrom('+', '-'), (from, months, days, sign) => {
      const atOnce = callFunction(sign, [from, duration(`P${months}M${days}D`)])
      const inSteps = callFunction(sign, [callFunction(sign, [from, yearMonth(`P${months}M`)]), dayTime(`P${days}D`)])
      expect(atOnce).toEqual(inSteps)
    }),
  )
})

it('the calendar is the one that JavaScript keeps', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }), (at) => {
      const term = dateTime(at.toISOString())
      const fields = ['year', 'month', 'day', 'hours', 'minutes'].map((name) => callFunction(name, [term])?.value)
      const expected = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes()]
      expect(fields).toEqual(expected.map(String))
    }),
  )
})

it('every result is a term that the functions read back as the same value', () => {
  const operands = fc.oneof(
    fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map((digits) => integer(String(digits))),
    fc.double().map((number) => double(String(number).replace('Infinity', 'INF'))),
    fc.float().map((number) => typed('float')(String(number).replace('Infinity', 'INF'))),
    fc.tuple(fc.integer(), fc.nat(999_999)).map(([whole, rest]) => decimal(`${whole}.${rest}`)),
  )
  fc.assert(
    fc.property(operands, operands, fc.constantFrom('+', '-', '*', '/'), (left, right, operator) => {
      const result = callFunction(operator, [left, right])
      if (result === undefined) return
      expect(termKey(callFunction('pos', [result]) ?? text('nothing'))).toBe(termKey(result))
    }),
  )
})
