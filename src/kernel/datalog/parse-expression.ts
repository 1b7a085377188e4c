/**
 * Reads calculations. Numbers are calculated exactly; where an operand of `+ - * /` is a moment or a duration, or where a
 * function is called, values are treated as SPARQL treats them.
 *   comparable = sum [ op sum ]                              op = '=' | '!=' | '<' | '<=' | '>' | '>='
 *   sum        = product { ('+' | '-') product }             product = factor { ('*' | '/') factor }
 *   factor     = '-' factor | '(' sum ')' | call | argument
 *   call       = function '(' [ comparable { ',' comparable } ] ')'
 */
import { XSD } from '../term.ts'
import { FUNCTION_NAMES, isFunction } from '../values/index.ts'
import { MAX_PARTS } from './expression.ts'
import type { Cursor } from './parse-cursor.ts'
import { listed } from './parse-cursor.ts'
import { readArgument } from './parse-terms.ts'
import type { ArithmeticOperator, Comparison, Expr } from './program.ts'
import { suggest } from './suggest.ts'
import type { Token } from './tokens.ts'

export const COMPARISONS: readonly string[] = ['=', '!=', '<', '<=', '>', '>='] satisfies Comparison[]

/** Functions that rule text may name: operators have signs of their own, casts are written as their datatype. */
const NAMED: readonly string[] = FUNCTION_NAMES.filter((name) => /^[a-z]\w*$/.test(name))

/** Operands, signs, parentheses and calls of one calculation: bounds how deep its reading goes. */
interface Parts {
  count: number
}

/** More than an operand alone: something that is worked out. */
export const isCalculation = (expr: Expr): boolean => !('term' in expr || 'variable' in expr)

export const readSum = (cursor: Cursor): Expr => sum(cursor, { count: 0 })

export function readComparison(cursor: Cursor): Comparison | undefined {
  const token = cursor.peek()
  if (token.kind !== 'mark' || !COMPARISONS.includes(token.text)) return undefined
  cursor.skip()
  return token.text as Comparison
}

/**
 * Whether a call starts here whose function takes that many arguments. A predicate may share the name of a function that
 * takes more arguments or fewer, hence the count.
 */
export function startsCall(cursor: Cursor, ahead = 0): boolean {
  const found = functionAt(cursor, ahead)
  return found !== undefined && isFunction(found.name, argumentsAhead(cursor, ahead + found.length + 1))
}

export const isFunctionName = (name: string): boolean => NAMED.includes(name)

/** "1 argument", "2 or 3 arguments" */
export function aritiesSaid(name: string): string {
  const known = Array.from({ length: 9 }, (_, arity) => arity).filter((arity) => isFunction(name, arity))
  const counts = known.length > 3 ? `${known[0]} or more` : known.join(' or ')
  return `${counts} argument${known.length === 1 && known[0] === 1 ? '' : 's'}`
}

/** The name in front of a parenthesis and how many tokens it takes: `lcase(`, `xsd:integer(`, `<iri>(`. */
function functionAt(cursor: Cursor, ahead = 0): { readonly name: string; readonly length: number } | undefined {
  const token = cursor.peek(ahead)
  if ((token.kind === 'name' || token.kind === 'iri') && cursor.isMark('(', ahead + 1)) return { name: token.text, length: 1 }
  const local = cursor.peek(ahead + 2)
  const isPrefixed = cursor.isName('xsd', ahead) && cursor.isMark(':', ahead + 1) && local.kind === 'name'
  return isPrefixed && cursor.isMark('(', ahead + 3) ? { name: XSD + local.text, length: 3 } : undefined
}

/** How many arguments stand between the parenthesis behind us and the one that closes it. */
function argumentsAhead(cursor: Cursor, from: number): number {
  if (cursor.isMark(')', from)) return 0
  let depth = 0
  let count = 1
  for (let ahead = from; ; ahead++) {
    const token = cursor.peek(ahead)
    if (token.kind === 'end' || (token.kind === 'mark' && token.text === '.')) return count
    if (token.kind !== 'mark') continue
    if (token.text === '(') depth++
    else if (token.text === ')' && depth-- === 0) return count
    else if (token.text === ',' && depth === 0) count++
  }
}

function sum(cursor: Cursor, parts: Parts): Expr {
  let expr = product(cursor, parts)
  for (let op = operator(cursor, '+', '-'); op !== undefined; op = operator(cursor, '+', '-')) {
    expr = { op, left: expr, right: product(cursor, parts) }
  }
  return expr
}

function product(cursor: Cursor, parts: Parts): Expr {
  let expr = factor(cursor, parts)
  for (let op = operator(cursor, '*', '/'); op !== undefined; op = operator(cursor, '*', '/')) {
    expr = { op, left: expr, right: factor(cursor, parts) }
  }
  return expr
}

function factor(cursor: Cursor, parts: Parts): Expr {
  if (++parts.count > MAX_PARTS) {
    cursor.leave(`a calculation has at most ${MAX_PARTS} operands, signs, parentheses and calls`, cursor.peek())
  }
  if (cursor.take('-')) return { minus: factor(cursor, parts) }
  if (cursor.take('(')) {
    const inner = sum(cursor, parts)
    cursor.expect(')', "an operator or ')'")
    return inner
  }
  const called = functionAt(cursor)
  return called === undefined ? readArgument(cursor, 'a variable or a value') : call(cursor, called, parts)
}

const operator = (cursor: Cursor, ...known: readonly ArithmeticOperator[]): ArithmeticOperator | undefined =>
  known.find((mark) => cursor.take(mark))

function call(cursor: Cursor, { name, length }: { name: string; length: number }, parts: Parts): Expr {
  const start = cursor.peek()
  cursor.skip(length + 1)
  const args: Expr[] = []
  if (!cursor.take(')')) {
    do args.push(comparable(cursor, parts))
    while (cursor.take(','))
    cursor.expect(')', `an operator, ',' or ')' in the arguments of ${start.text}`)
  }
  if (!isFunction(name, args.length)) cursor.leave(unknownFunction(name, args.length, start), start)
  return { call: name, args }
}

function comparable(cursor: Cursor, parts: Parts): Expr {
  const left = sum(cursor, parts)
  const op = readComparison(cursor)
  return op === undefined ? left : { call: op, args: [left, sum(cursor, parts)] }
}

function unknownFunction(name: string, arity: number, { text }: Token): string {
  if (isFunctionName(name)) return `${name} takes ${aritiesSaid(name)}, not ${arity}`
  if (name.startsWith(XSD)) {
    return `there is no conversion to xsd:${name.slice(XSD.length)} from ${arity} argument${arity === 1 ? '' : 's'}`
  }
  const near = suggest(text, NAMED)
  return `no function is called ${text}; ${near.length > 0 ? `did you mean ${near.join(' or ')}?` : `known: ${listed(NAMED)}`}`
}
