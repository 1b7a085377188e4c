/** Phase reason's thread: what it is given, what it gives back, and what becomes of a run that does not fit into memory. */
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { ServiceError } from '../contracts/index.ts'
import type { MaterialisationOptions } from '../materialise/index.ts'
import type { PhaseReport } from './phase.ts'

/** Plain values only: they cross threads. The files are read and written over there. */
export interface ReasonTask {
  readonly out: string
  readonly options: Omit<MaterialisationOptions, 'budget'>
  readonly rdf12: boolean
  /** how it was asked to run, as a line of the report */
  readonly run?: string
}

/** An error crosses threads as its parts. The files of a success are drafts: they are put in place by whoever asked. */
export type ReasonOutcome =
  | { readonly ok: true; readonly value: PhaseReport }
  | { readonly ok: false; readonly error: { readonly code: ServiceError['code']; readonly message: string } & ServiceError['about'] }

/** A thread of its own: the service answers meanwhile, and a run that is called off ends at once. */
export function inWorker(task: ReasonTask, signal: AbortSignal | undefined, resourceLimits: ResourceLimits = {}): Promise<PhaseReport> {
  // the file's own ending, because the compiled program has .js here
  const file = new URL(`./reason-worker${import.meta.url.slice(-3)}`, import.meta.url)
  const worker = new Worker(file, { workerData: task, resourceLimits: { ...ROOM, ...resourceLimits } })
  return new Promise<PhaseReport>((resolve, reject) => {
    const stop = () => reject(new ServiceError('cancelled', 'the phase was called off; the old files are whole'))
    signal?.addEventListener('abort', stop, { once: true })
    worker.once('message', (message: ReasonOutcome) => {
      signal?.removeEventListener('abort', stop)
      if (message.ok) resolve(message.value)
      else reject(new ServiceError(message.error.code, message.error.message, message.error))
    })
    worker.once('error', (error) => reject(isTooLarge(error) ? tooLarge(error) : error))
    worker.once('exit', (code) => reject(new Error(`the thread of phase reason ended by itself, code ${code}`)))
    // waited for: until it has ended it may still write
  }).finally(() => worker.terminate())
}

/** Nearly all that a run makes is short-lived: with room for it, less is carried over to where it lies until the end. */
const ROOM: ResourceLimits = { maxYoungGenerationSizeMb: 192 }

/** Whether it failed for want of room: the heap is full, or a list, a map or a text would be longer than any can be. */
export function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE') return true
  return error instanceof RangeError && /allocation failed|maximum size exceeded|Invalid (?:string|array|typed array) length/.test(error.message)
}

export const tooLarge = (cause: unknown): ServiceError =>
  new ServiceError('conflict', 'the graph and what follows from it do not fit into memory; the old files are whole', {
    hint: 'reason over fewer instances or with a lower --max-tier, or give it more memory: NODE_OPTIONS=--max-old-space-size=8192 (MB)',
    cause,
  })
