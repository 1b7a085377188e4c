/** Turns a rule into registers and join plans. A plan is made when first needed, for the sizes that the tables then have. */
import { calculate } from './arithmetic.ts'
import { evaluateExpr, holds as exprHolds } from './evaluate-expr.ts'
import { callsIn, operandsOf } from './expression.ts'
import type { Argument, Atom, Condition, DatalogRule, Expr } from './program.ts'
import { foldMatches } from './fold.ts'
import type { FactBase } from './fact-base.ts'
import type { Term } from '../term.ts'
import { closedAtom } from './instantiate.ts'
import { holds, join } from './join.ts'
import type { JoinPlan, Pulse, Slot, Test } from './join.ts'
import { planOf } from './plan.ts'
import type { CompiledAtom, Pending } from './plan.ts'
import { boundVariables, groupVariables, resultOrder, variablesOf } from './safety.ts'
import type { AggregateItem, AssignItem } from './safety.ts'
import { satisfies } from '../values/index.ts'

export interface CompiledAggregate {
  readonly item: AggregateItem
  /** the facts of each match, in the order of the aggregate's atoms */
  matches(registers: Uint32Array): number[][]
}

export interface CompiledRule {
  readonly rule: DatalogRule
  readonly number: number
  readonly head: CompiledAtom
  /** the positive atoms, in the order of the body */
  readonly atoms: readonly CompiledAtom[]
  readonly registers: Uint32Array
  /** registers of the variables that every instance binds */
  readonly named: ReadonlyMap<string, number>
  readonly aggregates: ReadonlyMap<AggregateItem, CompiledAggregate>
  /** sets the results of aggregates and calculations for registers that the positive atoms have set */
  readonly complete: (registers: Uint32Array) => void
  /** a plan that starts with the given positive atom, or with the best one */
  plan(driver: number | null): JoinPlan
}

/** The predicates that the rule negates or counts must be complete by now. */
export function compileRule(rule: DatalogRule, number: number, base: FactBase, beat: Pulse): CompiledRule {
  const scope = new Map<string, number>()
  const valueOf = (code: number) => base.dictionary.value(code)
  const bound = boundVariables(rule)
  const named = new Map([...bound].map((variable) => [variable, registerOf(variable, scope)]))
  const atoms = rule.body.flatMap((item) => (item.kind === 'atom' ? [compileAtom(item.atom, base, scope)] : []))
  const filters: Pending[] = []
  for (const item of rule.body) {
    if (item.kind === 'compare' || item.kind === 'test') filters.push(compileCondition(item, base, scope))
    if (item.kind === 'not') filters.push(compileNegation(compileAtom(closedAtom(item.atom, bound), base, scope)))
  }
  // an aggregate's free variables get registers of their own: another aggregate may use the same names
  let registerCount = scope.size
  const aggregates = new Map<AggregateItem, CompiledAggregate>()
  const folds: Pending[] = []
  const results: Pending[] = []
  for (const item of resultOrder(rule)) {
    if (item.kind === 'assign') {
      const calculation = compileCalculation(item, base, scope)
      filters.push(calculation)
      results.push(calculation)
      continue
    }
    const inner = new Map(groupVariables(item, bound).map((variable) => [variable, scope.get(variable) ?? 0]))
    const group = [...inner.values()]
    for (const variable of item.body.flatMap((atom) => variablesOf(atom.args))) {
      if (!inner.has(variable)) inner.set(variable, registerCount++)
    }
    const atoms = item.body.map((atom) => compileAtom(atom, base, inner))
    const conditions = (item.where ?? []).map((condition) => compileCondition(condition, base, inner))
    const plan = planOf(atoms, { filters: conditions, folds: [] }, null, group, valueOf)
    const { compiled, pending } = compileAggregate(item, plan, group, inner, scope.get(item.into) ?? 0, base, beat)
    aggregates.set(item, compiled)
    folds.push(pending)
    results.push(pending)
  }
  const plans = new Map<number | null, JoinPlan>()
  return {
    rule,
    number,
    head: compileAtom(rule.head, base, scope),
    atoms,
    registers: new Uint32Array(registerCount),
    named,
    aggregates,
    complete: (registers) => {
      for (const { test } of results) test(registers)
    },
    plan(driver) {
      let plan = plans.get(driver)
      if (plan === undefined) plans.set(driver, (plan = planOf(atoms, { filters, folds }, driver, [], valueOf)))
      return plan
    },
  }
}

