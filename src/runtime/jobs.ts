/**
 * Pipeline runs in the background, one at a time. A job remembers what happened, so that a listener who comes late or comes
 * back reads everything from where it left off.
 *
 * What a phase prints and counts is computed over whole sources. Only a caller from whom nothing is hidden reads it; any
 * other sees that phases began and ended, under event numbers of its own.
 */
import { type Problem, ServiceError, type Tier, minTier, problem } from '../contracts/index.ts'
import type { JobDesk, JobEvent, JobOptions, JobState, JobView, Listening } from './desks.ts'
import type { Caller, PhaseOptions, PhaseRun } from './service.ts'

interface Parts {
  readonly run: (phase: string, options: PhaseOptions) => Promise<PhaseRun[]>
  readonly ids: () => string
  readonly onBug: (error: unknown, requestId: string) => void
}

/** Events without their numbers, which depend on who reads. */
type Happening = JobEvent extends infer E ? (E extends JobEvent ? Omit<E, 'id'> : never) : never

interface Job {
  readonly id: string
  readonly phase: string
  readonly maxTier: Tier
  readonly startedBy: string
  readonly stop: AbortController
  readonly phases: PhaseRun[]
  /** for callers from whom nothing is hidden, and for all others */
  readonly whole: Happening[]
  readonly bare: Happening[]
  readonly listeners: Set<() => void>
  state: JobState
  problem: Problem | null
  ended: Promise<void>
}

/** A phase that prints without end must not fill the memory; later lines are left out and counted. */
const MAX_LINES = 10_000
const MAX_JOBS = 50

export class Jobs implements JobDesk {
  private readonly jobs = new Map<string, Job>()
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  async start(phase: string, options: JobOptions, caller: Caller, requestId: string) {
    const busy = [...this.jobs.values()].find(({ state }) => state === 'running')
    if (busy !== undefined) {
      const owner = `process ${process.pid}, phase ${busy.phase}`
      const hint = 'wait for it to end, or cancel it'
      throw new ServiceError('conflict', `another writer is at work (${owner})`, { hint, locked: true })
    }
    const maxTier = minTier(options.maxTier ?? 'Restricted', caller.grant)
    const job: Job = {
      id: this.parts.ids(), phase, maxTier, startedBy: caller.name, stop: new AbortController(), phases: [], whole: [], bare: [],
      listeners: new Set(), state: 'running', problem: null, ended: Promise.resolve(),
    }
    this.jobs.set(job.id, job)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const run = this.parts.run(phase, {
      ...options,
      maxTier,
      signal: job.stop.signal,
      progress: (line) => say(job, line),
      onBegin: begin,
      onPhase: (done) => finishPhase(job, done),
    })
    const outcome = run.then(() => null, (error: unknown) => ({ error }))
    const early = await Promise.race([outcome, begun])
    if (early) {
      // it never held the lock: nothing ran, so there is nothing to look back on
      this.jobs.delete(job.id)
      throw early.error
    }
    job.ended = outcome.then((failed) => {
      if (failed !== null && !(failed.error instanceof ServiceError)) this.parts.onBug(failed.error, requestId)
      finish(job, failed, requestId)
      this.forgetOldest()
    })
    return { value: { job_id: job.id }, ceiling: caller.grant }
  }

  list(caller: Caller) {
    return { value: [...this.jobs.values()].map((job) => viewOf(job, caller)).toReversed(), ceiling: caller.grant }
  }

  view(jobId: string, caller: Caller) {
    return { value: viewOf(this.find(jobId), caller), ceiling: caller.grant }
  }

  events(jobId: string, caller: Caller, about: Listening) {
    return { value: follow(this.find(jobId), caller, about), ceiling: caller.grant }
  }

  cancel(jobId: string, caller: Caller) {
    const job = this.find(jobId)
    if (job.state !== 'running') throw new ServiceError('conflict', `the job is ${job.state}`)
    job.stop.abort()
    return { value: viewOf(job, caller), ceiling: caller.grant }
  }

  /** Asks the running job to stop and waits for it: a phase ends whole. */
  async close(): Promise<void> {
    for (const job of this.jobs.values()) job.stop.abort()
    await Promise.all([...this.jobs.values()].map(({ ended }) => ended))
  }

  private find(jobId: string): Job {
    const job = this.jobs.get(jobId)
    if (job === undefined) throw new ServiceError('not_found', 'no such job')
    return job
  }

  private forgetOldest(): void {
    for (const [id, { state, listeners }] of this.jobs) {
      if (this.jobs.size <= MAX_JOBS) return
      if (state !== 'running' && listeners.size === 0) this.jobs.delete(id)
    }
  }
}

const seesAll = ({ grant }: Caller): boolean => grant === 'Restricted'

function viewOf({ id, phase, state, maxTier, startedBy, phases, problem: failure }: Job, caller: Caller): JobView {
  const all = seesAll(caller)
  return {
    job_id: id,
    phase,
    state,
    max_tier: maxTier,
    started_by: startedBy,
    phases: phases.map((run) => ({ phase: run.phase, ms: run.ms, counts: all ? run.counts : {}, files: all ? run.files : [] })),
    problem: failure === null || all ? failure : withoutDetail(failure),
  }
}

/** What was recorded, then what is being recorded, until the end of the job or of the listener's patience. */
async function* follow(job: Job, caller: Caller, { after, signal }: Listening): AsyncGenerator<JobEvent> {
  const log = seesAll(caller) ? job.whole : job.bare
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  job.listeners.add(wake)
  signal.addEventListener('abort', wake)
  try {
    // a number we never gave, such as one of before a restart, means from the beginning; who has heard it all hears the end again
    let next = after > log.length ? 0 : after === log.length && job.state !== 'running' ? after - 1 : after
    for (;;) {
      for (; next < log.length; next += 1) yield { id: next + 1, ...log[next]! }
      if (job.state !== 'running' || signal.aborted) return
      await woken.promise
      woken = Promise.withResolvers<void>()
    }
  } finally {
    job.listeners.delete(wake)
    signal.removeEventListener('abort', wake)
  }
}

function happen(job: Job, whole: Happening, bare: Happening | null): void {
  job.whole.push(whole)
  if (bare !== null) job.bare.push(bare)
  for (const wake of job.listeners) wake()
}

function say(job: Job, line: string): void {
  if (job.whole.length < MAX_LINES) happen(job, { event: 'progress', data: { line } }, null)
}

function finishPhase(job: Job, done: PhaseRun): void {
  job.phases.push(done)
  for (const line of done.lines) say(job, line)
  const { phase, ms, counts, files } = done
  happen(job, { event: 'phase', data: { phase, ms, counts, files } }, { event: 'phase', data: { phase, ms } })
}

function finish(job: Job, failed: { error: unknown } | null, requestId: string): void {
  if (failed === null) {
    job.state = 'done'
    const done = { event: 'done', data: { job_id: job.id, state: 'done' } } as const
    happen(job, done, done)
    return
  }
  const told = problem(failed.error, requestId)
  job.state = told.code === 'cancelled' ? 'cancelled' : 'failed'
  job.problem = told
  happen(job, { event: 'error', data: told }, { event: 'error', data: withoutDetail(told) })
}

/** What went wrong may have to do with data above the reader; the kind of failure is enough for them. */
const withoutDetail = ({ code, request_id }: Problem): Problem =>
  problem(new ServiceError(code, code === 'cancelled' ? 'the job was cancelled' : 'the job failed'), request_id)
