/** Puts the values of variables into atoms and body parts; variables without a value stay. */
import type { Term } from '../term.ts'
import { mapArguments } from './expression.ts'
import type { Argument, Atom, BodyItem, Condition, Expr } from './program.ts'

export type Bindings = Readonly<Record<string, Term>>

export const termOfVariable = (variable: string, bindings: Bindings): Term | undefined =>
  Object.hasOwn(bindings, variable) ? bindings[variable] : undefined

export function instantiateArgument(arg: Argument, bindings: Bindings): Argument {
  const term = 'variable' in arg ? termOfVariable(arg.variable, bindings) : undefined
  return term === undefined ? arg : { term }
}

export const instantiateAtom = (atom: Atom, bindings: Bindings): Atom => ({
  predicate: atom.predicate,
  args: atom.args.map((arg) => (arg === null ? null : instantiateArgument(arg, bindings))),
})

export function instantiate(item: BodyItem, bindings: Bindings): BodyItem {
  switch (item.kind) {
    case 'atom':
    case 'not':
      return { kind: item.kind, atom: instantiateAtom(item.atom, bindings) }
    case 'compare':
      return { ...item, left: instantiateArgument(item.left, bindings), right: instantiateArgument(item.right, bindings) }
    case 'test':
      return { ...item, expr: instantiateExpr(item.expr, bindings) }
    case 'aggregate':
      return {
        ...item,
        body: item.body.map((atom) => instantiateAtom(atom, bindings)),
        ...(item.where === undefined ? {} : { where: item.where.map((condition) => instantiateCondition(condition, bindings)) }),
      }
    case 'assign':
      return { ...item, expr: instantiateExpr(item.expr, bindings) }
  }
}

const instantiateExpr = (expr: Expr, bindings: Bindings): Expr => mapArguments(expr, (arg) => instantiateArgument(arg, bindings))

export function instantiateCondition(condition: Condition, bindings: Bindings): Condition {
  if (condition.kind === 'test') return { ...condition, expr: instantiateExpr(condition.expr, bindings) }
  return {
    ...condition,
    left: instantiateArgument(condition.left, bindings),
    right: instantiateArgument(condition.right, bindings),
  }
}

/** A negated atom with its unbound variables left open. */
export const closedAtom = (atom: Atom, bound: ReadonlySet<string>): Atom => ({
  ...atom,
  args: atom.args.map((arg) => (arg !== null && 'variable' in arg && !bound.has(arg.variable) ? null : arg)),
})
