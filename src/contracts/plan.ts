/**
 * The plan: one JSON shape over class and property names of the ontology, filled by the embedded planner or by a model,
 * validated against the vocabulary before anything runs, compiled to SQL afterwards.
 */
import { z } from 'zod'

/**
 * A property reached from the plan's class: zero or more object properties, then the property itself.
 * `['resource', 'site', 'name']` from Alarm is the name of the site of the alarm's resource.
 * A step `^Alarm.resource` walks the object property `resource` of class Alarm backwards.
 */
export const Path = z.array(z.string().min(1)).min(1).max(8)
export type Path = z.infer<typeof Path>

export const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type Scalar = z.infer<typeof Scalar>

export const COMPARISONS = ['=', '!=', '<', '<=', '>', '>=', 'like', 'in', 'between', 'is_null', 'exists', 'not_exists'] as const
export const AGGREGATES = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max'] as const

export const Filter = z.strictObject({
  path: Path,
  op: z.enum(COMPARISONS),
  value: z.union([Scalar, z.array(Scalar).max(200)]).optional(),
})
export type Filter = z.infer<typeof Filter>

export const Selection = z.strictObject({
  path: Path.optional(), // absent only for count of the class itself
  aggregate: z.enum(AGGREGATES).optional(),
})
export type Selection = z.infer<typeof Selection>

export const Order = z.strictObject({ by: Selection, direction: z.enum(['asc', 'desc']) })

/** The goal of a why-question: a rule head, the argument asked for, and the records that the question fixes for the others. */
export const Why = z.strictObject({
  predicate: z.string(),
  ask: z.int().min(0),
  /** head arguments that the question fixes: records of a class that pass the filters */
  given: z.array(z.strictObject({ argument: z.int().min(0), class: z.string(), where: z.array(Filter).min(1).max(8) })).max(4),
  /** "why is ... not ...": explain the absence */
  negated: z.boolean().default(false),
})
export type Why = z.infer<typeof Why>

export const Plan = z
  .strictObject({
    intent: z.enum(['list', 'count', 'aggregate', 'compare', 'exists', 'why']),
    from: z.string(),
    select: z.array(Selection).max(40),
    where: z.array(Filter).max(40).default([]),
    group_by: z.array(Path).max(8).default([]),
    order_by: z.array(Order).max(8).default([]),
    limit: z.int().min(1).max(10_000).optional(),
    distinct: z.boolean().default(false),
    why: Why.optional(),
  })
  .meta({ id: 'Plan' })
export type Plan = z.infer<typeof Plan>

/** How a word of the question was read. */
export const MatchedTerm = z.strictObject({
  text: z.string(),
  kind: z.enum(['class', 'property', 'value', 'rule', 'operation']),
  term: z.string(),
})
export type MatchedTerm = z.infer<typeof MatchedTerm>

/** The plan as an answer shows it: with how the words were read, what was turned down, and the words that found no place. */
export const AnswerPlan = z.object({
  ...Plan.shape,
  terms: z.array(MatchedTerm),
  alternatives: z.array(Plan),
  uncovered: z.array(z.string()),
})
export type AnswerPlan = z.infer<typeof AnswerPlan>
