/** Pieces over threads, the caller's own among them: each takes the next piece when it is done with one. */
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../../contracts/index.ts'
import { type MapProgress, type MapTask, type SharedTasks, mapShared } from './map-piece.ts'
import type { WorkerMessage } from './worker.ts'

export interface ThreadOptions {
  readonly workers: number
  readonly progress: MapProgress
  readonly signal?: AbortSignal
}

/** The caller's thread stays open to others: between two chunks of a log they have their turn. */
export async function mapTasks(tasks: readonly MapTask[], { workers, progress, signal }: ThreadOptions): Promise<void> {
  const shared: SharedTasks = { tasks, next: new Int32Array(new SharedArrayBuffer(4)) }
  const threads = Array.from({ length: Math.min(workers, tasks.length) - 1 }, () => start(shared, progress))
  const breathe: MapProgress = async (bytes, lines) => {
    progress(bytes, lines)
    await setImmediate()
    if (signal?.aborted === true) throw new ServiceError('cancelled', 'mining was called off; what was mapped is kept for the next run')
  }
  try {
    signal?.throwIfAborted()
    await Promise.all([mapShared(shared, breathe), ...threads.map(({ ended }) => ended)])
  } finally {
    Atomics.store(shared.next, 0, tasks.length)
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }
}

function start(shared: SharedTasks, progress: MapProgress): { readonly worker: Worker; readonly ended: Promise<void> } {
  // the file's own ending, because the compiled program has .js here
  const worker = new Worker(new URL(`./worker${import.meta.url.slice(-3)}`, import.meta.url), { workerData: shared, env: withCache() })
  const ended = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: WorkerMessage) => {
      if (message.type === 'progress') void progress(message.bytes, message.lines)
      else if (message.type === 'done') resolve()
      else reject(failure(message.message, message.code))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a thread of mining ended by itself, code ${code}`)))
  })
  return { worker, ended }
}

/** A thread does not share the cache of compiled modules by itself, and starts several times faster with it. */
function withCache(): NodeJS.ProcessEnv {
  const own = getCompileCacheDir()
  return own === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(own) }
}

const failure = (message: string, code: string | undefined): Error =>
  code === 'ENOSPC' ? new ServiceError('storage_full', 'no room left for the states of mining') : Object.assign(new Error(message), { code })
