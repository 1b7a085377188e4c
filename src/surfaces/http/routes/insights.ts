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
const Line = z.object({ file: z.string(), offset: z.int() }).nullable()
const Supposed = z.string().nullable().describe('null: proven; otherwise why it is only supposed')
const Share = z.number().min(0).max(1)

const Chain = z.array(
  z.object({
    ...Seen,
    repeated_at: z.string().optional().describe('of a repeated event: when the line was written that the lag counts from, if not the first'),
    lag_ms: z.number().nullable().describe('to the next event of the chain'),
    rule: z.string().nullable(),
    premises: z.array(Premise),
    usual_lag_ms: z.tuple([z.number(), z.number()]).optional().describe('nineteen of twenty lags of this edge lie between these'),
    supposed: Supposed,
    severity: z.string().nullable(),
    count: z.int(),
    line: Line,
  }),
)
const RankedCauses = z.array(
  z.object({
    ...Seen,
    score: Share.describe('the scores of all causes, and of none at all, add up to one'),
    parts: z.object({ evidence: Share, lag_fit: Share, share: Share, change: Share, position: Share }),
    explains: z.int().describe('other events that go back to this cause'),
    hops: z.int(),
    lag_ms: z.number(),
    entry: z.boolean().describe('false: such events have causes as a rule, so that it may have begun earlier'),
    supposed: Supposed,
  }),
)
const Timeline = z.array(
  z.object({
    ...Seen,
    role: z.enum(['root', 'step', 'event', 'effect', 'other cause']),
    after_ms: z.number(),
    severity: z.string().nullable(),
    count: z.int(),
    line: Line,
  }),
)
const Competing = z.array(
  z.object({
    effect: z.object(Seen),
    causes: z.array(z.object({ ...Seen, share: Share, lag_ms: z.number(), supposed: Supposed })),
  }),
)
const Similar = z.array(
  z.object({
    ...Seen,
    shared_causes: z.array(z.string()),
    similarity: Share,
    parts: z.object({ causes: Share, sequence: Share, severity: Share }),
    differences: z.array(z.string()),
  }),
)

export const InsightBody: z.ZodType<Insight> = z
  .object({
    answer: z.string(),
    about: z.object(Seen).optional(),
    chain: Chain.optional(),
    ranked_causes: RankedCauses.optional(),
    timeline: Timeline.optional(),
    competing: Competing.optional(),
    refutation: z.array(z.string()).optional(),
    similar: Similar.optional(),
    hints: z
      .array(z.object({ pid: z.string(), title: z.string(), confidence: z.number(), status: z.string() }))
      .optional()
      .describe('candidates that nobody has approved, where no cause is known'),
    records: z
      .array(z.object({ record: z.string(), label: z.string(), classes: z.array(z.string()), events: z.int() }))
      .optional(),
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
