import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LIMITS, type SearchEvent, ServiceError, type StageEvent, problem } from '../contracts/index.ts'
import { type LiveAbout, LiveRuns } from './live-runs.ts'
import type { NumberedEvent } from './run-record.ts'
import type { Caller } from './service.ts'

const ANN: Caller = { name: 'ann', grant: 'Confidential', roles: ['reader'] }
const RUN: SearchEvent = { event: 'run', data: { run_id: 'run-1' } }
const stage = (name: StageEvent['stage']): SearchEvent => ({ event: 'stage', data: { stage: name, status: 'done', ms: 1 } })
const END: SearchEvent = { event: 'error', data: problem(new ServiceError('deadline_exceeded', 'late'), 'q-1') }

/** A search that says what it is told to say, and ends by itself when it is stopped. */
function scripted() {
  const said: SearchEvent[] = []
  let more = Promise.withResolvers<void>()
  let signal: AbortSignal | undefined
  async function* search(given: AbortSignal): AsyncGenerator<SearchEvent> {
    signal = given
    given.addEventListener('abort', () => more.resolve())
    for (;;) {
      yield* said.splice(0)
      if (given.aborted) return yield { event: 'error', data: problem(given.reason, 'q-1') }
      await more.promise
      more = Promise.withResolvers<void>()
    }
  }
  const say = (...events: SearchEvent[]): void => {
    said.push(...events)
    more.resolve()
  }
  return { search, say, stopped: () => signal?.aborted === true }
}

const about = (more: Partial<LiveAbout> = {}): LiveAbout => ({ caller: ANN, ceiling: 'Internal', requestId: 'q-1', lingerMs: 0, ...more })
const ids = (events: readonly NumberedEvent[]) => events.map(({ id, event }) => `${id} ${event}`)
const settled = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function started(more: Partial<LiveAbout> = {}) {
  const live = new LiveRuns(() => undefined)
  const script = scripted()
  const gone = new AbortController()
  const heard: NumberedEvent[] = []
  const own = live.start(script.search, about(more), gone.signal)
  const done = (async () => {
    for await (const event of own) heard.push(event)
  })()
  const join = (after = 0, caller = ANN, signal = new AbortController().signal) => live.join('run-1', caller, { after, signal })
  return { live, ...script, gone, heard, done, join }
}

describe('a run under way', () => {
  it('is joined from the event that the listener names, and told to its end', async () => {
    const { say, heard, done, join } = started()
    say(RUN, stage('plan'))
    await settled()
    const all = Array.fromAsync(join()!.value)
    const rest = Array.fromAsync(join(1)!.value)
    const unknown = Array.fromAsync(join(99)!.value)
    expect(join()!.ceiling).toBe('Internal')
    say(stage('execute'))
    await settled()
    say(END)
    await done
    const told = ['1 run', '2 stage', '3 stage', '4 error']
    expect(ids(heard)).toEqual(told)
    expect(ids(await all)).toEqual(told)
    expect(ids(await rest)).toEqual(told.slice(1))
    expect(ids(await unknown)).toEqual(told)
    expect(join()).toBeNull() // history has it from here on
  })

  it('is not there for another caller, for a lower grant, and under another name', async () => {
    const { say, join, live, gone } = started({ caller: { ...ANN, grant: 'Restricted' } })
    say(RUN)
    await settled()
    expect(join(0, { ...ANN, name: 'bob', grant: 'Restricted' })).toBeNull()
    expect(join(0, ANN)).toBeNull()
    expect(live.join('run-2', { ...ANN, grant: 'Restricted' }, { after: 0, signal: gone.signal })).toBeNull()
    expect(join(0, { ...ANN, grant: 'Restricted' })).not.toBeNull()
    gone.abort()
  })

  it('is seen under its own ceiling once it has told its plan, and not if that says that something is blocked', async () => {
    const internal: Caller = { ...ANN, grant: 'Internal' }
    const seen = async (...plan: SearchEvent[]) => {
      const { say, join, gone } = started()
      say(RUN, ...plan)
      await settled()
      const found = [join(0, internal), join(0, { ...ANN, grant: 'Public' }), join(0, { ...internal, name: 'bob' }), join(0, ANN)]
      gone.abort()
      return found.map((joined) => joined?.ceiling ?? null)
    }
    const blocked: SearchEvent = { event: 'stage', data: { stage: 'plan', status: 'done', ms: 1, outcome: 'blocked' } }
    expect(await seen()).toEqual([null, null, null, 'Confidential'])
    expect(await seen(stage('plan'))).toEqual(['Internal', null, null, 'Internal'])
    expect(await seen(stage('plan'), stage('execute'))).toEqual(['Internal', null, null, 'Internal'])
    expect(await seen(blocked)).toEqual([null, null, null, 'Confidential'])
  })

  it('takes so many listeners and no more', async () => {
    const { say, join } = started()
    say(RUN)
    await settled()
    for (let n = 1; n < LIMITS.run_listeners; n += 1) expect(join()).not.toBeNull()
    expect(() => join()).toThrow(expect.objectContaining({ code: 'too_many_requests' }))
  })

  it('does not wait for a listener that reads nothing', async () => {
    const { say, join, done } = started()
    say(RUN)
    await settled()
    const slow = join()!.value[Symbol.asyncIterator]()
    say(stage('plan'), stage('execute'), END)
    await done
    expect((await slow.next()).value).toMatchObject({ id: 1, event: 'run' })
    expect((await slow.next()).value).toMatchObject({ id: 2 })
  })
})

