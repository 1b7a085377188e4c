/** Whether one step of a proof is an instance of its rule whose premises hold over the claimed facts. */
import type { Term } from '../../term.ts'
import { Folder } from './aggregate.ts'
import { workedOut } from './expression.ts'
import type { Judge } from './judge.ts'
import { Matcher, Unjudged } from './match.ts'
import type { Values } from './match.ts'
import { variablesIn } from './world.ts'
import type { ClaimedFact, World } from './world.ts'
import type { Aggregate, Argument, Atom, BodyItem, Condition, DatalogRule, Expr, Premise } from '../program.ts'

export type AggregatePremise = Extract<Premise, { kind: 'aggregate' }>

/** A premise as the checker reads it: facts stand for themselves, wherever their own proof is. */
export type StepPremise =
  | Exclude<Premise, { kind: 'fact' | 'aggregate' }>
  | { readonly kind: 'fact'; readonly fact: ClaimedFact }
  | (Omit<AggregatePremise, 'matches'> & { readonly matches: readonly (readonly ClaimedFact[])[] })

export interface Step {
  readonly fact: ClaimedFact
  readonly bindings: Readonly<Record<string, Term>>
  readonly premises: readonly StepPremise[]
}

export class StepChecker {
  readonly matcher: Matcher
  readonly folder: Folder
  readonly #bound = new WeakMap<DatalogRule, readonly string[]>()

  constructor(world: World, judge: Judge | undefined, shouldStop?: () => boolean) {
    this.matcher = new Matcher(world, judge, shouldStop)
    this.folder = new Folder(this.matcher)
  }

  /** What is wrong with the step as an instance of the rule, or undefined. */
  fault(rule: DatalogRule, { fact, bindings, premises }: Step): string | undefined {
    const names = this.boundBy(rule)
    // a value for a variable that ranges freely inside an aggregate would narrow what is counted
    const isComplete = Object.keys(bindings).length === names.length && names.every((name) => Object.hasOwn(bindings, name))
    if (!isComplete) return `the bindings are not those of ${rule.id}`
    const values: Values = new Map(Object.entries(bindings).map(([name, term]) => [name, this.matcher.codeOf(term)]))
    if (!this.#fits(rule.head, fact, values)) return `the conclusion is not the head of ${rule.id}`
    if (rule.body.length !== premises.length) return `${rule.id} has ${rule.body.length} premises, not ${premises.length}`
    for (const [i, item] of rule.body.entries()) {
      const premise = premises[i]
      const why = premise === undefined ? 'is missing' : this.#judged(item, premise, values)
      if (why !== undefined) return `premise ${i + 1} of ${rule.id} ${why}`
    }
    return undefined
  }

  /** The variables that have a value in every instance: those of positive atoms, and results. */
  boundBy(rule: DatalogRule): readonly string[] {
    let names = this.#bound.get(rule)
    if (names === undefined) {
      const all = rule.body.flatMap((item) => (item.kind === 'atom' ? variablesIn(item.atom) : 'into' in item ? [item.into] : []))
      this.#bound.set(rule, (names = [...new Set(all)]))
    }
    return names
  }

  #judged(item: BodyItem, premise: StepPremise, values: Values): string | undefined {
    try {
      return this.#premiseFault(item, premise, values)
    } catch (error) {
      if (error instanceof Unjudged) return error.message
      throw error
    }
  }

