/** The IRI of a record: `.../record/Customer/7`, and back. The key is text here; only the source knows its type. */
import type { Ontology, OntologyClass } from './ontology.ts'

/** Key values in the order of `cls.key`; a composite key is joined by `;`. */
export function recordIri(ontology: Ontology, cls: OntologyClass, key: readonly (string | number | bigint)[]): string {
  if (key.length === 0 || key.length !== cls.key.length) throw new Error(`${cls.name} has ${cls.key.length} key columns`)
  return `${ontology.recordBase}${encoded(cls.name)}/${key.map((value) => encoded(String(value))).join(';')}`
}

export interface RecordName {
  readonly cls: OntologyClass
  readonly key: readonly string[]
}

/** null for an IRI that names no record of this ontology; a class that was cut away is as unknown as any other. */
export function parseRecordIri(ontology: Ontology, iri: string): RecordName | null {
  if (!iri.startsWith(ontology.recordBase)) return null
  const [name, key, ...more] = iri.slice(ontology.recordBase.length).split('/')
  const cls = classesByName(ontology).get(name ?? '')
  if (cls === undefined || key === undefined || more.length > 0) return null
  const values = key.split(';').map(decoded)
  if (cls.key.length === 0 || values.length !== cls.key.length || values.includes(null)) return null
  return { cls, key: values.filter((value) => value !== null) }
}

const known = new WeakMap<Ontology, ReadonlyMap<string, OntologyClass>>()

/** By the name as it stands in an IRI; made once per ontology, since records are many. */
function classesByName(ontology: Ontology): ReadonlyMap<string, OntologyClass> {
  const found = known.get(ontology) ?? new Map(ontology.classes.map((cls) => [encoded(cls.name), cls]))
  known.set(ontology, found)
  return found
}

/** A segment of dots alone would be taken for a step up the path. */
const encoded = (text: string): string => {
  if (/^[\w-]+$/.test(text)) return text // nearly all of them, and there are many
  const plain = encodeURIComponent(text.toWellFormed())
  return /^\.+$/.test(plain) ? plain.replaceAll('.', '%2E') : plain
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
