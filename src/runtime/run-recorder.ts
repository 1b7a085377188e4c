/** Keeps searches as they end. History is a service beside the answer: where it cannot be written, the answer still leaves. */
import {
  type Problem, type SearchAnswer, type SearchEvent, type SearchRequest, ServiceError, type StageEvent, type Tier, minTier, problem,
} from '../contracts/index.ts'
import type { StoredRun, Workspace } from '../store/index.ts'
import { type Origin, sightOf } from './run-record.ts'
import type { Caller } from './service.ts'

interface RecorderParts {
  readonly workspace: () => Workspace
  readonly now: () => string
  readonly onBug: (error: unknown, requestId: string) => void
}

/** Under which an answer was made; `turtle` is its subgraph, for SPARQL after it has left memory. */
interface Made extends Origin {
  readonly caller: Caller
  readonly ceiling: Tier
  readonly turtle?: string
}

interface Asked {
  readonly request: SearchRequest
  readonly caller: Caller
  readonly requestId: string
}

export function runRecorder(parts: RecorderParts) {
  const underWay = new Map<string, Asked>()
  const save = (run: Omit<StoredRun, 'createdAt'>): void => {
    try {
      parts.workspace().runs.save({ ...run, createdAt: parts.now() })
    } catch (error) {
      parts.onBug(error, underWay.get(run.runId)?.requestId ?? '')
    }
  }

  /** Passes the events on, and keeps the run if it fails or nobody stays to hear its end. */
  async function* recorded(events: AsyncIterable<SearchEvent>, asked: Asked): AsyncGenerator<SearchEvent> {
    const { request, caller } = asked
    let runId: string | null = null
    let ended = false
    const trace: StageEvent[] = []
    const failed = (told: Problem): void => {
      if (runId === null) return
      const ceiling = minTier(request.max_tier, caller.grant)
      const sight = sightOf(ceiling, caller, trace)
      const body = { question: request.question, problem: told, trace, source: null, stale: false, sight }
      save({ runId, caller: caller.name, ceiling, body })
    }
    try {
      for await (const event of events) {
        if (event.event === 'run') {
          runId = event.data.run_id
          underWay.set(runId, asked)
        }
        if (event.event === 'stage') trace.push(event.data)
        ended = event.event === 'answer' || event.event === 'error'
        if (event.event === 'error') failed(event.data)
        yield event
      }
    } finally {
      if (!ended) failed(problem(new ServiceError('cancelled', 'the client left before the end'), asked.requestId))
      if (runId !== null) underWay.delete(runId)
    }
  }

  /** Keeps a run that was answered, before its answer leaves. */
  function keep(answer: SearchAnswer, { caller, ceiling, ...origin }: Made): void {
    const runId = answer.run_id
    const sight = sightOf(ceiling, caller, answer.trace)
    const question = underWay.get(runId)?.request.question ?? ''
    save({ runId, caller: caller.name, ceiling, body: { question, answer, ...origin, stale: false, sight } })
  }

  return { recorded, keep }
}
