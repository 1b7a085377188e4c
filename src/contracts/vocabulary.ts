/** Answers of the ontology, explain and insights routes. */
import { z } from 'zod'
import { Tier } from './tiers.ts'

export const Vocabulary = z
  .object({
    base_iri: z.string(),
    etag: z.string(),
    classes: z.array(
      z.object({
        iri: z.string(),
        qname: z.string(),
        label: z.string(),
        parents: z.array(z.string()),
        tier: Tier,
        instances: z.int(),
      }),
    ),
    properties: z.array(
      z.object({
        iri: z.string(),
        qname: z.string(),
        label: z.string(),
        kind: z.enum(['data', 'object']),
        domain: z.string(),
        range: z.string(),
        tier: Tier,
      }),
    ),
  })
  .meta({ id: 'Vocabulary' })
export type Vocabulary = z.infer<typeof Vocabulary>

export const TripleText = z.object({ subject: z.string(), predicate: z.string(), object: z.string() })
export type TripleText = z.infer<typeof TripleText>

/** One node of a premise tree. A leaf that was asserted has no derivations. */
export interface Explanation {
  readonly triple: TripleText
  readonly asserted: boolean
  readonly derivations: readonly {
    readonly rule: string
    readonly engine: Engine
    readonly bindings: Readonly<Record<string, string>>
    readonly premises: readonly PremiseNode[]
  }[]
}
/** A premise is a triple (explained further while the depth allows), an absence, or a condition that was evaluated. */
export type PremiseNode =
  | (Explanation & { readonly kind: 'triple' })
  | { readonly kind: 'absent' | 'condition'; readonly text: string }

export const ENGINES = ['owl', 'shacl', 'sparql', 'datalog'] as const
export type Engine = (typeof ENGINES)[number]

export const RcaRequest = z
  .strictObject({
    preset: z.enum(['root-cause', 'similar-incidents']).default('root-cause'),
    event_iri: z.string().max(2000).optional(),
    event: z.string().max(500).optional(),
    provider: z.string().optional(),
    include_materialised: z.boolean().default(true),
    confirm_residency: z.boolean().default(false),
    max_tier: Tier.optional(),
  })
  .refine((body) => body.event_iri !== undefined || body.event !== undefined, { message: 'name event_iri or event' })
  .meta({ id: 'RcaRequest' })
export type RcaRequest = z.infer<typeof RcaRequest>

/** One event of a cause chain, root first. `lag_ms` is the time to the next event of the chain, null at the end. */
export interface ChainStep {
  readonly event: string
  readonly label: string
  readonly time: string
  readonly lag_ms: number | null
  readonly rule: string | null
  readonly premises: readonly PremiseNode[]
}

export interface Insight {
  readonly answer: string
  readonly chain?: readonly ChainStep[]
  readonly ranked_causes?: readonly { readonly event: string; readonly label: string; readonly time: string; readonly score: number; readonly explains: number }[]
  readonly similar?: readonly { readonly event: string; readonly label: string; readonly time: string; readonly shared_causes: readonly string[] }[]
  readonly provider: string
  readonly model: string
  readonly grounded_iris: readonly string[]
  readonly unknown_iris: readonly string[]
  readonly warnings: readonly string[]
  readonly duration_ms: number
}
