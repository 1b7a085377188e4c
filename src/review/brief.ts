/** A candidate in brief: what the queue filters, sorts, groups and learns by. */
import type { DetectionStrategy, ProposalState, ProposalType, Tier } from '../contracts/index.ts'
import type { ProposalFacts } from '../store/index.ts'
import { editedEvidence } from './evidence.ts'

/** What log discovery proposes; older kinds of proposal live in the same table and not in this queue. */
export const LOG_KINDS = [
  'LOG_EVENT', 'LOG_ENTITY', 'LOG_RELATIONSHIP', 'LOG_CAUSAL_EDGE',
] as const satisfies readonly ProposalType[]

export interface Brief {
  readonly pid: string
  readonly kind: ProposalType
  readonly strategy: DetectionStrategy
  readonly status: ProposalState
  readonly tier: Tier
  readonly confidence: number
  readonly consequence: number
  readonly score: number
  readonly name: string
  /** what a search looks through, in lower case */
  readonly haystack: string
  /** what near-duplicates have in common: the template of an event, the slot of an entity; edges are known by their ends */
  readonly text: string
  readonly severity: string
  readonly services: readonly string[]
  readonly lagMs: number | null
  readonly n: number | null
  readonly q: number | null
  readonly hits: number | null
  readonly cause: string | null
  readonly effect: string | null
  readonly clusters: readonly string[]
  /** the edge that an approved event came in with; null where it was decided on its own */
  readonly via: string | null
  readonly createdAt: string
  readonly reviewedAt: string
}

/** What of the evidence a brief is made from. */
export const BRIEF_FIELDS = [
  'template', 'slot', 'service', 'cause_service', 'effect_service', 'cause_cluster', 'effect_cluster', 'severity', 'effect_severity',
  'n', 'q', 'hits', 'occurrences', 'clusters',
] as const

export function briefOf(proposal: ProposalFacts): Brief {
  const evidence = editedEvidence(proposal)
  const services = [evidence['service'], evidence['cause_service'], evidence['effect_service']].filter(isText)
  const template = textOf(evidence['template'])
  const { clusters } = evidence
  return {
    pid: proposal.pid,
    kind: proposal.proposal_type,
    strategy: proposal.detection_strategy,
    status: proposal.status,
    tier: proposal.tier,
    confidence: proposal.confidence,
    consequence: proposal.consequence,
    score: proposal.score,
    name: proposal.name,
    haystack: [proposal.name, proposal.title, template ?? '', ...services].join('\n').toLowerCase(),
    text: template ?? textOf(evidence['slot']) ?? (textOf(evidence['cause_cluster']) === null ? proposal.name : ''),
    severity: textOf(evidence['severity']) ?? textOf(evidence['effect_severity']) ?? '',
    services: [...new Set(services)],
    lagMs: proposal.lag_ms_p50,
    n: numberOf(evidence['n']),
    q: numberOf(evidence['q']),
    hits: numberOf(evidence['hits']) ?? numberOf(evidence['occurrences']),
    cause: textOf(evidence['cause_cluster']),
    effect: textOf(evidence['effect_cluster']),
    clusters: Array.isArray(clusters) ? clusters.filter(isText) : [],
    via: proposal.via,
    createdAt: proposal.created_at,
    reviewedAt: proposal.reviewed_at ?? '',
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const textOf = (value: unknown): string | null => (isText(value) ? value : null)
const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)
