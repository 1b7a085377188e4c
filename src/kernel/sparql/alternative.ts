/**
 * The solutions of a pattern as alternatives: each is a body that says exactly which variables have a value in it. A pattern
 * with OPTIONAL or UNION has several, and so every premise of a proof is one that was really used.
 */
import type { Argument, Atom, BodyItem, Expr } from '../datalog/index.ts'

export interface Alternative {
  readonly body: readonly BodyItem[]
  /** every variable with a value, hidden ones included */
  readonly bound: ReadonlySet<string>
  /** variables of the surrounding query that a condition in here looks at */
  readonly needs: ReadonlySet<string>
}

/** The one empty solution. */
export const UNIT: Alternative = { body: [], bound: new Set(), needs: new Set() }

export const test = (expr: Expr): BodyItem => ({ kind: 'test', expr })
export const call = (name: string, ...args: Expr[]): Expr => ({ call: name, args })
export const holds = (atom: Atom): BodyItem => ({ kind: 'atom', atom })
export const denied = (atom: Atom): BodyItem => ({ kind: 'not', atom })
export const asArgument = (variable: string): Argument => ({ variable })

/** The same solutions under a further condition, which may look at variables from outside. */
export const having = (alternative: Alternative, items: readonly BodyItem[], needs: Iterable<string> = []): Alternative => ({
  ...alternative,
  body: [...alternative.body, ...items],
  needs: new Set([...alternative.needs, ...needs]),
})

/** The same solutions with further variables. */
export const binding = (alternative: Alternative, item: BodyItem, variables: Iterable<string>): Alternative => ({
  ...alternative,
  body: [...alternative.body, item],
  bound: new Set([...alternative.bound, ...variables]),
})

export function ofAtoms(atoms: readonly Atom[]): Alternative {
  return { body: atoms.map(holds), bound: new Set(atoms.flatMap(variablesOf)), needs: new Set() }
}

export const variablesOf = (atom: Atom): string[] =>
  atom.args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : []))

/**
 * Solutions of both that agree on what they share. Atoms agree by sharing a variable; a value that is calculated on one side
 * and known on the other becomes a second value that must be the same term.
 */
export function joined(left: Alternative, right: Alternative, fresh: () => string): Alternative {
  const [calculatedLeft, calculatedRight] = [calculatedIn(left), calculatedIn(right)]
  const twice = [...left.bound].filter((variable) => right.bound.has(variable))
  const inRight = twice.filter((variable) => calculatedRight.has(variable))
  const inLeft = twice.filter((variable) => !calculatedRight.has(variable) && calculatedLeft.has(variable))
  const [one, two] = [setApart(left, inLeft, fresh), setApart(right, inRight, fresh)]
  return {
    body: [...one.body, ...two.body],
    bound: new Set([...one.bound, ...two.bound]),
    needs: new Set([...one.needs, ...two.needs]),
  }
}

const calculatedIn = ({ body }: Alternative): Set<string> =>
  new Set(body.flatMap((item) => (item.kind === 'assign' ? [item.into] : [])))

function setApart(alternative: Alternative, variables: readonly string[], fresh: () => string): Alternative {
  if (variables.length === 0) return alternative
  const names = new Map(variables.map((variable) => [variable, fresh()]))
  const body = alternative.body.map((item) =>
    item.kind === 'assign' && names.has(item.into) ? { ...item, into: names.get(item.into) ?? item.into } : item,
  )
  const same = [...names].map(([variable, other]) => test(call('sameterm', { variable: other }, { variable })))
  return { ...alternative, body: [...body, ...same], bound: new Set([...alternative.bound, ...names.values()]) }
}

/** The same solutions, some variables under other names. */
export function renamed(alternative: Alternative, names: ReadonlyMap<string, string>): Alternative {
  if (names.size === 0) return alternative
  const name = (variable: string) => names.get(variable) ?? variable
  return {
    body: alternative.body.map((item) => renamedItem(item, name)),
    bound: new Set([...alternative.bound].map(name)),
    needs: alternative.needs,
  }
}

function renamedItem(item: BodyItem, name: (variable: string) => string): BodyItem {
  const argument = (arg: Argument): Argument => ('variable' in arg ? { variable: name(arg.variable) } : arg)
  const expression = (expr: Expr): Expr => {
    if ('call' in expr) return { call: expr.call, args: expr.args.map(expression) }
    if ('op' in expr) return { op: expr.op, left: expression(expr.left), right: expression(expr.right) }
    return 'minus' in expr ? { minus: expression(expr.minus) } : argument(expr)
  }
  const atom = ({ predicate, args }: Atom): Atom => ({
    predicate,
    args: args.map((arg) => (arg === null ? null : argument(arg))),
  })
  switch (item.kind) {
    case 'atom':
    case 'not':
      return { kind: item.kind, atom: atom(item.atom) }
    case 'compare':
      return { ...item, left: argument(item.left), right: argument(item.right) }
    case 'test':
      return test(expression(item.expr))
    case 'assign':
      return { kind: 'assign', into: name(item.into), expr: expression(item.expr) }
    case 'aggregate':
      // aggregates stand in rules of their own, never in the body of an alternative
      throw new Error(`the aggregate ?${item.into} has no place in an alternative`)
  }
}
