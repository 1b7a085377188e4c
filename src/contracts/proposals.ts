/** Review candidates as they are stored and sent: column names are the wire names. */
import { z } from 'zod'
import { Tier } from './tiers.ts'

export const PROPOSAL_TYPES = [
  'NEW_CLASS', 'NEW_PROPERTY', 'NEW_CONSTRAINT', 'DEPRECATE', // older databases hold these
  'LOG_EVENT', 'LOG_ENTITY', 'LOG_RELATIONSHIP', 'LOG_CAUSAL_EDGE',
] as const
export const DETECTION_STRATEGIES = [
  'SHACL_VIOLATION_ACCUMULATION', 'CARDINALITY_BREACH', 'CLASS_COOCCURRENCE', 'NLP_CANDIDATE_PROMOTION',
  'LOG_TEMPLATE_CLUSTERING', 'PMI_TEMPORAL_ORDERING', 'HMM_SEQUENCE_ANOMALY', 'GRANGER_CAUSALITY', 'DRIFT_ON_NEW_TEMPLATE',
] as const
export const PROPOSAL_STATES = ['PENDING', 'APPROVED', 'REJECTED', 'DEFERRED', 'MERGED'] as const

export type ProposalType = (typeof PROPOSAL_TYPES)[number]
export type DetectionStrategy = (typeof DETECTION_STRATEGIES)[number]
export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** Everything that mine, sequence or drift writes carries this source. */
export const LOG_DISCOVERY = 'log-discovery'

export const Proposal = z
  .object({
    pid: z.string(),
    proposal_type: z.enum(PROPOSAL_TYPES),
    title: z.string(),
    name: z.string(),
    candidate_turtle: z.string(),
    detection_strategy: z.enum(DETECTION_STRATEGIES),
    confidence: z.number(),
    consequence: z.number(),
    score: z.number(),
    lag_ms_p50: z.number().nullable(),
    lag_ms_p95: z.number().nullable(),
    status: z.enum(PROPOSAL_STATES),
    source: z.string(),
    tier: Tier,
    evidence: z.record(z.string(), z.unknown()),
    evidence_sample: z.string(),
    edits: z.record(z.string(), z.unknown()),
    reviewer_id: z.string().nullable(),
    review_note: z.string().nullable(),
    reviewed_at: z.string().nullable(),
    merged_into: z.string().nullable(),
    version: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Proposal' })
export type Proposal = z.infer<typeof Proposal>
