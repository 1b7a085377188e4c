/**
 * What a question asks, said in the words of the ontology and in nothing of the database. Whoever writes a plan, no statement is
 * made from it until each of its names was found in what the caller may see.
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

export const INTENTS = ['list', 'count', 'aggregate', 'compare', 'exists', 'why'] as const
export const COMPARISONS = [
  '=', '!=', '<', '<=', '>', '>=', 'like', 'not_like', 'in', 'not_in', 'between', 'is_null', 'exists', 'not_exists',
] as const
export const GROUP_COMPARISONS = ['=', '!=', '<', '<=', '>', '>=', 'between'] as const
export const AGGREGATES = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max'] as const
/** How the rows of two plans of equally many columns are put together: each row once. */
export const SET_OPERATIONS = ['union', 'intersect', 'except'] as const

/**
 * A condition on what a path leads to. It is compared with `value`, or with what `plan` selects: its single value, for in and
 * not_in its single column. A way to many records asks whether one of them meets the condition; filters of one list that share
 * such a way speak of the same record. `exists` and `not_exists` of a path that ends on a class may carry conditions of their
 * own, whose paths begin at that class: each such filter speaks of a record of its own.
 * A condition through a step back chooses records of the plan's class and no more: what `select` shows through the same step
 * back are all the records there, not only those that met the condition.
 */
export interface Filter {
  path: Path
  op: (typeof COMPARISONS)[number]
  value?: Scalar | Scalar[] | undefined
  plan?: Plan | undefined
  where?: Condition[] | undefined
}

/** A filter, alternatives of which at least one holds, or conditions that hold together. */
export type Condition = Filter | { any: Condition[] } | { all: Condition[] }

/** What a column shows; without a path it counts the records of the plan's class. */
export interface Selection {
  path?: Path | undefined
  aggregate?: (typeof AGGREGATES)[number] | undefined
}

/** A condition on a group: on one of its aggregates. */
export interface Having {
  by: Selection
  op: (typeof GROUP_COMPARISONS)[number]
  value?: Scalar | Scalar[] | undefined
  plan?: Plan | undefined
}

export interface Plan {
  intent: (typeof INTENTS)[number]
  from: string
  select: Selection[]
  where: Condition[]
  /** a path that ends on a class groups by its records, whatever is shown of them */
  group_by: Path[]
  having: Having[]
  order_by: { by: Selection; direction: 'asc' | 'desc' }[]
  limit?: number | undefined
  distinct: boolean
  set_op?: { op: (typeof SET_OPERATIONS)[number]; plan: Plan } | undefined
  why?: Why | undefined
}

// read when they are first needed: a plan holds plans, a condition conditions
type Inner = z.ZodOptional<z.ZodType<Plan>>
type Conditions = z.ZodArray<z.ZodType<Condition>>

export const Filter: z.ZodType<Filter> = z.strictObject({
  path: Path,
  op: z.enum(COMPARISONS),
  value: z.union([Scalar, z.array(Scalar).max(200)]).optional(),
  get plan(): Inner {
    return Plan.optional()
  },
  get where(): z.ZodOptional<Conditions> {
    return z.array(Condition).max(20).optional()
  },
}).meta({ id: 'Filter' })

export const Condition: z.ZodType<Condition> = z
  .union([
    Filter,
    z.strictObject({
      get any(): Conditions {
        return z.array(Condition).min(2).max(20)
      },
    }),
    z.strictObject({
      get all(): Conditions {
        return z.array(Condition).min(1).max(20)
      },
    }),
  ])
  .meta({ id: 'Condition' })

export const Selection = z.strictObject({ path: Path.optional(), aggregate: z.enum(AGGREGATES).optional() })

export const Having: z.ZodType<Having> = z.strictObject({
  by: Selection,
  op: z.enum(GROUP_COMPARISONS),
  value: z.union([Scalar, z.array(Scalar).max(2)]).optional(),
  get plan(): Inner {
    return Plan.optional()
  },
}).meta({ id: 'Having' })

/** The goal of a why-question: a rule head, the argument asked for, and the records that the question fixes for the others. */
export const Why = z.strictObject({
  predicate: z.string(),
  ask: z.int().min(0),
  /** head arguments that the question fixes: records of a class that pass the filters */
  given: z.array(z.strictObject({ argument: z.int().min(0), class: z.string(), where: z.array(Condition).min(1).max(8) })).max(4),
  /** "why is ... not ...": explain the absence */
  negated: z.boolean().default(false),
  /** "which ... are not ...": of the records given for the argument asked for, those for which it does not hold */
  complement: z.boolean().default(false),
})
export type Why = z.infer<typeof Why>

const planShape = {
  intent: z.enum(INTENTS),
  from: z.string(),
  select: z.array(Selection).max(40),
  where: z.array(Condition).max(40).default([]),
  group_by: z.array(Path).max(8).default([]),
  having: z.array(Having).max(8).default([]),
  order_by: z.array(z.strictObject({ by: Selection, direction: z.enum(['asc', 'desc']) })).max(8).default([]),
  limit: z.int().min(1).max(10_000).optional(),
  distinct: z.boolean().default(false),
  get set_op(): z.ZodOptional<z.ZodType<NonNullable<Plan['set_op']>>> {
    return z.strictObject({ op: z.enum(SET_OPERATIONS), plan: Plan }).optional()
  },
  why: Why.optional(),
}

export const Plan = z.strictObject(planShape).meta({ id: 'Plan' })

/** How a word of the question was read. */
export const MatchedTerm = z.strictObject({
  text: z.string(),
  kind: z.enum(['class', 'property', 'value', 'rule', 'operation']),
  term: z.string(),
})
export type MatchedTerm = z.infer<typeof MatchedTerm>

/** The plan as an answer shows it: with how the words were read, what was turned down, and the words that found no place. */
export const AnswerPlan = z.object({
  ...planShape,
  terms: z.array(MatchedTerm),
  alternatives: z.array(Plan),
  uncovered: z.array(z.string()),
})
export type AnswerPlan = z.infer<typeof AnswerPlan>
