/**
 * Checks a whole run in one pass. Each derived fact is an instance of its rule over facts that came before it, at the tier
 * which those give it; and every predicate that some step calls absent or counts is complete, as is all below it. Together
 * they say that these facts of the model are the ones that follow from the base, without trusting how they were found.
 */
import type { Verdict } from './proof.ts'
import { baseOf, clauseOf } from './proof.ts'
import { coneOf, gapOf, readBy } from './closure.ts'
import type { Judge } from './judge.ts'
import { Stopped } from './match.ts'
import { StepChecker } from './step.ts'
import type { StepPremise } from './step.ts'
import { MAX_COLUMNS, World, written } from './world.ts'
import type { Atom, Derivation, DatalogRule, Fact, Model, Premise, Relation, StoredFact } from '../program.ts'

export interface ModelClaim {
  readonly rules: readonly DatalogRule[]
  /** whose columns have tiers */
  readonly relations?: readonly Relation[]
  readonly base: readonly Fact[]
  readonly model: Pick<Model, 'size' | 'fact' | 'derivations'>
  /** works out what the checker does not; without one, a run that needs it is refused */
  readonly judge?: Judge
  /** asked now and then; true ends the check without a verdict in the run's favour */
  readonly shouldStop?: () => boolean
}

/** A check that was stopped has found nothing wrong and nothing right. */
export const UNFINISHED = 'the check was stopped before its end'

export function checkModel(claim: ModelClaim): Verdict {
  try {
    return checkWhole(claim)
  } catch (error) {
    if (error instanceof Stopped) return { valid: false, at: '', why: UNFINISHED }
    throw error
  }
}

function checkWhole({ rules, relations = [], base, model, judge, shouldStop }: ModelClaim): Verdict {
  const refused = (at: string, why: string, rule?: string): Verdict => ({ valid: false, at, why, ...(rule === undefined ? {} : { rule }) })
  // facts are read one by one where they are needed: all of them at once would be as large as the run
  const highest = new Map<string, number>()
  for (let id = 0; id < model.size; id++) {
    const { predicate, args, tier } = model.fact(id)
    if (args.length > MAX_COLUMNS) return refused(predicate, `facts of more than ${MAX_COLUMNS} arguments cannot be checked`)
    if (tier > (highest.get(predicate) ?? -1)) highest.set(predicate, tier)
  }
  const isFact = (id: number) => Number.isInteger(id) && id >= 0 && id < model.size

  const world = new World(factsOf(model))
  const steps = new StepChecker(world, judge, shouldStop)
  const given = baseOf(base, world)
  const byId = Map.groupBy(rules, ({ id }) => id)
  const tierOf = ruleTiers(rules, relations, highest)
  const closed = new Set<string>()

  for (let id = 0; id < model.size; id++) {
    steps.matcher.tick()
    const fact = model.fact(id)
    const derivations = model.derivations(id)
    if (fact.asserted) {
      const why = given.fault(fact, fact.tier, fact.source)
      if (why !== undefined) return refused(written(fact), why)
    } else if (derivations.length === 0) {
      return refused(written(fact), 'it was not given, and nothing says what it follows from')
    }
    for (const [n, derivation] of derivations.entries()) {
      const used = factsIn(derivation)
      if (!used.every(isFact)) return refused(written(fact), 'a premise is no fact of the model')
      const premises = derivation.premises.map((premise) => readPremise(premise, model))
      const clause = clauseOf(steps, byId, derivation.rule, { fact, bindings: derivation.bindings, premises })
      if ('why' in clause) return refused(written(fact), clause.why, derivation.rule)
      for (const premise of derivation.premises) for (const predicate of closedBy(premise)) closed.add(predicate)
      // the first derivation is the proof; what came later may rest on the fact itself, or be more sensitive
      if (fact.asserted || n > 0) continue
      if (used.some((premise) => premise >= id)) return refused(written(fact), 'a premise did not come before its conclusion')
      const tier = used.reduce((most, premise) => Math.max(most, model.fact(premise).tier), tierOf(clause.rule))
      if (tier !== fact.tier) return refused(written(fact), 'the tier is not the one that its premises give it')
    }
  }

  const cone = coneOf(closed, rules)
  for (const fact of base) {
    if (cone.has(fact.predicate) && !world.has(fact)) return refused(written(fact), 'the base has this fact, but it is missing')
  }
  for (const rule of rules) {
    const gap = cone.has(rule.head.predicate) ? gapOf(rule, steps) : undefined
    if (gap !== undefined) return refused(gap.at, gap.why, rule.id)
  }
  return { valid: true }
}

