/** How sensitive a triple of a file is, read from the `:sensitivityTier` labels of its property and of its subject's classes. */
import type { Tier } from '../contracts/index.ts'
import { TIERS, UNLABELLED, isTier, maxTier } from '../contracts/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { OWL, RDFS, RDF_TYPE } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { termKey } from '../kernel/term.ts'
import type { TieredQuad } from './materialisation.ts'

export interface Labels {
  /** the label of a class or property itself */
  of(term: Term): Tier | undefined
  /**
   * The highest label among the property, its subject's classes and, for a type, the class; undefined when there is none.
   * A class below another one of the subject's counts only for the type that names it.
   */
  ofTriple(quad: Quad): Tier | undefined
  /** whether nobody has labelled some class of this subject */
  hasUnlabelledClass(subject: Term): boolean
}

/** `quads` hold the labels as well as the types of the subjects that will be asked about. */
export function labelledTiers(quads: readonly Quad[], baseIri: string): Labels {
  const labels = new Map<string, Tier>()
  const classes = new Map<string, Term[]>()
  const above = new Map<string, Set<string>>()
  for (const { subject, predicate, object } of quads) {
    if (predicate.value === `${baseIri}sensitivityTier` && isTier(object.value)) {
      const key = nameOf(subject)
      labels.set(key, maxTier(object.value, labels.get(key) ?? object.value))
    }
    if (predicate.value === RDF_TYPE) {
      const key = nameOf(subject)
      const known = classes.get(key)
      if (known === undefined) classes.set(key, [object])
      else known.push(object)
    }
    if (predicate.value === `${RDFS}subClassOf`) {
      const key = nameOf(subject)
      above.set(key, (above.get(key) ?? new Set()).add(nameOf(object)))
    }
  }
  // who knows a record by a class need not know which kind of that class it is: the kind hides itself, and not the record
  const naming = (subject: Term): Term[] => {
    const all = classes.get(nameOf(subject)) ?? []
    return all.length < 2 ? all : all.filter((cls) => !all.some((other) => above.get(nameOf(cls))?.has(nameOf(other)) === true))
  }
  const of = (term: Term) => labels.get(nameOf(term))
  const higher = (tier: Tier | undefined, term: Term): Tier | undefined => {
    const label = of(term)
    return tier === undefined || label === undefined ? (label ?? tier) : maxTier(tier, label)
  }
  const ofClasses = (subject: Term, start: Tier | undefined) => naming(subject).reduce(higher, start)
  return {
    of,
    ofTriple: ({ subject, predicate, object }) => {
      const tier = ofClasses(subject, of(predicate))
      return predicate.value === RDF_TYPE ? higher(tier, object) : tier
    },
    hasUnlabelledClass: (subject) =>
      (classes.get(nameOf(subject)) ?? []).some((cls) => of(cls) === undefined && !cls.value.startsWith(OWL)),
  }
}

/** No IRI begins like the key of another kind of term, so it can stand for itself: most terms are IRIs, and a key costs a string. */
const nameOf = (term: Term): string => (term.kind === 'iri' ? term.value : termKey(term))

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
  // labels are carried back along the triples, highest first: lists may be longer than the call stack, and nodes form circles
  const before = Map.groupBy(schema.filter(({ subject }) => subject.kind === 'bnode'), ({ object }) => termKey(object))
  const known = new Map<string, Tier>()
  for (const tier of TIERS.toReversed()) {
    const pending = [...before].flatMap(([, [one]]) => (one !== undefined && labels.of(one.object) === tier ? [termKey(one.object)] : []))
    for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
      for (const { subject } of before.get(key) ?? []) {
        if (known.has(termKey(subject))) continue
        known.set(termKey(subject), tier)
        pending.push(termKey(subject))
      }
    }
  }
  return (term) => (term.kind === 'bnode' ? known.get(termKey(term)) : labels.of(term)) ?? 'Public'
}
