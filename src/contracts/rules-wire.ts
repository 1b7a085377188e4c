/** What goes over the wire about rules: a rule as it is sent and shown, what validation finds, what a preview shows. */
import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { RULE_KINDS, Rule, RuleId } from './rules.ts'
import { RuleMeta } from './rule-meta.ts'
import { Tier } from './tiers.ts'
import { TripleText } from './vocabulary.ts'

/** A rule as its author sends it. Without `body` the slots in `meta` are written out. */
export const RuleInput = z
  .strictObject({
    id: RuleId.optional().describe('if sent, the id of the path'),
    kind: z.enum(RULE_KINDS),
    label: z.string().default(''),
    body: z.string().optional().describe('Turtle, SPARQL or Datalog text; left out, it is compiled from meta'),
    enabled: z.boolean().default(true),
    nl_summary: z.string().default('').describe('one sentence; left empty, it is written from the rule'),
    meta: RuleMeta.optional(),
    source: z.string().max(64).default('user'),
    window_seconds: z.number().positive().optional(),
    cause_class: z.string().max(256).optional(),
    effect_class: z.string().max(256).optional(),
    tier: Tier.optional().describe('who may know of the rule; never lower than what it names'),
  })
  .meta({ id: 'RuleDraft' })
export type RuleInput = z.infer<typeof RuleInput>

/** Rules of flavors, libraries and approved edges are shown and cannot be written here. */
export const RuleView = Rule.extend({ tier: Tier, read_only: z.boolean() }).meta({ id: 'RuleView' })
export type RuleView = z.infer<typeof RuleView>

export const RuleFault = z.object({
  message: z.string(), path: z.string().optional(), line: z.int().optional(), column: z.int().optional(),
})

export const RuleValidation = z
  .object({ ok: z.boolean(), errors: z.array(RuleFault), warnings: z.array(RuleFault) })
  .meta({ id: 'RuleValidation' })
export type RuleValidation = z.infer<typeof RuleValidation>

export const PreviewRequest = z
  .strictObject({
    rule: RuleInput,
    data: z.string().default('synthetic').describe("'synthetic' (made from the rule), 'graph' (the project's own), or Turtle text"),
    max_tier: Tier.optional(),
  })
  .meta({ id: 'RulePreviewRequest' })
export type PreviewRequest = z.infer<typeof PreviewRequest>

const PreviewTriples = z.array(TripleText).max(LIMITS.preview_triples)

export interface RulePreview {
  readonly derived: readonly z.infer<typeof TripleText>[]
  readonly lineage: readonly { readonly triple: z.infer<typeof TripleText>; readonly bindings: Readonly<Record<string, string>>; readonly premises: readonly unknown[] }[]
  readonly count: number
  readonly errors: readonly z.infer<typeof RuleFault>[]
  readonly warnings: readonly string[]
  readonly duration_ms: number
  /** the data that the rule ran on, where it was made for it */
  readonly sample?: string
}

export const rulePreviewBody = (premise: z.ZodType) =>
  z
    .object({
      derived: PreviewTriples,
      lineage: z.array(z.object({ triple: TripleText, bindings: z.record(z.string(), z.string()), premises: z.array(premise) })),
      count: z.int(),
      errors: z.array(RuleFault),
      warnings: z.array(z.string()),
      duration_ms: z.number(),
      sample: z.string().optional().describe('the data that was made for the rule, in Turtle'),
    })
    .meta({ id: 'RulePreview' })

export const RuleUse = z.object({ id: z.string(), kind: z.enum(RULE_KINDS), enabled: z.boolean(), reads: z.boolean(), derives: z.boolean() })
export const RuleCoverage = z
  .object({
    classes: z.array(z.object({ iri: z.string(), qname: z.string(), rules: z.array(RuleUse) })),
    covered: z.int(),
    total: z.int(),
  })
  .meta({ id: 'RuleCoverage' })
export type RuleCoverage = z.infer<typeof RuleCoverage>

export const LibraryView = z
  .object({
    name: z.string(),
    label: z.string(),
    rules: z.array(Rule.extend({
      added: z.boolean().describe('the session has it'),
      fits: z.boolean().describe('it can be added here: all that it names is there'),
      errors: z.array(RuleFault),
    })),
  })
  .meta({ id: 'RuleLibraryView' })
export type LibraryView = z.infer<typeof LibraryView>
