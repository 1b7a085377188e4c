/**
 * Expressions of a query as expressions of the kernel, for solutions of which we know exactly what they bind: BOUND is decided
 * here, and an expression over a variable without a value is an error here and not when the rule runs.
 */
import type { Argument, Expr } from '../datalog/index.ts'
import { XSD, iri, literal } from '../term.ts'
import type { Term } from '../term.ts'
import { callFunction, effectiveBoolean, isFunction } from '../values/index.ts'
import { call } from './alternative.ts'
import type { Compiling } from './compiling.ts'
import type { AggregateCall, ExistsCall, Expression } from './syntax.ts'
import { iriOf, termOfTree } from './terms.ts'

/** What an expression sees of the solutions that it is read for. */
export interface View {
  isBound(variable: string): boolean
  /** whether an EXISTS holds in these solutions */
  readonly exists: ReadonlyMap<ExistsCall, boolean>
  /** the variables that hold the results of aggregates */
  readonly folded: ReadonlyMap<AggregateCall, string>
}

/** Deep towers of operators are no query of a person, and a walk through them would exhaust the call stack. */
const MAX_DEPTH = 256

/** undefined: an error in every such solution, or something that was refused. */
export function readExpression(node: Expression, view: View, compiling: Compiling, depth = 0): Expr | undefined {
  if (depth > MAX_DEPTH) {
    compiling.refuse(node, `an expression may nest ${MAX_DEPTH} deep`)
    return undefined
  }
  if (node.type === 'term') {
    if (node.subType === 'variable') return readVariable(node.value, node, view, compiling)
    const term = termOfTree(node, compiling)
    return term === undefined ? undefined : { term }
  }
  switch (node.subType) {
    case 'aggregate': {
      const variable = view.folded.get(node)
      if (variable === undefined) compiling.refuse(node, 'an aggregate may not stand here')
      return variable !== undefined && view.isBound(variable) ? { variable } : undefined
    }
    case 'patternOperation': {
      const truth = view.exists.get(node)
      if (truth === undefined) compiling.refuse(node, 'EXISTS is not supported here', 'EXISTS in this place')
      return truth === undefined ? undefined : constant(node.operator === 'exists' ? truth : !truth)
    }
    case 'functionCall': {
      const name = iriOf(node.function, compiling)
      const args = node.args.map((arg) => readExpression(arg, view, compiling, depth + 1))
      if (name === undefined) return undefined
      if (isFunction(name, args.length)) return strict(name, args)
      compiling.refuse(node, `no function <${name}> takes ${args.length} arguments`, `the function <${name}>`)
      return undefined
    }
    case 'operation':
      return readOperation(node, view, compiling, depth)
  }
}

function readVariable(variable: string, node: Expression, view: View, { asked }: Compiling): Expr | undefined {
  const bound = view.isBound(variable)
  const before = asked.get(variable)
  if (before === undefined) asked.set(variable, { node, bound })
  else before.bound ||= bound
  return bound ? { variable } : undefined
}

type Operation = Extract<Expression, { subType: 'operation' }>

/** What the parser calls otherwise than the functions are called. */
const NAMES: Readonly<Record<string, string>> = { notin: 'not in', uminus: 'neg', uplus: 'pos', uri: 'iri', isuri: 'isiri' }

/** They answer differently each time, and a rule derives the same today and tomorrow. */
const BY_CHANCE: ReadonlySet<string> = new Set(['rand', 'uuid', 'struuid', 'now', 'bnode'])

function readOperation(node: Operation, view: View, compiling: Compiling, depth: number): Expr | undefined {
  const name = NAMES[node.operator.toLowerCase()] ?? node.operator.toLowerCase()
  if (name === 'bound') {
    const [inner] = node.args
    return constant(inner?.type === 'term' && inner.subType === 'variable' && view.isBound(inner.value))
  }
  if (BY_CHANCE.has(name)) {
    const called = `${name.toUpperCase()}()`
    compiling.refuse(node, `${called} gives another value each time: a rule cannot use it`, called)
    return undefined
  }
  const args = node.args.map((arg) => readExpression(arg, view, compiling, depth + 1))
  if (name === 'coalesce') return coalesced(args)
  if (name === 'if') return chosen(args)
  if (name === '&&' || name === '||') return connected(name, args)
  if (name === '!') return negated(args[0])
  if (name === 'iri' && compiling.base !== undefined) return resolved(args[0], compiling.base, node, compiling)
  if (!isFunction(name, args.length)) {
    compiling.refuse(node, `no function ${name.toUpperCase()} takes ${args.length} arguments`, name.toUpperCase())
    return undefined
  }
  if (name !== 'in' && name !== 'not in') return strict(name, args)
  const [sought, ...among] = args
  return sought === undefined ? undefined : call(name, sought, ...among.map(raising))
}

