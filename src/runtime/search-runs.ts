/** Searches that ran: kept as they end, and shown again to the caller who asked, under their ceiling or a higher grant. */
import { z } from 'zod'
import {
  type Citation, type Claim, type ExecutedQuery, type InferredFact, type Problem, SEARCH_STATUSES, SearchAnswer, type SearchEvent,
  type SearchRequest, ServiceError, StageEvent, Tier, minTier, problem, within,
} from '../contracts/index.ts'
import type { StoredRun, Workspace } from '../store/index.ts'
import type { Caller, Labelled } from './service.ts'

export const RUNS_PAGE = { default: 20, max: 100 } as const
export const RUN_STATUSES = [...SEARCH_STATUSES, 'failed'] as const

export interface Feedback {
  readonly right: boolean
  readonly note: string | null
  readonly at: string
}

export interface RunLine {
  readonly run_id: string
  readonly question: string
  readonly status: (typeof RUN_STATUSES)[number]
  /** of a search that failed, why */
  readonly code: string | null
  readonly source: string | null
  readonly max_tier: Tier
  readonly created_at: string
  /** the schema has changed since the answer was given */
  readonly stale: boolean
  readonly feedback: Feedback | null
}

export interface RunPage {
  readonly runs: RunLine[]
  readonly next_cursor: string | null
}

/** A claim and everything in its answer that it rests on. */
export interface ClaimView {
  readonly run_id: string
  readonly claim: Claim
  readonly citations: Citation[]
  readonly inferred: InferredFact[]
  /** those that the claim's sql_spans point into, under the number they have there */
  readonly executed_queries: { readonly query: number; readonly sql: string; readonly params: ExecutedQuery['params'] }[]
}

export type NumberedEvent = SearchEvent & { readonly id: number }

/** Unknown runs, those of others and those above the grant are all the same: not found. */
export interface RunDesk {
  list(page: { readonly limit?: number; readonly cursor?: string }, caller: Caller): Labelled<RunPage>
  answer(runId: string, caller: Caller): Labelled<SearchAnswer>
  claim(runId: string, claimId: string, caller: Caller): Labelled<ClaimView>
  /** what the stream told after the event of that number; the end is always told */
  events(runId: string, after: number, caller: Caller): Labelled<NumberedEvent[]>
  feedback(runId: string, said: { readonly right: boolean; readonly note?: string }, caller: Caller): Labelled<Feedback>
}

const FeedbackBody = z.object({ right: z.boolean(), note: z.string().nullable(), at: z.string() })
const Told = z.looseObject({ code: z.string(), status: z.number() })
/** What every kept run has; runs of an older program know no question. */
const Kept = z.object({
  question: z.string().default(''),
  source: z.string().nullable().default(null),
  stale: z.boolean().default(false),
  sight: Tier.optional(),
  feedback: FeedbackBody.nullable().default(null),
  answer: z.looseObject({ status: z.enum(SEARCH_STATUSES) }).optional(),
  problem: Told.optional(),
  trace: z.array(StageEvent).default([]),
})
type Kept = z.infer<typeof Kept>

/**
 * The events of a run in the order and with the numbers that its stream had: run, the stages with the claims before the last,
 * then the end. Who names a number that was never given hears all of it; who has heard it all hears the end again.
 */
export function replayed(runId: string, trace: readonly StageEvent[], end: SearchEvent, after: number): NumberedEvent[] {
  const claims = end.event === 'answer' ? end.data.claims : []
  const events: SearchEvent[] = [
    { event: 'run', data: { run_id: runId } },
    ...trace.flatMap((data): SearchEvent[] => [
      ...(data.stage === 'synthesize' ? claims.map((claim): SearchEvent => ({ event: 'claim', data: claim })) : []),
      { event: 'stage', data },
    ]),
    end,
  ]
  const from = after > events.length ? 0 : Math.min(after, events.length - 1)
  return events.map((event, at) => ({ ...event, id: at + 1 })).slice(from)
}

/** Follows a claim to its citations, the facts behind it (and behind those), and the queries its spans point into. */
export function claimView(answer: SearchAnswer, claim: Claim): ClaimView {
  const facts = new Map(answer.inferred.map((fact) => [fact.id, fact]))
  const needed = new Set<string>()
  const follow = (id: string): void => {
    const fact = facts.get(id)
    if (fact === undefined || needed.has(id)) return
    needed.add(id)
    fact.derived_from.forEach(follow)
  }
  claim.fact_ids.forEach(follow)
  const spanned = new Set(claim.sql_spans.map(([query]) => query))
  return {
    run_id: answer.run_id,
    claim,
    citations: answer.citations.filter(({ n }) => claim.citations.includes(n)),
    inferred: answer.inferred.filter(({ id }) => needed.has(id)),
    executed_queries: answer.executed_queries
      .map(({ sql, params }, query) => ({ query, sql, params }))
      .filter(({ query }) => spanned.has(query)),
  }
}

