/** Searches that ran, or are under way, shown to the caller who asked, under their ceiling or a higher grant. */
import { type Plan, type Problem, SearchAnswer, ServiceError, type Tier, within } from '../contracts/index.ts'
import { SERVICE_WARNINGS, planOf } from '../search/index.ts'
import type { StoredRun, Workspace } from '../store/index.ts'
import type { Listening } from './desks.ts'
import {
  type ClaimView, type Feedback, Kept, type NumberedEvent, type Origin, type RunLine, claimView, replayed,
} from './run-record.ts'
import type { Caller, Labelled } from './service.ts'

export const RUNS_PAGE = { default: 20, max: 100 } as const

export interface RunPage {
  readonly runs: RunLine[]
  readonly next_cursor: string | null
}

/** Unknown runs, those of others and those above the grant are all the same: not found. */
export interface RunDesk {
  list(page: { readonly limit?: number; readonly cursor?: string }, caller: Caller): Labelled<RunPage>
  answer(runId: string, caller: Caller): Labelled<SearchAnswer>
  claim(runId: string, claimId: string, caller: Caller): Labelled<ClaimView>
  /** what the stream told after the event of that number and, while the run is under way, tells; the end is always told */
  events(runId: string, caller: Caller, listening: Listening): Labelled<AsyncIterable<NumberedEvent>>
  feedback(runId: string, said: { readonly right: boolean; readonly note?: string }, caller: Caller): Labelled<Feedback>
}

/** What a follow-up needs to know of the run it names. */
export interface EarlierRun {
  /** null where nothing was planned */
  readonly plan: Plan | null
  readonly ceiling: Tier
  /** null where it did not come to an answer */
  readonly origin: Origin | null
}

interface FindParts {
  /** the workspace if there is one; looking something up makes none */
  readonly peek: () => Workspace | null
  readonly demandEnabled: () => void
}

interface RunParts extends FindParts {
  readonly workspace: () => Workspace
  readonly now: () => string
  /** joins a run under way, or says that none by that id is */
  readonly join: (runId: string, caller: Caller, listening: Listening) => Labelled<AsyncIterable<NumberedEvent>> | null
}

export function runDesk(parts: RunParts): RunDesk {
  const { peek, workspace, now, demandEnabled, join } = parts
  const find = (runId: string, caller: Caller) => findRun(parts, runId, caller)

  function answered(runId: string, caller: Caller): Labelled<SearchAnswer> {
    const { kept, ceiling } = find(runId, caller)
    if (kept.problem !== undefined) {
      throw new ServiceError('not_found', 'this search ended without an answer', { hint: 'its events say why' })
    }
    const answer = SearchAnswer.safeParse(kept.answer)
    if (!answer.success) throw unknownRun()
    const warnings = kept.stale ? [...answer.data.warnings, SERVICE_WARNINGS.stale] : answer.data.warnings
    return { value: { ...answer.data, warnings }, ceiling }
  }

  function ended(runId: string, caller: Caller, after: number): Labelled<NumberedEvent[]> {
    const { kept, ceiling } = find(runId, caller)
    if (kept.problem !== undefined) {
      const data = kept.problem as unknown as Problem // written by us, and only passed on
      return { value: replayed(runId, kept.trace, { event: 'error', data }, after), ceiling }
    }
    const { value } = answered(runId, caller)
    return { value: replayed(runId, value.trace, { event: 'answer', data: value }, after), ceiling }
  }

  return {
    list({ limit = RUNS_PAGE.default, cursor }, caller) {
      demandEnabled()
      if (cursor !== undefined) demandCursor(() => find(cursor, caller))
      // one more than asked for tells whether there is a next page
      const page = { limit: limit + 1, ...(cursor === undefined ? {} : { before: cursor }) }
      const found = peek()?.runs.of(caller.name, caller.grant, page) ?? []
      const shown = found.slice(0, limit)
      const next = found.length > limit ? (shown.at(-1)?.runId ?? null) : null
      return { value: { runs: shown.flatMap(lineOf), next_cursor: next }, ceiling: caller.grant }
    },
    answer: answered,
    claim(runId, claimId, caller) {
      const { value, ceiling } = answered(runId, caller)
      const claim = value.claims.find(({ id }) => id === claimId)
      if (claim === undefined) throw unknownRun()
      return { value: claimView(value, claim), ceiling }
    },
    events(runId, caller, listening) {
      demandEnabled()
      const live = join(runId, caller, listening)
      if (live !== null) return live
      const { value, ceiling } = ended(runId, caller, listening.after)
      return { value: oneByOne(value), ceiling }
    },
    feedback(runId, { right, note }, caller) {
      const { ceiling } = answered(runId, caller)
      const said: Feedback = { right, note: note ?? null, at: now() }
      workspace().runs.note(runId, 'feedback', said)
      return { value: said, ceiling }
    },
  }
}

/** The run that a follow-up goes on from; the caller's grant is the ceiling of the question at hand. */
export function earlierRun(parts: FindParts, runId: string, caller: Caller): EarlierRun {
  const { run, kept } = findRun(parts, runId, caller)
  const answer = SearchAnswer.safeParse(kept.answer)
  const { source, ontology, place } = kept
  return {
    plan: answer.success ? planOf(answer.data) : null,
    ceiling: run.ceiling,
    origin: source === null || ontology === undefined ? null : { source, ontology, ...(place === undefined ? {} : { place }) },
  }
}

interface Found {
  readonly run: StoredRun
  readonly kept: Kept
  readonly ceiling: Tier
}

function findRun({ peek, demandEnabled }: FindParts, runId: string, caller: Caller): Found {
  demandEnabled()
  const run = peek()?.runs.get(runId)
  const kept = Kept.safeParse(run?.body)
  if (run === undefined || !kept.success || run.caller !== caller.name) throw unknownRun()
  const ceiling = kept.data.sight ?? run.ceiling
  if (!within(ceiling, caller.grant)) throw unknownRun()
  return { run, kept: kept.data, ceiling }
}

const unknownRun = (): ServiceError => new ServiceError('not_found', 'nothing here by that name')

function demandCursor(look: () => unknown): void {
  try {
    look()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new ServiceError('invalid_request', 'the cursor names no run of yours', { hint: 'begin again without a cursor' })
  }
}

function lineOf({ runId, ceiling, body, createdAt }: StoredRun): RunLine[] {
  const { data } = Kept.safeParse(body)
  const status = data?.problem === undefined ? data?.answer?.status : 'failed'
  if (data === undefined || status === undefined) return []
  const { question, source, stale, feedback } = data
  const code = data.problem?.code ?? null
  return [{ run_id: runId, question, status, code, source, max_tier: ceiling, created_at: createdAt, stale, feedback }]
}

async function* oneByOne(events: readonly NumberedEvent[]): AsyncGenerator<NumberedEvent> {
  yield* events
}
