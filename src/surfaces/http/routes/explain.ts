/** GET /api/explain: why a triple holds, down to a depth; GET /api/why-not: why it does not. */
import { z } from 'zod'
import { LIMITS } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { ExplanationBody, WhyNotBody } from './premises.ts'
import { Ceiling, lowered } from './reads.ts'

export const TermText = z
  .string()
  .min(1)
  .max(4000)
  .describe('an IRI, a prefixed name (`:name` of the ontology, `record:...` of a source), a literal (N-Triples), or plain text')

const DEPTH = `a whole number from 1 to ${LIMITS.premise_tree_depth}`

const Triple = { subject: TermText, predicate: TermText, object: TermText }

export const ExplainQuery = z.strictObject({
  ...Ceiling,
  ...Triple,
  depth: z.coerce.number(DEPTH).int(DEPTH).min(1, DEPTH).max(LIMITS.premise_tree_depth, DEPTH).default(1),
})

export function explainRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/explain', {
    config: { role: 'reader' },
    schema: {
      tags: ['reasoning'],
      summary: 'The derivations of a triple and what they rest on',
      querystring: ExplainQuery,
      response: { 200: ExplanationBody, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const { subject, predicate, object, depth, max_tier } = request.query
      const caller = lowered(request.caller, max_tier)
      return emit(await service.explain({ subject, predicate, object }, depth, caller), caller)
    },
  })

  app.get('/api/why-not', {
    config: { role: 'reader' },
    schema: {
      tags: ['reasoning'],
      summary: 'The rules that nearly derive a triple, and what they lack',
      querystring: z.strictObject({ ...Ceiling, ...Triple }),
      response: { 200: WhyNotBody, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const { subject, predicate, object, max_tier } = request.query
      const caller = lowered(request.caller, max_tier)
      return emit(await service.whyNot({ subject, predicate, object }, caller), caller)
    },
  })
}
