/** GET/PUT /api/session: the rules and the approved events of this project, as far as the caller sees them. */
import { z } from 'zod'
import { Session } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import { namesWeakly, permits, quoted } from '../etags.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { Ceiling, lowered } from './reads.ts'

const Shown = z.object({ version: z.int(), session: Session })

export function sessionRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/session', {
    config: { role: 'reader' },
    schema: {
      tags: ['session'],
      summary: 'The session and its version',
      querystring: z.strictObject(Ceiling),
      response: { 200: Shown, 304: z.undefined().describe('unchanged'), default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const { version, session, etag } = emit(service.session(caller), caller)
      void reply.header('etag', quoted(etag)).header('cache-control', 'private, no-cache').header('vary', 'authorization')
      if (namesWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return { version, session }
    },
  })

  app.put('/api/session', {
    config: { role: 'author' },
    schema: {
      tags: ['session'],
      summary: 'Replace what you see of the session, whole or not at all; version or If-Match guards against lost updates',
      querystring: z.strictObject(Ceiling),
      // what an older program wrote lacks lists and summaries: they get their defaults
      body: z.strictObject({ version: z.int().optional(), session: Session }),
      response: { 200: Shown, default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const { version: expected, session: sent } = request.body
      const written = await service.putSession(sent, caller, ({ version, etag }) =>
        (expected === undefined || expected === version) && permits(request.headers['if-match'], etag))
      const { version, session, etag } = emit(written, caller)
      void reply.header('etag', quoted(etag))
      return { version, session }
    },
  })
}
