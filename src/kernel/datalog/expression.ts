/** The operands of an expression: which they are, with values put in for variables, and how the whole is written. */
import type { Argument, Expr } from './program.ts'

/** Operands, signs and calls: more than a person reads in one line, few enough that a walk never exhausts the call stack. */
export const MAX_PARTS = 64
/** A compiled FILTER may be longer than what a person writes by hand, for instance an IN over many values. */
export const MAX_COMPILED_PARTS = 2048

/** The variables and values, from left to right. */
export const operandsOf = (expr: Expr): Argument[] => [...partsOf(expr)].filter(isOperand)

export const isOperand = (part: Expr): part is Argument => 'variable' in part || 'term' in part

export const callsIn = (expr: Expr): { readonly call: string; readonly args: readonly Expr[] }[] =>
  [...partsOf(expr)].flatMap((part) => ('call' in part ? [part] : []))

/** Operands, signs and calls, counted. */
export const countParts = (expr: Expr): number => [...partsOf(expr)].filter((part) => !('op' in part)).length

/** Every part, the whole first. With a list of its own, since it also serves to refuse what is nested too deeply. */
function* partsOf(expr: Expr): Generator<Expr> {
  const pending = [expr]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    yield part
    if ('op' in part) pending.push(part.right, part.left)
    else if ('minus' in part) pending.push(part.minus)
    else if ('call' in part) pending.push(...part.args.toReversed())
  }
}

export function mapArguments(expr: Expr, change: (argument: Argument) => Argument): Expr {
  if ('op' in expr) return { op: expr.op, left: mapArguments(expr.left, change), right: mapArguments(expr.right, change) }
  if ('minus' in expr) return { minus: mapArguments(expr.minus, change) }
  return 'call' in expr ? { call: expr.call, args: expr.args.map((arg) => mapArguments(arg, change)) } : change(expr)
}

const INFIX: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '&&', '||'])
const PREFIX: Readonly<Record<string, string>> = { '!': '!', neg: '-', pos: '+' }

/** The expression as rule text, with no more parentheses than it needs: `sayExpr` of 2 * (3 + 4) is "2 * (3 + 4)". */
export function sayExpr(expr: Expr, say: (argument: Argument) => string): string {
  if ('call' in expr) return sayCall(expr.call, expr.args, say)
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

function sayCall(name: string, args: readonly Expr[], say: (argument: Argument) => string): string {
  const said = args.map((arg) => sayExpr(arg, say))
  const inner = args.map((arg, n) => (isOperand(arg) ? said[n] : 'call' in arg && !isSpelledOut(arg.call) ? said[n] : `(${said[n]})`))
  if (INFIX.has(name) && args.length === 2) return `${inner[0]} ${name} ${inner[1]}`
  if (PREFIX[name] !== undefined && args.length === 1) return `${PREFIX[name]}${inner[0]}`
  if (name === 'in' || name === 'not in') return `${inner[0]} ${name.toUpperCase()} (${said.slice(1).join(', ')})`
  return `${name.slice(name.lastIndexOf('#') + 1)}(${said.join(', ')})`
}

const isSpelledOut = (name: string): boolean => INFIX.has(name) || name in PREFIX || name === 'in' || name === 'not in'
