/** A search or a job as server-sent events: numbered frames, a heartbeat while nothing happens, and always exactly one end. */
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { LIMITS, ServiceError, problem, shuttingDown } from '../../contracts/index.ts'
import { HEARTBEAT, frame } from '../emit.ts'
import type { StreamEvent } from '../emit.ts'

/** An event of a stream; without a number of its own it gets the next one. */
export interface Streamed {
  readonly event: StreamEvent
  readonly data: unknown
  readonly id?: number
}

const STALLED_MS = LIMITS.stalled_seconds * 1000
const ENDS: readonly StreamEvent[] = ['answer', 'done', 'error']

export interface StreamAbout {
  readonly requestId: string
  readonly heartbeatMs: number
  /** fires when the server begins to stop */
  readonly stopping: AbortSignal
  readonly onBug?: (error: unknown) => void
}

type Step =
  | { readonly kind: 'event'; readonly result: IteratorResult<Streamed> }
  | { readonly kind: 'fault'; readonly error: unknown }
  | { readonly kind: 'beat' }
  | { readonly kind: 'stop' }

export async function* frames(events: AsyncIterable<Streamed>, about: StreamAbout): AsyncGenerator<string> {
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
        yield end(shuttingDown())
        return
      }
      if (step.kind === 'fault' || step.result.done === true) {
        const error = step.kind === 'fault' ? step.error : new Error('a stream ended without its end')
        if (!(error instanceof ServiceError)) onBug?.(error)
        yield end(error)
        return
      }
      const { event, data } = step.result.value
      id = step.result.value.id ?? id + 1
      yield frame({ id, event, data })
      if (ENDS.includes(event)) return
      pending = advance(source)
    }
  } finally {
    // not awaited: whoever is still busy hears of it through its own signal
    void Promise.resolve(source.return?.()).catch(() => undefined)
  }
}

const advance = (source: AsyncIterator<Streamed>): Promise<Step> =>
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

/** Fires when the client goes away before the reply is whole: nobody is left to compute for. */
export function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (reply.raw.destroyed) gone.abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/**
 * Proxies must pass each frame on as it comes. A client that takes none is cut off after a while: while it can be written to,
 * the heartbeat keeps the connection busy.
 */
export function sendStream(reply: FastifyReply, text: AsyncIterable<string>, stalledMs = STALLED_MS): FastifyReply {
  if (reply.raw.socket instanceof Socket) reply.raw.setTimeout(stalledMs, () => reply.raw.destroy())
  return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(Readable.from(text, { objectMode: false }))
}

export const STREAM_RESPONSE = { description: 'server-sent events', content: { 'text/event-stream': { schema: z.unknown() } } }
