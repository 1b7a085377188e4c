/** The proof checker's own arithmetic: fractions that are never brought to a scale, and doubles read from their spelling. */
import { literal, XSD } from '../../term.ts'
import type { Term } from '../../term.ts'
import { quotient, read, toDouble } from './values.ts'
import type { Fraction } from './values.ts'
import type { ArithmeticOperator, Expr } from '../program.ts'

type Amount = (Fraction & { readonly type: 'integer' | 'decimal' }) | { readonly type: 'double'; readonly number: number }

/** Digits behind the point that a quotient is rounded to. */
const UNIT = 10n ** 18n

/** The result of a calculation over terms, or null where it has none. */
export function recalculate(expr: Expr): Term | null {
  const amount = amountOf(expr)
  if (amount === null) return null
  return literal(spelled(amount), XSD + amount.type)
}

function amountOf(expr: Expr): Amount | null {
  if ('term' in expr) {
    const reading = read(expr.term)
    if (reading.of !== 'number') return null
    if (reading.type !== 'double') return { type: reading.type, above: reading.above, below: reading.below }
    return finite(toDouble(reading.text))
  }
  // a function's value is worked out elsewhere; numbers alone do not have it
  if ('variable' in expr || 'call' in expr) return null
  if ('minus' in expr) {
    const amount = amountOf(expr.minus)
    if (amount?.type === 'double') return { type: 'double', number: -amount.number }
    return amount === null ? null : { ...amount, above: -amount.above }
  }
  const [left, right] = [amountOf(expr.left), amountOf(expr.right)]
  if (left === null || right === null) return null
  if (left.type !== 'double' && right.type !== 'double') return exactly(expr.op, left, right)
  const [x, y] = [toDouble(spelled(left)), toDouble(spelled(right))]
  if (finite(x) === null || finite(y) === null || (expr.op === '/' && y === 0)) return null
  return finite({ '+': x + y, '-': x - y, '*': x * y, '/': x / y }[expr.op])
}

function exactly(op: ArithmeticOperator, x: Exclude<Amount, { type: 'double' }>, y: typeof x): Amount | null {
  const type = x.type === 'integer' && y.type === 'integer' ? 'integer' : 'decimal'
  if (op === '*') return { type, above: x.above * y.above, below: x.below * y.below }
  if (op !== '/') {
    const [a, b] = [x.above * y.below, y.above * x.below]
    return { type, above: op === '+' ? a + b : a - b, below: x.below * y.below }
  }
  const [dividend, divisor] = [x.above * y.below, y.above * x.below]
  if (divisor === 0n) return null
  const isNegative = dividend < 0n !== divisor < 0n
  const [a, b] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const whole = (a * UNIT) / b
  const rounded = 2n * (a * UNIT - whole * b) >= b ? whole + 1n : whole
  return { type: 'decimal', above: isNegative ? -rounded : rounded, below: UNIT }
}

const finite = (number: number): Amount | null => (Math.abs(number) < Infinity ? { type: 'double', number } : null)

/** Every fraction here is a decimal, so its denominator bounds the digits it needs. */
const spelled = (amount: Amount): string =>
  amount.type === 'double' ? String(amount.number) : quotient(amount.above, amount.below, amount.below)
