/** Why a fact was not derived: the rule instances that came closest, each with the first part of the body that failed. */
import { termKey } from '../term.ts'
import type { Term } from '../term.ts'
import { calculate } from './arithmetic.ts'
import { mapArguments } from './expression.ts'
import { fold } from './fold.ts'
import { closedAtom, instantiate, instantiateArgument, instantiateAtom, termOfVariable } from './instantiate.ts'
import type { Bindings } from './instantiate.ts'
import type { Atom, BodyItem, DatalogRule, Model, Premise, Program } from './program.ts'
import { boundVariables, resultOrder, variablesOf } from './safety.ts'
import { satisfies, valueOf } from './value.ts'

export interface Goal {
  readonly predicate: string
  /** undefined is any value */
  readonly args: readonly (Term | undefined)[]
}

export interface NearMiss {
  readonly rule: string
  readonly bindings: Bindings
  readonly satisfied: readonly Premise[]
  /** with the values that are known by then; other variables stay */
  readonly missing: BodyItem
}

const MOST = 5
/** Instances looked at per rule. The search is for an explanation, not for a result: beyond this the best so far will do. */
const MAX_STEPS = 20_000

/** Best first, at most five; empty when the goal holds, or when no rule could ever derive it. */
export function whyNot(program: Program, model: Model, goal: Goal): NearMiss[] {
  if (model.find(goal.predicate, goal.args).length > 0) return []
  const misses = program.rules.flatMap((rule) => {
    const bindings = unify(rule.head, goal)
    if (bindings === undefined) return []
    return nearest(rule, model, bindings).map((miss) => ({ miss, left: rule.body.length - miss.satisfied.length }))
  })
  return misses
    .toSorted((x, y) => y.miss.satisfied.length - x.miss.satisfied.length || x.left - y.left)
    .slice(0, MOST)
    .map(({ miss }) => miss)
}

function unify(head: Atom, goal: Goal): Bindings | undefined {
  if (head.predicate !== goal.predicate || head.args.length !== goal.args.length) return undefined
  return extend({}, head, goal.args)
}

/** The bindings under which the atom has these values, or undefined. An unknown value (null) fits an open argument only. */
function extend(bindings: Bindings, atom: Atom, values: readonly (Term | null | undefined)[]): Bindings | undefined {
  const entries = new Map(Object.entries(bindings))
  for (const [i, arg] of atom.args.entries()) {
    const value = values[i]
    if (arg === null || value === undefined) continue
    const wanted = 'term' in arg ? arg.term : entries.get(arg.variable)
    if (value === null || (wanted !== undefined && !isSame(wanted, value))) return undefined
    if ('variable' in arg) entries.set(arg.variable, value)
  }
  return Object.fromEntries(entries)
}

const isSame = (x: Term, y: Term): boolean => termKey(x) === termKey(y)

/** Walks the instances of a rule depth first and keeps those that got furthest. */
function nearest(rule: DatalogRule, model: Model, start: Bindings): NearMiss[] {
  const order = orderOf(rule, start)
  const bound = boundVariables(rule)
  let best: NearMiss[] = []
  let steps = 0
  const stack: { readonly bindings: Bindings; readonly satisfied: readonly Premise[] }[] = [{ bindings: start, satisfied: [] }]
  for (let at = stack.pop(); at !== undefined && steps < MAX_STEPS; at = stack.pop()) {
    steps++
    const { bindings, satisfied } = at
    const item = order[satisfied.length]
    if (item === undefined) continue
    const next = solutions(item, model, bindings, bound)
    for (const { premise, bindings } of next.toReversed()) stack.push({ bindings, satisfied: [...satisfied, premise] })
    const furthest = best[0]?.satisfied.length ?? -1
    if (next.length > 0 || satisfied.length < furthest) continue
    if (satisfied.length > furthest) best = []
    if (best.length < MOST) best.push({ rule: rule.id, bindings, satisfied, missing: instantiate(item, bindings) })
  }
  return best
}

/**
 * Atoms first, the one with most known arguments before the others, then results and comparisons, negations last: an
 * instance in which everything holds but one obstacle explains more than one that never had its facts.
 */
