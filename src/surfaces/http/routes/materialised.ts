/** GET /api/materialised/triples: what was derived, page by page, with an ETag over exactly what the page shows. */
import { z } from 'zod'
import { ENGINES, MATERIALISED_PAGE, MaterialisedPage } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import { namesWeakly, quoted } from '../etags.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { TermText } from './explain.ts'
import { Ceiling, lowered } from './reads.ts'

const Query = z.strictObject({
  ...Ceiling,
  engine: z.enum(ENGINES).optional(),
  rule: z.string().min(1).max(200).optional().describe('the id of a rule, or the name of an OWL 2 RL rule'),
  subject: TermText.optional(),
  predicate: TermText.optional(),
  object: TermText.optional(),
  q: z.string().min(1).max(500).optional().describe('any part of the text of a triple'),
  cursor: z.string().min(1).max(200).optional().describe('next_cursor of the page before, with the same filters'),
  limit: z.coerce.number().int().min(1).max(MATERIALISED_PAGE.max).default(MATERIALISED_PAGE.default),
})

export function materialisedRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/materialised/triples', {
    config: { role: 'reader' },
    schema: {
      tags: ['reasoning'],
      summary: 'Derived triples with the rules behind them',
      querystring: Query,
      response: { 200: MaterialisedPage, 304: z.undefined().describe('unchanged'), default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const { max_tier, ...asked } = request.query
      const caller = lowered(request.caller, max_tier)
      const { page, etag } = emit(await service.materialised(given(asked), caller), caller)
      void reply.header('etag', quoted(etag)).header('cache-control', 'private, no-cache').header('vary', 'authorization')
      if (namesWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return page
    },
  })
}

/** Without the fields that nobody gave. */
const given = <T extends object>(asked: T): Given<T> =>
  Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as Given<T>

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
