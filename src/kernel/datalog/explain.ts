/** The proof of a fact, as a graph of values that needs neither the engine nor the model to be read. */
import type { Term } from '../term.ts'
import type { AggregateFunction, Atom, Comparison, Condition, Derivation, Expr, Model, Premise } from './program.ts'

export interface ProvenFact {
  readonly predicate: string
  readonly args: readonly (Term | null)[]
}

export type Proof =
  | { readonly asserted: true; readonly fact: ProvenFact; readonly tier: number; readonly source?: string }
  | {
      readonly asserted: false
      readonly fact: ProvenFact
      readonly tier: number
      readonly rule: string
      readonly bindings: Readonly<Record<string, Term>>
      /** in the order of the rule's body; empty where the proof is cut */
      readonly premises: readonly ProofPremise[]
      /** the fact has premises, but they lie deeper than was asked for */
      readonly cut?: true
    }

export type ProofPremise =
  | { readonly kind: 'proof'; readonly proof: Proof }
  | { readonly kind: 'absent'; readonly atom: Atom }
  | { readonly kind: 'condition'; readonly op: Comparison; readonly left: Term; readonly right: Term }
  | {
      readonly kind: 'aggregate'
      readonly fn: AggregateFunction
      readonly result: Term
      readonly body: readonly Atom[]
      readonly where?: readonly Condition[]
      readonly matches: readonly (readonly Proof[])[]
    }
  | { readonly kind: 'tested'; readonly expr: Expr }
  | { readonly kind: 'computed'; readonly into: string; readonly expr: Expr; readonly result: Term }

/** Whole proofs by model: a fact that many proofs use is explained once, and all of them share the object. */
const known = new WeakMap<Model, Map<number, Proof>>()

/**
 * A fact used at several depths is one object, as deep as its shallowest use allows. Depth 1 shows the premises of the fact,
 * depth 0 the fact alone.
 */
export function proofOf(model: Model, factId: number, depth = Infinity): Proof {
  const proofs = depth === Infinity ? (known.get(model) ?? new Map<number, Proof>()) : new Map<number, Proof>()
  if (depth === Infinity) known.set(model, proofs)
  const distances = reachable(model, factId, depth, proofs)
  // premises have smaller numbers than their conclusion, so upward order needs no recursion
  for (const id of [...distances.keys()].toSorted((x, y) => x - y)) {
    const isCut = (distances.get(id) ?? 0) >= depth
    if (!proofs.has(id)) proofs.set(id, proofStep(model, id, model.derivation(id), isCut, proofs))
  }
  return proven(proofs, factId)
}

/** Every fact that the proof shows, with its distance from the root. */
function reachable(model: Model, root: number, depth: number, done: ReadonlyMap<number, Proof>): Map<number, number> {
  const distances = new Map([[root, 0]])
  for (const [id, distance] of distances) {
    if (distance >= depth || done.has(id)) continue
    for (const premise of model.derivation(id)?.premises ?? []) {
      for (const fact of factsIn(premise)) if (!distances.has(fact)) distances.set(fact, distance + 1)
    }
  }
  return distances
}

export function factsIn(premise: Premise): readonly number[] {
  if (premise.kind === 'fact') return [premise.fact]
  return premise.kind === 'aggregate' ? premise.matches.flat() : []
}

/** One node of a proof: the fact by this derivation, or as given where there is none. The premises have their proofs by now. */
export function proofStep(
  model: Model, id: number, derivation: Derivation | undefined, isCut: boolean, proofs: ReadonlyMap<number, Proof>,
): Proof {
  const { predicate, args, tier, source } = model.fact(id)
  const fact = { predicate, args }
  if (derivation === undefined) return { asserted: true, fact, tier, ...(source === undefined ? {} : { source }) }
  const { rule, bindings } = derivation
  if (isCut) return { asserted: false, fact, tier, rule, bindings, premises: [], cut: true }
  const premises = derivation.premises.map((premise): ProofPremise => {
    if (premise.kind === 'fact') return { kind: 'proof', proof: proven(proofs, premise.fact) }
    if (premise.kind !== 'aggregate') return premise
    return { ...premise, matches: premise.matches.map((facts) => facts.map((fact) => proven(proofs, fact))) }
  })
  return { asserted: false, fact, tier, rule, bindings, premises }
}

function proven(proofs: ReadonlyMap<number, Proof>, id: number): Proof {
  const proof = proofs.get(id)
  if (proof === undefined) throw new Error(`fact ${id} has no proof`)
  return proof
}
