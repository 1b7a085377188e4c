/**
 * The proof checker's own value of an expression. Numbers, comparisons of core values and what only chooses between its
 * operands it works out itself; the rest is for a judge, and without one it stays open.
 */
import { literal, termKey, XSD } from '../../term.ts'
import type { Term } from '../../term.ts'
import { recalculate } from './arithmetic.ts'
import type { Judge } from './judge.ts'
import { betweenMoments, movedMoment, scaledDuration } from './durations.ts'
import { conditionHolds, quotient, read, toDouble } from './values.ts'
import type { Fraction } from './values.ts'
import type { Comparison, Expr } from '../program.ts'

/** null is an expression without a value; `unjudged` one that only a judge could have worked out. */
export type Outcome = Term | null | 'unjudged'

const COMPARISONS: readonly string[] = ['=', '!=', '<', '<=', '>', '>='] satisfies Comparison[]
const TEMPORAL = ['date', 'dateTime', 'time', 'duration', 'dayTimeDuration', 'yearMonthDuration'].map((name) => XSD + name)

export function workedOut(expr: Expr, judge: Judge | undefined): Outcome {
  if ('term' in expr) return expr.term
  if ('variable' in expr) return null
  if ('minus' in expr) {
    const inner = workedOut(expr.minus, judge)
    return inner === null || inner === 'unjudged' ? inner : recalculate({ minus: { term: inner } })
  }
  if ('call' in expr) return called(expr.call, expr.args.map((arg) => workedOut(arg, judge)), judge)
  const [left, right] = [workedOut(expr.left, judge), workedOut(expr.right, judge)]
  if (left === 'unjudged' || right === 'unjudged') return 'unjudged'
  if (left === null || right === null) return null
  // numbers are calculated as numbers, whatever SPARQL would make of them
  if (isNumber(left) && isNumber(right)) return recalculate({ op: expr.op, left: { term: left }, right: { term: right } })
  return called(expr.op, [left, right], judge)
}

/** Whether the effective boolean value is true, or `unjudged`. */
export function comesTrue(expr: Expr, judge: Judge | undefined): boolean | 'unjudged' {
  const outcome = workedOut(expr, judge)
  if (outcome === 'unjudged') return outcome
  const truth = truthOf(outcome, judge)
  return truth === 'unjudged' ? truth : truth === true
}

/** null where a value is neither true nor false. */
function truthOf(outcome: Term | null, judge: Judge | undefined): boolean | null | 'unjudged' {
  if (outcome === null || outcome.kind !== 'literal') return null
  const reading = read(outcome)
  if (reading.of === 'boolean') return reading.text === 't'
  if (reading.of === 'string') return reading.text !== ''
  if (reading.of === 'number') {
    const number = reading.type === 'double' ? toDouble(reading.text) : Number(reading.above)
    return number !== 0 && !Number.isNaN(number)
  }
  return judge === undefined ? 'unjudged' : judge.holds({ term: outcome }) || (judge.holds(not({ term: outcome })) ? false : null)
}

const not = (expr: Expr): Expr => ({ call: '!', args: [expr] })
const isNumber = (term: Term): boolean => read(term).of === 'number'
const boolean = (value: boolean): Term => literal(String(value), `${XSD}boolean`)

function called(name: string, args: readonly Outcome[], judge: Judge | undefined): Outcome {
  const lazy = choice(name, args, judge)
  if (lazy !== undefined) return lazy
  if (args.includes('unjudged')) return 'unjudged'
  const terms = args.filter((arg) => arg !== 'unjudged')
  const known = terms.every((term) => term !== null) ? core(name, terms) : undefined
  if (known !== undefined) return known
  if (name === 'skolem' && terms.every((term) => term !== null)) return madeNode(terms, judge)
  return judge === undefined ? 'unjudged' : judge.expression({ call: name, args: terms.map(operand) })
}

/** A blank node that a template makes is named by a digest of what it was made for; the digest is the judge's to work out. */
function madeNode(terms: readonly Term[], judge: Judge | undefined): Outcome {
  const digest = judge?.expression({ call: 'sha256', args: [{ term: literal(terms.map(termKey).join(' ')) }] })
  if (digest === undefined) return 'unjudged'
  return digest === null ? null : { kind: 'bnode', value: `new-${digest.value.slice(0, 32)}` }
}

const operand = (term: Term | null): Expr => (term === null ? { variable: 'none' } : { term })

/** What chooses between its operands or joins their truth; undefined for every other function. */
function choice(name: string, args: readonly Outcome[], judge: Judge | undefined): Outcome | undefined {
  const [first = null, second = null, third = null] = args
  if (name === 'coalesce') {
    const found = args.find((arg) => arg !== null)
    return found ?? null
  }
  if (name === 'bound') return boolean(first !== null)
  const truth = (arg: Outcome) => (arg === 'unjudged' ? arg : truthOf(arg, judge))
  if (name === 'if' || name === '!') {
    const condition = truth(first)
    if (condition === null || condition === 'unjudged') return condition
    return name === '!' ? boolean(!condition) : condition ? second : third
  }
  if (name === '&&' || name === '||') {
    // one operand that settles the matter outweighs an error in the other
    const truths = args.map(truth)
    const settles = name === '||'
    if (truths.includes(settles)) return boolean(settles)
    return truths.includes('unjudged') ? 'unjudged' : truths.includes(null) ? null : boolean(!settles)
  }
  if (name === 'in' || name === 'not in') {
    const either = choice('||', args.slice(1).map((arg) => equal(first, arg, judge)), judge) ?? null
    return name === 'in' ? either : choice('!', [either], judge)
  }
  return undefined
}

