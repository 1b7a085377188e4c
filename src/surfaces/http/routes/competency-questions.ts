/** /api/competency-questions: what the project must be able to answer, and a run that asks it all. */
import { z } from 'zod'
import { CompetencyQuestion, CompetencyQuestions, CompetencyReport, QuestionId, Tier } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import { namesWeakly, permits, quoted } from '../etags.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { untilGone } from '../stream.ts'
import { Ceiling, lowered } from './reads.ts'

const TAGS = ['competency questions']
const PATH = '/api/competency-questions'
const View = z.object({ etag: z.string(), questions: z.array(CompetencyQuestion) })
const Run = z.strictObject({
  ids: z.array(QuestionId).min(1).max(1000).optional().describe('all of them, unless named'),
  max_tier: Tier.optional().describe('ask under no higher ceiling than this'),
})

export function competencyRoutes(app: App, { service, stopping }: RouteParts): void {
  app.get(PATH, {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'The saved questions with the shape of their answers',
      querystring: z.strictObject(Ceiling),
      response: { 200: View, 304: z.undefined().describe('unchanged'), default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const { etag, questions } = emit(service.competency.list(caller), caller)
      void reply.header('etag', quoted(etag)).header('cache-control', 'private, no-cache').header('vary', 'authorization')
      if (namesWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return { etag, questions: [...questions] }
    },
  })

  app.put(PATH, {
    config: { role: 'author' },
    schema: {
      tags: TAGS,
      summary: 'Set the whole list; questions above the ceiling stay; If-Match guards against lost updates',
      querystring: z.strictObject(Ceiling),
      body: z.strictObject({ questions: CompetencyQuestions }),
      response: { 200: View, default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const header = request.headers['if-match']
      const set = service.competency.set(request.body.questions, caller, (etag) => permits(header, etag))
      const { etag, questions } = emit(set, caller)
      void reply.header('etag', quoted(etag))
      return { etag, questions: [...questions] }
    },
  })

  app.post(`${PATH}/run`, {
    config: { role: 'reader', search: true },
    schema: {
      tags: TAGS,
      summary: 'Ask them through the search, and tell for each what differs from what was expected',
      body: Run.default({}),
      response: { 200: CompetencyReport, default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const { ids, max_tier: maxTier } = request.body
      const { caller, id: requestId } = request
      const wish = { ...(ids === undefined ? {} : { ids }), ...(maxTier === undefined ? {} : { maxTier }) }
      const signal = AbortSignal.any([untilGone(reply), stopping])
      return emit(await service.competency.run({ ...wish, requestId, signal }, caller), caller)
    },
  })
}
