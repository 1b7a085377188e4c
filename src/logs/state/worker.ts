/** A thread that maps pieces one after the other: it takes the next one from the list that all threads share. */
import { parentPort, workerData } from 'node:worker_threads'
import { type SharedTasks, mapShared } from './map-piece.ts'

export type WorkerMessage =
  | { readonly type: 'progress'; readonly bytes: number; readonly lines: number }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly message: string; readonly code?: string }

const send = (message: WorkerMessage): void => parentPort?.postMessage(message)

mapShared(workerData as SharedTasks, (bytes, lines) => send({ type: 'progress', bytes, lines })).then(
  () => send({ type: 'done' }),
  (error: NodeJS.ErrnoException) => send({ type: 'failed', message: error.message, ...(error.code === undefined ? {} : { code: error.code }) }),
)
