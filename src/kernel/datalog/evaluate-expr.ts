/**
 * The value of an expression. Plain arithmetic on numbers is exact and is `calculate`'s; where it has no result because an
 * operand is a moment or a duration, or where a function is called, the functions of kernel/values have the word.
 */
import type { Term } from '../term.ts'
import { callFunction, effectiveBoolean, valueOf } from '../values/index.ts'
import { calculate } from './arithmetic.ts'
import type { Argument, Expr } from './program.ts'

/** What an operand is worth: undefined where it has no value, which is an error to most functions. */
export type TermOf = (argument: Argument) => Term | undefined

/** undefined where there is no result. */
export function evaluateExpr(expr: Expr, termOf: TermOf): Term | undefined {
  if ('call' in expr) return callFunction(expr.call, expr.args.map((arg) => evaluateExpr(arg, termOf)))
  if ('op' in expr) {
    const [left, right] = [evaluateExpr(expr.left, termOf), evaluateExpr(expr.right, termOf)]
    if (left === undefined || right === undefined) return undefined
    const plain = calculate({ op: expr.op, left: { term: left }, right: { term: right } }, valueOfOperand)
    return plain ?? (isNumber(left) && isNumber(right) ? undefined : callFunction(expr.op, [left, right]))
  }
  if ('minus' in expr) {
    const inner = evaluateExpr(expr.minus, termOf)
    if (inner === undefined) return undefined
    return calculate({ minus: { term: inner } }, valueOfOperand) ?? undefined
  }
  return termOf(expr)
}

export const holds = (expr: Expr, termOf: TermOf): boolean => effectiveBoolean(evaluateExpr(expr, termOf)) === true

const isNumber = (term: Term): boolean => ['exact', 'double'].includes(valueOf(term).kind)

function valueOfOperand(argument: Argument): ReturnType<typeof valueOf> {
  if ('variable' in argument) throw new Error(`?${argument.variable} has no value`)
  return valueOf(argument.term)
}
