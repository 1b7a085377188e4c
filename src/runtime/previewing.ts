/**
 * Previews of rules: each in a thread of its own that ends with it, stopped at a deadline. Nothing is written. They take turns,
 * since each may fill the memory that it is given; who asks for many waits behind himself and not in front of the others.
 */
import { Worker } from 'node:worker_threads'
import { LIMITS, type Rule, type RulePreview, type RuleValidation, ServiceError, type Tier } from '../contracts/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import type { PreviewFound } from '../materialise/index.ts'
import type { RuleVocabulary, Validation } from '../rules/index.ts'
import type { RuleSight } from './rule-sight.ts'
import { Turnstile } from './turnstile.ts'

export interface PreviewAsk {
  readonly rule: Rule
  readonly validation: Validation
  readonly context: { readonly others: readonly Rule[] }
  readonly sight: RuleSight
  /** synthetic, graph, or Turtle */
  readonly data: string
  readonly ceiling: Tier
  /** whose turn it takes */
  readonly caller: string
}

export type Previewing = (ask: PreviewAsk, signal?: AbortSignal) => Promise<RulePreview>

/** Plain values only: they cross threads. */
export interface PreviewTask {
  readonly rule: Rule
  readonly others: readonly Rule[]
  readonly vocabulary: RuleVocabulary
  readonly schema: readonly Quad[]
  readonly baseIri: string
  readonly recordBase: string
  readonly data: string
  readonly out: string
  readonly ceiling: Tier
  readonly softMs: number
}

export type PreviewOutcome =
  | { readonly ok: true; readonly value: PreviewFound & { readonly sample?: string } }
  | { readonly ok: false; readonly error: { readonly code: ServiceError['code']; readonly message: string } & ServiceError['about'] }

interface Parts {
  readonly baseIri: string
  readonly recordBase: string
  readonly out: string
  readonly clock: { now(): number }
  readonly deadlineMs?: number
}

export function previewing({ baseIri, recordBase, out, clock, deadlineMs = LIMITS.preview_ms }: Parts): Previewing {
  const turnstile = new Turnstile({ atOnce: LIMITS.previews_at_once, waiting: LIMITS.previews_waiting })
  const callers = new Map<string, Turnstile>()
  /** First one's own turn, then that among all: there everybody stands once. */
  const turnOf = async (caller: string, signal: AbortSignal | undefined): Promise<() => void> => {
    const own = callers.get(caller) ?? new Turnstile({ atOnce: 1, waiting: LIMITS.previews_waiting_per_caller })
    callers.set(caller, own)
    const left = signal === undefined ? {} : { signal }
    const leaveOwn = await own.enter({ waitMs: deadlineMs, ...left })
    try {
      const leave = await turnstile.enter({ waitMs: deadlineMs * PATIENCE, ...left })
      return () => (leave(), leaveOwn())
    } catch (error) {
      leaveOwn()
      throw error
    }
  }
  return async ({ rule, validation, context, sight, data, ceiling, caller }, signal) => {
    const since = clock.now()
    const told = warningsOf(validation)
    if (!validation.ok) {
      const errors = [...validation.errors]
      return { derived: [], lineage: [], count: 0, errors, warnings: told, duration_ms: Math.round(clock.now() - since) }
    }
    const leave = await turnOf(caller, signal)
    try {
      const task: PreviewTask = {
        rule: { ...rule, tier: ceiling }, others: context.others, vocabulary: sight.vocabulary, schema: sight.quads, baseIri, recordBase, data,
        out, ceiling, softMs: deadlineMs / 2,
      }
      const found = await inThread(task, deadlineMs, signal)
      return { ...found, errors: [...found.errors], warnings: [...told, ...found.warnings], duration_ms: Math.round(clock.now() - since) }
    } finally {
      leave()
    }
  }
}

/** How many previews of others, each up to its deadline, one waits for. */
const PATIENCE = 4

const warningsOf = ({ warnings }: Pick<RuleValidation, 'warnings'> | Validation): string[] => warnings.map(({ message }) => message)

function inThread(task: PreviewTask, deadlineMs: number, signal: AbortSignal | undefined): Promise<(PreviewOutcome & { ok: true })['value']> {
  // the file's own ending, because the compiled program has .js here
  const file = new URL(`./preview-worker${import.meta.url.slice(-3)}`, import.meta.url)
  const resourceLimits = { maxOldGenerationSizeMb: LIMITS.preview_heap_mb, maxYoungGenerationSizeMb: 32 }
  const worker = new Worker(file, { workerData: task, resourceLimits })
  let timer: NodeJS.Timeout | undefined
  let leave = () => undefined as void
  return new Promise<(PreviewOutcome & { ok: true })['value']>((resolve, reject) => {
    timer = setTimeout(() => reject(tooLong()), deadlineMs)
    leave = () => reject(new ServiceError('cancelled', 'the client left before the preview ended'))
    if (signal?.aborted === true) leave()
    signal?.addEventListener('abort', leave, { once: true })
    worker.once('message', (outcome: PreviewOutcome) => {
      if (outcome.ok) resolve(outcome.value)
      else reject(new ServiceError(outcome.error.code, outcome.error.message, outcome.error))
    })
    worker.once('error', (error) => {
      const isFull = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      reject(isFull ? new ServiceError('deadline_exceeded', 'the preview needs more memory than it may use', { hint: NARROW }) : error)
    })
    worker.once('exit', (code) => reject(new Error(`the thread of a preview ended by itself, code ${code}`)))
  }).finally(async () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
    await worker.terminate()
  })
}

const NARROW = 'narrow the rule, or preview it on less data'
const tooLong = (): ServiceError => new ServiceError('deadline_exceeded', 'the preview ran past its limit and was stopped', { hint: NARROW })
