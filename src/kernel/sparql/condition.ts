/** FILTER and BIND over alternatives: conditions and calculations, EXISTS as relations of its own, held or denied. */
import type { BodyItem, Comparison, Expr } from '../datalog/index.ts'
import { valueOf } from '../values/index.ts'
import type { Alternative } from './alternative.ts'
import { binding, denied, having, joined, ofAtoms, test, variablesOf } from './alternative.ts'
import type { Compiling, Scope } from './compiling.ts'
import { MAX_ALTERNATIVES, grounded, isOuter, onlyAtom, relationAtom } from './compiling.ts'
import type { View } from './expression.ts'
import { existsIn, failing, isConstant, isSure, readExpression, truthOf, variablesIn } from './expression.ts'
import { readGroup } from './group.ts'
import type { AggregateCall, ExistsCall, Expression } from './syntax.ts'

export interface Within {
  readonly compiling: Compiling
  readonly scope: Scope | null
  readonly folded?: ReadonlyMap<AggregateCall, string>
}

const NO_FOLDS: ReadonlyMap<AggregateCall, string> = new Map()

/** The solutions for which the condition holds. */
export function filtered(alternatives: readonly Alternative[], filter: Expression, within: Within): readonly Alternative[] {
  let left = alternatives
  // `a && b && c` is a tree as deep as it is long, hence a list of what is still to read and no recursion
  const pending: Expression[] = [filter]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'expression' && node.subType === 'operation' && node.operator === '&&') {
      pending.push(...node.args.toReversed())
      continue
    }
    const condition = node
    left = within.compiling.limited(left.flatMap((each) => meeting(each, condition, within)), node)
  }
  return left
}

function meeting(alternative: Alternative, condition: Expression, within: Within): Alternative[] {
  const exists = asExists(condition)
  if (exists !== undefined) return withExists(alternative, exists.node, exists.holds, within)
  return byExists(alternative, condition, within).flatMap(({ alternative: each, view }) => {
    const expr = asCondition(readExpression(condition, view, within.compiling))
    const truth = truthOf(expr)
    if (expr === undefined || truth === false) return []
    return truth === true ? [each] : [having(each, [asItem(expr)], outside(expr, each))]
  })
}

/** As a condition, `x || false` and `x && true` are x. */
function asCondition(expr: Expr | undefined): Expr | undefined {
  if (expr === undefined || !('call' in expr) || (expr.call !== '||' && expr.call !== '&&')) return expr
  const [only, ...others] = expr.args.filter((arg) => truthOf(arg) !== (expr.call === '&&'))
  return others.length > 0 ? expr : asCondition(only)
}

/** The solutions with the value of an expression; where it has none, the variable stays without. */
export function extended(alternative: Alternative, variable: string, node: Expression, within: Within): Alternative[] {
  if (alternative.bound.has(variable)) {
    within.compiling.refuse(node, `?${variable} already has a value`)
    return []
  }
  return byExists(alternative, node, within).flatMap(({ alternative: each, view }) => {
    const expr = readExpression(node, view, within.compiling)
    if (expr === undefined) return [each]
    const needs = outside(expr, each)
    const done = having(binding(each, { kind: 'assign', into: variable, expr }, [variable]), [], needs)
    return isSure(expr) ? [done] : [done, having(each, [test(failing(expr))], needs)]
  })
}

/** The value of an expression, and the solutions in which it has one or has none. */
export interface Valued {
  readonly alternative: Alternative
  readonly value: string | undefined
}

export function valued(alternative: Alternative, node: Expression, within: Within): Valued[] {
  if (node.type === 'term' && node.subType === 'variable') {
    return [{ alternative, value: alternative.bound.has(node.value) ? node.value : undefined }]
  }
  const variable = within.compiling.fresh()
  return extended(alternative, variable, node, within).map((each) => ({
    alternative: each,
    value: each.bound.has(variable) ? variable : undefined,
  }))
}

const outside = (expr: Expr, { bound }: Alternative): string[] => variablesIn(expr).filter((variable) => !bound.has(variable))

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>='])
const isComparison = (name: string): name is Comparison => COMPARISONS.has(name)

/** A comparison with a text, truth value or moment means the same to rules as to SPARQL; any other is SPARQL's own, floats above all. */
function asItem(expr: Expr): BodyItem {
  if (!('call' in expr) || !isComparison(expr.call)) return test(expr)
  const [left, right] = expr.args
  if (left === undefined || right === undefined || !isSure(left) || !isSure(right)) return test(expr)
  const known = [left, right].some((side) => isConstant(side) && !['opaque', 'exact', 'double'].includes(valueOf(side.term).kind))
  return known ? { kind: 'compare', op: expr.call, left, right } : test(expr)
}

