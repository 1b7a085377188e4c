/** The premise tree as a schema: a triple with its derivations, each resting on further nodes. */
import { z } from 'zod'
import { ENGINES, TripleText } from '../../../contracts/index.ts'
import type { Explanation, PremiseNode } from '../../../contracts/index.ts'

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

export const ExplanationBody: z.ZodType<Explanation> = z.lazy(() => z.object({ ...tree })).meta({ id: 'Explanation' })
