/** Classes and properties as they go over the wire, for an ontology that has been cut already. */
import type { Vocabulary } from '../contracts/index.ts'
import { hash64 } from '../kernel/text/index.ts'
import type { Ontology } from './ontology.ts'

export function vocabularyOf(ontology: Ontology): Vocabulary {
  const iriOf = new Map(ontology.classes.map(({ name, iri }) => [name, iri]))
  const classes = ontology.classes.map(({ iri, name, label, tier, instances }) => ({
    iri, qname: `:${name}`, label, parents: [], tier, instances,
  }))
  const properties = ontology.classes.flatMap((cls) =>
    cls.properties.map(({ iri, name, label, kind, range, tier }) => ({
      iri,
      qname: `:${cls.name}.${name}`,
      label,
      kind,
      domain: cls.iri,
      range: kind === 'object' ? (iriOf.get(range) ?? range) : range,
      tier,
    })),
  )
  const content = { base_iri: ontology.baseIri, classes, properties }
  // of the cut content and nothing else: a change above the ceiling must not show in the tag
  return { ...content, etag: hash64(JSON.stringify(content)) }
}
