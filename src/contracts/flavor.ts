/** A flavor: the domain knowledge that a question over one kind of database needs. A file in templates/flavors. */
import { z } from 'zod'

/** A flavor is looked up by this closed shape, so a name can never be a path. */
export const FlavorName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/)

export const Flavor = z.strictObject({
  name: FlavorName,
  label: z.string(),
  /** the bundled database that answers when a request names none; relative to the package */
  source: z.string().optional(),
  example: z.string().optional(),
  hops: z.int().min(0).max(6).optional(),
  /** words of the trade that mean a class or a property: {"customer": ["client", "account"]} */
  synonyms: z.record(z.string(), z.array(z.string())).default({}),
  rules: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9-]{1,64}$/),
        label: z.string(),
        /** how the head reads in English, once for the question and once for the sentence: "{0} is at risk from {1}" */
        phrases: z.array(z.string()).default([]),
        sentence: z.string().optional(),
        negative_sentence: z.string().optional(),
        body: z.string(),
      }),
    )
    .default([]),
})
export type Flavor = z.infer<typeof Flavor>
export type FlavorRule = Flavor['rules'][number]
