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
  const run = ({ id, body, caller }: { id: string; body: SearchRequest; caller: Caller }, signal: AbortSignal) =>
    gated(service.search(body, caller, { requestId: id, signal }), minTier(body.max_tier, caller.grant))
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
      for await (const { event, data } of run(request, untilGone(reply))) {
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
      summary: 'The same, as server-sent events: run, five stages, claims, then answer or error',
      body: SearchRequest,
      response: { 200: STREAM_RESPONSE, default: PROBLEM_RESPONSE },
    },
    handler: (request, reply) => {
      const text = frames(run(request, AbortSignal.any([untilGone(reply), stopping])), {
        requestId: request.id,
        heartbeatMs,
        stopping,
        onBug: (error) => log?.bug(bugLine(error, request.id)),
      })
      return sendStream(reply, text)
    },
  })
}

async function* gated(events: AsyncIterable<SearchEvent>, ceiling: Tier): AsyncGenerator<SearchEvent> {
  for await (const event of events) yield emitSearch(event, ceiling)
}
