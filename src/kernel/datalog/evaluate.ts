/**
 * Computes the least model: strata upward, so that what a rule negates or counts is complete; inside a stratum tiers upward,
 * so that the first derivation of a fact has its lowest tier; inside a tier semi-naive rounds, so that no instance of a rule
 * is met twice. Both kinds of step work alike: a "new" atom drives the join, atoms before it see what was there before, atoms
 * after it see everything. At the start of a tier the facts of exactly this tier are new, later those of the last round.
 */
import { checkProgram } from './check-program.ts'
import { compileRule } from './compile.ts'
import type { CompiledRule } from './compile.ts'
import { FactBase } from './fact-base.ts'
import { join, pulse } from './join.ts'
import type { Pulse } from './join.ts'
import { modelOf } from './model.ts'
import type { Budget, DatalogRule, Fact, Model, Program } from './program.ts'
import { stratify } from './stratify.ts'
import type { FactTable } from './table.ts'
import { tiersOf } from './tiers.ts'

/** Throws on a program that `checkProgram` finds fault with, and on facts whose arity does not fit. */
export function evaluate(program: Program, facts: readonly Fact[], budget: Budget = {}): Model {
  const faults = checkProgram(program)
  const strata = stratify(program.rules)
  if (faults.length > 0 || !strata.ok) throw new Error(`not a valid program: ${faults.map(({ message }) => message).join('; ')}`)

  const base = new FactBase(program, facts)
  const tiers = tiersOf(program.relations, base)
  const run = new Run(base, budget)
  const rulesOf = Map.groupBy(program.rules.entries(), ([, rule]) => rule.head.predicate)
  for (const predicates of strata.strata) {
    const rules = predicates.flatMap((predicate) => rulesOf.get(predicate) ?? []).toSorted(([x], [y]) => x - y)
    if (rules.length > 0 && run.stopped === null) {
      const own = new Set(predicates.map((predicate) => base.table(predicate)))
      run.stratum(rules.map(([number, rule]) => run.compile(rule, number, tiers.ofRule(rule))), own)
    }
    tiers.settle(predicates, rules.map(([, rule]) => rule))
  }
  return modelOf(base, run.compiled, run.rounds, run.stopped)
}

interface TieredRule {
  readonly compiled: CompiledRule
  /** no instance of the rule has a lower tier than this */
  readonly tier: number
}

/** What a table held when a round began: rows below `lo` were there before the last round, rows below `hi` came with it. */
interface Mark {
  lo: number
  hi: number
}

/** Of the tables that the current stratum adds to; no other table grows meanwhile. */
type Marks = ReadonlyMap<FactTable, Mark>

/** Owns the counters and budgets of one evaluation. */
class Run {
  /** by the rule's number in the program */
  readonly compiled: CompiledRule[] = []
  rounds = 0
  stopped: Model['stopped'] = null
  readonly #base: FactBase
  readonly #budget: Budget
  readonly #beat: Pulse

  constructor(base: FactBase, budget: Budget) {
    this.#base = base
    this.#budget = budget
    this.#beat = pulse(budget.shouldStop)
  }

  compile(rule: DatalogRule, number: number, tier: number): TieredRule {
    const compiled = compileRule(rule, number, this.#base, this.#beat)
    this.compiled[number] = compiled
    return { compiled, tier }
  }

  stratum(rules: readonly TieredRule[], own: ReadonlySet<FactTable>): void {
    const tables = new Set(rules.flatMap(({ compiled }) => compiled.atoms.map(({ table }) => table)))
    const levels = new Set(rules.map(({ tier }) => tier).concat([...tables].flatMap((table) => [...table.levels])))
    const lowest = rules.reduce((least, { tier }) => Math.min(least, tier), Infinity)
    const marks: Marks = new Map([...own].map((table) => [table, { lo: 0, hi: table.size }]))
    let before = -Infinity
    for (const level of [...levels].toSorted((x, y) => x - y)) {
      // a fact below every rule's tier cannot be the newest thing about an instance
      if (level < lowest) continue
      this.#level(rules.filter(({ tier }) => tier <= level), level, before, marks)
      if (this.stopped !== null) return
      before = level
    }
  }

  #level(rules: readonly TieredRule[], level: number, before: number, marks: Marks): void {
    if (!this.#startRound()) return
    for (const [table, mark] of marks) mark.lo = mark.hi = table.size
    for (const { compiled, tier } of rules) {
      if (tier > before) this.#fire(compiled, null, level, before, marks)
      else this.#fireNew(compiled, (table) => table.levels.has(level), level, before, marks)
      if (this.stopped !== null) return
    }
    for (;;) {
      for (const [table, mark] of marks) [mark.lo, mark.hi] = [mark.hi, table.size]
      if ([...marks.values()].every(({ lo, hi }) => lo === hi) || !this.#startRound()) return
      const hasGrown = (table: FactTable) => {
        const mark = marks.get(table)
        return mark !== undefined && mark.lo < mark.hi
      }
      for (const { compiled } of rules) {
        this.#fireNew(compiled, hasGrown, level, level, marks)
        if (this.stopped !== null) return
      }
    }
  }

  #fireNew(rule: CompiledRule, isNew: (table: FactTable) => boolean, level: number, before: number, marks: Marks): void {
    for (const [driver, { table }] of rule.atoms.entries()) {
      if (isNew(table)) this.#fire(rule, driver, level, before, marks)
      if (this.stopped !== null) return
    }
  }

  /** Runs one plan of a rule. `before` is the last tier that is done: equal to `level` in the rounds after the first. */
  #fire(rule: CompiledRule, driver: number | null, level: number, before: number, marks: Marks): void {
    const plan = rule.plan(driver)
    const isRound = before === level
    for (const { table, position, window } of plan.steps) {
      const { lo, hi } = marks.get(table) ?? { lo: table.size, hi: table.size }
      const isNew = position === driver
      const isOld = driver !== null && position < driver
      window.lo = isNew && isRound ? lo : 0
      window.hi = isOld && isRound ? lo : hi
      window.minTier = isNew && !isRound ? level : -Infinity
      window.maxTier = isOld && !isRound ? before : level
    }
    const { registers, head } = rule
    const facts: number[] = rule.atoms.map(() => 0)
    const row = new Uint32Array(head.table.arity)
    const { maxFacts = Infinity } = this.#budget
    join(plan, registers, facts, this.#beat, () => {
      for (const { column, register, code } of head.slots) row[column] = register < 0 ? code : (registers[register] ?? 0)
      if (this.#base.size >= maxFacts && head.table.rowOf(row) < 0) {
        this.stopped = 'facts'
        return false
      }
      this.#base.derive(head.table, row, level, rule.number, facts)
      return true
    })
    if (this.#beat.stopped) this.stopped ??= 'asked'
  }

  #startRound(): boolean {
    if (this.rounds >= (this.#budget.maxRounds ?? Infinity)) this.stopped = 'rounds'
    else if (this.#budget.shouldStop?.() ?? false) this.stopped = 'asked'
    else this.rounds++
    return this.stopped === null
  }
}