describe('a run that nobody listens to', () => {
  it('is stopped at once', async () => {
    const { say, gone, stopped, done } = started()
    say(RUN)
    await settled()
    gone.abort()
    expect(stopped()).toBe(true)
    await done
  })

  it('is stopped also when its client left before it read anything', () => {
    const live = new LiveRuns(() => undefined)
    const { search, stopped } = scripted()
    live.start(search, about(), AbortSignal.abort())
    expect(stopped()).toBe(true)
  })

  it('is stopped when a listener ends its reading', async () => {
    const live = new LiveRuns(() => undefined)
    const { search, say, stopped } = scripted()
    say(RUN)
    for await (const _ of live.start(search, about(), new AbortController().signal)) break
    expect(stopped()).toBe(true)
  })

  it('goes on for a while if it may be resumed, and for as long as somebody came back', async () => {
    const { say, gone, stopped, join } = started({ lingerMs: 15_000 })
    say(RUN, stage('plan'))
    await settled()
    gone.abort()
    await vi.advanceTimersByTimeAsync(14_000)
    const again = new AbortController()
    const heard = Array.fromAsync(join(2, ANN, again.signal)!.value)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(stopped()).toBe(false)
    say(stage('execute'))
    await settled()
    again.abort()
    expect(ids(await heard)).toEqual(['3 stage'])
    await vi.advanceTimersByTimeAsync(14_999)
    expect(stopped()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(stopped()).toBe(true)
    await settled()
    expect(join()).toBeNull()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('tells its end to nobody, and leaves no timer', async () => {
    const { say, gone, join } = started({ lingerMs: 15_000 })
    say(RUN)
    await settled()
    gone.abort()
    say(END)
    await settled()
    expect(join()).toBeNull()
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('ends every run when the service closes, resumable or not, and says why', async () => {
  const { say, heard, live, done, gone } = started({ lingerMs: 15_000 })
  say(RUN)
  await settled()
  await live.close()
  await done
  expect(heard.at(-1)).toMatchObject({ event: 'error', data: { code: 'shutting_down' } })
  gone.abort()
  expect(vi.getTimerCount()).toBe(0)
})

it('a signal that says why is not lingered over', async () => {
  const { say, gone, stopped } = started({ lingerMs: 15_000 })
  say(RUN)
  await settled()
  gone.abort(new ServiceError('shutting_down', 'the service is stopping'))
  expect(stopped()).toBe(true)
})

it('ends with an error when the search throws or stops short, or tells without end, and shows nothing of a bug', async () => {
  const bugs: unknown[] = []
  const live = new LiveRuns((error) => bugs.push(error))
  const listened = (search: () => AsyncIterable<SearchEvent>) => Array.fromAsync(live.start(search, about(), new AbortController().signal))
  async function* throwing(): AsyncGenerator<SearchEvent> {
    yield RUN
    throw new Error('a secret')
  }
  async function* short(): AsyncGenerator<SearchEvent> {
    yield RUN
  }
  async function* endless(): AsyncGenerator<SearchEvent> {
    for (;;) yield stage('plan')
  }
  for (const search of [throwing, short, endless]) {
    const events = await listened(search)
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'internal' } })
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(events.length).toBeLessThanOrEqual(LIMITS.run_events + 1)
  }
  expect(bugs).toHaveLength(3)
})
