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
  return [
    ...schema.map((quad) => ({ quad, tier: labels.of(quad.subject) ?? 'Public' })),
    // a property that is open by itself does not open what an unlabelled class holds
    ...data.map((quad) => ({
      quad,
      tier: labels.hasUnlabelledClass(quad.subject) ? UNLABELLED : (labels.ofTriple(quad) ?? UNLABELLED),
    })),
  ]
}
