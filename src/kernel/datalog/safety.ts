/** Which variables a rule binds, and what is wrong with those that it does not. */
import { operandsOf } from './expression.ts'
import type { Aggregate, Argument, Atom, BodyItem, Condition, DatalogRule } from './program.ts'

export type AggregateItem = Aggregate
export type AssignItem = Extract<BodyItem, { kind: 'assign' }>
/** The parts of a body that give a value to a variable of their own. */
export type ResultItem = AggregateItem | AssignItem

export interface VariableFault {
  readonly variable: string
  readonly message: string
}

export const variablesOf = (args: readonly (Argument | null)[]): string[] =>
  args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : []))

/** Variables with a value in every instance of the rule: those of positive atoms, and results of aggregates and calculations. */
export function boundVariables(rule: DatalogRule): Set<string> {
  const bound = new Set<string>()
  for (const item of rule.body) {
    if (item.kind === 'atom') for (const variable of variablesOf(item.atom.args)) bound.add(variable)
    if (isResult(item)) bound.add(item.into)
  }
  return bound
}

/** The variables of an aggregate's body that get their value outside of it; the others range freely inside. */
export function groupVariables(item: AggregateItem, bound: ReadonlySet<string>): string[] {
  return [...new Set([...variablesIn(item.body), ...(item.where ?? []).flatMap(conditionVariables)])].filter((variable) =>
    bound.has(variable),
  )
}

export const conditionVariables = (condition: Condition): string[] =>
  variablesOf(condition.kind === 'test' ? operandsOf(condition.expr) : [condition.left, condition.right])

const isResult = (item: BodyItem): item is ResultItem => item.kind === 'aggregate' || item.kind === 'assign'

/** The variables that must have their values before the part can have its own. */
const neededBy = (item: ResultItem, bound: ReadonlySet<string>): string[] =>
  item.kind === 'aggregate' ? groupVariables(item, bound) : operandVariables(item).filter((variable) => bound.has(variable))

const operandVariables = (item: AssignItem): string[] => [...new Set(variablesOf(operandsOf(item.expr)))]

/** Variables that stand once in the whole rule. Inside a negated atom such a one asks for any value and reads like `_`. */
export function singleVariables(rule: DatalogRule): Set<string> {
  const single = new Set<string>()
  const seen = new Set<string>()
  for (const variable of occurrences(rule)) {
    if (seen.has(variable)) single.delete(variable)
    else single.add(variable)
    seen.add(variable)
  }
  return single
}

export function variableFaults(rule: DatalogRule): VariableFault[] {
  const faults: VariableFault[] = []
  const bound = boundVariables(rule)
  const single = singleVariables(rule)
  const named = new Set<string>()
  const complain = (variable: string, message: string) => {
    if (named.has(variable)) return
    named.add(variable)
    faults.push({ variable, message })
  }
  const require = (args: readonly (Argument | null)[], place: string) => {
    for (const variable of variablesOf(args)) {
      if (!bound.has(variable)) complain(variable, `?${variable} ${place} is bound by no positive atom and no aggregate`)
    }
  }
  require(rule.head.args, 'in the head')
  for (const item of rule.body) {
    if (item.kind === 'compare') require([item.left, item.right], 'in a comparison')
    if (item.kind === 'assign') require(operandsOf(item.expr), 'in a calculation')
    if (item.kind === 'test') require(operandsOf(item.expr), 'in a condition')
    if (item.kind === 'not') {
      const args = item.atom.args.filter((arg) => arg !== null && 'variable' in arg && !single.has(arg.variable))
      require(args, `in 'not ${item.atom.predicate}'`)
    }
  }
  for (const fault of resultFaults(rule, bound)) complain(fault.variable, fault.message)
  return faults
}

/** Aggregates and calculations in an order in which each finds its values; those that wait for each other are left out. */
export function resultOrder(rule: DatalogRule): ResultItem[] {
  const bound = boundVariables(rule)
  const ready = new Set(positiveVariables(rule))
  let waiting = rule.body.filter(isResult)
  const ordered: ResultItem[] = []
  for (;;) {
    const next = waiting.filter((item) => neededBy(item, bound).every((variable) => ready.has(variable)))
    if (next.length === 0) return ordered
    ordered.push(...next)
    for (const item of next) ready.add(item.into)
    waiting = waiting.filter((item) => !next.includes(item))
  }
}

function* resultFaults(rule: DatalogRule, bound: ReadonlySet<string>): Generator<VariableFault> {
  const taken = new Set(positiveVariables(rule))
  const ordered = new Set(resultOrder(rule))
  for (const item of rule.body) {
    if (!isResult(item)) continue
    const what = item.kind === 'aggregate' ? item.fn : 'the calculation'
    if (taken.has(item.into)) {
      const message = `?${item.into} already has a value; give the result of ${what} another name and compare the two`
      yield { variable: item.into, message }
    } else if (!ordered.has(item)) {
      const needed = neededBy(item, bound).map((variable) => `?${variable}`)
      const short = item.kind === 'aggregate' ? `${item.fn} {…}` : '…'
      const message = `?${item.into} = ${short} needs ${needed.join(', ')}, which in turn needs ?${item.into}`
      yield { variable: item.into, message }
    }
    taken.add(item.into)
    if (item.kind === 'assign') continue
    const inside = variablesIn(item.body)
    for (const variable of (item.where ?? []).flatMap(conditionVariables)) {
      if (!inside.includes(variable) && !bound.has(variable)) {
        yield { variable, message: `?${variable} in a condition of ${item.fn} {…} is bound by no atom` }
      }
    }
    if (item.fn === 'latest' && (item.by === undefined || !inside.includes(item.by))) {
      yield { variable: item.into, message: 'latest needs a variable of its atoms to go by: latest(?x by ?time) { … }' }
    }
    if (item.sparql !== undefined && (item.of === null || inside.includes(item.of))) continue
    if (item.fn === 'count' && item.of !== null) {
      yield { variable: item.of, message: `count counts the matches of its atoms and takes no variable: count { … }` }
    } else if (item.fn !== 'count' && item.of === null) {
      yield { variable: item.into, message: `${item.fn} needs the variable to fold: ${item.fn}(?x) { … }` }
    } else if (item.of !== null && !inside.includes(item.of)) {
      yield { variable: item.of, message: `?${item.of} in ${item.fn}(?${item.of}) is bound by none of its atoms` }
    }
  }
}

const positiveVariables = (rule: DatalogRule): string[] =>
  rule.body.flatMap((item) => (item.kind === 'atom' ? variablesOf(item.atom.args) : []))

const variablesIn = (atoms: readonly Atom[]): string[] => atoms.flatMap((atom) => variablesOf(atom.args))

function occurrences(rule: DatalogRule): string[] {
  const inBody = rule.body.flatMap((item) => {
    if (item.kind === 'compare') return variablesOf([item.left, item.right])
    if (item.kind === 'assign') return [item.into, ...variablesOf(operandsOf(item.expr))]
    if (item.kind === 'test') return conditionVariables(item)
    if (item.kind === 'aggregate') {
      const named = [item.into, item.of ?? item.into, ...(item.by === undefined ? [] : [item.by])]
      return named.concat(variablesIn(item.body), (item.where ?? []).flatMap(conditionVariables))
    }
    return variablesOf(item.atom.args)
  })
  return variablesOf(rule.head.args).concat(inBody)
}