function registerOf(variable: string, scope: Map<string, number>): number {
  const known = scope.get(variable) ?? scope.size
  scope.set(variable, known)
  return known
}

function slotOf(arg: Argument, column: number, base: FactBase, scope: Map<string, number>): Slot {
  return 'term' in arg
    ? { column, register: -1, code: base.dictionary.code(arg.term) }
    : { column, register: registerOf(arg.variable, scope), code: 0 }
}

function compileAtom(atom: Atom, base: FactBase, scope: Map<string, number>): CompiledAtom {
  const slots = atom.args.flatMap((arg, column) => (arg === null ? [] : [slotOf(arg, column, base, scope)]))
  return { table: base.table(atom.predicate), slots }
}

const registersIn = (slots: readonly Slot[]): number[] => slots.flatMap(({ register }) => (register < 0 ? [] : [register]))

function compileCondition(condition: Condition, base: FactBase, scope: Map<string, number>): Pending {
  if (condition.kind === 'compare') {
    return compileComparison(condition.op, slotOf(condition.left, 0, base, scope), slotOf(condition.right, 0, base, scope), base)
  }
  const { termOf, needs } = compileOperands(condition.expr, base, scope)
  const [only, ...others] = new Set(needs)
  const kinds = kindsAsked(condition.expr)
  if (kinds !== undefined && only !== undefined) {
    return { needs, gives: null, test: (registers) => kinds.has(base.dictionary.term(registers[only] ?? 0).kind) }
  }
  const test: Test = (registers) => exprHolds(condition.expr, (arg) => termOf(arg, registers))
  return { needs, gives: null, test: only === undefined || others.length > 0 ? test : remembered(test, only) }
}

const KINDS: Readonly<Record<string, Term['kind']>> = { isiri: 'iri', isblank: 'bnode', isliteral: 'literal' }

/** The kinds of terms that a test such as `!isliteral(?x)` lets through, where it looks at nothing else. */
function kindsAsked(expr: Expr): ReadonlySet<Term['kind']> | undefined {
  if (!('call' in expr)) return undefined
  const [arg] = expr.args
  if (arg === undefined) return undefined
  if (expr.call === '!') {
    const denied = kindsAsked(arg)
    return denied && new Set(Object.values(KINDS).filter((kind) => !denied.has(kind)))
  }
  const kind = KINDS[expr.call]
  return kind !== undefined && 'variable' in arg ? new Set([kind]) : undefined
}

/** A test of one value, asked once for each value: 1 for no, 2 for yes. */
function remembered(test: Test, register: number): Test {
  let known = new Uint8Array(1024)
  return (registers) => {
    const code = registers[register] ?? 0
    if (code >= known.length) {
      const grown = new Uint8Array(2 * code)
      grown.set(known)
      known = grown
    }
    return (known[code] ||= test(registers) ? 2 : 1) === 2
  }
}

/** The registers of an expression's operands, and how to read them. */
function compileOperands(expr: Expr, base: FactBase, scope: Map<string, number>) {
  const slots = new Map(operandsOf(expr).map((arg) => [arg, slotOf(arg, 0, base, scope)]))
  const codeOf = (arg: Argument, registers: Uint32Array): number => {
    const { register = -1, code = 0 } = slots.get(arg) ?? {}
    return register < 0 ? code : (registers[register] ?? 0)
  }
  const termOf = (arg: Argument, registers: Uint32Array) => {
    const code = codeOf(arg, registers)
    return code === 0 ? undefined : base.dictionary.term(code)
  }
  return { codeOf, termOf, needs: registersIn([...slots.values()]) }
}

