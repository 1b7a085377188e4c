/**
 * Searches under way that can be listened to, joined and left. A run tells what happens into a list of its own and never waits
 * for a listener; listeners read the list at their own pace. When the last one has left, the run is stopped: at once, or after a
 * while if it may be resumed.
 */
import { LIMITS, type SearchEvent, ServiceError, type Tier, problem, shuttingDown, within } from '../contracts/index.ts'
import type { Listening } from './desks.ts'
import { type NumberedEvent, sightOf } from './run-record.ts'
import type { Caller, Labelled } from './service.ts'

export interface LiveAbout {
  readonly caller: Caller
  /** under which the run computes */
  readonly ceiling: Tier
  readonly requestId: string
  /** how long it goes on while nobody listens */
  readonly lingerMs: number
}

interface LiveRun {
  readonly about: LiveAbout
  readonly told: SearchEvent[]
  readonly listeners: Set<() => void>
  readonly stop: AbortController
  id: string | null
  ended: boolean
  lingering: NodeJS.Timeout | undefined
  done: Promise<void>
}

type Begin = (signal: AbortSignal) => AsyncIterable<SearchEvent>

export class LiveRuns {
  readonly #runs = new Set<LiveRun>()
  readonly #onBug: (error: unknown, requestId: string) => void

  constructor(onBug: (error: unknown, requestId: string) => void) {
    this.#onBug = onBug
  }

  /** Begins a run and listens to it from its first event on, until its end or until the signal fires. */
  start(begin: Begin, about: LiveAbout, signal: AbortSignal): AsyncIterable<NumberedEvent> {
    const run: LiveRun = {
      about, told: [], listeners: new Set(), stop: new AbortController(), id: null, ended: false, lingering: undefined,
      done: Promise.resolve(),
    }
    this.#runs.add(run)
    const heard = listen(run, { after: 0, signal })
    run.done = this.#drain(run, begin(run.stop.signal)).finally(() => this.#runs.delete(run))
    return heard
  }

  /**
   * Joins a run under way, or says that none by that id is: to who asked, under the ceiling that history would show it under if
   * it ended now. Nobody waits for that to be known: until the run has told its plan, a lower ceiling finds nothing.
   */
  join(runId: string, caller: Caller, listening: Listening): Labelled<AsyncIterable<NumberedEvent>> | null {
    const run = [...this.#runs].find(({ id, ended }) => id === runId && !ended)
    if (run === undefined || run.about.caller.name !== caller.name) return null
    const stages = run.told.flatMap(({ event, data }) => (event === 'stage' ? [data] : []))
    const sight = sightOf(run.about.ceiling, run.about.caller, stages)
    if (!within(sight, caller.grant)) return null
    if (run.listeners.size >= LIMITS.run_listeners) {
      const hint = 'close one of them, or come back when it has ended'
      throw new ServiceError('too_many_requests', 'too many are listening to this run', { hint })
    }
    return { value: listen(run, listening), ceiling: sight }
  }

  /** Stops every run and waits until each has told its end. */
  async close(): Promise<void> {
    const runs = [...this.#runs]
    for (const { stop } of runs) stop.abort(shuttingDown())
    await Promise.all(runs.map(({ done }) => done))
  }

  async #drain(run: LiveRun, events: AsyncIterable<SearchEvent>): Promise<void> {
    try {
      for await (const event of events) {
        if (event.event === 'run') run.id = event.data.run_id
        tell(run, event)
        if (run.ended) return
        if (run.told.length >= LIMITS.run_events) throw new Error('a search tells more than a listener can be kept waiting for')
      }
      throw new Error('a search ended without its end')
    } catch (error) {
      if (!(error instanceof ServiceError)) this.#onBug(error, run.about.requestId)
      tell(run, { event: 'error', data: problem(error, run.about.requestId) })
    } finally {
      clearTimeout(run.lingering)
    }
  }
}

function tell(run: LiveRun, event: SearchEvent): void {
  run.told.push(event)
  run.ended = event.event === 'answer' || event.event === 'error'
  for (const wake of run.listeners) wake()
}

/** A listener counts from the moment it is made, not from its first read: one who left before reading has left all the same. */
function listen(run: LiveRun, { after, signal }: Listening): AsyncIterable<NumberedEvent> {
  let woken = Promise.withResolvers<void>()
  const wake = (): void => woken.resolve()
  const leave = (): void => {
    signal.removeEventListener('abort', leave)
    wake()
    if (run.listeners.delete(wake) && run.listeners.size === 0) linger(run, signal)
  }
  clearTimeout(run.lingering)
  run.listeners.add(wake)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()

  async function* heard(): AsyncGenerator<NumberedEvent> {
    const { told } = run
    try {
      // a number that was never given means from the beginning; who has heard it all hears the end again
      let next = after > told.length ? 0 : run.ended ? Math.min(after, told.length - 1) : after
      for (;;) {
        for (; next < told.length && !signal.aborted; next += 1) yield { ...told[next]!, id: next + 1 }
        if (run.ended || signal.aborted) return
        await woken.promise
        woken = Promise.withResolvers<void>()
      }
    } finally {
      leave()
    }
  }
  return heard()
}

/** Nobody listens any more. A signal that brings its own reason, such as the end of the service, leaves nothing to wait for. */
function linger(run: LiveRun, { reason }: AbortSignal): void {
  if (run.ended) return
  if (reason instanceof ServiceError) return run.stop.abort(reason)
  const stop = (): void => run.stop.abort(new ServiceError('cancelled', 'the client left before the end'))
  if (run.about.lingerMs === 0) stop()
  else run.lingering = setTimeout(stop, run.about.lingerMs)
}
