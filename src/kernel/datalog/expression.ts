/** The operands of a calculation: which they are, with values put in for variables, and how the whole is written. */
import type { Argument, Expr } from './program.ts'

/** Operands and signs: more than a person reads in one line, few enough that a walk never exhausts the call stack. */
export const MAX_PARTS = 64

/** The variables and values, from left to right. */
export const operandsOf = (expr: Expr): Argument[] =>
  [...partsOf(expr)].flatMap((part) => ('op' in part || 'minus' in part ? [] : [part]))

/** Operands and signs, counted. */
export const countParts = (expr: Expr): number => [...partsOf(expr)].filter((part) => !('op' in part)).length

/** Every part, the whole first. With a list of its own, since it also serves to refuse what is nested too deeply. */
function* partsOf(expr: Expr): Generator<Expr> {
  const pending = [expr]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    yield part
    if ('op' in part) pending.push(part.right, part.left)
    else if ('minus' in part) pending.push(part.minus)
  }
}

export function mapArguments(expr: Expr, change: (argument: Argument) => Argument): Expr {
  if ('op' in expr) return { op: expr.op, left: mapArguments(expr.left, change), right: mapArguments(expr.right, change) }
  return 'minus' in expr ? { minus: mapArguments(expr.minus, change) } : change(expr)
}

/** The calculation as rule text, with no more parentheses than it needs: `sayExpr` of 2 * (3 + 4) is "2 * (3 + 4)". */
export function sayExpr(expr: Expr, say: (argument: Argument) => string): string {
  if ('minus' in expr) {
    const inner = sayExpr(expr.minus, say)
    return 'op' in expr.minus || 'minus' in expr.minus ? `-(${inner})` : `-${inner}`
  }
  if (!('op' in expr)) return say(expr)
  const rank = rankOf(expr)
  const left = sayExpr(expr.left, say)
  const right = sayExpr(expr.right, say)
  // a - (b - c) is not a - b - c, so on the right equal rank needs parentheses too
  return `${rankOf(expr.left) < rank ? `(${left})` : left} ${expr.op} ${rankOf(expr.right) <= rank ? `(${right})` : right}`
}

const rankOf = (expr: Expr): number => (!('op' in expr) ? 3 : expr.op === '*' || expr.op === '/' ? 2 : 1)
