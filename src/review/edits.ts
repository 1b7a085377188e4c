/** A reviewer's changes to a candidate: which make sense for its kind, and what they do to its row. */
import {
  type Fault, type Proposal, type ProposalEdits, type ProposalType, SEVERITIES, SEVERITY_WEIGHT, ServiceError, type Severity, maxTier,
} from '../contracts/index.ts'
import { camelCase } from '../kernel/text/index.ts'
import type { Changes } from '../store/index.ts'
import { editedTurtle } from './candidate-turtle.ts'
import { severityTier } from './cut.ts'
import { labelFor } from './entries.ts'
import { editedEvidence, RelationshipEvidence } from './evidence.ts'

const EDGES: readonly ProposalType[] = ['LOG_CAUSAL_EDGE']
const ALLOWED: Readonly<Record<keyof ProposalEdits, readonly ProposalType[]>> = {
  name: ['LOG_EVENT', 'LOG_ENTITY', 'LOG_RELATIONSHIP', 'LOG_CAUSAL_EDGE'],
  label: ['LOG_EVENT', 'LOG_CAUSAL_EDGE'],
  severity: ['LOG_EVENT'],
  proposal_type: EDGES,
  window_seconds: EDGES,
}

/** The columns that change, and to what. Refused where an edit makes no sense for this candidate. */
export function changesOf(proposal: Proposal, edits: ProposalEdits, baseIri: string): Changes {
  refuseSenseless(proposal, edits)
  const { name = proposal.name, severity, proposal_type: kind = proposal.proposal_type } = edits
  const demoted = kind !== proposal.proposal_type ? demotedWords(proposal, edits) : null
  const now: Proposal = {
    ...proposal,
    name: demoted?.name ?? name,
    title: demoted?.title ?? (name === proposal.name ? proposal.title : proposal.title.replace(proposal.name, () => name)),
    proposal_type: kind,
    edits: { ...proposal.edits, ...edits },
    ...(severity === undefined ? {} : graver(proposal, severity)),
  }
  return {
    name: now.name,
    title: now.title,
    proposal_type: now.proposal_type,
    tier: now.tier,
    consequence: now.consequence,
    candidate_turtle: editedTurtle(now, labelFor(now), baseIri),
    edits: now.edits,
  }
}

function refuseSenseless(proposal: Proposal, edits: ProposalEdits): void {
  const faults: Fault[] = (Object.keys(edits) as (keyof ProposalEdits)[])
    .filter((field) => edits[field] !== undefined && !ALLOWED[field].includes(proposal.proposal_type))
    .map((field) => ({ path: `edits.${field}`, message: `only for ${ALLOWED[field].join(', ')}` }))
  const { severity, name } = edits
  const was = severityOf(proposal)
  if (severity !== undefined && was !== undefined && SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(was)) {
    // its class would be shown to callers who may not see its lines
    faults.push({ path: 'edits.severity', message: `cannot be below ${was}, which its lines carry` })
  }
  if (name !== undefined && proposal.proposal_type === 'LOG_RELATIONSHIP' && !/^[a-z]/.test(name)) {
    faults.push({ path: 'edits.name', message: 'the name of a property begins with a small letter' })
  }
  if (faults.length === 0) return
  const words = faults.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new ServiceError('invalid_request', `these edits do not fit a ${proposal.proposal_type}: ${words}`, { errors: faults })
}

const severityOf = (proposal: Proposal): Severity | undefined => {
  const { severity } = editedEvidence(proposal)
  return SEVERITIES.find((each) => each === severity)
}

/** The tier never falls: what the lines say stays as sensitive as it was. */
function graver(proposal: Proposal, severity: Severity): Pick<Proposal, 'tier' | 'consequence'> {
  const was = severityOf(proposal)
  const weight = was === undefined ? 1 : SEVERITY_WEIGHT[severity] / SEVERITY_WEIGHT[was]
  return { tier: maxTier(proposal.tier, severityTier(severity)), consequence: Math.min(1, proposal.consequence * weight) }
}

/** What a causal edge is called once it claims no cause. */
function demotedWords(proposal: Proposal, { name }: ProposalEdits): { name: string; title: string } {
  const read = RelationshipEvidence.safeParse(proposal.evidence)
  const { cause = '', effect = '' } = read.success ? read.data : {}
  const own = name ?? (typeof proposal.edits['name'] === 'string' ? proposal.edits['name'] : undefined)
  const given = own !== undefined && /^[a-z]/.test(own) ? own : undefined
  return { name: given ?? camelCase([cause, 'with', effect]), title: `${cause} occurs with ${effect}` }
}
