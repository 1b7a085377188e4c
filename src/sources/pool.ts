/**
 * A few warm child processes that take one request each. A request past its deadline, or whose caller has left, ends its
 * process; a fresh one takes the seat. The processes do not keep the program alive unless a request is under way.
 */
import type { ChildProcess } from 'node:child_process'
import { ServiceError } from '../contracts/index.ts'

export interface PoolOptions<Request> {
  readonly size: number
  /** starts a process that will answer every message with one message */
  readonly start: () => ChildProcess
  /** the first message to every process; it may serve once its answer passes */
  readonly greeting: Request
  /** what an answer means: the value, or the error to throw */
  readonly read: (answer: unknown) => unknown
  /** how long a process that is no longer wanted may take to end by itself, told by the end of its channel; then it is killed */
  readonly graceMs: number
}

export interface Deadline {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

interface Job {
  readonly request: object
  readonly settle: (outcome: { value: unknown } | { error: unknown }) => void
  member: Member | null
}

interface Member {
  readonly child: ChildProcess
  ready: boolean
  job: Job | null
}

export class Pool<Request extends object> {
  readonly #options: PoolOptions<Request>
  readonly #members = new Set<Member>()
  #waiting: Job[] = []
  #closed = false

  constructor(options: PoolOptions<Request>) {
    this.#options = options
    for (let i = 0; i < options.size; i += 1) this.#hire()
  }

  /** Sends a request to a free process, in the order of asking. The time in the queue counts. */
  run(request: Request, { timeoutMs, signal }: Deadline): Promise<unknown> {
    if (this.#closed) return Promise.reject(closedError())
    if (signal?.aborted === true) return Promise.reject(cancelledError())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#stop(job, deadlineError(timeoutMs)), timeoutMs)
      const leave = (): void => this.#stop(job, cancelledError())
      const job: Job = {
        request,
        member: null,
        settle: (outcome) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', leave)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.value)
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(job)
      this.#assign()
    })
  }

  /** Ends every process; requests under way fail. */
  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#waiting.splice(0)) job.settle({ error: closedError() })
    const members = [...this.#members]
    this.#members.clear()
    await Promise.all(
      members.map((member) => {
        member.job?.settle({ error: closedError() })
        return ended(member.child, this.#options.graceMs)
      }),
    )
  }

  #assign(): void {
    for (const member of this.#members) {
      if (!member.ready || member.job !== null) continue
      const job = this.#waiting.shift()
      if (job === undefined) return
      member.job = job
      job.member = member
      keepAlive(member.child, true)
      member.child.send(job.request, () => {})
    }
    const starting = [...this.#members].filter(({ ready }) => !ready).length
    if (this.#waiting.length > starting && this.#members.size < this.#options.size) this.#hire()
  }

  #hire(): void {
    const member: Member = { child: this.#options.start(), ready: false, job: null }
    this.#members.add(member)
    member.child.on('message', (answer) => this.#heard(member, answer))
    member.child.once('exit', () => this.#lost(member, lostError()))
    member.child.on('error', (cause) => this.#lost(member, lostError(cause)))
    member.child.send(this.#options.greeting, () => {}) // a failed send is followed by exit or error
  }

  #heard(member: Member, answer: unknown): void {
    if (!this.#members.has(member)) return
    const outcome = outcomeOf(() => this.#options.read(answer))
    if (!member.ready && 'error' in outcome) return this.#lost(member, outcome.error)
    const job = member.job
    member.ready = true
    member.job = null
    keepAlive(member.child, false)
    job?.settle(outcome)
    this.#assign()
  }

  /** A process that had served is replaced; one that could not even start tells the next caller why. */
  #lost(member: Member, error: unknown): void {
    if (!this.#members.delete(member)) return
    member.child.kill('SIGKILL')
    const job = member.job ?? (member.ready ? undefined : this.#waiting.shift())
    job?.settle({ error })
    if (member.ready && !this.#closed) this.#hire()
    this.#assign()
  }

  #stop(job: Job, error: unknown): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== job)
    const { member } = job
    job.settle({ error })
    if (member === null || member.job !== job || !this.#members.delete(member)) return
    dismiss(member.child, this.#options.graceMs)
    // starting a process takes a moment in which nothing else happens here: the caller hears first
    setImmediate(() => {
      if (this.#closed) return
      if (this.#members.size < this.#options.size) this.#hire()
      this.#assign()
    })
  }
}

function outcomeOf(work: () => unknown): { value: unknown } | { error: unknown } {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

function keepAlive(child: ChildProcess, busy: boolean): void {
  if (busy) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}

/** Ends a process: at once, or by closing its channel first and killing it when it has not gone in time. */
function dismiss(child: ChildProcess, graceMs: number): void {
  if (graceMs === 0 || !child.connected) {
    child.kill('SIGKILL')
    return
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  child.once('exit', () => clearTimeout(timer))
  child.disconnect()
}

function ended(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.ref()
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
    dismiss(child, graceMs)
  })
}

const deadlineError = (timeoutMs: number): ServiceError =>
  new ServiceError('deadline_exceeded', `the database did not answer within ${timeoutMs} ms and the query was stopped`, {
    hint: 'ask for less, or raise timeout_ms',
  })
const cancelledError = (): ServiceError => new ServiceError('cancelled', 'the query was stopped because its caller left')
const closedError = (): ServiceError => new ServiceError('shutting_down', 'the source has been closed')
const lostError = (cause?: unknown): ServiceError =>
  new ServiceError('source_unavailable', 'the process that reads the database ended unexpectedly', { hint: 'ask again', cause })
