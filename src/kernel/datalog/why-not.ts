/** Why a fact was not derived: the rule instances that came closest, each with the parts of the body that failed. */
import { termKey } from '../term.ts'
import type { Term } from '../term.ts'
import { satisfies, valueOf } from '../values/index.ts'
import { evaluateExpr, holds } from './evaluate-expr.ts'
import { mapArguments, operandsOf } from './expression.ts'
import { foldMatches } from './fold.ts'
import { closedAtom, instantiate, instantiateArgument, instantiateAtom, instantiateCondition } from './instantiate.ts'
import { termOfVariable } from './instantiate.ts'
import type { Bindings } from './instantiate.ts'
import type { Argument, Atom, BodyItem, Condition, DatalogRule, Model, Premise, Program } from './program.ts'
import { boundVariables, conditionVariables, resultOrder, variablesOf } from './safety.ts'

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
  /** what the missing calculation or aggregate came to, where the goal asks for something else */
  readonly instead?: Term
  /** the parts behind it that would fail as well with the values that are known */
  readonly further: readonly BodyItem[]
  /** the instances of the rule were too many to look at all of them: a closer one may exist */
  readonly partial?: true
}

export interface WhyNotOptions {
  /** how many instances are wanted */
  readonly limit?: number
  /** instances looked at per rule: the search is for an explanation, not for a result, and beyond this the best so far will do */
  readonly maxSteps?: number
}

