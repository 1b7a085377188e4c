/** A triple over the shared terms, and the vocabularies that every RDF file of ours speaks. */
import type { Term } from '../term.ts'
import { XSD, termKey } from '../term.ts'

export interface Quad {
  readonly subject: Term
  readonly predicate: Term
  readonly object: Term
}

export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#'
export const OWL = 'http://www.w3.org/2002/07/owl#'
export const PROV = 'http://www.w3.org/ns/prov#'
export const SH = 'http://www.w3.org/ns/shacl#'
export { XSD }

export const RDF_TYPE = `${RDF}type`

/** The prefixes under which the standard vocabularies are written. */
export const STANDARD_PREFIXES: Readonly<Record<string, string>> = {
  rdf: RDF,
  rdfs: RDFS,
  owl: OWL,
  xsd: XSD,
  prov: PROV,
  sh: SH,
}

export const quad = (subject: Term, predicate: Term, object: Term): Quad => ({ subject, predicate, object })

/** A string that two quads share exactly when they are the same triple. */
export const quadKey = ({ subject, predicate, object }: Quad): string =>
  `${termKey(subject)} ${termKey(predicate)} ${termKey(object)}`

/** The same triples with blank nodes of their own: nodes of two documents are two nodes, whatever their labels. */
export function markBlanks(quads: readonly Quad[], mark: string): Quad[] {
  const own = (term: Term): Term => (term.kind === 'bnode' ? { kind: 'bnode', value: `${mark}-${term.value}` } : term)
  return quads.map((quad) => {
    const { subject, predicate, object } = quad
    return subject.kind === 'bnode' || object.kind === 'bnode' ? { subject: own(subject), predicate, object: own(object) } : quad
  })
}
