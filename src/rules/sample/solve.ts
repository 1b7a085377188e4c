/** Values for the variables of a goal, so that all its conditions hold: a search that looks at a condition as soon as it can. */
import { type Argument, type Expr, evaluateExpr, foldMatches, satisfies, valueOf } from '../../kernel/datalog/index.ts'
import { type Term, XSD, iri, literal, termKey } from '../../kernel/term.ts'
import { effectiveBoolean } from '../../kernel/values/index.ts'
import type { Check, Computed, Goal } from './goal.ts'
import { valuesFor } from './values.ts'

export interface SolveOptions {
  /** the datatype of a property's values, '' where nobody says which; null where its values are things; undefined: nobody knows */
  readonly rangeOf: (property: string) => string | null | undefined
  /** the name of a thing that a variable stands for */
  readonly thing: (variable: string) => string
  /** a text that no other set of records has */
  readonly text: (variable: string) => string
}

export type Solution = ReadonlyMap<string, Term>

/** Assignments tried before the search gives up. */
const MOST_STEPS = 40_000

/** undefined where none is found. */
export function solve(given: Goal, options: SolveOptions): Solution | undefined {
  const same = unified(given.checks)
  if (same === undefined) return undefined
  const goal = substituted(given, same)
  const domains = domainsOf(goal, options)
  const computed = new Map(goal.computed.map((one) => [one.into, one]))
  const inputs = (names: Iterable<string>): string[] => {
    const found = new Set<string>()
    const pending = [...names]
    const seen = new Set<string>()
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (seen.has(name)) continue
      seen.add(name)
      const made = computed.get(name)
      if (made === undefined) found.add(name)
      else pending.push(...(made.kind === 'assign' ? variablesIn(made.expr) : [...made.of, ...made.by].filter((one) => one !== '')))
    }
    return [...found]
  }
  const checks = goal.checks.filter((check) => check.kind !== 'same').map((check) => ({ check, needs: inputs(namesIn(check)) }))
  // a value that is worked out must come out at all
  const makes = goal.computed.map((one) => ({ into: one.into, needs: inputs([one.into]) }))
  const order = [...new Set(checks.toSorted((x, y) => x.needs.length - y.needs.length).flatMap(({ needs }) => needs)), ...makes.flatMap(({ needs }) => needs)]
  const variables = [...new Set([...order, ...domains.keys()])]
  const env = new Map<string, Term>()
  let steps = 0
  const valueOfName = (name: string): Term | undefined => {
    const made = computed.get(name)
    return made === undefined ? env.get(name) : worked(made, termOf)
  }
  const termOf = (arg: Argument): Term | undefined => ('term' in arg ? arg.term : valueOfName(arg.variable))
  const isReady = (needs: readonly string[]) => needs.every((name) => env.has(name))
  const holdsSoFar = (last: string): boolean =>
    checks.every(({ check, needs }) => !needs.includes(last) || !isReady(needs) || holds(check, termOf)) &&
    makes.every(({ into, needs }) => !needs.includes(last) || !isReady(needs) || valueOfName(into) !== undefined)
  const search = (at: number): boolean => {
    const name = variables[at]
    if (name === undefined) return true
    for (const value of domains.get(name) ?? []) {
      if ((steps += 1) > MOST_STEPS) return false
      env.set(name, value)
      if (holdsSoFar(name) && search(at + 1)) return true
      env.delete(name)
    }
    return false
  }
  const constant = checks.every(({ check, needs }) => needs.length > 0 || holds(check, termOf)) && makes.every(({ into, needs }) => needs.length > 0 || valueOfName(into) !== undefined)
  if (!constant || !search(0)) return undefined
  const all = new Map(env)
  for (const one of goal.computed) {
    const value = valueOfName(one.into)
    if (value !== undefined) all.set(one.into, value)
  }
  // a variable that is the same as another has its value
  for (const [name, arg] of same) {
    const value = 'term' in arg ? arg.term : all.get(arg.variable)
    if (value !== undefined) all.set(name, value)
  }
  return all
}

export const holds = (check: Check, termOf: (arg: Argument) => Term | undefined): boolean => {
  if (check.kind === 'test') return effectiveBoolean(evaluateExpr(check.expr, termOf)) === true
  const [left, right] = [termOf(check.left), termOf(check.right)]
  if (left === undefined || right === undefined) return false
  return check.kind === 'same' ? termKey(left) === termKey(right) : satisfies(check.op, valueOf(left), valueOf(right))
}

function worked(made: Computed, termOf: (arg: Argument) => Term | undefined): Term | undefined {
  if (made.kind === 'assign') return evaluateExpr(made.expr, termOf)
  const valued = (names: readonly string[]) => names.map((name) => (name === '' ? iri('urn:match') : termOf({ variable: name })))
  const [terms, by] = [valued(made.of), valued(made.by)]
  if ([...terms, ...by].includes(undefined)) return undefined
  const { aggregate } = made
  if (aggregate.fn === 'count' && aggregate.of === null) return literal(String(terms.length), `${XSD}integer`)
  return foldMatches(aggregate, terms as Term[], by as Term[]) ?? undefined
}

/** Variables that are the same as a term or another variable; undefined where two different terms would be the same. */
function unified(checks: readonly Check[]): Map<string, Argument> | undefined {
  const found = new Map<string, Argument>()
  const root = (arg: Argument): Argument => {
    let now = arg
    while ('variable' in now && found.has(now.variable)) now = found.get(now.variable)!
    return now
  }
  for (const check of checks) {
    if (check.kind !== 'same') continue
    const [left, right] = [root(check.left), root(check.right)]
    if ('variable' in left) {
      if (!('variable' in right && right.variable === left.variable)) found.set(left.variable, right)
    } else if ('variable' in right) found.set(right.variable, left)
    else if (termKey(left.term) !== termKey(right.term)) return undefined
  }
  return new Map([...found.keys()].map((name) => [name, root({ variable: name })]))
}

