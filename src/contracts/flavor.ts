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
        /** how people say the head in a question: "at risk from", "impacted by"; clauses of one head share their phrases */
        phrases: z.array(z.string()).default([]),
        /**
         * What a use of the clause says. Variables of the rule stand in braces, `{n:open alarm}` is a number with its noun, and
         * a part in brackets is left out when its variable is not known: "{c} is at risk[ from {r}]".
         */
        sentence: z.string().optional(),
        /** what it says that the head does not hold; only variables of the head are known then */
        negative_sentence: z.string().optional(),
        /** what several of them do: "are at risk[ from {r}]"; without it no sentence sums the answers up */
        plural_sentence: z.string().optional(),
        /** one clause of rule text */
        body: z.string(),
      }),
    )
    .default([]),
})
export type Flavor = z.infer<typeof Flavor>
export type FlavorRule = Flavor['rules'][number]
