/**
 * Calculates. Whole numbers and decimals are exact, a quotient is rounded to 18 digits behind the point; as soon as a double
 * takes part the step is done in doubles. Anything else has no result: text, a division by zero, a number without bounds.
 */
import { literal, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { decimal, divide } from './fold.ts'
import type { Argument, ArithmeticOperator, Expr } from './program.ts'
import { atScale } from '../values/index.ts'
import type { Value } from '../values/index.ts'

/** Fraction digits of a quotient, whatever its operands have: how a number is spelled must not change the result. */
export const QUOTIENT_DIGITS = 18

type Exact = Pick<Extract<Value, { kind: 'exact' }>, 'digits' | 'scale' | 'integer'>
type Numeric = Exact | { readonly double: number }

/** null where there is no result. Calls have none here: whoever meets one evaluates the expression with `evaluateExpr`. */
export function calculate(expr: Expr, valueOf: (argument: Argument) => Value): Term | null {
  const result = numeric(expr, valueOf)
  if (result === null) return null
  if ('double' in result) return literal(String(result.double), `${XSD}double`)
  return result.integer ? literal(String(result.digits), `${XSD}integer`) : decimal(result.digits, result.scale)
}

function numeric(expr: Expr, valueOf: (argument: Argument) => Value): Numeric | null {
  if ('op' in expr) {
    const left = numeric(expr.left, valueOf)
    const right = left === null ? null : numeric(expr.right, valueOf)
    return left === null || right === null ? null : step(expr.op, left, right)
  }
  if ('minus' in expr) {
    const value = numeric(expr.minus, valueOf)
    return value === null ? null : 'double' in value ? { double: -value.double } : { ...value, digits: -value.digits }
  }
  if ('call' in expr) return null
  const value = valueOf(expr)
  if (value.kind === 'exact') return value
  return value.kind === 'double' ? bounded(value.number) : null
}

function step(op: ArithmeticOperator, left: Numeric, right: Numeric): Numeric | null {
  if ('double' in left || 'double' in right) return inDoubles(op, nearest(left), nearest(right))
  const integer = left.integer && right.integer
  if (op === '*') return { digits: left.digits * right.digits, scale: left.scale + right.scale, integer }
  const scale = Math.max(left.scale, right.scale)
  const [x, y] = [atScale(left, scale), atScale(right, scale)]
  if (op === '+') return { digits: x + y, scale, integer }
  if (op === '-') return { digits: x - y, scale, integer }
  if (y === 0n) return null
  const [dividend, divisor] = y < 0n ? [-x, -y] : [x, y]
  return { digits: divide(dividend * 10n ** BigInt(QUOTIENT_DIGITS), divisor), scale: QUOTIENT_DIGITS, integer: false }
}

function inDoubles(op: ArithmeticOperator, x: number, y: number): Numeric | null {
  // a decimal of more than 308 digits has no double
  if (!Number.isFinite(x) || !Number.isFinite(y)) return null
  if (op === '+') return bounded(x + y)
  if (op === '-') return bounded(x - y)
  return op === '*' ? bounded(x * y) : y === 0 ? null : bounded(x / y)
}

const bounded = (number: number): Numeric | null => (Number.isFinite(number) ? { double: number } : null)

const nearest = (value: Numeric): number => ('double' in value ? value.double : Number(decimal(value.digits, value.scale).value))
