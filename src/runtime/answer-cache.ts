/**
 * Answers given a short while ago, for the same caller asking the same over the same data. Whoever hears one cannot tell: it has
 * ids of its own, the same events in the same order, and is recorded and counted like any other.
 */
import { createHash } from 'node:crypto'
import type { SearchAnswer, SearchEvent, StageEvent } from '../contracts/index.ts'
import { type SearchContext, type SearchOutcome, partialLooks } from '../search/index.ts'
import type { Caller } from './service.ts'

export interface CacheBounds {
  readonly entries: number
  readonly bytes: number
  readonly ageMs: number
}

const BOUNDS: CacheBounds = { entries: 500, bytes: 32 * 1024 * 1024, ageMs: 5 * 60_000 }

export interface Asked {
  readonly context: SearchContext
  readonly caller: Caller
  readonly subgraphId: string
  /** told of every answer before it leaves, remembered or not */
  readonly onDone: (outcome: SearchOutcome) => void
}

interface Kept {
  readonly outcome: SearchOutcome
  readonly bytes: number
  readonly until: number
}

type Run = (onDone: (outcome: SearchOutcome) => void) => AsyncIterable<SearchEvent>

export class AnswerCache {
  /** the least recently used first */
  private readonly kept = new Map<string, Kept>()
  private readonly bounds: CacheBounds
  private bytes = 0

  constructor(bounds: Partial<CacheBounds> = {}) {
    this.bounds = { ...BOUNDS, ...bounds }
  }

  /** The events of a search: those of `run`, or the same without running it. */
  async *through(asked: Asked, run: Run): AsyncGenerator<SearchEvent> {
    const { context } = asked
    const version = await context.source.version()
    const key = keyOf(asked, version)
    const found = key === null ? undefined : this.recall(key, context.clock.now())
    if (found !== undefined) {
      yield* again(found, asked)
      return
    }
    const looks = partialLooks(context.source)
    const made: SearchOutcome[] = []
    const events = run((outcome) => {
      made.push(outcome)
      asked.onDone(outcome)
    })
    for await (const event of events) {
      // an answer stands for the data that it was read from, and only if its words were looked for in all of them
      const [outcome] = event.event === 'answer' && partialLooks(context.source) === looks ? made : []
      if (key !== null && outcome !== undefined && !hangsOnTheMoment(asked, outcome) && (await context.source.version()) === version) {
        this.keep(key, outcome, context.clock.now())
      }
      yield event
    }
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.kept.size, bytes: this.bytes }
  }

  private recall(key: string, now: number): SearchOutcome | undefined {
    const found = this.kept.get(key)
    if (found === undefined) return undefined
    this.kept.delete(key)
    if (found.until > now) {
      this.kept.set(key, found)
      return found.outcome
    }
    this.bytes -= found.bytes
    return undefined
  }

  private keep(key: string, outcome: SearchOutcome, now: number): void {
    if (outcome.answer.trace.some(({ status }) => status === 'failed')) return
    const bytes = 2 * (JSON.stringify(outcome.answer).length + (outcome.subgraph?.turtle.length ?? 0))
    if (bytes > this.bounds.bytes / 8) return // one answer shall not drive out all others
    this.forget(key)
    this.kept.set(key, { outcome, bytes, until: now + this.bounds.ageMs })
    this.bytes += bytes
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= this.bounds.entries && this.bytes <= this.bounds.bytes) return
      this.forget(oldest)
    }
  }

  private forget(key: string): void {
    this.bytes -= this.kept.get(key)?.bytes ?? 0
    this.kept.delete(key)
  }
}

/**
 * The run of a remembered answer: under ids of its own, with the time that it takes. No query runs, so none is measured: each has
 * the share of this run's time that it had of the first one's.
 */
function* again({ answer: before, subgraph }: SearchOutcome, { context, subgraphId, onDone }: Asked): Generator<SearchEvent> {
  const trace: StageEvent[] = []
  let since = context.startedAt
  yield { event: 'run', data: { run_id: context.runId } }
  for (const told of before.trace) {
    if (told.stage === 'synthesize') for (const claim of before.claims) yield { event: 'claim', data: claim }
    const now = context.clock.now()
    const stage: StageEvent = { ...told, ms: hundredths(now - since) }
    since = now
    trace.push(stage)
    yield { event: 'stage', data: stage }
  }
  const share = (since - context.startedAt) / (totalMs(before.trace) || Infinity)
  const answer: SearchAnswer = {
    ...before,
    executed_queries: before.executed_queries.map((query) => ({ ...query, ms: hundredths(query.ms * share) })),
    run_id: context.runId,
    subgraph: { ...before.subgraph, id: before.subgraph.id === null ? null : subgraphId },
    trace,
    timings_ms: Object.fromEntries(trace.map(({ stage, ms }) => [stage, ms])),
  }
  onDone({ answer, subgraph })
  yield { event: 'answer', data: answer }
}

const hundredths = (ms: number): number => Math.round(ms * 100) / 100
const totalMs = (trace: readonly StageEvent[]): number => trace.reduce((sum, { ms }) => sum + ms, 0)

/**
 * All that an answer depends on, or null where that is not known. A follow-up speaks of an earlier run, and a server does not
 * say when its data changes: neither is remembered.
 */
function keyOf({ context, caller }: Asked, version: string | null): string | null {
  const { request, source, ontology, granted, flavor, ceiling, warnings, earlier, today, models = {} } = context
  // a model may say something else the next time, or have failed only now
  if (models.planner !== undefined || models.synthesizer !== undefined) return null
  if (version === null || request.context !== undefined || earlier !== undefined) return null
  const { resumable: _, ...asked } = request
  const seen = [contentOf(ontology), contentOf(granted), contentOf(flavor)]
  // "this year" and "yesterday" mean the same for the rest of the day
  const day = today.toISOString().slice(0, 10)
  return digest([asked, numberOf(source), version, day, seen, ceiling, caller.name, caller.grant, warnings])
}

const TIME_OF_DAY = /\d{4}-\d\d-\d\d[T ]\d\d:/

/** "In the last hour" was planned as a moment that has passed when the next one asks. */
const hangsOnTheMoment = ({ context }: Asked, { answer }: SearchOutcome): boolean =>
  context.request.plan === undefined && TIME_OF_DAY.test(JSON.stringify([answer.plan, answer.clarification]))

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64')

/** Each opened source is another one, whatever it is called. */
const numbers = new WeakMap<object, number>()
let last = 0
function numberOf(source: object): number {
  const number = numbers.get(source) ?? (last += 1)
  numbers.set(source, number)
  return number
}

/** Everything that an ontology or a flavor says, as a digest: the tiers, the labels, the rules. */
const contents = new WeakMap<object, string>()
function contentOf(value: object): string {
  const content = contents.get(value) ?? digest(value)
  contents.set(value, content)
  return content
}
