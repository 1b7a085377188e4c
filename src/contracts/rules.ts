/** Rules and the session they live in. Old sessions load with defaults. */
import { z } from 'zod'
import { Tier } from './tiers.ts'

export const RULE_KINDS = ['shacl', 'sparql', 'owl', 'datalog'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

/** `coverage` and `library` are routes below /api/rules, so no rule may be called that. */
export const RuleId = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/, 'a rule id has 1 to 64 characters of a-z, 0-9 and -')
  .refine((id) => id !== 'coverage' && id !== 'library', { message: 'this id is reserved' })

/** What is asked of rules under /api/rules by POST: no rule that is written from now on may be called that either. */
export const RULE_VERBS = ['validate', 'compile', 'preview', 'draft', 'summarise'] as const

export const Rule = z
  .object({
    id: RuleId,
    kind: z.enum(RULE_KINDS),
    label: z.string().default(''),
    body: z.string(),
    enabled: z.boolean().default(true),
    nl_summary: z.string().default(''),
    /** the slots (`RuleMeta`), where the rule was filled in and not typed; older sessions hold other things here */
    meta: z.record(z.string(), z.unknown()).optional(),
    source: z.string().default('user'),
    window_seconds: z.number().positive().optional(),
    cause_class: z.string().optional(),
    effect_class: z.string().optional(),
    /** who may know of the rule: the lowest ceiling under which all that it names is there; set when it is saved */
    tier: Tier.optional(),
  })
  .meta({ id: 'Rule' })
export type Rule = z.infer<typeof Rule>

/** A log-derived event class that a reviewer approved. `templates` are the cluster ids whose lines are its instances. */
export const SessionEvent = z.object({
  name: z.string(),
  label: z.string().default(''),
  templates: z.array(z.string()).default([]),
  severity: z.string().default('INFO'),
  service: z.string().default(''),
  source: z.string(),
  pid: z.string().optional(),
  /** severities of templates that merging brought in, where they are not the one of the class: each keeps its own tier */
  severities: z.record(z.string(), z.string()).optional(),
})
export type SessionEvent = z.infer<typeof SessionEvent>

export const SessionEntity = z.object({
  name: z.string(),
  key_slot: z.string().default(''),
  source: z.string(),
  pid: z.string().optional(),
  /** further slots that name the same kind of thing, from candidates merged into this one */
  merged_slots: z.array(z.string()).optional(),
})
export type SessionEntity = z.infer<typeof SessionEntity>

export const SessionRelationship = z.object({
  name: z.string(),
  from: z.string(),
  to: z.string(),
  source: z.string(),
  pid: z.string().optional(),
})
export type SessionRelationship = z.infer<typeof SessionRelationship>

export const CausalRule = Rule.extend({ pid: z.string().optional() })
export type CausalRule = z.infer<typeof CausalRule>

export const Session = z
  .object({
    rules: z.array(Rule).default([]),
    causal_rules: z.array(CausalRule).default([]),
    entities: z.array(SessionEntity).default([]),
    events: z.array(SessionEvent).default([]),
    relationships: z.array(SessionRelationship).default([]),
    competency_questions: z.array(z.object({ question: z.string() }).loose()).default([]),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

/** A read-only rule library under templates/rules. */
export const RuleLibrary = z.strictObject({
  name: z.string(),
  label: z.string(),
  rules: z.array(Rule),
})
export type RuleLibrary = z.infer<typeof RuleLibrary>
