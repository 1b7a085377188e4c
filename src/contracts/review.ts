/** Review on the wire: what a reviewer may ask for, and what comes back beside the proposal itself. */
import { z } from 'zod'
import { SEVERITIES } from './limits.ts'
import { PROPOSAL_STATES, Proposal } from './proposals.ts'

/** A name that can stand in an IRI as it is written. */
export const SafeName = z
  .string()
  .max(120)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'a name begins with a letter and holds letters, digits and _ only')

const LONGEST_WINDOW_SECONDS = 30 * 24 * 3600 // beyond a month nothing is told apart from everything

/** What a reviewer may change about a candidate; which of it makes sense depends on the kind. */
export const ProposalEdits = z
  .strictObject({
    name: SafeName.optional(),
    label: z.string().min(1).max(200).regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'a label is one line of text').optional(),
    severity: z.enum(SEVERITIES).optional(),
    proposal_type: z.literal('LOG_RELATIONSHIP', 'only a causal edge can be demoted, and only to LOG_RELATIONSHIP').optional(),
    window_seconds: z.int().min(1).max(LONGEST_WINDOW_SECONDS).optional(),
  })
  .refine((edits) => Object.values(edits).some((value) => value !== undefined), { message: 'name at least one thing to change' })
  .meta({ id: 'ProposalEdits' })
export type ProposalEdits = z.infer<typeof ProposalEdits>

export const QUEUE_SORTS = ['score', 'confidence', 'consequence', 'newest', 'name', 'learned'] as const
export type QueueSort = (typeof QUEUE_SORTS)[number]

/** A row of the queue: the proposal and the group of near-duplicates it belongs to. */
export const Candidate = Proposal.extend({
  /** pid of the candidate that stands for the group; its own where nothing is like it */
  group: z.string().optional(),
  /** with grouped=true: how many of the group match, and which */
  group_size: z.int().optional(),
  group_members: z.array(z.string()).optional(),
}).meta({ id: 'Candidate' })
export type Candidate = z.infer<typeof Candidate>

/** How well past decisions predict the next; `used` tells whether sort=learned follows them. */
export const Ranking = z.object({
  decisions: z.int(),
  auc: z.number().nullable(),
  /** of confidence times consequence, on the same decisions */
  baseline_auc: z.number().nullable(),
  used: z.boolean(),
  reason: z.string(),
})
export type Ranking = z.infer<typeof Ranking>

export const QueueSummary = z
  .object({
    /** whether logs were ever mined into this store */
    available: z.boolean(),
    by_kind: z.record(z.string(), z.record(z.string(), z.int())),
    anomalies: z.int(),
    drift: z.int(),
    last_run: z.string().nullable(),
    ranking: Ranking,
  })
  .meta({ id: 'LogDiscoverySummary' })
export type QueueSummary = z.infer<typeof QueueSummary>

export const AuditEntry = z.object({
  action: z.string(),
  from: z.enum(PROPOSAL_STATES),
  to: z.enum(PROPOSAL_STATES),
  reviewer: z.string(),
  note: z.string().nullable(),
  edits: z.record(z.string(), z.unknown()),
  /** the candidate whose decision brought this one along */
  via: z.string().nullable(),
  at: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const Line = z.object({ file: z.string(), offset: z.int(), ts: z.string().nullable(), text: z.string().nullable() })

/** Everything a candidate rests on, as far as the caller may see it. */
export const EvidenceView = z
  .object({
    pid: z.string(),
    proposal_type: z.string(),
    samples: z.array(z.string()),
    slots: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        subtype: z.string(),
        distinct_count: z.int(),
        sample_count: z.int(),
        pii_risk: z.boolean(),
        tier: z.string(),
        histogram: z.array(z.object({ value: z.string(), count: z.int() })),
      }),
    ),
    lag_histogram: z
      .object({
        /** expected: what the effect's own times give when they are shuffled against the cause's */
        bins: z.array(z.object({ from_ms: z.number(), to_ms: z.number(), observed: z.number(), expected: z.number() })),
        followed: z.number(),
        expected: z.number(),
        bits: z.number(),
        surrogate_bits: z.number(),
      })
      .nullable(),
    gate: z.array(
      z.object({
        condition: z.string(),
        value: z.number().nullable(),
        operator: z.string(),
        threshold: z.number(),
        passed: z.boolean(),
      }),
    ),
    verdict: z.string(),
    stated_verdict: z.string().nullable(),
    failed_conditions: z.array(z.string()),
    /** in words: why a causal claim was taken away; null where none was */
    why_demoted: z.string().nullable(),
    explained_by: z.string().nullable(),
    lines: z.array(Line),
    line_pairs: z.array(z.object({ cause: Line, effect: Line, lag_ms: z.number() })),
    /** candidates that were merged into this one */
    merged: z.array(z.object({ pid: z.string(), name: z.string() })),
    figures: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Evidence' })
export type EvidenceView = z.infer<typeof EvidenceView>

export const REVIEW_ACTIONS = ['approve', 'reject', 'defer', 'undo'] as const
export type ReviewAction = (typeof REVIEW_ACTIONS)[number]

export const MAX_BULK = 1000

export const BulkRequest = z
  .strictObject({
    ids: z.array(z.string().min(1).max(64)).max(MAX_BULK).default([]),
    /** all near-duplicates of this candidate that still wait */
    group: z.string().min(1).max(64).optional(),
    action: z.enum(REVIEW_ACTIONS),
    note: z.string().max(2000).optional(),
    dry_run: z.boolean().default(false),
  })
  .refine(({ ids, group }) => ids.length > 0 || group !== undefined, { message: 'name ids or a group' })
export type BulkRequest = z.infer<typeof BulkRequest>

export const BulkOutcome = z.object({
  dry_run: z.boolean(),
  done: z.int(),
  refused: z.int(),
  outcomes: z.array(
    z.object({
      pid: z.string(),
      outcome: z.enum(['done', 'refused']),
      status: z.enum(PROPOSAL_STATES).optional(),
      version: z.int().optional(),
      session_entry: z.unknown().optional(),
      brought_along: z.array(z.string()).optional(),
      code: z.string().optional(),
      detail: z.string().optional(),
      hint: z.string().optional(),
    }),
  ),
})
export type BulkOutcome = z.infer<typeof BulkOutcome>
