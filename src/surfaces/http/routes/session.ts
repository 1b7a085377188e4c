/** GET /api/session: the rules and the approved events of this project. */
import { z } from 'zod'
import { Session } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { Ceiling, lowered } from './reads.ts'

export function sessionRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/session', {
    config: { role: 'reader' },
    schema: {
      tags: ['session'],
      summary: 'The session and its version',
      querystring: z.strictObject(Ceiling),
      response: { 200: z.object({ version: z.int(), session: Session }), default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(service.session(caller), caller)
    },
  })
}
