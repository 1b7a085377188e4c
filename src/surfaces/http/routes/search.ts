/** POST /api/search and its stream: the same events, drained or forwarded. */
import { LIMITS, SearchAnswer, SearchRequest, minTier } from '../../../contracts/index.ts'
import type { SearchEvent, Tier } from '../../../contracts/index.ts'
import type { Caller } from '../../../runtime/index.ts'
import { emitSearch } from '../../emit.ts'
import { bugLine } from '../log.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE, sendBody } from '../problems.ts'
import { STREAM_RESPONSE, frames, sendStream, untilGone } from '../stream.ts'

const HEARTBEAT_MS = LIMITS.heartbeat_seconds * 1000

export function searchRoutes(app: App, { service, stopping, log, heartbeatMs = HEARTBEAT_MS }: RouteParts): void {
  const ceilingOf = ({ body, caller }: { body: SearchRequest; caller: Caller }): Tier => minTier(body.max_tier, caller.grant)
  const shared = { config: { role: 'reader', search: true }, bodyLimit: LIMITS.search_body_bytes } as const

  app.post('/api/search', {
    ...shared,
    schema: {
      tags: ['search'],
      summary: 'Answer a question with claims that cite their records',
      body: SearchRequest,
      response: { 200: SearchAnswer, default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const { id, body, caller } = request
      const events = service.search(body, caller, { requestId: id, signal: untilGone(reply) })
      for await (const { event, data } of gated(events, ceilingOf(request))) {
        if (event === 'answer') return data
        if (event === 'error') return sendBody(data, reply)
      }
      throw new Error('a search ended without an answer')
    },
  })

  app.post('/api/search/stream', {
    ...shared,
    schema: {
      tags: ['search'],
      summary: 'The same, as server-sent events: run, five stages, claims, then answer or error; /runs/{run_id}/events joins it',
      body: SearchRequest,
      response: { 200: STREAM_RESPONSE, default: PROBLEM_RESPONSE },
    },
    handler: (request, reply) => {
      const { id, body, caller } = request
      const events = service.stream(body, caller, { requestId: id, signal: AbortSignal.any([untilGone(reply), stopping]) })
      const onBug = (error: unknown) => log?.bug(bugLine(error, id))
      return sendStream(reply, frames(gated(events, ceilingOf(request)), { requestId: id, heartbeatMs, stopping, onBug }))
    },
  })
}

async function* gated<E extends SearchEvent>(events: AsyncIterable<E>, ceiling: Tier): AsyncGenerator<E> {
  for await (const event of events) yield emitSearch(event, ceiling)
}
