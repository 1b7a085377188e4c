import { expect, it } from 'vitest'
import { type SearchEvent, SearchRequest } from '../contracts/index.ts'
import type { StoredRun, Workspace } from '../store/index.ts'
import { runRecorder } from './run-recorder.ts'
import type { Caller } from './service.ts'

const RUN: SearchEvent = { event: 'run', data: { run_id: 'run-1' } }
const plan = (more: object = {}): SearchEvent => ({ event: 'stage', data: { stage: 'plan', status: 'done', ms: 1, ...more } })

/** What is kept of a search at Internal, by a caller granted Restricted, whose client left after these events. */
async function leftAfter(...events: SearchEvent[]) {
  const saved: StoredRun[] = []
  const workspace = () => ({ runs: { save: (run: StoredRun) => void saved.push(run) } }) as unknown as Workspace
  const { recorded } = runRecorder({ workspace, now: () => '2026-03-01T08:00:00Z', onBug: () => undefined })
  async function* search(): AsyncGenerator<SearchEvent> {
    yield* events
  }
  const caller: Caller = { name: 'ann', grant: 'Restricted', roles: [] }
  const asked = { request: SearchRequest.parse({ question: 'q' }), caller, requestId: 'q-1' }
  let heard = 0
  for await (const _ of recorded(search(), asked)) if ((heard += 1) === events.length) break
  return saved.map(({ ceiling, body }) => [ceiling, (body as { sight?: string }).sight])
}

it('a run that was left keeps from a lower ceiling that something was blocked, and what it had not said yet', async () => {
  expect(await leftAfter(RUN, plan())).toEqual([['Internal', 'Internal']])
  expect(await leftAfter(RUN, plan({ outcome: 'ungrounded' }))).toEqual([['Internal', 'Internal']])
  expect(await leftAfter(RUN, plan({ outcome: 'blocked' }))).toEqual([['Internal', 'Restricted']])
  expect(await leftAfter(RUN)).toEqual([['Internal', 'Restricted']])
})