  #premiseFault(item: BodyItem, premise: StepPremise, values: Values): string | undefined {
    switch (item.kind) {
      case 'atom': {
        const isAsked = premise.kind === 'fact' && this.#fits(item.atom, premise.fact, values)
        return isAsked ? undefined : 'is not the fact that the rule asks for'
      }
      case 'not': {
        const isAsked = premise.kind === 'absent' && this.#isAbsence(premise.atom, item.atom, values)
        if (!isAsked) return 'is not the absence that the rule asks for'
        return this.matcher.isAbsent(premise.atom, new Map()) ? undefined : 'says absent, but there is such a fact'
      }
      case 'compare': {
        const isAsked = premise.kind === 'condition' && premise.op === item.op
        if (!isAsked || !this.#isValue(item.left, premise.left, values) || !this.#isValue(item.right, premise.right, values)) {
          return 'is not the condition that the rule asks for'
        }
        return this.matcher.holds(item, values) ? undefined : 'is a condition that does not hold'
      }
      case 'test': {
        const isAsked = premise.kind === 'tested' && this.#isExpr(item.expr, premise.expr, values)
        if (!isAsked) return 'is not the test that the rule asks for'
        return this.matcher.holds(item, values) ? undefined : 'is a test that does not hold'
      }
      case 'assign': {
        if (premise.kind !== 'computed' || premise.into !== item.into || !this.#isExpr(item.expr, premise.expr, values)) {
          return 'is not the calculation that the rule asks for'
        }
        const result = workedOut(this.matcher.ground(item.expr, values), this.matcher.judge)
        if (result === 'unjudged') return 'is a calculation that cannot be judged here'
        const code = result === null ? 0 : this.matcher.codeOf(result)
        const isRight = result !== null && code === this.matcher.codeOf(premise.result) && code === values.get(item.into)
        return isRight ? undefined : 'is a calculation with another result'
      }
      case 'aggregate':
        return this.#aggregateFault(item, premise, values)
    }
  }

  #aggregateFault(item: Aggregate, premise: StepPremise, values: Values): string | undefined {
    const isAsked =
      premise.kind === 'aggregate' &&
      premise.fn === item.fn &&
      premise.body.length === item.body.length &&
      item.body.every((atom, i) => this.#isInstance(atom, premise.body[i], values)) &&
      (premise.where ?? []).length === (item.where ?? []).length &&
      (item.where ?? []).every((condition, i) => this.#isCondition(condition, premise.where?.[i], values))
    if (!isAsked) return 'is not the aggregate that the rule asks for'
    const folded = this.folder.fold(item, values)
    const stated = premise.matches.map((match) => ({ match, key: match.map((fact) => this.#rowOf(fact)).join(' ') }))
    const inOrder = stated.map(({ key }) => folded.terms[folded.matches.indexOf(key)]).filter((term) => term !== undefined)
    const isRight = this.matcher.codeOf(premise.result) === values.get(item.into)
    if (!isRight || !this.folder.isResult(item, folded, premise.result, inOrder)) return 'is an aggregate with another result'
    const keys = stated.map(({ key }) => key).toSorted()
    const found = folded.matches.toSorted()
    const isSame = keys.length === found.length && keys.every((key, i) => key === found[i])
    const isOfPredicates = stated.every(({ match }) => match.every((fact, i) => fact.predicate === item.body[i]?.predicate))
    return isSame && isOfPredicates ? undefined : 'is an aggregate over other facts'
  }

  #rowOf(fact: ClaimedFact): number {
    const { world } = this.matcher
    return world.shelf(fact.predicate, fact.args.length).find(world.row(fact))
  }

  /** Whether the fact is the atom with these values, every variable having one. */
  #fits(atom: Atom, fact: ClaimedFact, values: Values): boolean {
    if (atom.predicate !== fact.predicate || atom.args.length !== fact.args.length) return false
    return atom.args.every((arg, i) => {
      const value = fact.args[i]
      if (arg === null) return true
      return value !== null && value !== undefined && this.matcher.codeIn(arg, values) === this.matcher.codeOf(value)
    })
  }

  /** Whether `stated` is the negated atom with its values put in and its other variables left open. */
  #isAbsence(stated: Atom, atom: Atom, values: Values): boolean {
    if (stated.predicate !== atom.predicate || stated.args.length !== atom.args.length) return false
    return atom.args.every((arg, i) => {
      const given = stated.args[i]
      const code = arg === null ? 0 : this.matcher.codeIn(arg, values)
      if (code === 0) return given === null
      return given !== null && given !== undefined && 'term' in given && this.matcher.codeOf(given.term) === code
    })
  }

  /** Whether `stated` is the atom with its values put in, the other variables staying what they are. */
  #isInstance(atom: Atom, stated: Atom | undefined, values: Values): boolean {
    if (stated === undefined || stated.predicate !== atom.predicate || stated.args.length !== atom.args.length) return false
    return atom.args.every((arg, i) => {
      const given = stated.args[i]
      if (arg === null || given === null || given === undefined) return arg === null && given === null
      return this.#isArgument(arg, given, values)
    })
  }

  #isArgument(arg: Argument, given: Argument, values: Values): boolean {
    const code = this.matcher.codeIn(arg, values)
    if (code === 0) return 'variable' in arg && 'variable' in given && arg.variable === given.variable
    return 'term' in given && this.matcher.codeOf(given.term) === code
  }

  #isValue(arg: Argument, given: Term, values: Values): boolean {
    return this.matcher.codeIn(arg, values) === this.matcher.codeOf(given)
  }

  #isCondition(condition: Condition, given: Condition | undefined, values: Values): boolean {
    if (condition.kind === 'test') return given?.kind === 'test' && this.#isExpr(condition.expr, given.expr, values)
    if (given?.kind !== 'compare' || given.op !== condition.op) return false
    return this.#isArgument(condition.left, given.left, values) && this.#isArgument(condition.right, given.right, values)
  }

  /** Whether `given` is the expression with its values put in. */
  #isExpr(expr: Expr, given: Expr, values: Values): boolean {
    if ('op' in expr) {
      const isSame = 'op' in given && given.op === expr.op
      return isSame && this.#isExpr(expr.left, given.left, values) && this.#isExpr(expr.right, given.right, values)
    }
    if ('minus' in expr) return 'minus' in given && this.#isExpr(expr.minus, given.minus, values)
    if ('call' in expr) {
      if (!('call' in given) || given.call !== expr.call || given.args.length !== expr.args.length) return false
      return expr.args.every((arg, i) => {
        const other = given.args[i]
        return other !== undefined && this.#isExpr(arg, other, values)
      })
    }
    return ('term' in given || 'variable' in given) && this.#isArgument(expr, given, values)
  }
}
