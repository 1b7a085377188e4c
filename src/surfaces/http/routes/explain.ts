/** GET /api/explain: why a triple holds, down to a depth. */
import { z } from 'zod'
import { LIMITS } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { ExplanationBody } from './premises.ts'
import { Ceiling, lowered } from './reads.ts'

const Term = z.string().min(1).max(4000)

export function explainRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/explain', {
    config: { role: 'reader' },
    schema: {
      tags: ['reasoning'],
      summary: 'The derivations of a triple and what they rest on',
      querystring: z.strictObject({
        ...Ceiling,
        subject: Term,
        predicate: Term,
        object: Term,
        depth: z.coerce.number().int().min(1).max(LIMITS.premise_tree_depth).default(1),
      }),
      response: { 200: ExplanationBody, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const { subject, predicate, object, depth, max_tier } = request.query
      const caller = lowered(request.caller, max_tier)
      return emit(await service.explain({ subject, predicate, object }, depth, caller), caller)
    },
  })
}
