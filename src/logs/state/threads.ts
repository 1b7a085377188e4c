/** Pieces over threads: each thread takes the next piece when it is done with one. */
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../../contracts/index.ts'
import { type MapProgress, type MapTask, mapPiece } from './map-piece.ts'
import type { WorkerMessage } from './worker.ts'

export interface ThreadOptions {
  readonly workers: number
  readonly progress: MapProgress
  readonly signal?: AbortSignal
}

/** With one worker everything happens in the thread of the caller. */
export async function mapTasks(tasks: readonly MapTask[], { workers, progress, signal }: ThreadOptions): Promise<void> {
  if (workers <= 1 || tasks.length <= 1) {
    for (const task of tasks) {
      signal?.throwIfAborted()
      await mapPiece(task, progress)
    }
    return
  }
  const queue = [...tasks]
  const threads = Array.from({ length: Math.min(workers, tasks.length) }, () => start(queue, progress))
  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new ServiceError('cancelled', 'mining was called off; what was mapped is kept for the next run')), { once: true })
  })
  try {
    await Promise.race([Promise.all(threads.map(({ ended }) => ended)), stopped])
  } finally {
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }
}

function start(queue: MapTask[], progress: MapProgress): { readonly worker: Worker; readonly ended: Promise<void> } {
  // the file's own ending, because the compiled program has .js here
  const worker = new Worker(new URL(`./worker${import.meta.url.slice(-3)}`, import.meta.url))
  const ended = new Promise<void>((resolve, reject) => {
    const next = (): void => {
      const task = queue.shift()
      if (task === undefined) resolve()
      else worker.postMessage(task)
    }
    worker.on('message', (message: WorkerMessage) => {
      if (message.type === 'progress') progress(message.bytes, message.lines)
      else if (message.type === 'done') next()
      else reject(failure(message.message, message.code))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a thread of mining ended by itself, code ${code}`)))
    next()
  })
  return { worker, ended }
}

const failure = (message: string, code: string | undefined): Error =>
  code === 'ENOSPC' ? new ServiceError('storage_full', 'no room left for the states of mining') : Object.assign(new Error(message), { code })
