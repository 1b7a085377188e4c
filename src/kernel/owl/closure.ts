/** A graph with everything that follows from it, for those who want that alone: checks, benchmarks, comparisons. */
import type { Budget, DatalogRule, StoredFact } from '../datalog/index.ts'
import type { GraphView, Quad, Reasoned } from '../rdf/index.ts'
import { RDF_TYPE, factTriple, reasonOver, tripleFact } from '../rdf/index.ts'
import { isInconsistency } from './inconsistency.ts'
import type { OwlOptions } from './rule.ts'
import { owlSpecialiser } from './specialise.ts'

export interface Closure extends Reasoned {
  /** asserted and derived */
  readonly triples: readonly Quad[]
  readonly inconsistencies: readonly StoredFact[]
}

export const closureOf = (quads: readonly Quad[], options: Partial<OwlOptions> = {}, budget?: Budget): Closure =>
  closureBy(quads, owlSpecialiser(options).rules, budget)

export function closureBy(
  quads: readonly Quad[],
  specialise: (graph: GraphView) => readonly DatalogRule[],
  budget: Budget = {},
): Closure {
  const reasoned = reasonOver({ facts: quads.map((one) => tripleFact(one)), rules: [], specialise, budget })
  const triples: Quad[] = []
  const inconsistencies: StoredFact[] = []
  for (const fact of reasoned.model.facts) {
    if (isInconsistency(fact.predicate)) inconsistencies.push(fact)
    // the union of the types repeats what the types by class say
    const one = fact.predicate === RDF_TYPE && fact.args[1]?.kind !== 'literal' ? undefined : factTriple(fact)
    if (one !== undefined) triples.push(one)
  }
  return { ...reasoned, triples, inconsistencies }
}
