/** The slots of a rule that was filled in, not typed: when a thing of a class meets the conditions, a property gets a value. */
import { z } from 'zod'

export const SLOT_OPERATORS = ['=', '!=', '>=', '<', '<=', '>', 'regex', 'in', 'exists', 'not_null'] as const
export type SlotOperator = (typeof SLOT_OPERATORS)[number]

/** A plain value, a thing by its name or IRI, or a literal with its datatype or language. */
export const SlotValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.strictObject({ iri: z.string().min(1) }),
  z.strictObject({ value: z.string(), datatype: z.string().min(1) }),
  z.strictObject({ value: z.string(), language: z.string().regex(/^[a-z]{1,8}(-[a-z0-9]{1,8})*$/) }),
])
export type SlotValue = z.infer<typeof SlotValue>

/**
 * A condition holds when some value at the path meets it; `exists` with the value false asks that there is none.
 * `not_null` asks for a value that is known: a blank node only says that there is one.
 */
export const SlotCondition = z.strictObject({
  /** a property by name or IRI; steps are joined by `/`, `^` turns a step around, an IRI among steps stands in `<>` */
  path: z.string().min(1),
  op: z.enum(SLOT_OPERATORS),
  value: z.union([SlotValue, z.array(SlotValue).min(1)]).optional(),
})
export type SlotCondition = z.infer<typeof SlotCondition>

export const RuleMeta = z.strictObject({
  target_class: z.string().min(1),
  conditions: z.array(SlotCondition),
  /** the path is one property by name or IRI; `a` gives a class */
  assertion: z.strictObject({ path: z.string().min(1), value: SlotValue }),
})
export type RuleMeta = z.infer<typeof RuleMeta>