function compileComparison(op: Parameters<typeof satisfies>[0], left: Slot, right: Slot, { dictionary }: FactBase): Pending {
  const value = ({ register, code }: Slot, registers: Uint32Array) =>
    dictionary.value(register < 0 ? code : (registers[register] ?? 0))
  const test: Test = (registers) => satisfies(op, value(left, registers), value(right, registers))
  const order = op === '<' || op === '<=' ? { smaller: left, greater: right } : op === '>' || op === '>=' ? { smaller: right, greater: left } : undefined
  return { needs: registersIn([left, right]), gives: null, test, ...(order === undefined ? {} : { order }) }
}

function compileCalculation(item: AssignItem, base: FactBase, scope: Map<string, number>): Pending {
  const { dictionary } = base
  const { codeOf, termOf, needs } = compileOperands(item.expr, base, scope)
  const into = registerOf(item.into, scope)
  // a variable or a constant alone is the term itself, as it is spelled: there is nothing to calculate
  const isPlain = callsIn(item.expr).length === 0 && !('term' in item.expr) && !('variable' in item.expr)
  const resultOf = (registers: Uint32Array): number => {
    const plain = isPlain ? calculate(item.expr, (arg) => dictionary.value(codeOf(arg, registers))) : null
    const result = plain ?? evaluateExpr(item.expr, (arg) => termOf(arg, registers))
    return result === undefined ? 0 : dictionary.code(result)
  }
  // the end of a window, say, is asked for with every candidate and depends on one value
  const known = new Map<number, number>()
  const [only, ...others] = new Set(needs)
  const isOfOne = only !== undefined && others.length === 0
  const test: Test = (registers) => {
    const code = isOfOne ? (registers[only] ?? 0) : 0
    let result = isOfOne ? known.get(code) : undefined
    if (result === undefined) {
      result = resultOf(registers)
      if (isOfOne) known.set(code, result)
    }
    registers[into] = result
    return result !== 0
  }
  return { needs, gives: into, test }
}

function compileNegation({ table, slots }: CompiledAtom): Pending {
  const index = slots.length > 0 ? table.index(slots.map(({ column }) => column)) : undefined
  return { needs: registersIn(slots), gives: null, test: (registers) => !holds(table, slots, index, registers) }
}

function compileAggregate(
  item: AggregateItem,
  plan: JoinPlan,
  group: readonly number[],
  scope: ReadonlyMap<string, number>,
  into: number,
  { dictionary }: FactBase,
  beat: Pulse,
): { compiled: CompiledAggregate; pending: Pending } {
  const folded = item.of === null ? undefined : scope.get(item.of)
  const by = item.by === undefined ? undefined : scope.get(item.by)
  const eachMatch = (registers: Uint32Array, beat: Pulse, see: (facts: readonly number[]) => void) => {
    const facts: number[] = item.body.map(() => 0)
    return join(plan, registers, facts, beat, () => {
      see(facts)
      return true
    })
  }
  // many bindings of the rest of the body share a group
  const results = new Map<string, number>()
  const test: Test = (registers) => {
    const key = group.map((register) => registers[register]).join(' ')
    let result = results.get(key)
    if (result === undefined) {
      const terms: Term[] = []
      const keys: Term[] = []
      const see = () => {
        terms.push(folded === undefined ? COUNTED : dictionary.term(registers[folded] ?? 0))
        if (by !== undefined) keys.push(dictionary.term(registers[by] ?? 0))
      }
      if (!eachMatch(registers, beat, see)) return false
      const term = foldMatches(item, terms, keys)
      result = term === null ? 0 : dictionary.code(term)
      results.set(key, result)
    }
    registers[into] = result
    return result !== 0
  }
  const matches = (registers: Uint32Array) => {
    const found: number[][] = []
    eachMatch(registers, { left: Infinity, stopped: false, ask: () => false }, (facts) => found.push([...facts]))
    return found
  }
  return { compiled: { item, matches }, pending: { needs: group, gives: into, test } }
}

/** Stands for a match whose value nobody looks at. */
const COUNTED: Term = { kind: 'bnode', value: '' }