function strict(name: string, args: readonly (Expr | undefined)[]): Expr | undefined {
  const known = args.filter((arg) => arg !== undefined)
  return known.length === args.length ? call(name, ...known) : undefined
}

const constant = (value: boolean): Expr => ({ term: literal(String(value), `${XSD}boolean`) })
const integer = (value: number): Expr => ({ term: literal(String(value), `${XSD}integer`) })

/** An operand that is certain to be an error, where the operator can do something about it. */
const raising = (expr: Expr | undefined): Expr => expr ?? call('/', integer(1), integer(0))

export const isConstant = (expr: Expr): expr is { readonly term: Term } => 'term' in expr

/** What the expression is worth as a condition, where that is known already. */
export const truthOf = (expr: Expr | undefined): boolean | undefined =>
  expr !== undefined && isConstant(expr) ? effectiveBoolean(expr.term) : undefined

function coalesced(args: readonly (Expr | undefined)[]): Expr | undefined {
  const known = args.filter((arg) => arg !== undefined)
  const [first] = known
  return first === undefined || isSure(first) ? first : call('coalesce', ...known)
}

function chosen([condition, yes, no]: readonly (Expr | undefined)[]): Expr | undefined {
  if (condition === undefined) return undefined
  const truth = truthOf(condition)
  if (truth !== undefined) return truth ? yes : no
  return yes === undefined && no === undefined ? undefined : call('if', condition, raising(yes), raising(no))
}

function connected(name: '&&' | '||', args: readonly (Expr | undefined)[]): Expr | undefined {
  // one false settles a conjunction, one true a disjunction, whatever the other side is
  const settling = name === '||'
  if (args.some((arg) => truthOf(arg) === settling)) return constant(settling)
  if (args.every((arg) => arg === undefined)) return undefined
  if (args.every((arg) => truthOf(arg) === !settling)) return constant(!settling)
  return call(name, ...args.map(raising))
}

function negated(arg: Expr | undefined): Expr | undefined {
  const truth = truthOf(arg)
  if (truth !== undefined) return constant(!truth)
  return arg === undefined ? undefined : call('!', arg)
}

/** IRI() resolves against the base of the query, which no proof could show: only that of a constant is known already. */
function resolved(arg: Expr | undefined, base: string, node: Expression, compiling: Compiling): Expr | undefined {
  if (arg === undefined) return undefined
  if (isConstant(arg)) {
    const term = callFunction('iri', [arg.term, iri(base)])
    return term === undefined ? undefined : { term }
  }
  compiling.refuse(node, 'IRI() of a variable beside a BASE is not supported', 'IRI() beside BASE')
  return undefined
}

/** A variable with a value or a constant: evaluating it cannot fail. */
export const isSure = (expr: Expr): expr is Argument => 'term' in expr || 'variable' in expr

/** Holds exactly where the expression has no value. */
export const failing = (expr: Expr): Expr =>
  call('coalesce', call('!', call('sameterm', expr, expr)), { term: literal('true', `${XSD}boolean`) })

export function variablesIn(expr: Expr): string[] {
  if ('call' in expr) return expr.args.flatMap(variablesIn)
  if ('op' in expr) return [...variablesIn(expr.left), ...variablesIn(expr.right)]
  if ('minus' in expr) return variablesIn(expr.minus)
  return 'variable' in expr ? [expr.variable] : []
}

/** Every EXISTS of an expression, those inside the patterns of another EXISTS apart. */
export function existsIn(node: Expression): ExistsCall[] {
  const found: ExistsCall[] = []
  const pending: Expression[] = [node]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.type !== 'expression') continue
    if (at.subType === 'patternOperation') found.push(at)
    else if (at.subType === 'operation' || at.subType === 'functionCall') pending.push(...at.args.toReversed())
  }
  return found
}
