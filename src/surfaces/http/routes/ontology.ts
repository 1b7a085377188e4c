/** GET /api/ontology/vocabulary: the terms a caller may use, with an ETag over exactly those. */
import { z } from 'zod'
import { Vocabulary } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import { namesWeakly, quoted } from '../etags.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { Ceiling, lowered } from './reads.ts'

export const VocabularyQuery = z.strictObject({ ...Ceiling, source: z.string().max(64).optional() })

export function ontologyRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/ontology/vocabulary', {
    config: { role: 'reader' },
    schema: {
      tags: ['ontology'],
      summary: 'Classes and properties within the ceiling',
      querystring: VocabularyQuery,
      response: { 200: Vocabulary, 304: z.undefined().describe('unchanged'), default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const { max_tier: maxTier, source } = request.query
      const caller = lowered(request.caller, maxTier)
      const vocabulary = emit(await service.vocabulary(caller, maxTier, source), caller)
      const etag = quoted(vocabulary.etag)
      void reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'authorization')
      if (namesWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return vocabulary
    },
  })
}