function orderOf(rule: DatalogRule, start: Bindings): BodyItem[] {
  const bound = boundVariables(rule)
  const known = new Set(Object.keys(start))
  const isKnown = (arg: Atom['args'][number]) => arg !== null && ('term' in arg || known.has(arg.variable))
  const isReady = (item: BodyItem) =>
    (item.kind === 'compare' && [item.left, item.right].every(isKnown)) ||
    (item.kind === 'not' && closedAtom(item.atom, bound).args.every((arg) => arg === null || isKnown(arg)))
  const order: BodyItem[] = []
  const results = resultOrder(rule)
  let waiting = rule.body.filter((item) => item.kind !== 'aggregate' && item.kind !== 'assign')
  while (waiting.length + results.length > 0) {
    const atoms = waiting.filter((item) => item.kind === 'atom')
    const counts = atoms.map((item) => item.atom.args.filter(isKnown).length)
    const item =
      atoms[counts.indexOf(Math.max(...counts))] ??
      waiting.find((test) => test.kind === 'compare' && isReady(test)) ??
      results.shift() ??
      waiting.find(isReady)
    if (item === undefined) break
    order.push(item)
    waiting = waiting.filter((other) => other !== item)
    if (item.kind === 'atom') for (const variable of variablesOf(item.atom.args)) known.add(variable)
    if (item.kind === 'aggregate' || item.kind === 'assign') known.add(item.into)
  }
  return order
}

interface Solution {
  readonly premise: Premise
  readonly bindings: Bindings
}

function solutions(item: BodyItem, model: Model, bindings: Bindings, bound: ReadonlySet<string>): Solution[] {
  switch (item.kind) {
    case 'atom':
      return matchesOf([item.atom], model, bindings).flatMap(({ facts, bindings }) =>
        facts.map((fact) => ({ premise: { kind: 'fact', fact }, bindings })),
      )
    case 'not': {
      const atom = instantiateAtom(closedAtom(item.atom, bound), bindings)
      return matchesOf([atom], model, {}).length > 0 ? [] : [{ premise: { kind: 'absent', atom }, bindings }]
    }
    case 'compare': {
      const [left, right] = [item.left, item.right].map((arg) => instantiateArgument(arg, bindings))
      if (left === undefined || right === undefined || 'variable' in left || 'variable' in right) return []
      if (!satisfies(item.op, valueOf(left.term), valueOf(right.term))) return []
      return [{ premise: { kind: 'condition', op: item.op, left: left.term, right: right.term }, bindings }]
    }
    case 'aggregate': {
      const found = matchesOf(item.body, model, bindings)
      const values = found.flatMap(({ bindings }) => (item.of === null ? [UNREAD] : (termOfVariable(item.of, bindings) ?? [])))
      const result = fold(item.fn, values)
      const already = termOfVariable(item.into, bindings)
      if (result === null || (already !== undefined && !isSame(already, result))) return []
      const body = item.body.map((atom) => instantiateAtom(atom, bindings))
      const premise: Premise = { kind: 'aggregate', fn: item.fn, result, body, matches: found.map(({ facts }) => facts) }
      return [{ premise, bindings: Object.fromEntries([...Object.entries(bindings), [item.into, result]]) }]
    }
    case 'assign': {
      const { into } = item
      const expr = mapArguments(item.expr, (arg) => instantiateArgument(arg, bindings))
      const result = calculate(expr, (arg) => valueOf('term' in arg ? arg.term : UNREAD))
      const already = termOfVariable(into, bindings)
      if (result === null || (already !== undefined && !isSame(already, result))) return []
      const premise: Premise = { kind: 'computed', into, expr, result }
      return [{ premise, bindings: Object.fromEntries([...Object.entries(bindings), [into, result]]) }]
    }
  }
}

const UNREAD = { kind: 'bnode', value: '' } as const

function matchesOf(atoms: readonly Atom[], model: Model, bindings: Bindings): { facts: number[]; bindings: Bindings }[] {
  let found: { facts: number[]; bindings: Bindings }[] = [{ facts: [], bindings }]
  for (const atom of atoms) {
    found = found.flatMap(({ facts, bindings }) => {
      const pattern = instantiateAtom(atom, bindings).args.map((arg) => (arg !== null && 'term' in arg ? arg.term : undefined))
      return model.find(atom.predicate, pattern).flatMap((fact) => {
        const extended = extend(bindings, atom, fact.args)
        return extended === undefined ? [] : [{ facts: [...facts, fact.id], bindings: extended }]
      })
    })
  }
  return found
}
