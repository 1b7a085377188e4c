/** GET /api/suggest: how a question may go on, from the terms and values within the ceiling. */
import { z } from 'zod'
import { LIMITS } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { Ceiling, lowered } from './reads.ts'

const MAX_LIMIT = 20
const LIMIT = `a whole number from 1 to ${MAX_LIMIT}`

const Suggestions = z
  .object({
    suggestions: z.array(
      z.object({
        text: z.string(),
        kind: z.enum(['class', 'property', 'value', 'question']),
        insert: z.string().describe('the whole question once the suggestion is taken'),
      }),
    ),
  })
  .meta({ id: 'Suggestions' })

export function suggestRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/suggest', {
    config: { role: 'reader', search: true },
    schema: {
      tags: ['search'],
      summary: 'Terms and values that complete the last words of a question',
      querystring: z.strictObject({
        ...Ceiling,
        q: z.string().max(LIMITS.question_chars).default('').describe('the question so far; empty for example questions'),
        source: z.string().max(64).optional(),
        limit: z.coerce.number(LIMIT).int(LIMIT).min(1, LIMIT).max(MAX_LIMIT, LIMIT).default(8),
      }),
      response: { 200: Suggestions, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const { q: question, source, limit, max_tier } = request.query
      const caller = lowered(request.caller, max_tier)
      // a caller who types on is not waited for, nor is the look-up stopped: stopping it would cost a reader
      const ask = { question, limit, ...(source === undefined ? {} : { source }) }
      return { suggestions: emit(await service.suggest(ask, caller), caller) }
    },
  })
}
