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
import type { Pulse, Window } from './join.ts'
import { modelOf } from './model.ts'
import type { Budget, DatalogRule, Fact, Model, Program } from './program.ts'
import { stratify } from './stratify.ts'
import type { FactTable } from './table.ts'
import { tiersOf } from './tiers.ts'

/** Throws on a program that `checkProgram` finds fault with, and on facts whose arity does not fit. */
export const evaluate = (program: Program, facts: readonly Fact[], budget: Budget = {}): Model =>
  startEvaluation(program, facts, budget).model

/** A model that may be added to. */
export interface Evaluation {
  readonly model: Model
  /** whether the last addition went on from the model there was, instead of starting anew */
  readonly continued: boolean
  add(facts: readonly Fact[]): Evaluation
}

/**
 * `startEvaluation(program, facts).add(more).model` is the model of all the facts. Where nothing that the new facts reach is
 * negated or counted, and no old fact is more sensitive than they are (it might have had a lower tier with them), the run goes
 * on from where it ended; otherwise it starts anew. An evaluation that was added to must not be used any more.
 */
export function startEvaluation(program: Program, facts: readonly Fact[], budget: Budget = {}): Evaluation {
  const faults = checkProgram(program)
  const strata = stratify(program.rules, program.mayGrow)
  if (faults.length > 0 || !strata.ok) throw new Error(`not a valid program: ${faults.map(({ message }) => message).join('; ')}`)

  const base = new FactBase(program, facts, budget)
  const tiers = tiersOf(program.relations, base)
  const run = new Run(base, budget)
  const rulesOf = Map.groupBy(program.rules.entries(), ([, rule]) => rule.head.predicate)
  const layers: Layer[] = []
  for (const predicates of strata.strata) {
    const rules = predicates.flatMap((predicate) => rulesOf.get(predicate) ?? []).toSorted(([x], [y]) => x - y)
    if (rules.length > 0 && run.stopped === null) {
      const own = new Set(predicates.map((predicate) => base.table(predicate)))
      const layer = { own, rules: rules.map(([number, rule]) => run.compile(rule, number, tiers.ofRule(rule))) }
      layers.push(layer)
      run.stratum(layer.rules, own)
    }
    tiers.settle(predicates, rules.map(([, rule]) => rule))
  }
  const evaluation = (given: readonly Fact[], continued: boolean): Evaluation => ({
    model: modelOf(base, run.compiled, run.rounds, run.stopped),
    continued,
    add(more) {
      const all = [...given, ...more]
      if (run.stopped !== null || !mayContinue(program, base, layers, more)) return startEvaluation(program, all, budget)
      run.goOn(layers, more)
      return evaluation(all, true)
    },
  })
  return evaluation(facts, false)
}

/** The rules of a stratum, and the tables that they add to. */
interface Layer {
  readonly rules: readonly TieredRule[]
  readonly own: ReadonlySet<FactTable>
}

function mayContinue(program: Program, base: FactBase, layers: readonly Layer[], more: readonly Fact[]): boolean {
  const tier = more[0]?.tier ?? 0
  const known = [...base.tables.values()].flatMap((table) => [...table.levels])
  const ruleTiers = layers.flatMap(({ rules }) => rules.map((rule) => rule.tier))
  if (more.some((fact) => (fact.tier ?? 0) !== tier) || [...known, ...ruleTiers].some((level) => level > tier)) return false
  const reached = new Set(more.map(({ predicate }) => predicate))
  if ([...reached].some((predicate) => !base.tables.has(predicate))) return false
  for (const predicate of reached) {
    for (const rule of program.rules) {
      const asks = rule.body.some((item) => item.kind === 'atom' && item.atom.predicate === predicate)
      const closes = rule.body.some((item) => {
        if (item.kind === 'not') return item.atom.predicate === predicate
        return item.kind === 'aggregate' && item.body.some((atom) => atom.predicate === predicate)
      })
      if (closes) return false
      if (asks) reached.add(rule.head.predicate)
    }
  }
  return true
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

function hasTier({ levels }: FactTable, { minTier, maxTier }: Window): boolean {
  for (const level of levels) if (level >= minTier && level <= maxTier) return true
  return false
}

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

  /** Adds facts of one tier, the highest there is, and what follows from them. */
  goOn(layers: readonly Layer[], more: readonly Fact[]): void {
    const level = more[0]?.tier ?? 0
    // everything there is was met with everything else; what comes from here on is new to every layer that reads it
    const before = new Map([...this.#base.tables.values()].map((table) => [table, table.size]))
    this.#base.assertMore(more)
    for (const { rules, own } of layers) {
      const tables = new Set([...own, ...rules.flatMap(({ compiled }) => compiled.atoms.map(({ table }) => table))])
      const marks: Marks = new Map([...tables].map((table) => [table, { lo: before.get(table) ?? 0, hi: before.get(table) ?? 0 }]))
      this.#rounds(rules, level, marks)
      if (this.stopped !== null) return
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
    this.#rounds(rules, level, marks)
  }

  /** Rounds until nothing new comes; what lies behind the marks is new to the first. */
  #rounds(rules: readonly TieredRule[], level: number, marks: Marks): void {
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
      // a step that can match nothing ends the plan before the steps ahead of it are walked in vain
      if (window.lo >= window.hi || !hasTier(table, window)) return
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
