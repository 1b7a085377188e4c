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
    /** the rule ran as a query of its own: it may rest on more than its premises say */
    readonly partial?: boolean
    /** of a SHACL rule */
    readonly shape?: string
  }[]
}
/** A whole answer of explain: the tree, and what its reader should know besides. */
export interface Explained extends Explanation {
  /** rdfs:label by IRI, of those things of the sources in the tree that have one */
  readonly labels?: Readonly<Record<string, string>>
  readonly notes?: readonly string[]
}
/** A premise is a triple (explained further while the depth allows), an absence, or a condition that was evaluated. */
export type PremiseNode =
  | (Explanation & { readonly kind: 'triple' })
  | { readonly kind: 'absent' | 'condition'; readonly text: string }

export const ENGINES = ['owl', 'shacl', 'sparql', 'datalog'] as const
export type Engine = (typeof ENGINES)[number]

/** Derived triples per page. */
export const MATERIALISED_PAGE = { default: 50, max: 500 } as const

/** Which derived triples; terms as in explain, `q` is any part of the triple's text. */
export interface MaterialisedQuery {
  readonly engine?: Engine
  readonly rule?: string
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
  readonly q?: string
  readonly cursor?: string
  readonly limit?: number
}

export const MaterialisedPage = z
  .object({
    triples: z.array(
      z.object({
        triple: TripleText,
        tier: Tier,
        /** the first derivation of each engine, the first of them all first */
        derivations: z.array(z.object({ engine: z.enum(ENGINES), rule: z.string() })),
      }),
    ),
    next_cursor: z.string().nullable(),
    total: z.int(),
  })
  .meta({ id: 'MaterialisedPage' })
export type MaterialisedPage = z.infer<typeof MaterialisedPage>

/** What a rule needs and has not: a match of a pattern, the absence of one (`unwanted` matches are there), or a condition. */
export interface Missing {
  readonly kind: 'triple' | 'unwanted' | 'condition'
  readonly text: string
  /** of `unwanted`: what stands in the way */
  readonly triples?: readonly TripleText[]
}

/** An instance of a rule that came close: what held, and the first part that did not. */
export interface NearMiss {
  readonly rule: string
  readonly engine: Engine
  readonly held: readonly PremiseNode[]
  readonly missing: Missing
  /** what would fail as well */
  readonly further: readonly Missing[]
  /** the instances of the rule were too many to look at each: a closer one may exist */
  readonly partial?: boolean
}

export interface WhyNot {
  readonly triple: TripleText
  /** the triple is there after all: explain says why */
  readonly holds: boolean
  readonly asserted: boolean
  /** the closest first */
  readonly misses: readonly NearMiss[]
  /** of subject and object, as they were written, what occurs nowhere in the graph */
  readonly unknown?: readonly string[]
  readonly notes: readonly string[]
}
