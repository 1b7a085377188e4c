/** /api/insights: root causes computed from the graph. */
import { z } from 'zod'
import { RcaRequest } from '../../../contracts/index.ts'
import type { Insight } from '../../../contracts/index.ts'
import { emit, emitPublic } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { Premise } from './premises.ts'
import { lowered } from './reads.ts'

const Seen = { event: z.string(), label: z.string(), time: z.string() }

const InsightBody: z.ZodType<Insight> = z
  .object({
    answer: z.string(),
    chain: z
      .array(z.object({ ...Seen, lag_ms: z.number().nullable(), rule: z.string().nullable(), premises: z.array(Premise) }))
      .optional(),
    ranked_causes: z.array(z.object({ ...Seen, score: z.number(), explains: z.int() })).optional(),
    similar: z.array(z.object({ ...Seen, shared_causes: z.array(z.string()) })).optional(),
    provider: z.string(),
    model: z.string(),
    grounded_iris: z.array(z.string()),
    unknown_iris: z.array(z.string()),
    warnings: z.array(z.string()),
    duration_ms: z.number(),
  })
  .meta({ id: 'Insight' })

const Presets = z.object({ presets: z.array(z.object({ id: z.string(), label: z.string(), question: z.string() })) })

export function insightRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/insights/rca-presets', {
    config: { role: 'reader' },
    schema: {
      tags: ['insights'],
      summary: 'The questions that can be asked of an event',
      response: { 200: Presets, default: PROBLEM_RESPONSE },
    },
    handler: async () => emitPublic({ presets: service.rcaPresets() }),
  })

  app.post('/api/insights/rca', {
    config: { role: 'reader' },
    schema: {
      tags: ['insights'],
      summary: 'What caused an event, with the chain and its premises',
      body: RcaRequest,
      response: { 200: InsightBody, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.body.max_tier)
      return emit(await service.rca(request.body, caller), caller)
    },
  })
}
