/** The ontology as somebody with a given ceiling may know it: what is above it is not hidden but absent. */
import type { Tier } from '../contracts/index.ts'
import { within } from '../contracts/index.ts'
import type { Ontology, OntologyClass } from './ontology.ts'
import { keyTier } from './settle-tiers.ts'

export function cutOntology(ontology: Ontology, ceiling: Tier): Ontology {
  const open = ontology.classes.filter((cls) => within(cls.tier, ceiling) && within(keyTier(cls), ceiling))
  const names = new Set(open.map(({ name }) => name))
  const classes = open
    .map((cls) => {
      const properties = cls.properties.filter(
        (property) => within(property.tier, ceiling) && (property.kind === 'data' || names.has(property.range)),
      )
      return { ...cls, properties, ...stillSaid(cls, new Set(properties.map(({ name }) => name)), names) }
    })
    .filter(({ properties }) => properties.length > 0)
  const known = new Map(classes.map((cls) => [cls.name, new Set(cls.properties.map(({ name }) => name))]))
  const has = (cls: string, property: string): boolean => known.get(cls)?.has(property) === true

  const many = ontology.relationships?.filter(
    ({ tier, from, to, junction, fromProperty, toProperty }) =>
      within(tier, ceiling) && known.has(from) && known.has(to) && has(junction, fromProperty) && has(junction, toProperty),
  )
  const eventSubclasses = ontology.eventSubclasses?.filter(
    ({ tier, parent, property }) => within(tier, ceiling) && has(parent, property),
  )
  const iris = new Set([...classes.flatMap(({ properties }) => properties), ...(many ?? [])].map(({ iri }) => iri))
  const inverses = ontology.inverses?.filter(
    ({ tier, from, to, of }) => within(tier, ceiling) && known.has(from) && known.has(to) && iris.has(of),
  )
  for (const { iri } of inverses ?? []) iris.add(iri)
  // an IRI of somebody else's vocabulary hides nothing of ours
  const partner = <Of extends { readonly inverseOf?: string | null }>(of: Of): Of =>
    typeof of.inverseOf === 'string' && of.inverseOf.startsWith(ontology.baseIri) && !iris.has(of.inverseOf)
      ? { ...of, inverseOf: null }
      : of
  return {
    ...ontology,
    classes: classes.map((cls) => ({ ...cls, properties: cls.properties.map(partner) })),
    ...(many === undefined ? {} : { relationships: many.map(partner) }),
    ...(eventSubclasses === undefined ? {} : { eventSubclasses }),
    ...(inverses === undefined ? {} : { inverses }),
  }
}

/** Part of a key is no key, and a record is called by the best of what can be seen, as if there were nothing else. */
function stillSaid(
  { labelProperty, labelProperties, hasKey, parents }: OntologyClass,
  visible: ReadonlySet<string>,
  classes: ReadonlySet<string>,
): Partial<OntologyClass> {
  const calling = (labelProperties ?? (labelProperty === null ? [] : [labelProperty])).filter((name) => visible.has(name))
  return {
    labelProperty: calling[0] ?? null,
    ...(labelProperties === undefined ? {} : { labelProperties: calling }),
    ...(hasKey === undefined || hasKey.every((name) => visible.has(name)) ? {} : { hasKey: [] }),
    ...(parents === undefined ? {} : { parents: parents.filter((name) => classes.has(name)) }),
  }
}
