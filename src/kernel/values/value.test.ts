import fc from 'fast-check'
import { expect, it } from 'vitest'
import { literal, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { callFunction } from './functions.ts'
import { isTyped, satisfies, valueOf } from './value.ts'
import type { Comparison } from './value.ts'

const typed = (type: string) => (text: string): Term => literal(text, XSD + type)
const [duration, dayTime, yearMonth] = [typed('duration'), typed('dayTimeDuration'), typed('yearMonthDuration')]
const time = typed('time')
const ALL: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>=']
const held = (left: Term, right: Term) => ALL.filter((op) => satisfies(op, valueOf(left), valueOf(right))).join(' ')

const EQUAL = '= <= >='
const LESS = '!= < <='
const DIFFERENT = '!='
const UNDECIDED = ''

it.each([
  [dayTime('PT60M'), dayTime('PT1H'), EQUAL],
  [dayTime('PT90S'), dayTime('PT2M'), LESS],
  [dayTime('-P1D'), dayTime('PT0S'), LESS],
  [yearMonth('P11M'), yearMonth('P1Y'), LESS],
  [yearMonth('P1Y'), duration('P12M'), EQUAL],
  [duration('P1M'), duration('P30D'), DIFFERENT],
  [duration('P1M'), duration('P32D'), LESS],
  [duration('PT0S'), yearMonth('P0M'), EQUAL],
  [dayTime('P1M'), dayTime('P1M'), EQUAL],
  [dayTime('P1M'), dayTime('P30D'), DIFFERENT],
  [time('09:00:00'), time('10:00:00'), LESS],
  [time('24:00:00'), time('00:00:00.0'), EQUAL],
  [time('10:00:00Z'), time('12:00:00+02:00'), EQUAL],
  [time('10:00:00Z'), time('10:00:00'), UNDECIDED],
  [time('10:00:00'), dayTime('PT10H'), DIFFERENT],
  [typed('integer')('7'.repeat(30_000)), typed('integer')('7'), DIFFERENT],
])('%j against %j holds for %s', (left, right, expected) => {
  expect(held(left, right)).toBe(expected)
})

it('durations and times of day count as typed, calendar fragments do not', () => {
  const types = ['duration', 'dayTimeDuration', 'yearMonthDuration', 'time', 'gYear']
  expect(types.filter((type) => isTyped(XSD + type))).toEqual(types.slice(0, 4))
})

it('rule text and the operators of SPARQL order exact numbers and durations alike', () => {
  const seconds = fc.integer().map((n) => dayTime(`${n < 0 ? '-' : ''}PT${Math.abs(n)}S`))
  const numbers = fc.tuple(fc.integer(), fc.nat(99)).map(([whole, rest]) => typed('decimal')(`${whole}.${rest}`))
  const pairs = fc.oneof(fc.tuple(seconds, seconds), fc.tuple(numbers, numbers))
  fc.assert(
    fc.property(pairs, fc.constantFrom(...ALL), ([left, right], op) => {
      expect(callFunction(op, [left, right])?.value).toBe(String(satisfies(op, valueOf(left), valueOf(right))))
    }),
  )
})
