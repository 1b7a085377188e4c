/** A thread that maps pieces one after the other, as long as it is given any. */
import { parentPort } from 'node:worker_threads'
import { type MapTask, mapPiece } from './map-piece.ts'

export type WorkerMessage =
  | { readonly type: 'progress'; readonly bytes: number; readonly lines: number }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly message: string; readonly code?: string }

const send = (message: WorkerMessage): void => parentPort?.postMessage(message)

parentPort?.on('message', (task: MapTask) => {
  mapPiece(task, (bytes, lines) => send({ type: 'progress', bytes, lines })).then(
    () => send({ type: 'done' }),
    (error: NodeJS.ErrnoException) => send({ type: 'failed', message: error.message, ...(error.code === undefined ? {} : { code: error.code }) }),
  )
})
