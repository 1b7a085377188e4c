/**
 * Reads the parts of a body:
 *   item      = [ 'not' ] atom | [ 'not' ] call | sum op sum | variable '=' sum | variable '=' aggregate
 *   aggregate = function [ '(' variable [ 'by' variable ] ')' ] '{' member { ',' member } '}'
 *   member    = atom | sum op sum | [ 'not' ] call
 * A name in front of a parenthesis is a class or predicate, unless it is a function that takes that many arguments and no
 * class has its name. A comparison between two operands looks at typed values; one that calculates on a side is a test.
 */
import { readAtom } from './parse-atoms.ts'
import type { Relations } from './parse-atoms.ts'
import type { Cursor } from './parse-cursor.ts'
import { aritiesSaid, COMPARISONS, isCalculation, isFunctionName } from './parse-expression.ts'
import { readComparison, readSum, startsCall } from './parse-expression.ts'
import type { Aggregate, AggregateFunction, Atom, BodyItem, Condition, Expr } from './program.ts'

/** Those of the rule text; the others fold as SPARQL does and come from there. */
const FOLDS: readonly string[] = ['count', 'sum', 'min', 'max', 'avg', 'latest'] satisfies AggregateFunction[]

export function readItem(cursor: Cursor, relations: Relations): BodyItem {
  if (startsNegation(cursor)) {
    if (startsTest(cursor, relations, 1)) return readCondition(cursor, ITEM)
    cursor.skip()
    return { kind: 'not', atom: readAtom(cursor, relations) }
  }
  if (startsAtom(cursor) && !startsTest(cursor, relations, 0)) return { kind: 'atom', atom: readPredicate(cursor, relations) }
  if (startsFold(cursor)) return readAggregate(cursor, relations)
  if (cursor.peek().kind === 'variable' && cursor.isMark('=', 1)) return readAssignment(cursor)
  return readCondition(cursor, ITEM)
}

const ITEM = "an atom, 'not' and an atom, a comparison, a calculation or an aggregate"

const isNaming = (cursor: Cursor, ahead: number): boolean => ['name', 'iri'].includes(cursor.peek(ahead).kind)

const startsNegation = (cursor: Cursor): boolean => cursor.isName('not') && isNaming(cursor, 1)

const startsAtom = (cursor: Cursor): boolean => isNaming(cursor, 0) && cursor.isMark('(', 1)

const startsTest = (cursor: Cursor, relations: Relations, ahead: number): boolean =>
  !relations.has(cursor.peek(ahead).text) && startsCall(cursor, ahead)

function startsFold(cursor: Cursor): boolean {
  const name = cursor.peek(2)
  if (cursor.peek().kind !== 'variable' || !cursor.isMark('=', 1) || name.kind !== 'name') return false
  // a misspelled fold is known by its brace: sum(?x) { … }, or latest(?x by ?t) { … }
  const hasBrace = cursor.isMark('{', 3) || [6, 8].some((ahead) => cursor.isMark(')', ahead - 1) && cursor.isMark('{', ahead))
  return hasBrace || (cursor.isMark('(', 3) && FOLDS.includes(name.text))
}

function readPredicate(cursor: Cursor, relations: Relations): Atom {
  const name = cursor.peek()
  const atom = readAtom(cursor, relations)
  if (isFunctionName(name.text) && COMPARISONS.some((op) => cursor.isMark(op))) {
    cursor.leave(`${name.text} takes ${aritiesSaid(name.text)}, not ${atom.args.length}`, name)
  }
  return atom
}

/** `?x = …` gives ?x the result of a calculation; where there is nothing to calculate it compares. */
function readAssignment(cursor: Cursor): BodyItem {
  const into = cursor.variable()
  cursor.skip()
  const expr = readSum(cursor)
  if (isCalculation(expr)) return { kind: 'assign', into, expr }
  return comparison('=', { variable: into }, expr)
}

function readCondition(cursor: Cursor, expected: string): Condition {
  if (startsNegation(cursor)) {
    cursor.skip()
    return { kind: 'test', expr: { call: '!', args: [readSum(cursor)] } }
  }
  const first = cursor.peek()
  const isOperand = first.kind !== 'end' && (first.kind !== 'mark' || ['(', '-'].includes(first.text))
  const isPlainName = first.kind === 'name' && !['true', 'false', 'xsd'].includes(first.text) && !cursor.isMark('(', 1)
  if (!isOperand || isPlainName) cursor.stop(expected)
  const left = readSum(cursor)
  const op = readComparison(cursor)
  if (op !== undefined) return comparison(op, left, readSum(cursor))
  if ('call' in left) return { kind: 'test', expr: left }
  return cursor.stop(`one of ${COMPARISONS.join(' ')}`)
}

function comparison(op: Extract<Condition, { kind: 'compare' }>['op'], left: Expr, right: Expr): Condition {
  const isPlain = ('term' in left || 'variable' in left) && ('term' in right || 'variable' in right)
  return isPlain ? { kind: 'compare', op, left, right } : { kind: 'test', expr: { call: op, args: [left, right] } }
}

function readAggregate(cursor: Cursor, relations: Relations): Aggregate {
  const into = cursor.variable()
  cursor.skip()
  const name = cursor.peek()
  if (!FOLDS.includes(name.text)) cursor.stop(`one of ${FOLDS.join(', ')}`)
  cursor.skip()
  const fn = name.text as AggregateFunction
  let of: string | null = null
  let by: string | undefined
  if (cursor.take('(')) {
    of = cursor.variable()
    if (cursor.isName('by')) {
      if (fn !== 'latest') cursor.leave(`only latest goes by another variable, ${fn} does not`, cursor.peek())
      cursor.skip()
      by = cursor.variable()
    }
    cursor.expect(')', `')' after the variable of ${fn}`)
  }
  if (fn === 'latest' && by === undefined) {
    cursor.leave('latest needs a value and what to go by: latest(?value by ?time) { … }', name)
  }
  cursor.expect('{', `'{' and the atoms that ${fn} ranges over`)
  const body: Atom[] = []
  const where: Condition[] = []
  do {
    if (cursor.isName('not') && !startsTest(cursor, relations, 1)) {
      cursor.leave(`${fn} ranges over facts that are there; derive a predicate for those without`, cursor.peek())
    }
    if (startsAtom(cursor) && !startsTest(cursor, relations, 0)) body.push(readPredicate(cursor, relations))
    else where.push(readCondition(cursor, `an atom that ${fn} ranges over, or a comparison`))
  } while (cursor.take(','))
  cursor.expect('}', `',' or '}' after a part of ${fn}`)
  if (body.length === 0) cursor.leave(`${fn} has no atom to range over`, name)
  return { kind: 'aggregate', into, fn, of, ...(by === undefined ? {} : { by }), body, ...(where.length > 0 ? { where } : {}) }
}