interface RunParts {
  readonly workspace: () => Workspace
  /** the workspace if there is one; looking something up makes none */
  readonly peek: () => Workspace | null
  readonly now: () => string
  readonly demandEnabled: () => void
}

export function runDesk({ peek, workspace, now, demandEnabled }: RunParts): RunDesk {
  function find(runId: string, caller: Caller): { run: StoredRun; kept: Kept; ceiling: Tier } {
    demandEnabled()
    const run = peek()?.runs.get(runId)
    const kept = Kept.safeParse(run?.body)
    if (run === undefined || !kept.success || run.caller !== caller.name) throw unknownRun()
    const ceiling = kept.data.sight ?? run.ceiling
    if (!within(ceiling, caller.grant)) throw unknownRun()
    return { run, kept: kept.data, ceiling }
  }

  function answered(runId: string, caller: Caller): Labelled<SearchAnswer> {
    const { kept, ceiling } = find(runId, caller)
    if (kept.problem !== undefined) {
      throw new ServiceError('not_found', 'this search ended without an answer', { hint: 'its events say why' })
    }
    const answer = SearchAnswer.safeParse(kept.answer)
    if (!answer.success) throw unknownRun()
    const warnings = kept.stale ? [...answer.data.warnings, STALE] : answer.data.warnings
    return { value: { ...answer.data, warnings }, ceiling }
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
    events(runId, after, caller) {
      const { kept, ceiling } = find(runId, caller)
      if (kept.problem !== undefined) {
        const data = kept.problem as unknown as Problem // written by us, and only passed on
        return { value: replayed(runId, kept.trace, { event: 'error', data }, after), ceiling }
      }
      const { value } = answered(runId, caller)
      return { value: replayed(runId, value.trace, { event: 'answer', data: value }, after), ceiling }
    },
    feedback(runId, { right, note }, caller) {
      const { ceiling } = answered(runId, caller)
      const said: Feedback = { right, note: note ?? null, at: now() }
      workspace().runs.note(runId, 'feedback', said)
      return { value: said, ceiling }
    },
  }
}

const STALE = 'the schema has changed since this answer was given: ask again'

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

interface RecorderParts {
  readonly workspace: () => Workspace
  readonly now: () => string
  readonly onBug: (error: unknown, requestId: string) => void
}

/** Where an answer came from; `turtle` is its subgraph, for SPARQL after it has left memory. */
interface Origin {
  readonly caller: Caller
  readonly ceiling: Tier
  readonly source: string
  readonly ontology: string
  readonly turtle?: string
}

interface Asked {
  readonly request: SearchRequest
  readonly caller: Caller
  readonly requestId: string
}

/** Keeps runs as they end. History is a service beside the answer: where it cannot be written, the answer still leaves. */
export function runRecorder(parts: RecorderParts) {
  const underWay = new Map<string, Asked>()
  const save = (run: Omit<StoredRun, 'createdAt'>): void => {
    try {
      parts.workspace().runs.save({ ...run, createdAt: parts.now() })
    } catch (error) {
      parts.onBug(error, underWay.get(run.runId)?.requestId ?? '')
    }
  }

  /** Passes the events on, and keeps the run if it fails or nobody stays to hear its end. */
  async function* recorded(events: AsyncIterable<SearchEvent>, asked: Asked): AsyncGenerator<SearchEvent> {
    const { request, caller } = asked
    let runId: string | null = null
    let ended = false
    const trace: StageEvent[] = []
    const failed = (told: Problem): void => {
      if (runId === null) return
      const body = { question: request.question, problem: told, trace, source: null, stale: false }
      save({ runId, caller: caller.name, ceiling: minTier(request.max_tier, caller.grant), body })
    }
    try {
      for await (const event of events) {
        if (event.event === 'run') {
          runId = event.data.run_id
          underWay.set(runId, asked)
        }
        if (event.event === 'stage') trace.push(event.data)
        ended = event.event === 'answer' || event.event === 'error'
        if (event.event === 'error') failed(event.data)
        yield event
      }
    } finally {
      if (!ended) failed(problem(new ServiceError('cancelled', 'the client left before the end'), asked.requestId))
      if (runId !== null) underWay.delete(runId)
    }
  }

  /** Keeps a run that was answered, before its answer leaves. */
  function keep(answer: SearchAnswer, { caller, ceiling, ...origin }: Origin): void {
    const runId = answer.run_id
    // that something is blocked tells what lies between the ceiling and the grant: a lower grant may not read it
    const sight = answer.status === 'blocked' ? { sight: caller.grant } : {}
    const question = underWay.get(runId)?.request.question ?? ''
    save({ runId, caller: caller.name, ceiling, body: { question, answer, ...origin, stale: false, ...sight } })
  }

  return { recorded, keep }
}