export function substituted({ patterns, checks, computed }: Goal, same: ReadonlyMap<string, Argument>): Goal {
  const put = (arg: Argument): Argument => ('variable' in arg ? (same.get(arg.variable) ?? arg) : arg)
  const name = (one: string): string => {
    const arg = put({ variable: one })
    return 'variable' in arg ? arg.variable : one
  }
  const inExpr = (expr: Expr): Expr => {
    if ('call' in expr) return { call: expr.call, args: expr.args.map(inExpr) }
    if ('op' in expr) return { op: expr.op, left: inExpr(expr.left), right: inExpr(expr.right) }
    return 'minus' in expr ? { minus: inExpr(expr.minus) } : put(expr)
  }
  return {
    patterns: patterns.map(({ subject, property, object }) => ({ subject: put(subject), property, object: put(object) })),
    checks: checks.map((check): Check => (check.kind === 'test' ? { ...check, expr: inExpr(check.expr) } : { ...check, left: put(check.left), right: put(check.right) })),
    computed: computed.map((one): Computed =>
      one.kind === 'assign' ? { ...one, into: name(one.into), expr: inExpr(one.expr) } : { ...one, into: name(one.into), of: one.of.map((each) => (each === '' ? '' : name(each))), by: one.by.map(name) }),
  }
}

/** What each variable of the triples may be: a thing of its own where it is a subject, a value where its property holds values. */
function domainsOf(goal: Goal, { rangeOf, thing, text }: SolveOptions): Map<string, readonly Term[]> {
  const exprs = goal.checks.flatMap((check): Expr[] => (check.kind === 'test' ? [check.expr] : [check.left, check.right]))
  const all = [...exprs, ...goal.computed.flatMap((one) => (one.kind === 'assign' ? [one.expr] : []))]
  const constants = all.flatMap(constantsIn)
  const patterns = all.flatMap(patternsIn)
  const compared = new Set(goal.checks.flatMap(namesIn).concat(goal.computed.flatMap((one) => (one.kind === 'assign' ? variablesIn(one.expr) : [...one.of, ...one.by]))))
  const subjects = new Set(goal.patterns.flatMap(({ subject }) => ('variable' in subject ? [subject.variable] : [])))
  const made = new Set(goal.computed.map(({ into }) => into))
  const things = new Set<string>(subjects)
  const ranges = new Map<string, string>()
  // what nobody knows is taken for values where the rule compares them
  const valued = new Set(goal.patterns.flatMap(({ property, object }) => ('variable' in object && compared.has(object.variable) ? [property] : [])))
  for (const { property, object } of goal.patterns) {
    if (!('variable' in object) || subjects.has(object.variable) || made.has(object.variable)) continue
    const range = rangeOf(property) === undefined && valued.has(property) ? '' : rangeOf(property)
    if (range === null || range === undefined) things.add(object.variable)
    else if ((ranges.get(object.variable) ?? '') === '') ranges.set(object.variable, range)
  }
  const individuals = [...things].map((name) => iri(thing(name)))
  const domains = new Map<string, readonly Term[]>()
  // things differ from each other, unless a condition wants two to be one
  for (const [at, name] of [...things].entries()) domains.set(name, [individuals[at]!, ...(compared.has(name) ? individuals.filter((_, n) => n !== at) : [])])
  const free = new Set(goal.patterns.flatMap(({ property, object }) => ('variable' in object && !compared.has(object.variable) && !valued.has(property) ? [object.variable] : [])))
  for (const [at, [name, range]] of [...ranges].entries()) {
    if (things.has(name)) continue
    const values = valuesFor(range, constants, patterns)
    // values that nothing is asked of differ from each other, so that sets of records do not meet in them
    const isText = range === '' || range === `${XSD}string`
    domains.set(name, !free.has(name) ? values : isText ? [literal(text(name))] : [...values.slice(at % values.length), ...values])
  }
  return domains
}

const namesIn = (check: Check): string[] =>
  check.kind === 'test' ? variablesIn(check.expr) : [check.left, check.right].flatMap((arg) => ('variable' in arg ? [arg.variable] : []))

function variablesIn(expr: Expr): string[] {
  if ('call' in expr) return expr.args.flatMap(variablesIn)
  if ('op' in expr) return [...variablesIn(expr.left), ...variablesIn(expr.right)]
  if ('minus' in expr) return variablesIn(expr.minus)
  return 'variable' in expr ? [expr.variable] : []
}

function constantsIn(expr: Expr): Term[] {
  if ('call' in expr) return expr.args.flatMap(constantsIn)
  if ('op' in expr) return [...constantsIn(expr.left), ...constantsIn(expr.right)]
  if ('minus' in expr) return constantsIn(expr.minus)
  return 'term' in expr ? [expr.term] : []
}

function patternsIn(expr: Expr): string[] {
  if (!('call' in expr)) return 'op' in expr ? [...patternsIn(expr.left), ...patternsIn(expr.right)] : []
  const [, pattern] = expr.args
  const own = expr.call === 'regex' && pattern !== undefined && 'term' in pattern ? [pattern.term.value] : []
  return [...own, ...expr.args.flatMap(patternsIn)]
}