const factsIn = (derivation: Derivation): number[] =>
  derivation.premises.flatMap((premise) => {
    if (premise.kind === 'fact') return [premise.fact]
    return premise.kind === 'aggregate' ? premise.matches.flat() : []
  })

/** The predicates of which a premise says that it has seen all. */
function closedBy(premise: Premise): string[] {
  if (premise.kind === 'absent') return [premise.atom.predicate]
  return premise.kind === 'aggregate' ? premise.body.map(({ predicate }) => predicate) : []
}

function readPremise(premise: Premise, model: Pick<Model, 'fact'>): StepPremise {
  if (premise.kind === 'fact') return { kind: 'fact', fact: model.fact(premise.fact) }
  if (premise.kind !== 'aggregate') return premise
  return { ...premise, matches: premise.matches.map((match) => match.map((id) => model.fact(id))) }
}

/** The facts of a predicate. Which those are is looked up once, when a step first says that something is absent or counted. */
function factsOf(model: Pick<Model, 'size' | 'fact'>): (predicate: string) => StoredFact[] {
  let ids: Map<string, number[]> | undefined
  return (predicate) => {
    ids ??= Map.groupBy(Array.from({ length: model.size }, (_, id) => id), (id) => model.fact(id).predicate)
    return (ids.get(predicate) ?? []).map((id) => model.fact(id))
  }
}

/**
 * The least tier of each rule's conclusions: that of the columns it looks at and, where it negates or counts, of everything
 * that the predicate is made of, whether or not a row of it is there.
 */
function ruleTiers(
  rules: readonly DatalogRule[], relations: readonly Relation[], highest: ReadonlyMap<string, number>,
): (rule: DatalogRule) => number {
  const columns = new Map(relations.map((relation) => [relation.name, relation.columns.map(({ tier }) => tier)]))
  const ofColumns = ({ predicate, args }: Atom) => {
    const tiers = columns.get(predicate) ?? []
    return Math.max(0, ...args.map((arg, i) => (arg === null ? 0 : (tiers[i] ?? 0))))
  }
  const reach = new Map<string, number>()
  const raise = (predicate: string, tier: number) => {
    if (tier <= (reach.get(predicate) ?? 0)) return
    reach.set(predicate, tier)
    for (const head of readers.get(predicate) ?? []) raised.add(head)
  }
  const readers = new Map<string, Set<string>>()
  for (const rule of rules) {
    for (const predicate of readBy(rule)) {
      const heads = readers.get(predicate) ?? new Set<string>()
      readers.set(predicate, heads.add(rule.head.predicate))
    }
  }
  const byHead = Map.groupBy(rules, ({ head }) => head.predicate)
  const raised = new Set<string>(byHead.keys())
  for (const [predicate, tier] of highest) raise(predicate, tier)
  for (const predicate of raised) {
    raised.delete(predicate)
    for (const rule of byHead.get(predicate) ?? []) {
      for (const atom of atomsIn(rule)) raise(predicate, Math.max(ofColumns(atom), reach.get(atom.predicate) ?? 0))
    }
  }
  const known = new Map<DatalogRule, number>()
  return (rule) => {
    let tier = known.get(rule)
    if (tier === undefined) {
      tier = Math.max(0, ...rule.body.flatMap((item) => {
        if (item.kind === 'atom') return [ofColumns(item.atom)]
        const atoms = item.kind === 'not' ? [item.atom] : item.kind === 'aggregate' ? item.body : []
        return atoms.map((atom) => Math.max(ofColumns(atom), reach.get(atom.predicate) ?? 0))
      }))
      known.set(rule, tier)
    }
    return tier
  }
}

const atomsIn = (rule: DatalogRule): Atom[] =>
  rule.body.flatMap((item) => {
    if (item.kind === 'aggregate') return item.body
    return item.kind === 'atom' || item.kind === 'not' ? [item.atom] : []
  })
