/** Classes and properties as they go over the wire, for an ontology that has been cut already. */
import type { Vocabulary } from '../contracts/index.ts'
import { hash64 } from '../kernel/text/index.ts'
import type { Ontology } from './ontology.ts'

export function vocabularyOf(ontology: Ontology): Vocabulary {
  const iriOf = new Map(ontology.classes.map(({ name, iri }) => [name, iri]))
  const classIri = (name: string): string => iriOf.get(name) ?? name
  const tables = ontology.classes.map(({ iri, name, label, parents = [], tier, instances }) => ({
    iri, qname: `:${name}`, label, parents: parents.map(classIri), tier, instances,
  }))
  const kinds = (ontology.eventSubclasses ?? []).map(({ iri, name, label, parent, tier, instances = 0 }) => ({
    iri, qname: `:${name}`, label, parents: [classIri(parent)], tier, instances,
  }))
  const columns = ontology.classes.flatMap((cls) =>
    cls.properties.map(({ iri, name, label, kind, range, tier }) => ({
      iri, qname: `:${cls.name}.${name}`, label, kind, domain: cls.iri, range: kind === 'object' ? classIri(range) : range, tier,
    })),
  )
  const links = [...(ontology.relationships ?? []), ...(ontology.inverses ?? [])].map(({ iri, name, label, from, to, tier }) => ({
    iri, qname: `:${from}.${name}`, label, kind: 'object' as const, domain: classIri(from), range: classIri(to), tier,
  }))
  const content = { base_iri: ontology.baseIri, classes: [...tables, ...kinds], properties: [...columns, ...links] }
  // of the cut content and nothing else: a change above the ceiling must not show in the tag
  return { ...content, etag: hash64(JSON.stringify(content)) }
}
