/** A search as server-sent events: numbered frames, a heartbeat while nothing happens, and always exactly one end. */
import { ServiceError, problem } from '../../contracts/index.ts'
import type { SearchEvent } from '../../contracts/index.ts'
import { HEARTBEAT, frame } from '../emit.ts'

export interface StreamAbout {
  readonly requestId: string
  readonly heartbeatMs: number
  /** fires when the server begins to stop */
  readonly stopping: AbortSignal
  readonly onBug?: (error: unknown) => void
}

type Step =
  | { readonly kind: 'event'; readonly result: IteratorResult<SearchEvent> }
  | { readonly kind: 'fault'; readonly error: unknown }
  | { readonly kind: 'beat' }
  | { readonly kind: 'stop' }

export async function* frames(events: AsyncIterable<SearchEvent>, about: StreamAbout): AsyncGenerator<string> {
  const { requestId, heartbeatMs, stopping, onBug } = about
  const source = events[Symbol.asyncIterator]()
  let id = 0
  const end = (error: unknown) => frame({ id: ++id, event: 'error', data: problem(error, requestId) })
  try {
    let pending = advance(source)
    for (;;) {
      const step = await firstOf(pending, heartbeatMs, stopping)
      if (step.kind === 'beat') {
        yield HEARTBEAT
        continue
      }
      if (step.kind === 'stop') {
        yield end(new ServiceError('shutting_down', 'the service is stopping', { hint: 'ask again in a moment' }))
        return
      }
      if (step.kind === 'fault' || step.result.done === true) {
        const error = step.kind === 'fault' ? step.error : new Error('a search ended without an answer')
        if (!(error instanceof ServiceError)) onBug?.(error)
        yield end(error)
        return
      }
      const { event, data } = step.result.value
      yield frame({ id: ++id, event, data })
      if (event === 'answer' || event === 'error') return
      pending = advance(source)
    }
  } finally {
    // not awaited: a search that is still busy hears of it through its own signal
    void Promise.resolve(source.return?.()).catch(() => undefined)
  }
}

const advance = (source: AsyncIterator<SearchEvent>): Promise<Step> =>
  source.next().then(
    (result): Step => ({ kind: 'event', result }),
    (error: unknown): Step => ({ kind: 'fault', error }),
  )

function firstOf(pending: Promise<Step>, heartbeatMs: number, stopping: AbortSignal): Promise<Step> {
  if (stopping.aborted) return Promise.resolve({ kind: 'stop' })
  return new Promise((resolve) => {
    const settle = (step: Step) => {
      clearTimeout(timer)
      stopping.removeEventListener('abort', stop)
      resolve(step)
    }
    const stop = () => settle({ kind: 'stop' })
    const timer = setTimeout(() => settle({ kind: 'beat' }), heartbeatMs)
    stopping.addEventListener('abort', stop)
    void pending.then(settle)
  })
}
