/** The search request and the search answer as they stand on the wire, and the events between them. */
import { z } from 'zod'
import type { Problem } from './errors.ts'
import { LIMITS } from './limits.ts'
import { AnswerPlan, Plan } from './plan.ts'
import { Tier } from './tiers.ts'

export const SearchRequest = z
  .strictObject({
    question: z.string().trim().min(1).max(LIMITS.question_chars),
    flavor: z.string().max(64).optional(),
    db_path: z.string().max(4096).optional(),
    providers: z.union([z.string(), z.strictObject({ planner: z.string(), synthesizer: z.string() })]).optional(),
    max_tier: Tier.default('Internal'),
    materialize: z.boolean().default(false),
    k: z.int().min(1).max(LIMITS.max_k).default(LIMITS.default_k),
    limit: z.int().min(1).max(LIMITS.max_row_limit).default(LIMITS.default_row_limit),
    timeout_ms: z.int().min(1).max(LIMITS.max_timeout_ms).default(LIMITS.default_timeout_ms),
    clarify: z.boolean().default(true),
    context: z.string().max(64).optional(),
    plan: Plan.optional(),
    fallback: z.boolean().default(true),
    confirm_residency: z.boolean().default(false),
    resumable: z.boolean().default(false),
  })
  .meta({ id: 'SearchRequest' })
export type SearchRequest = z.infer<typeof SearchRequest>
/** What a caller writes: everything but the question may be left out. */
export type SearchOptions = Omit<z.input<typeof SearchRequest>, 'question'>

export const STAGES = ['plan', 'execute', 'relations', 'reason', 'synthesize'] as const
export type Stage = (typeof STAGES)[number]

export const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
/** A value as it stands on the wire. */
export type Cell = z.infer<typeof Cell>

export const Claim = z
  .object({
    id: z.string(),
    text: z.string(),
    kind: z.enum(['record', 'aggregate', 'derived', 'none_found']),
    citations: z.array(z.int()),
    /** [query, from, to]: the part of executed_queries[query].sql that this claim rests on, in UTF-16 units */
    sql_spans: z.array(z.tuple([z.int(), z.int(), z.int()])),
    rule_ids: z.array(z.string()),
    fact_ids: z.array(z.string()),
    support_count: z.int(),
    verified: z.literal(true),
    verified_by: z.enum(['rows', 'proof', 'sql']),
  })
  .meta({ id: 'Claim' })
export type Claim = z.infer<typeof Claim>

export const Citation = z
  .object({
    n: z.int(),
    iri: z.string(),
    label: z.string(),
    source_table: z.string(),
    key: z.record(z.string(), Cell),
    columns: z.array(z.string()),
    tier: Tier,
    inferred: z.boolean(),
  })
  .meta({ id: 'Citation' })
export type Citation = z.infer<typeof Citation>

export const ExecutedQuery = z.object({
  sql: z.string(),
  params: z.array(Cell),
  rows: z.int(),
  ms: z.number(),
  purpose: z.enum(['main', 'evidence', 'relations']),
})
export type ExecutedQuery = z.infer<typeof ExecutedQuery>

export const InferredFact = z.object({
  id: z.string(),
  fact: z.tuple([z.string(), z.string(), z.string()]),
  rule: z.string(),
  /** ids of inferred facts, IRIs of records, and conditions in words */
  derived_from: z.array(z.string()),
  tier: Tier,
})
export type InferredFact = z.infer<typeof InferredFact>

export const SubgraphView = z.object({
  nodes: z.array(z.object({ iri: z.string(), label: z.string(), class: z.string() })),
  edges: z.array(z.object({ from: z.string(), to: z.string(), property: z.string(), derived: z.boolean() })),
  truncated: z.boolean(),
})

export const Subgraph = z.object({
  id: z.string().nullable(),
  count: z.int(),
  turtle: z.string().optional(),
  view: SubgraphView,
})
export type Subgraph = z.infer<typeof Subgraph>

/** What a stage did. Beside these three, each stage brings details of its own, named in the contract. */
export const StageEvent = z.looseObject({
  stage: z.enum(STAGES),
  status: z.enum(['done', 'skipped', 'failed']),
  ms: z.number(),
})
export type StageEvent = z.infer<typeof StageEvent>

export const SEARCH_STATUSES = ['ok', 'empty', 'blocked', 'ungrounded', 'clarify'] as const

export const SearchAnswer = z
  .object({
    run_id: z.string(),
    status: z.enum(SEARCH_STATUSES),
    answer: z.string(),
    claims: z.array(Claim),
    citations: z.array(Citation),
    executed_query: z.string(),
    executed_queries: z.array(ExecutedQuery),
    plan: AnswerPlan.nullable(),
    results: z.object({ columns: z.array(z.string()), rows: z.array(z.array(Cell)), truncated: z.boolean() }),
    inferred: z.array(InferredFact),
    subgraph: Subgraph,
    confidence: z.number(),
    clarification: z
      .object({ question: z.string(), options: z.array(z.object({ label: z.string(), plan: Plan })) })
      .optional(),
    warnings: z.array(z.string()),
    follow_ups: z.array(z.string()),
    trace: z.array(StageEvent),
    provider: z.string(),
    model: z.string(),
    timings_ms: z.record(z.string(), z.number()),
  })
  .meta({ id: 'SearchAnswer' })
export type SearchAnswer = z.infer<typeof SearchAnswer>

/** What `searchStream` yields and the SSE stream forwards, in this order: run, five stages (claims before the last), then one end. */
export type SearchEvent =
  | { readonly event: 'run'; readonly data: { readonly run_id: string } }
  | { readonly event: 'stage'; readonly data: StageEvent }
  | { readonly event: 'claim'; readonly data: Claim }
  | { readonly event: 'answer'; readonly data: SearchAnswer }
  | { readonly event: 'error'; readonly data: Problem }

export const SparqlRequest = z
  .strictObject({
    subgraph_id: z.string().max(64).optional(),
    run_id: z.string().max(64).optional(),
    query: z.string().min(1).max(20_000),
  })
  .refine((body) => (body.subgraph_id === undefined) !== (body.run_id === undefined), {
    message: 'name exactly one of subgraph_id and run_id',
  })
  .meta({ id: 'SparqlRequest' })