function equal(left: Outcome, right: Outcome, judge: Judge | undefined): Outcome {
  return left === null || right === null ? null : called('=', [left, right], judge)
}

/** Functions of values that are plain enough to be worked out here; undefined for the others. */
function core(name: string, terms: readonly Term[]): Term | null | undefined {
  const [left, right] = terms
  if (left === undefined) return undefined
  if (name === 'iri' && left.kind === 'iri') return left
  if (right === undefined) return coreOfOne(name, left)
  if (name === 'substr') return part(left, terms.slice(1))
  if (name === 'sameterm') return boolean(termKey(left) === termKey(right))
  if (name === 'days_between' || name === 'seconds_between') return betweenMoments(name, left, right)
  if (COMPARISONS.includes(name)) {
    return isCore(left, right) ? boolean(conditionHolds(name as Comparison, left, right)) : compareUnlike(name, left, right)
  }
  if (name !== '+' && name !== '-' && name !== '*' && name !== '/') return undefined
  const [x, y] = [read(left), read(right)]
  if (x.of === 'number' && y.of === 'number') {
    if (x.type === 'double' || y.type === 'double') return undefined
    return name === '/' ? cutQuotient(x, y) : recalculate({ op: name, left: { term: left }, right: { term: right } })
  }
  const isTime = (term: Term) => term.kind === 'literal' && TEMPORAL.includes(term.datatype)
  // nothing can be added to a text or a name
  if (!isTime(left) && !isTime(right)) return null
  return name === '*' || name === '/' ? scaledDuration(name, left, right) : movedMoment(name, left, right)
}

function coreOfOne(name: string, term: Term): Term | null | undefined {
  if (name === 'isiri' || name === 'isuri') return boolean(term.kind === 'iri')
  if (name === 'isblank') return boolean(term.kind === 'bnode')
  if (name === 'isliteral') return boolean(term.kind === 'literal')
  if (name === 'isnumeric') return boolean(isNumber(term))
  // as it is spelled; an implementation that keeps values only would say 1 for 1.0
  if (name === 'str') return term.kind === 'bnode' ? null : literal(term.value)
  const reading = read(term)
  // a half goes up, also below zero, where a judge may go away from it
  if (name === 'round' && reading.of === 'number' && reading.type === 'double') return roundedHalf(toDouble(reading.text), term)
  if (reading.of !== 'number' || reading.type !== 'integer') return undefined
  // whole numbers of any length; a judge may end at 64 bits
  const value = reading.above
  const same = ['pos', 'ceil', 'floor', 'round', `${XSD}integer`].includes(name) ? value : undefined
  const result = name === 'neg' ? -value : name === 'abs' ? (value < 0n ? -value : value) : same
  return result === undefined ? undefined : literal(String(result), `${XSD}integer`)
}

function roundedHalf(number: number, term: Term): Term | undefined {
  if (number >= 0 || number - Math.floor(number) !== 0.5 || term.kind !== 'literal') return undefined
  const up = Math.ceil(number)
  return literal(Object.is(up, -0) ? '-0' : String(up), term.datatype)
}

/** Characters counted from 1, also from in front of the first one, which a judge may refuse; texts of a language are for it. */
function part(text: Term, bounds: readonly Term[]): Term | undefined {
  const [start, length] = bounds.map((term) => {
    const reading = read(term)
    return reading.of === 'number' && reading.type === 'integer' ? reading.above : undefined
  })
  if (read(text).of !== 'string' || start === undefined || (bounds.length > 1 && length === undefined)) return undefined
  const isInside = (_: string, i: number) => BigInt(i + 1) >= start && (length === undefined || BigInt(i + 1) < start + length)
  return literal([...text.value].filter(isInside).join(''))
}

/** SPARQL's quotient of exact numbers ends after 18 digits; that of the rule text is rounded there. */
function cutQuotient(x: Fraction, y: Fraction): Term | null {
  const [above, below] = [x.above * y.below * UNIT, y.above * x.below]
  return below === 0n ? null : literal(quotient(above / below, UNIT, UNIT), `${XSD}decimal`)
}

const UNIT = 10n ** 18n

/** Resources are equal or not, and so are values of two kinds; neither have an order. */
function compareUnlike(name: string, left: Term, right: Term): Term | null | undefined {
  const areLiterals = left.kind === 'literal' && right.kind === 'literal'
  const kinds = new Set([read(left).of, read(right).of])
  if (areLiterals && (kinds.size === 1 || kinds.has('name'))) return undefined
  if (name !== '=' && name !== '!=') return areLiterals ? null : undefined
  return boolean((termKey(left) === termKey(right)) === (name === '='))
}

/** Values of one kind, on whose comparison rule text and SPARQL agree. A float is left to the judge: it is no double. */
function isCore(left: Term, right: Term): boolean {
  const [x, y] = [read(left), read(right)]
  if (x.of === 'number' && y.of === 'number') return ![left, right].some(isFloat)
  if ((x.of === 'date' && y.of === 'date') || (x.of === 'dateTime' && y.of === 'dateTime')) return x.zoned === y.zoned
  return (x.of === 'string' && y.of === 'string') || (x.of === 'boolean' && y.of === 'boolean')
}

const isFloat = (term: Term): boolean => term.kind === 'literal' && term.datatype === `${XSD}float`
