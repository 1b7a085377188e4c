/** /api/search/runs: a caller's own searches, their answers, claims and events once more, and whether an answer was right. */
import { z } from 'zod'
import { Citation, Claim, ExecutedQuery, InferredFact, LIMITS, SearchAnswer, Tier } from '../../../contracts/index.ts'
import { RUNS_PAGE, RUN_STATUSES } from '../../../runtime/index.ts'
import type { NumberedEvent } from '../../../runtime/index.ts'
import { emit, emitSearch } from '../../emit.ts'
import { bugLine } from '../log.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { STREAM_RESPONSE, type Streamed, frames, sendStream, untilGone } from '../stream.ts'
import { Ceiling, lowered } from './reads.ts'

const HEARTBEAT_MS = LIMITS.heartbeat_seconds * 1000
const Id = z.string().min(1).max(64)
const Read = z.strictObject(Ceiling)
const Feedback = z.object({ right: z.boolean(), note: z.string().nullable(), at: z.string() }).meta({ id: 'Feedback' })
const RunLine = z
  .object({
    run_id: z.string(),
    question: z.string(),
    status: z.enum(RUN_STATUSES),
    code: z.string().nullable().describe('of a search that failed, why'),
    source: z.string().nullable(),
    max_tier: Tier,
    created_at: z.string(),
    stale: z.boolean().describe('the schema has changed since the answer was given'),
    feedback: Feedback.nullable(),
  })
  .meta({ id: 'RunLine' })
const ClaimView = z
  .object({
    run_id: z.string(),
    claim: Claim,
    citations: z.array(Citation),
    inferred: z.array(InferredFact),
    executed_queries: z.array(z.object({ query: z.int(), sql: z.string(), params: ExecutedQuery.shape.params })),
  })
  .meta({ id: 'ClaimView' })

export function searchRunRoutes(app: App, { service, stopping, log, heartbeatMs = HEARTBEAT_MS }: RouteParts): void {
  const shared = { config: { role: 'reader', search: true } } as const
  const tags = ['search']

  app.get('/api/search/runs', {
    ...shared,
    schema: {
      tags,
      summary: 'Your own searches, newest first',
      querystring: z.strictObject({
        ...Ceiling,
        cursor: Id.optional().describe('next_cursor of the page before'),
        limit: z.coerce.number().int().min(1).max(RUNS_PAGE.max).default(RUNS_PAGE.default),
      }),
      response: { 200: z.object({ runs: z.array(RunLine), next_cursor: z.string().nullable() }), default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const { max_tier, cursor, limit } = request.query
      const caller = lowered(request.caller, max_tier)
      return emit(service.runs.list({ limit, ...(cursor === undefined ? {} : { cursor }) }, caller), caller)
    },
  })

  app.get('/api/search/runs/:run_id', {
    ...shared,
    schema: {
      tags,
      summary: 'The answer as it was given',
      params: z.strictObject({ run_id: Id }),
      querystring: Read,
      response: { 200: SearchAnswer, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const found = service.runs.answer(request.params.run_id, caller)
      return emitSearch({ event: 'answer', data: emit(found, caller) }, found.ceiling).data
    },
  })

  app.get('/api/search/runs/:run_id/claims/:id', {
    ...shared,
    schema: {
      tags,
      summary: 'One claim with the citations, derived facts and queries it rests on',
      params: z.strictObject({ run_id: Id, id: Id }),
      querystring: Read,
      response: { 200: ClaimView, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(service.runs.claim(request.params.run_id, request.params.id, caller), caller)
    },
  })

  app.get('/api/search/runs/:run_id/events', {
    ...shared,
    schema: {
      tags,
      summary: 'The events of a stream that has ended or is under way; Last-Event-ID goes on where a listener left off',
      params: z.strictObject({ run_id: Id }),
      querystring: Read,
      response: { 200: STREAM_RESPONSE, default: PROBLEM_RESPONSE },
    },
    handler: (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const last = Number(request.headers['last-event-id'] ?? 0)
      const after = Number.isSafeInteger(last) && last > 0 ? last : 0
      const found = service.runs.events(request.params.run_id, caller, { after, signal: AbortSignal.any([untilGone(reply), stopping]) })
      const onBug = (error: unknown) => log?.bug(bugLine(error, request.id))
      const events = gated(emit(found, caller), found.ceiling)
      return sendStream(reply, frames(events, { requestId: request.id, heartbeatMs, stopping, onBug }))
    },
  })

  app.post('/api/search/runs/:run_id/feedback', {
    ...shared,
    schema: {
      tags,
      summary: 'Say whether the answer was right; saying it again replaces what was said',
      params: z.strictObject({ run_id: Id }),
      body: z.strictObject({ right: z.boolean(), note: z.string().max(LIMITS.question_chars).optional() }),
      response: { 200: z.object({ run_id: z.string(), feedback: Feedback }), default: PROBLEM_RESPONSE },
    },
    handler: async ({ params: { run_id }, body: { right, note }, caller }) => ({
      run_id,
      feedback: emit(service.runs.feedback(run_id, { right, ...(note === undefined ? {} : { note }) }, caller), caller),
    }),
  })
}

async function* gated(events: AsyncIterable<NumberedEvent>, ceiling: Tier): AsyncGenerator<Streamed> {
  for await (const event of events) yield emitSearch(event, ceiling)
}
