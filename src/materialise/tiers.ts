/** How sensitive a triple of a file is, read from the `:sensitivityTier` labels of its property and of its subject's classes. */
import type { Tier } from '../contracts/index.ts'
import { UNLABELLED, isTier, maxTier } from '../contracts/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { OWL, RDF_TYPE } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { termKey } from '../kernel/term.ts'
import type { TieredQuad } from './materialisation.ts'

export interface Labels {
  /** the label of a class or property itself */
  of(term: Term): Tier | undefined
  /** the highest label among the property, its subject's classes and, for a type, the class; undefined when there is none */
  ofTriple(quad: Quad): Tier | undefined
  /** whether nobody has labelled some class of this subject */
  hasUnlabelledClass(subject: Term): boolean
}

/** `quads` hold the labels as well as the types of the subjects that will be asked about. */
export function labelledTiers(quads: readonly Quad[], baseIri: string): Labels {
  const labels = new Map<string, Tier>()
  const classes = new Map<string, Term[]>()
  for (const { subject, predicate, object } of quads) {
    if (predicate.value === `${baseIri}sensitivityTier` && isTier(object.value)) {
      const key = termKey(subject)
      labels.set(key, maxTier(object.value, labels.get(key) ?? object.value))
    }
    if (predicate.value === RDF_TYPE) classes.set(termKey(subject), [...(classes.get(termKey(subject)) ?? []), object])
  }
  const of = (term: Term) => labels.get(termKey(term))
  return {
    of,
    ofTriple: ({ subject, predicate, object }) => {
      const about = [predicate, ...(classes.get(termKey(subject)) ?? []), ...(predicate.value === RDF_TYPE ? [object] : [])]
      const found = about.flatMap((term) => of(term) ?? [])
      return found.length === 0 ? undefined : maxTier(...found)
    },
    hasUnlabelledClass: (subject) =>
      (classes.get(termKey(subject)) ?? []).some((cls) => of(cls) === undefined && !cls.value.startsWith(OWL)),
  }
}

/** The schema describes things that people may know of unless it says otherwise; data that nobody labelled is kept close. */
export function tiered(schema: readonly Quad[], data: readonly Quad[], baseIri: string): TieredQuad[] {
  const labels = labelledTiers([...schema, ...data], baseIri)
  const tierOf = termTiers(schema, labels)
  return [
    ...schema.map((quad) => ({ quad, tier: maxTier(tierOf(quad.subject), tierOf(quad.object)) })),
    // a property that is open by itself does not open what an unlabelled class holds
    ...data.map((quad) => ({
      quad,
      tier: labels.hasUnlabelledClass(quad.subject) ? UNLABELLED : (labels.ofTriple(quad) ?? UNLABELLED),
    })),
  ]
}

/** A blank node (a restriction, a cell of a list) is as sensitive as the most sensitive term it leads to. */
function termTiers(schema: readonly Quad[], labels: Labels): (term: Term) => Tier {
  const about = Map.groupBy(schema.filter(({ subject }) => subject.kind === 'bnode'), ({ subject }) => termKey(subject))
  const known = new Map<string, Tier>()
  const tierOf = (term: Term): Tier => {
    if (term.kind !== 'bnode') return labels.of(term) ?? 'Public'
    const found = known.get(termKey(term))
    if (found !== undefined) return found
    // for nodes in a circle: what is still being looked at adds nothing
    known.set(termKey(term), 'Public')
    const tier = maxTier(...(about.get(termKey(term)) ?? []).map(({ object }) => tierOf(object)))
    known.set(termKey(term), tier)
    return tier
  }
  return tierOf
}
