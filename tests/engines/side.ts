/** One database of a comparison between engines: opened, with the ontology made of it alone. */
import { type Ontology, buildOntology } from '../../src/ontology/index.ts'
import { type Source, openSource } from '../../src/sources/index.ts'

export interface Side {
  readonly source: Source
  readonly ontology: Ontology
}

export async function sideOf(place: string): Promise<Side> {
  const source = await openSource(place, { processes: 1 })
  const bases = { baseIri: 'https://example.org/o#', recordBase: 'https://example.org/r/' }
  return { source, ontology: buildOntology(await source.introspect(), bases) }
}
