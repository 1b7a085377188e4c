/**
 * Checks a proof without trusting the engine that made it. It shares types and terms with the engine, no code: its matching,
 * its comparisons and its aggregates are its own, and as plain as possible. What is absent it reads from the closed world
 * that it is handed; `checkModel` also checks that this world is complete.
 */
import type { Judge } from './judge.ts'
import { StepChecker } from './step.ts'
import type { Step, StepPremise } from './step.ts'
import { byPredicate, keyOf, World, written } from './world.ts'
import type { ClaimedFact, Key } from './world.ts'
import type { Proof } from '../explain.ts'
import type { DatalogRule, Fact } from '../program.ts'

export interface CheckContext {
  readonly rules: readonly DatalogRule[]
  /** the facts that need no proof */
  readonly base: readonly Fact[]
  /** all facts of a predicate: what is not among them is absent */
  readonly closed: (predicate: string) => readonly Fact[]
  /** works out what the checker does not; without one, a step that needs it is refused */
  readonly judge?: Judge
}

/** `at` is the fact whose step failed. */
export type Verdict =
  | { readonly valid: true }
  /** `rule` is the one whose instance it is about, where there is one */
  | { readonly valid: false; readonly at: string; readonly why: string; readonly rule?: string }

export const checkProof = (proof: Proof, context: CheckContext): Verdict => proofChecker(context)(proof)

/** A checker for many proofs over the same facts: it reads the context once, and checks a shared part of two proofs once. */
export function proofChecker(context: CheckContext): (proof: Proof) => Verdict {
  const rules = Map.groupBy(context.rules, (rule) => rule.id)
  const world = new World(context.closed)
  const steps = new StepChecker(world, context.judge)
  const base = baseOf(context.base, world)
  const accepted = new WeakSet<Proof>()

  // that something is not there tells as much as the facts among which it was looked for
  const tiers = new Map<string, number>()
  const highest = (predicate: string): number => {
    let tier = tiers.get(predicate)
    if (tier === undefined) tiers.set(predicate, (tier = context.closed(predicate).reduce((most, fact) => Math.max(most, fact.tier ?? 0), 0)))
    return tier
  }

  const fault = (proof: Proof): string | undefined => {
    if (proof.asserted) return base.fault(proof.fact, proof.tier, proof.source)
    if (proof.cut) return 'the proof is cut here'
    if (children(proof).some(({ tier }) => tier > proof.tier)) return 'the tier is lower than that of a premise'
    if (closedIn(proof).some((predicate) => highest(predicate) > proof.tier)) return 'the tier is lower than that of what it denies or counts'
    const step = { fact: proof.fact, bindings: proof.bindings, premises: proof.premises.map(readPremise) }
    const clause = clauseOf(steps, rules, proof.rule, step)
    return 'why' in clause ? clause.why : undefined
  }

  // depth first without recursion: a chain of premises may be longer than the call stack
  return (root) => {
    const path = new Set<Proof>()
    const stack = [root]
    for (let proof = stack.at(-1); proof !== undefined; proof = stack.at(-1)) {
      if (accepted.has(proof) || path.has(proof)) {
        stack.pop()
        path.delete(proof)
        accepted.add(proof)
        continue
      }
      const why = fault(proof)
      if (why !== undefined) return { valid: false, at: written(proof.fact), why }
      path.add(proof)
      for (const child of children(proof)) {
        if (path.has(child)) return { valid: false, at: written(child.fact), why: 'the fact is used in its own proof' }
        if (!accepted.has(child)) stack.push(child)
      }
    }
    return { valid: true }
  }
}

const closedIn = (proof: Proof): string[] =>
  proof.asserted
    ? []
    : proof.premises.flatMap((premise) => {
        if (premise.kind === 'absent') return [premise.atom.predicate]
        return premise.kind === 'aggregate' ? premise.body.map(({ predicate }) => predicate) : []
      })

/**
 * The clause of which the step is an instance, or what is wrong with it. Every clause of the id is tried: a front end may give
 * one id to several.
 */
export function clauseOf(
  steps: StepChecker, rules: ReadonlyMap<string, readonly DatalogRule[]>, id: string, step: Step,
): { readonly rule: DatalogRule } | { readonly why: string } {
  let why = `no rule ${id} derives ${step.fact.predicate}`
  for (const rule of rules.get(id) ?? []) {
    if (rule.head.predicate !== step.fact.predicate) continue
    const fault = steps.fault(rule, step)
    if (fault === undefined) return { rule }
    why = fault
  }
  return { why }
}

interface Base {
  fault(fact: ClaimedFact, tier: number, source: string | undefined): string | undefined
}

/** The given facts, found by their terms; the tier that counts is the lowest under which a fact is given. */
export function baseOf(facts: readonly Fact[], world: World): Base {
  const given = byPredicate(facts)
  const known = new Map<string, Map<Key, Fact | Fact[]>>()
  const same = (fact: ClaimedFact): readonly Fact[] => {
    let ofPredicate = known.get(fact.predicate)
    if (ofPredicate === undefined) known.set(fact.predicate, (ofPredicate = byRow(given(fact.predicate), world)))
    const found = ofPredicate.get(keyOf(world.row(fact))) ?? []
    return (Array.isArray(found) ? found : [found]).filter(({ args }) => args.length === fact.args.length)
  }
  return {
    fault(fact, tier, source) {
      const found = same(fact)
      if (found.length === 0) return 'this fact is not in the base'
      if (!found.some((given) => given.source === source)) return 'the base gives this fact another source'
      return found.some((given) => (given.tier ?? 0) <= tier) ? undefined : 'the base gives this fact a higher tier'
    },
  }
}

/** Most facts are given once, and a list for each would be the larger part of a large base. */
function byRow(facts: readonly Fact[], world: World): Map<Key, Fact | Fact[]> {
  const found = new Map<Key, Fact | Fact[]>()
  for (const fact of facts) {
    const key = keyOf(world.row(fact))
    const known = found.get(key)
    if (known === undefined) found.set(key, fact)
    else if (Array.isArray(known)) known.push(fact)
    else found.set(key, [known, fact])
  }
  return found
}

function children(proof: Proof): Proof[] {
  if (proof.asserted) return []
  return proof.premises.flatMap((premise) => {
    if (premise.kind === 'proof') return [premise.proof]
    return premise.kind === 'aggregate' ? premise.matches.flat() : []
  })
}

function readPremise(premise: Extract<Proof, { asserted: false }>['premises'][number]): StepPremise {
  if (premise.kind === 'proof') return { kind: 'fact', fact: premise.proof.fact }
  if (premise.kind !== 'aggregate') return premise
  return { ...premise, matches: premise.matches.map((match) => match.map(({ fact }) => fact)) }
}

