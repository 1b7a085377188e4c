/** What approval would add to the ontology, as Turtle, so that a reviewer sees it before deciding. */
import { type Quad, STANDARD_PREFIXES, writeTurtle } from '../kernel/rdf/index.ts'
import type { NewCandidate } from '../store/index.ts'
import { labelOf, propertyName } from './entries.ts'
import { AnomalyEvidence, EdgeEvidence, endsOf, EntityEvidence, RelationshipEvidence } from './evidence.ts'
import { entityClassQuads, eventClassQuads, relationshipQuads } from './taxonomy.ts'

/** Candidates whose evidence is incomplete get an empty text: approving them is refused, too. */
export const withTurtle = (candidates: readonly NewCandidate[], { baseIri }: { readonly baseIri: string }): NewCandidate[] =>
  candidates.map((candidate) => {
    const quads = quadsOf(candidate, baseIri)
    const prefixes = { ...STANDARD_PREFIXES, '': baseIri }
    return { ...candidate, candidateTurtle: quads.length === 0 ? '' : writeTurtle(quads, { prefixes }) }
  })

function quadsOf({ proposalType, evidence, name, tier }: NewCandidate, baseIri: string): Quad[] {
  const event = (name: string, severity: string) => eventClassQuads({ name, label: labelOf(name), severity }, baseIri)
  switch (proposalType) {
    case 'LOG_EVENT': {
      const read = AnomalyEvidence.safeParse(evidence) // the class needs no more, whatever found it
      return read.success ? event(name, read.data.severity) : []
    }
    case 'LOG_ENTITY': {
      const read = EntityEvidence.safeParse(evidence)
      return read.success ? entityClassQuads({ name, key_slot: read.data.slot }, baseIri) : []
    }
    case 'LOG_RELATIONSHIP': {
      const read = RelationshipEvidence.safeParse(evidence)
      if (!read.success) return []
      const { cause: from, effect: to } = read.data
      return relationshipQuads({ name: propertyName(name, from, to), from, to }, baseIri, new Map([[from, tier], [to, tier]]))
    }
    case 'LOG_CAUSAL_EDGE': {
      const read = EdgeEvidence.safeParse(evidence)
      return read.success ? endsOf(read.data).flatMap((end) => event(end.name, end.severity)) : []
    }
    default:
      return []
  }
}
