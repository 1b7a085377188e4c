/** Cuts of an ontology, made once: what is remembered about a cut is then found again by the object itself. */
import type { Tier } from '../contracts/index.ts'
import { type Ontology, cutOntology } from '../ontology/index.ts'

const cuts = new WeakMap<Ontology, Map<Tier, Ontology>>()

export function cutAt(ontology: Ontology, ceiling: Tier): Ontology {
  const known = cuts.get(ontology) ?? new Map<Tier, Ontology>()
  cuts.set(ontology, known)
  const cut = known.get(ceiling) ?? cutOntology(ontology, ceiling)
  known.set(ceiling, cut)
  return cut
}
