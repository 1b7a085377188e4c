/**
 * The other ways to a fact. A model with provenance `all` keeps every derivation, and these form a graph with cycles: in a
 * ring of links each reaches the other by way of itself. A proof must not rest on its own conclusion, so the graph below the
 * fact, without the fact, is worked through from the given facts upward; what is met this way has a proof of least height.
 */
import { factsIn, proofStep } from './explain.ts'
import type { Proof } from './explain.ts'
import type { Derivation, Model } from './program.ts'

export interface AlternativeOptions {
  /** how many proofs are wanted */
  readonly limit?: number
  /** as for `proofOf`: below this depth a proof is cut */
  readonly depth?: number
  /** how many facts are looked at; beyond them the answer may miss proofs, and says so */
  readonly maxFacts?: number
}

export interface Alternatives {
  /** lowest first; each by another derivation, none of them the first one, none resting on the fact itself */
  readonly proofs: readonly Proof[]
  /** false where more was there than the limit, or the facts below were too many to look at */
  readonly complete: boolean
}

/** A chosen derivation, and how many steps lie between its fact and given ones at most; given facts have none. */
interface Choice {
  readonly derivation: Derivation | undefined
  readonly height: number
}

export function alternativesOf(model: Model, factId: number, options: AlternativeOptions = {}): Alternatives {
  const { limit = 5, depth = Infinity, maxFacts = 10_000 } = options
  const others = model.derivations(factId).slice(model.fact(factId).asserted ? 0 : 1)
  if (others.length === 0) return { proofs: [], complete: true }
  const below = factsBelow(model, factId, others, maxFacts)
  const choices = lowestProofs(model, below.facts)
  const heights = others.map((derivation) => heightOf(derivation, choices))
  const found = others
    .map((derivation, n) => ({ derivation, height: heights[n] ?? Infinity, n }))
    .filter(({ height }) => height < Infinity)
    .toSorted((x, y) => x.height - y.height || x.n - y.n)
  const proofs = found.slice(0, limit).map(({ derivation }) => build(model, factId, derivation, choices, depth))
  return { proofs, complete: below.complete && found.length <= limit }
}

/** Every fact that some derivation below the root uses, the root itself left out. */
function factsBelow(
  model: Model, root: number, others: readonly Derivation[], maxFacts: number,
): { facts: Map<number, readonly Derivation[]>; complete: boolean } {
  const facts = new Map<number, readonly Derivation[]>()
  let complete = true
  const meet = (derivation: Derivation) => {
    for (const premise of derivation.premises) {
      for (const fact of factsIn(premise)) {
        if (fact === root || facts.has(fact)) continue
        if (facts.size < maxFacts) facts.set(fact, model.derivations(fact))
        else complete = false
      }
    }
  }
  for (const derivation of others) meet(derivation)
  // the map grows while it is walked
  for (const derivations of facts.values()) for (const derivation of derivations) meet(derivation)
  return { facts, complete }
}

/** Heights upward from the given facts: when the last premise of a derivation is met, its fact is, one step higher. */
function lowestProofs(model: Model, facts: ReadonlyMap<number, readonly Derivation[]>): Map<number, Choice> {
  const choices = new Map<number, Choice>()
  const waiting = new Map<number, { readonly fact: number; readonly derivation: Derivation; open: number }[]>()
  let level: number[] = []
  const choose = (fact: number, choice: Choice, into: number[]) => {
    if (choices.has(fact)) return
    choices.set(fact, choice)
    into.push(fact)
  }
  const ready: { readonly fact: number; readonly derivation: Derivation }[] = []
  for (const [fact, derivations] of facts) {
    if (model.fact(fact).asserted) {
      choose(fact, { derivation: undefined, height: 0 }, level)
      continue
    }
    for (const derivation of derivations) {
      const needed = new Set(derivation.premises.flatMap(factsIn))
      const entry = { fact, derivation, open: needed.size }
      if (needed.size === 0) ready.push(entry)
      for (const premise of needed) waiting.set(premise, [...(waiting.get(premise) ?? []), entry])
    }
  }
  for (let height = 1; level.length + ready.length > 0; height++) {
    const next: number[] = []
    for (const { fact, derivation } of ready.splice(0)) choose(fact, { derivation, height }, next)
    for (const met of level) {
      for (const entry of waiting.get(met) ?? []) {
        if (--entry.open === 0) choose(entry.fact, { derivation: entry.derivation, height }, next)
      }
    }
    level = next
  }
  return choices
}

const heightOf = (derivation: Derivation, choices: ReadonlyMap<number, Choice>): number =>
  1 + derivation.premises.flatMap(factsIn).reduce((most, fact) => Math.max(most, choices.get(fact)?.height ?? Infinity), 0)

function build(model: Model, root: number, derivation: Derivation, choices: ReadonlyMap<number, Choice>, depth: number): Proof {
  const distances = new Map<number, number>()
  const reach = (chosen: Derivation | undefined, distance: number) => {
    for (const fact of (chosen?.premises ?? []).flatMap(factsIn)) if (!distances.has(fact)) distances.set(fact, distance)
  }
  if (depth > 0) reach(derivation, 1)
  // breadth first: the map grows while it is walked, and keeps the order of the distances
  for (const [fact, distance] of distances) if (distance < depth) reach(choices.get(fact)?.derivation, distance + 1)
  const proofs = new Map<number, Proof>()
  const lowestFirst = [...distances].toSorted(([x], [y]) => (choices.get(x)?.height ?? 0) - (choices.get(y)?.height ?? 0))
  for (const [fact, distance] of lowestFirst) {
    proofs.set(fact, proofStep(model, fact, choices.get(fact)?.derivation, distance >= depth, proofs))
  }
  return proofStep(model, root, derivation, depth <= 0, proofs)
}