function asExists(node: Expression): { node: ExistsCall; holds: boolean } | undefined {
  if (node.type !== 'expression') return undefined
  if (node.subType === 'patternOperation') return { node, holds: node.operator === 'exists' }
  if (node.subType !== 'operation' || node.operator !== '!') return undefined
  const inner = node.args[0] === undefined ? undefined : asExists(node.args[0])
  return inner === undefined ? undefined : { node: inner.node, holds: !inner.holds }
}

/** An EXISTS amid an expression holds or not: the solutions are told apart by it before the expression is read. */
function byExists(
  alternative: Alternative,
  node: Expression,
  within: Within,
): { readonly alternative: Alternative; readonly view: View }[] {
  let cases: { alternative: Alternative; exists: Map<ExistsCall, boolean> }[] = [{ alternative, exists: new Map() }]
  const calls = existsIn(node)
  if (2 ** calls.length > MAX_ALTERNATIVES) {
    within.compiling.refuse(node, `an expression with ${calls.length} EXISTS has too many cases`, 'alternatives')
    return []
  }
  for (const call of calls) {
    cases = cases.flatMap(({ alternative: each, exists }) =>
      [true, false].flatMap((truth) =>
        withExists(each, call, truth, within).map((one) => ({ alternative: one, exists: new Map(exists).set(call, truth) })),
      ),
    )
  }
  return cases.map(({ alternative: each, exists }) => {
    const isBound = (variable: string) => each.bound.has(variable) || isOuter(variable, within.scope)
    return { alternative: each, view: { isBound, exists, folded: within.folded ?? NO_FOLDS } }
  })
}

/** The solutions for which the pattern has a match (or has none), seen with the values of the solution. */
function withExists(alternative: Alternative, node: ExistsCall, holdsSo: boolean, within: Within): Alternative[] {
  const { compiling, scope } = within
  const inner: Scope = { outer: alternative, parent: scope }
  const matches = readGroup(node.args.patterns, { compiling, scope: inner })
  if (!holdsSo) return [denying(alternative, matches, inner, compiling)].flatMap((each) => each ?? [])
  if (matches.some(({ body }) => body.length === 0)) return [alternative]
  if (matches.length === 0) return []
  const shared = [...new Set(matches.flatMap((match) => sharedWith(inner, match)))]
  const { predicate, rule } = compiling.relation('some')
  const head = relationAtom(predicate, shared)
  for (const [n, match] of matches.entries()) {
    const { body } = grounded(match, inner, compiling.fresh, shared)
    compiling.add({ id: rule(n === 0 ? '' : `-${n + 1}`), head, body })
  }
  return [joined(alternative, ofAtoms([head]), compiling.fresh)]
}

/** The variables of a match that have a value outside of it. */
const sharedWith = (inner: Scope, match: Alternative): string[] =>
  [...new Set([...match.bound, ...match.needs])].filter((variable) => isOuter(variable, inner))

/**
 * The solutions for which none of the patterns has a match; null where that cannot be. One atom whose own variables each
 * occur once is denied as it stands, anything larger gets a relation over what it shares with the outside.
 */
export function denying(
  alternative: Alternative,
  matches: readonly Alternative[],
  inner: Scope,
  compiling: Compiling,
): Alternative | null {
  const items: BodyItem[] = []
  const needs: string[] = []
  for (const match of matches) {
    if (match.body.length === 0) return null
    const shared = sharedWith(inner, match)
    needs.push(...shared.filter((variable) => !alternative.bound.has(variable)))
    items.push(denied(directly(match, shared) ?? throughRelation(match, shared, inner, compiling)))
  }
  return having(alternative, items, needs)
}

function directly(match: Alternative, shared: readonly string[]): ReturnType<typeof onlyAtom> {
  const atom = onlyAtom(match.body)
  if (atom === undefined) return undefined
  const own = variablesOf(atom).filter((variable) => !shared.includes(variable))
  if (new Set(own).size < own.length) return undefined
  const args = atom.args.map((arg) => (arg !== null && 'variable' in arg && own.includes(arg.variable) ? null : arg))
  return { predicate: atom.predicate, args }
}

function throughRelation(match: Alternative, shared: readonly string[], inner: Scope, compiling: Compiling) {
  const { predicate, rule } = compiling.relation('none')
  const head = relationAtom(predicate, shared)
  compiling.add({ id: rule(), head, body: grounded(match, inner, compiling.fresh, shared).body })
  return head
}
