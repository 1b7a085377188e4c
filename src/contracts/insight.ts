/** Root causes on the wire: what is asked of an event, and what the graph says about it. */
import { z } from 'zod'
import { Tier } from './tiers.ts'
import type { PremiseNode } from './vocabulary.ts'

export const RCA_KINDS = ['root-cause', 'similar-incidents'] as const

export const RcaRequest = z
  .strictObject({
    preset: z.enum(RCA_KINDS).default('root-cause'),
    event_iri: z.string().max(2000).optional(),
    event: z.string().max(500).optional(),
    /** of several events that fit: the one at this time, or the last before it */
    at: z.string().max(64).optional(),
    /** of several events that fit: those on this entity */
    on: z.string().max(500).optional(),
    provider: z.string().optional(),
    include_materialised: z.boolean().default(true),
    confirm_residency: z.boolean().default(false),
    max_tier: Tier.optional(),
  })
  .refine((body) => body.event_iri !== undefined || body.event !== undefined, { message: 'name event_iri or event' })
  .meta({ id: 'RcaRequest' })
export type RcaRequest = z.infer<typeof RcaRequest>

/** An event as it is named everywhere in an insight. */
export interface SeenEvent {
  readonly event: string
  readonly label: string
  readonly time: string
}

/** A line of a log that an event stands for; of a repeated event the first, in a chain the one that the lag counts from. */
export interface LogLine {
  readonly file: string
  readonly offset: number
}

/** One event of a cause chain, root first. `lag_ms` is the time to the next event of the chain, null at the end. */
export interface ChainStep extends SeenEvent {
  /** of a repeated event: when the line was written that the lag counts from, if it is not the first */
  readonly repeated_at?: string
  readonly lag_ms: number | null
  readonly rule: string | null
  readonly premises: readonly PremiseNode[]
  /** the usual lag of this step, where it is known: between these two lie nineteen of twenty */
  readonly usual_lag_ms?: readonly [from: number, to: number]
  /** null: the step is proven. Otherwise why it is only supposed; it then has no premises */
  readonly supposed: string | null
  readonly severity: string | null
  /** how often the event was logged without a pause */
  readonly count: number
  readonly line: LogLine | null
}

/** What the score of a cause is made of, each from 0 to 1. */
export interface CauseParts {
  /** confidence of the edges on the way, from mining */
  readonly evidence: number
  /** how well the lags on the way fit what is usual for their edges */
  readonly lag_fit: number
  /** share of the blame among all that competes at each step of the way */
  readonly share: number
  /** how unusual so many events of its kind were at that time */
  readonly change: number
  /** whether it begins the chain, and how much of what happened besides goes back to it */
  readonly position: number
}

export interface RankedCause extends SeenEvent {
  readonly score: number
  readonly parts: CauseParts
  /** other events, besides the one in question, that go back to this cause */
  readonly explains: number
  readonly hops: number
  readonly lag_ms: number
  /** false: events of its kind have causes as a rule, so that it may not be where it began */
  readonly entry: boolean
  /** null: proven. Otherwise why one of the steps on the way is only supposed */
  readonly supposed: string | null
}

export interface TimelineEntry extends SeenEvent {
  readonly role: 'root' | 'step' | 'event' | 'effect' | 'other cause'
  /** since the root */
  readonly after_ms: number
  readonly severity: string | null
  readonly count: number
  readonly line: LogLine | null
}

/** An event with more than one candidate cause, and how the blame is shared. */
export interface Competing {
  readonly effect: SeenEvent
  readonly causes: readonly (SeenEvent & { readonly share: number; readonly lag_ms: number; readonly supposed: string | null })[]
}

export interface SimilarIncident extends SeenEvent {
  readonly shared_causes: readonly string[]
  readonly similarity: number
  readonly parts: { readonly causes: number; readonly sequence: number; readonly severity: number }
  /** what was different then */
  readonly differences: readonly string[]
}

/** A candidate that nobody has approved: a hint, and no cause. */
export interface CauseHint {
  readonly pid: string
  readonly title: string
  readonly confidence: number
  readonly status: string
}

/** A record of a database that an event of the incident is about. */
export interface AffectedRecord {
  readonly record: string
  readonly label: string
  readonly classes: readonly string[]
  readonly events: number
}

export interface Insight {
  readonly answer: string
  readonly about?: SeenEvent
  readonly chain?: readonly ChainStep[]
  readonly ranked_causes?: readonly RankedCause[]
  readonly timeline?: readonly TimelineEntry[]
  readonly competing?: readonly Competing[]
  /** what would show that the first cause is not the cause */
  readonly refutation?: readonly string[]
  readonly similar?: readonly SimilarIncident[]
  readonly hints?: readonly CauseHint[]
  readonly records?: readonly AffectedRecord[]
  readonly provider: string
  readonly model: string
  readonly grounded_iris: readonly string[]
  readonly unknown_iris: readonly string[]
  readonly warnings: readonly string[]
  readonly duration_ms: number
}
