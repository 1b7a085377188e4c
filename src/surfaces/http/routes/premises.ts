/** The premise tree as a schema: a triple with its derivations, each resting on further nodes. */
import { z } from 'zod'
import { ENGINES, TripleText } from '../../../contracts/index.ts'
import type { Explained, PremiseNode, WhyNot } from '../../../contracts/index.ts'

const tree = {
  triple: TripleText,
  asserted: z.boolean(),
  get derivations() {
    return z.array(
      z.object({
        rule: z.string(),
        engine: z.enum(ENGINES),
        bindings: z.record(z.string(), z.string()),
        premises: z.array(Premise),
        partial: z.boolean().optional().describe('the rule ran as a query of its own and may rest on more than its premises say'),
        shape: z.string().optional().describe('of a SHACL rule'),
      }),
    )
  },
}

export const Premise: z.ZodType<PremiseNode> = z
  .lazy(() =>
    z.union([
      z.object({ kind: z.literal('triple'), ...tree }),
      z.object({ kind: z.enum(['absent', 'condition']), text: z.string() }),
    ]),
  )
  .meta({ id: 'PremiseNode' })

export const ExplanationBody: z.ZodType<Explained> = z
  .lazy(() =>
    z.object({
      ...tree,
      labels: z.record(z.string(), z.string()).optional().describe('rdfs:label by IRI, of the things of the sources that have one'),
      notes: z.array(z.string()).optional(),
    }),
  )
  .meta({ id: 'Explanation' })

const Missing = z.object({
  kind: z.enum(['triple', 'unwanted', 'condition']),
  text: z.string(),
  triples: z.array(TripleText).optional().describe('of `unwanted`: what stands in the way'),
})

export const WhyNotBody: z.ZodType<WhyNot> = z
  .object({
    triple: TripleText,
    holds: z.boolean().describe('the triple is there: explain says why'),
    asserted: z.boolean(),
    misses: z.array(
      z.object({
        rule: z.string(),
        engine: z.enum(ENGINES),
        held: z.array(Premise),
        missing: Missing,
        further: z.array(Missing).describe('what would fail as well'),
        partial: z.boolean().optional().describe('not every instance of the rule was looked at'),
      }),
    ),
    unknown: z.array(z.string()).optional().describe('of subject and object, what occurs nowhere in the graph'),
    notes: z.array(z.string()),
  })
  .meta({ id: 'WhyNot' })
