/**
 * The plan as a model is asked for it. Providers that hold a reply to a schema want one without references, in which every field is
 * required: what a plan may leave out is null here, and plans within plans go one deep. What comes back is read as any plan is.
 */
import { z } from 'zod'
import { AGGREGATES, COMPARISONS, GROUP_COMPARISONS, INTENTS, Plan, SET_OPERATIONS } from '../../../contracts/index.ts'
import type { JsonSchema, ReplyShape } from '../../../providers/index.ts'

/** `plan` null: the vocabulary cannot say what the question asks. */
const PlanReply = z.strictObject({ plan: Plan.optional(), missing: z.array(z.string()).optional() })
export type PlanReply = z.infer<typeof PlanReply>

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object', properties, required: Object.keys(properties), additionalProperties: false,
})
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: [...values] })

const text: JsonSchema = { type: 'string' }
const path = list(text)
const scalar: JsonSchema = { type: ['string', 'number', 'boolean'] }
const value: JsonSchema = { anyOf: [scalar, list({ type: ['string', 'number'] }), { type: 'null' }] }
const selection = object({ path: orNull(path), aggregate: orNull(oneOf(AGGREGATES)) })

/** `deep`: how many plans and conditions may stand inside it. */
function filter(deep: number): JsonSchema {
  const inner: Record<string, JsonSchema> = deep === 0 ? {} : { plan: orNull(plan(deep - 1)), where: orNull(list(filter(0))) }
  return object({ path, op: oneOf(COMPARISONS), value, ...inner })
}

const condition = (deep: number): JsonSchema => ({
  anyOf: [filter(deep), object({ any: list(filter(0)) }), object({ all: list(filter(0)) })],
})

function plan(deep: number): JsonSchema {
  const nested: Record<string, JsonSchema> = deep === 0 ? {} : { plan: orNull(plan(deep - 1)) }
  return object({
    intent: oneOf(INTENTS),
    from: text,
    select: list(selection),
    where: list(condition(deep)),
    group_by: list(path),
    having: list(object({ by: selection, op: oneOf(GROUP_COMPARISONS), value, ...nested })),
    order_by: list(object({ by: selection, direction: oneOf(['asc', 'desc']) })),
    limit: { type: ['integer', 'null'] },
    distinct: { type: 'boolean' },
    ...(deep === 0 ? {} : {
      set_op: orNull(object({ op: oneOf(SET_OPERATIONS), plan: plan(deep - 1) })),
      why: orNull(object({
        predicate: text, ask: { type: 'integer' },
        given: list(object({ argument: { type: 'integer' }, class: text, where: list(filter(0)) })),
        negated: { type: 'boolean' }, complement: { type: 'boolean' },
      })),
    }),
  })
}

export const PLAN_SHAPE: ReplyShape<PlanReply> = {
  name: 'plan',
  jsonSchema: object({ plan: orNull(plan(1)), missing: list(text) }),
  // zod's input type says nothing of what is cleaned first
  read: z.preprocess(withoutNulls, PlanReply) as unknown as z.ZodType<PlanReply>,
}

function withoutNulls(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(withoutNulls)
  if (typeof reply !== 'object' || reply === null) return reply
  return Object.fromEntries(Object.entries(reply).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])))
}