/** Best first; empty when the goal holds, or when no rule could ever derive it. */
export function whyNot(program: Program, model: Model, goal: Goal, options: WhyNotOptions = {}): NearMiss[] {
  const { limit = 5, maxSteps = 20_000 } = options
  if (model.find(goal.predicate, goal.args).length > 0) return []
  const misses = program.rules.flatMap((rule) => {
    const bindings = unify(rule.head, goal)
    if (bindings === undefined) return []
    const misses = nearest(rule, model, bindings, limit, maxSteps)
    return misses.map((miss) => ({ miss, left: rule.body.length - miss.satisfied.length }))
  })
  return misses
    .toSorted((x, y) => {
      const bySatisfied = y.miss.satisfied.length - x.miss.satisfied.length
      return bySatisfied || x.miss.further.length - y.miss.further.length || x.left - y.left
    })
    .slice(0, limit)
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
function nearest(rule: DatalogRule, model: Model, start: Bindings, limit: number, maxSteps: number): NearMiss[] {
  const order = orderOf(rule, start)
  const bound = boundVariables(rule)
  let best: NearMiss[] = []
  let steps = 0
  const stack: { readonly bindings: Bindings; readonly satisfied: readonly Premise[] }[] = [{ bindings: start, satisfied: [] }]
  for (let at = stack.pop(); at !== undefined && steps < maxSteps; at = stack.pop()) {
    steps++
    const { bindings, satisfied } = at
    const item = order[satisfied.length]
    if (item === undefined) continue
    const { found, instead } = solutions(item, model, bindings, bound, maxSteps)
    for (const { premise, bindings } of found.toReversed()) stack.push({ bindings, satisfied: [...satisfied, premise] })
    const furthest = best[0]?.satisfied.length ?? -1
    if (found.length > 0 || satisfied.length < furthest) continue
    if (satisfied.length > furthest) best = []
    if (best.length >= limit) continue
    const further = order.slice(satisfied.length + 1).filter((part) => fails(part, model, bindings, bound, maxSteps))
    best.push({
      rule: rule.id, bindings, satisfied, missing: instantiate(item, bindings), ...(instead === undefined ? {} : { instead }),
      further: further.map((part) => instantiate(part, bindings)),
    })
  }
  return steps < maxSteps || stack.length === 0 ? best : best.map((miss) => ({ ...miss, partial: true }))
}

/** Whether a part fails whatever its open variables come to be; one that waits for a value is not said to fail. */
function fails(item: BodyItem, model: Model, bindings: Bindings, bound: ReadonlySet<string>, most: number): boolean {
  const isKnown = (variable: string) => !bound.has(variable) || termOfVariable(variable, bindings) !== undefined
  if (item.kind !== 'atom' && !neededBy(item).every(isKnown)) return false
  return solutions(item, model, bindings, bound, most).found.length === 0
}

function neededBy(item: Exclude<BodyItem, { kind: 'atom' }>): string[] {
  if (item.kind === 'not') return variablesOf(item.atom.args)
  if (item.kind === 'assign') return variablesOf(operandsOf(item.expr))
  if (item.kind !== 'aggregate') return conditionVariables(item)
  return [...item.body.flatMap(({ args }) => variablesOf(args)), ...(item.where ?? []).flatMap(conditionVariables)]
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
    (isCondition(item) && conditionVariables(item).every((variable) => known.has(variable))) ||
    (item.kind === 'not' && closedAtom(item.atom, bound).args.every((arg) => arg === null || isKnown(arg)))
  const order: BodyItem[] = []
  const results = resultOrder(rule)
  let waiting = rule.body.filter((item) => item.kind !== 'aggregate' && item.kind !== 'assign')
  while (waiting.length + results.length > 0) {
    const atoms = waiting.filter((item) => item.kind === 'atom')
    const counts = atoms.map((item) => item.atom.args.filter(isKnown).length)
    const item =
      atoms[counts.indexOf(Math.max(...counts))] ??
      waiting.find((item) => isCondition(item) && isReady(item)) ??
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

const isCondition = (item: BodyItem): item is Condition => item.kind === 'compare' || item.kind === 'test'

interface Solution {
  readonly premise: Premise
  readonly bindings: Bindings
}

interface Solutions {
  readonly found: readonly Solution[]
  /** a result that is not the one asked for */
  readonly instead?: Term
}

const NONE: Solutions = { found: [] }

function solutions(item: BodyItem, model: Model, bindings: Bindings, bound: ReadonlySet<string>, most: number): Solutions {
  switch (item.kind) {
    case 'atom': {
      const matches = matchesOf([item.atom], model, bindings, most)
      const isMet = (bindings: Bindings) => (fact: number): Solution => ({ premise: { kind: 'fact', fact }, bindings })
      return { found: matches.flatMap(({ facts, bindings }) => facts.map(isMet(bindings))) }
    }
    case 'not': {
      const atom = instantiateAtom(closedAtom(item.atom, bound), bindings)
      return matchesOf([atom], model, {}, 1).length > 0 ? NONE : { found: [{ premise: { kind: 'absent', atom }, bindings }] }
    }
    case 'compare':
    case 'test': {
      const premise = conditionPremise(item, bindings)
      return premise === undefined ? NONE : { found: [{ premise, bindings }] }
    }
    case 'aggregate': {
      const where = item.where ?? []
      // a fold over part of its matches would be a false statement, so all are taken
      const matches = matchesOf(item.body, model, bindings, Infinity).filter(({ bindings }) =>
        where.every((condition) => conditionPremise(condition, bindings) !== undefined),
      )
      const termsOf = (variable: string) => matches.flatMap(({ bindings }) => termOfVariable(variable, bindings) ?? [])
      const values = item.of === null ? matches.map(() => UNREAD) : termsOf(item.of)
      const result = foldMatches(item, values, item.by === undefined ? [] : termsOf(item.by))
      const instance = instantiate(item, bindings)
      if (result === null || instance.kind !== 'aggregate') return NONE
      const { body, where: conditions } = instance
      const premise: Premise = {
        kind: 'aggregate', fn: item.fn, result, body, ...(conditions === undefined ? {} : { where: conditions }),
        matches: matches.map(({ facts }) => facts),
      }
      return withResult(item.into, result, premise, bindings)
    }
    case 'assign': {
      const expr = mapArguments(item.expr, (arg) => instantiateArgument(arg, bindings))
      const result = evaluateExpr(expr, termIn)
      if (result === undefined) return NONE
      return withResult(item.into, result, { kind: 'computed', into: item.into, expr, result }, bindings)
    }
  }
}

/** The goal may have asked for a result before it was worked out. */
function withResult(into: string, result: Term, premise: Premise, bindings: Bindings): Solutions {
  const already = termOfVariable(into, bindings)
  if (already !== undefined && !isSame(already, result)) return { found: [], instead: result }
  return { found: [{ premise, bindings: Object.fromEntries([...Object.entries(bindings), [into, result]]) }] }
}

/** undefined for a condition that does not hold, or that still waits for a value. */
function conditionPremise(condition: Condition, bindings: Bindings): Premise | undefined {
  const instance = instantiateCondition(condition, bindings)
  if (instance.kind === 'test') return holds(instance.expr, termIn) ? { kind: 'tested', expr: instance.expr } : undefined
  const { op, left, right } = instance
  if ('variable' in left || 'variable' in right) return undefined
  if (!satisfies(op, valueOf(left.term), valueOf(right.term))) return undefined
  return { kind: 'condition', op, left: left.term, right: right.term }
}

const termIn = (arg: Argument): Term | undefined => ('term' in arg ? arg.term : undefined)

/** Stands for the value of a match that is only counted. */
const UNREAD: Term = { kind: 'bnode', value: '' }

interface Match {
  readonly facts: readonly number[]
  readonly bindings: Bindings
}

/** At most that many of the matches, the first ones first. */
function matchesOf(atoms: readonly Atom[], model: Model, bindings: Bindings, most: number): Match[] {
  let found: Match[] = [{ facts: [], bindings }]
  for (const atom of atoms) {
    const next: Match[] = []
    for (const { facts, bindings } of found) {
      const pattern = instantiateAtom(atom, bindings).args.map((arg) => (arg !== null && 'term' in arg ? arg.term : undefined))
      for (const fact of model.find(atom.predicate, pattern)) {
        if (next.length >= most) break
        const extended = extend(bindings, atom, fact.args)
        if (extended !== undefined) next.push({ facts: [...facts, fact.id], bindings: extended })
      }
    }
    found = next
  }
  return found
}
