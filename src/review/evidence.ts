/** What a decision needs from a candidate's evidence. Mining and older stores wrote it, so it is read by schema. */
import { z } from 'zod'
import { type Proposal, SEVERITIES, ServiceError } from '../contracts/index.ts'

/** no default: the severity decides the tier, and a guess might open a line to everybody */
const Severity = z.enum(SEVERITIES)

/** An event class is made of the lines of these templates. */
export const EventEvidence = z.object({
  clusters: z.array(z.string()).min(1),
  severity: Severity,
  service: z.string().default(''),
})

/** An unusual sequence stands for the templates that occur in it alone; there may be none. */
export const AnomalyEvidence = EventEvidence.extend({ clusters: z.array(z.string()).default([]) })

export const isAnomaly = ({ detection_strategy: strategy }: Proposal): boolean => strategy === 'HMM_SEQUENCE_ANOMALY'

export const EntityEvidence = z.object({ slot: z.string().min(1) })

export const RelationshipEvidence = z.object({
  cause: z.string().min(1),
  effect: z.string().min(1),
  cause_cluster: z.string().optional(),
  effect_cluster: z.string().optional(),
})

export const EdgeEvidence = RelationshipEvidence.extend({
  cause_cluster: z.string().min(1),
  effect_cluster: z.string().min(1),
  cause_severity: Severity,
  effect_severity: Severity,
  cause_service: z.string().default(''),
  effect_service: z.string().default(''),
  shared_entity: z.string().nullable().default(null),
  window_seconds: z.number().positive(),
})
export type EdgeEvidence = z.infer<typeof EdgeEvidence>

/** One end of a causal edge. */
export interface EdgeEnd {
  readonly name: string
  readonly cluster: string
  readonly severity: string
  readonly service: string
}

export const endsOf = (edge: EdgeEvidence): readonly [cause: EdgeEnd, effect: EdgeEnd] => [
  { name: edge.cause, cluster: edge.cause_cluster, severity: edge.cause_severity, service: edge.cause_service },
  { name: edge.effect, cluster: edge.effect_cluster, severity: edge.effect_severity, service: edge.effect_service },
]

/** A reviewer's word goes before the miner's. */
export function editedEvidence({ evidence, edits }: Pick<Proposal, 'evidence' | 'edits'>): Record<string, unknown> {
  const { severity, window_seconds } = edits
  return { ...evidence, ...(severity === undefined ? {} : { severity }), ...(window_seconds === undefined ? {} : { window_seconds }) }
}

export function readEvidence<Shape extends z.ZodType>(shape: Shape, proposal: Proposal): z.infer<Shape> {
  const read = shape.safeParse(editedEvidence(proposal))
  if (read.success) return read.data
  throw new ServiceError('conflict', `the evidence of this ${proposal.proposal_type} is incomplete, so it cannot be approved`, {
    hint: 'mine the logs again, or reject it',
    errors: read.error.issues.map(({ path, message }) => ({ path: ['evidence', ...path].join('.'), message })),
  })
}
