/**
 * The SDK door: `import { search } from 'wherefore/runtime/reasoning_search'`.
 *
 *     const a = await search('Which customers are at risk from crt-07, and why?', { flavor: 'network-ops' })
 *     a.answer, a.executed_query, a.subgraph.count
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type ProblemCode, type SearchAnswer, type SearchEvent, type SearchOptions, SearchRequest, ServiceError } from '../contracts/index.ts'
import { createService } from './create-service.ts'
import { Metrics } from './metrics.ts'
import { openProject } from './project.ts'
import type { Caller, Service } from './service.ts'

export { ServiceError, type SearchAnswer, type SearchEvent, type SearchOptions }

/** Every search of this process through this door is counted here, whatever service answers it. */
const counters = new Metrics()

/** What was counted, as Prometheus text: for the metrics endpoint of the program that asks. */
export const metrics = (): Promise<string> => counters.text()

/** Answers a question; rejects with a ServiceError whose `code` stands in docs/errors.md. */
export async function search(question: string, options: SearchOptions = {}): Promise<SearchAnswer> {
  for await (const event of searchStream(question, options)) {
    if (event.event === 'answer') return event.data
    if (event.event === 'error') {
      const { code, detail, stage, hint, errors } = event.data
      throw new ServiceError(code as ProblemCode, detail, { ...(stage && { stage }), ...(hint && { hint }), ...(errors && { errors }) })
    }
  }
  throw new ServiceError('internal', 'the search ended without an answer')
}

/** The same search as its stage events, in order; the last one is `answer` or `error`. Leaving the loop cancels it. */
export async function* searchStream(question: string, options: SearchOptions = {}): AsyncGenerator<SearchEvent> {
  const request = parseRequest({ ...options, question })
  const project = openProject()
  // a project keeps its runs, so that follow-ups can name them; a program that is in none leaves no file behind
  const service: Service = createService(project, { metrics: counters, keepRuns: project.configFile !== null || existsSync(project.config.store) })
  const caller: Caller = { name: 'local', grant: project.grant, roles: ['reader'] }
  const leaving = new AbortController()
  try {
    yield* service.search(request, caller, { requestId: randomUUID(), signal: leaving.signal, anyPath: true })
  } finally {
    leaving.abort()
    await service.close()
  }
}

export function parseRequest(body: unknown): SearchRequest {
  const parsed = SearchRequest.safeParse(body)
  if (parsed.success) return parsed.data
  throw new ServiceError('invalid_request', 'the search request does not fit its schema', {
    errors: parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
  })
}
