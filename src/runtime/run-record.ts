/** A search as history shows it: what is kept of a run, and what of it can be asked for again. */
import { z } from 'zod'
import {
  type Citation, type Claim, type ExecutedQuery, type InferredFact, SEARCH_STATUSES, type SearchAnswer, type SearchEvent,
  StageEvent, Tier,
} from '../contracts/index.ts'

export const RUN_STATUSES = [...SEARCH_STATUSES, 'failed'] as const

export interface Feedback {
  readonly right: boolean
  readonly note: string | null
  readonly at: string
}

export interface RunLine {
  readonly run_id: string
  readonly question: string
  readonly status: (typeof RUN_STATUSES)[number]
  /** of a search that failed, why */
  readonly code: string | null
  readonly source: string | null
  readonly max_tier: Tier
  readonly created_at: string
  /** the schema has changed since the answer was given */
  readonly stale: boolean
  readonly feedback: Feedback | null
}

/** A claim and everything in its answer that it rests on. */
export interface ClaimView {
  readonly run_id: string
  readonly claim: Claim
  readonly citations: Citation[]
  readonly inferred: InferredFact[]
  /** those that the claim's sql_spans point into, under the number they have there */
  readonly executed_queries: { readonly query: number; readonly sql: string; readonly params: ExecutedQuery['params'] }[]
}

export type NumberedEvent = SearchEvent & { readonly id: number }

/** Where an answer came from: `place` tells apart databases that no configuration names, `ontology` is its cut of that day. */
export interface Origin {
  readonly source: string
  readonly place?: string
  readonly ontology: string
}

const FeedbackBody = z.object({ right: z.boolean(), note: z.string().nullable(), at: z.string() })
const Told = z.looseObject({ code: z.string(), status: z.number() })
/** What every kept run has; runs of an older program know no question. */
export const Kept = z.object({
  question: z.string().default(''),
  source: z.string().nullable().default(null),
  place: z.string().optional(),
  ontology: z.string().optional(),
  stale: z.boolean().default(false),
  sight: Tier.optional(),
  feedback: FeedbackBody.nullable().default(null),
  answer: z.looseObject({ status: z.enum(SEARCH_STATUSES) }).optional(),
  problem: Told.optional(),
  trace: z.array(StageEvent).default([]),
})
export type Kept = z.infer<typeof Kept>

/**
 * The lowest ceiling that a run may be seen under, ended or not. That something is blocked tells what lies between the ceiling
 * and the grant of who asked, and the stage plan, told first, is where a run says so: once it has said anything else, all that
 * follows rests on what is within the ceiling. Until then nobody knows, and it takes the grant.
 */
export function sightOf(ceiling: Tier, { grant }: { readonly grant: Tier }, trace: readonly StageEvent[]): Tier {
  const planned = trace.find(({ stage }) => stage === 'plan')
  return planned === undefined || planned['outcome'] === 'blocked' ? grant : ceiling
}

/**
 * The events of a run in the order and with the numbers that its stream had: run, the stages with the claims before the last,
 * then the end. Who names a number that was never given hears all of it; who has heard it all hears the end again.
 */
export function replayed(runId: string, trace: readonly StageEvent[], end: SearchEvent, after: number): NumberedEvent[] {
  const claims = end.event === 'answer' ? end.data.claims : []
  const events: SearchEvent[] = [
    { event: 'run', data: { run_id: runId } },
    ...trace.flatMap((data): SearchEvent[] => [
      ...(data.stage === 'synthesize' ? claims.map((claim): SearchEvent => ({ event: 'claim', data: claim })) : []),
      { event: 'stage', data },
    ]),
    end,
  ]
  const from = after > events.length ? 0 : Math.min(after, events.length - 1)
  return events.map((event, at) => ({ ...event, id: at + 1 })).slice(from)
}

/** Follows a claim to its citations, the facts behind it (and behind those), and the queries its spans point into. */
export function claimView(answer: SearchAnswer, claim: Claim): ClaimView {
  const facts = new Map(answer.inferred.map((fact) => [fact.id, fact]))
  const needed = new Set<string>()
  const follow = (id: string): void => {
    const fact = facts.get(id)
    if (fact === undefined || needed.has(id)) return
    needed.add(id)
    fact.derived_from.forEach(follow)
  }
  claim.fact_ids.forEach(follow)
  const spanned = new Set(claim.sql_spans.map(([query]) => query))
  return {
    run_id: answer.run_id,
    claim,
    citations: answer.citations.filter(({ n }) => claim.citations.includes(n)),
    inferred: answer.inferred.filter(({ id }) => needed.has(id)),
    executed_queries: answer.executed_queries
      .map(({ sql, params }, query) => ({ query, sql, params }))
      .filter(({ query }) => spanned.has(query)),
  }
}
