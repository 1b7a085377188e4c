/** What approval would add to the ontology, as Turtle, so that a reviewer sees it before deciding. */
import type { Proposal } from '../contracts/index.ts'
import { type Quad, STANDARD_PREFIXES, writeTurtle } from '../kernel/rdf/index.ts'
import type { NewCandidate } from '../store/index.ts'
import { labelOf, propertyName } from './entries.ts'
import { AnomalyEvidence, EdgeEvidence, editedEvidence, endsOf, EntityEvidence, RelationshipEvidence } from './evidence.ts'
import { entityClassQuads, eventClassQuads, relationshipQuads } from './taxonomy.ts'

/** Candidates whose evidence is incomplete get an empty text: approving them is refused, too. */
export const withTurtle = (candidates: readonly NewCandidate[], { baseIri }: { readonly baseIri: string }): NewCandidate[] =>
  candidates.map((candidate) => ({ ...candidate, candidateTurtle: turtleOf(candidate, labelOf(candidate.name), baseIri) }))

/** The same for a candidate that a reviewer has edited. */
export const editedTurtle = (proposal: Proposal, label: string, baseIri: string): string =>
  turtleOf({ proposalType: proposal.proposal_type, evidence: editedEvidence(proposal), name: proposal.name, tier: proposal.tier }, label, baseIri)

type Described = Pick<NewCandidate, 'proposalType' | 'evidence' | 'name' | 'tier'>

function turtleOf(candidate: Described, label: string, baseIri: string): string {
  const quads = quadsOf(candidate, label, baseIri)
  return quads.length === 0 ? '' : writeTurtle(quads, { prefixes: { ...STANDARD_PREFIXES, '': baseIri } })
}

function quadsOf({ proposalType, evidence, name, tier }: Described, label: string, baseIri: string): Quad[] {
  switch (proposalType) {
    case 'LOG_EVENT': {
      const read = AnomalyEvidence.safeParse(evidence) // the class needs no more, whatever found it
      return read.success ? eventClassQuads({ name, label, severity: read.data.severity }, baseIri) : []
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
      const ends = read.success ? endsOf(read.data) : []
      return ends.flatMap((end) => eventClassQuads({ name: end.name, label: labelOf(end.name), severity: end.severity }, baseIri))
    }
    default:
      return []
  }
}
