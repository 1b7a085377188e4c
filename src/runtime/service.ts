/** The service as its surfaces see it. Every answer comes labelled with the ceiling it was computed under. */
import type {
  Explained, Insight, MaterialisedPage, MaterialisedQuery, Problem, RcaRequest, SearchEvent, SearchRequest, Tier, TripleText, Vocabulary, WhyNot,
} from '../contracts/index.ts'
import type { SparqlFormat } from '../graph-store/index.ts'
import type { Verification, VerifyOptions } from './verifying.ts'
import type { JobDesk, MetadataDesk, OutputShelf, SourceDesk } from './desks.ts'
import type { CompetencyDesk } from './competency-questions.ts'
import type { ReviewDesk } from './review-desk.ts'
import type { RuleDesk } from './rule-desk.ts'
import type { RunDesk } from './run-desk.ts'
import type { NumberedEvent } from './run-record.ts'
import type { SuggestAsk, Suggestion } from './suggesting.ts'

export const ROLES = ['reader', 'reviewer', 'author', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** Who asks, and how far they may see. */
export interface Caller {
  readonly name: string
  readonly grant: Tier
  readonly roles: readonly Role[]
}

/** A value and the ceiling under which it was computed: `emit` lets it out only to callers granted at least that much. */
export interface Labelled<T> {
  readonly value: T
  readonly ceiling: Tier
}

export interface PhaseRun {
  readonly phase: string
  readonly ms: number
  readonly lines: readonly string[]
  readonly files: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

export interface Service extends ReviewDesk {
  /** the stage events of one search; never throws: the last event is `answer` or `error` */
  search(request: SearchRequest, caller: Caller, about: { requestId: string; signal?: AbortSignal; anyPath?: boolean }): AsyncIterable<SearchEvent>
  /**
   * The same events, numbered, of a run that can be joined while it is under way (`runs.events`). It is stopped when its last
   * listener has left; one that may be resumed, a while later. Throws too_many_requests where there is no room for it.
   */
  stream(request: SearchRequest, caller: Caller, about: { requestId: string; signal: AbortSignal }): AsyncIterable<NumberedEvent>
  sparql(
    ask: { subgraphId?: string; runId?: string; query: string; format?: SparqlFormat },
    caller: Caller,
    about?: { signal?: AbortSignal },
  ): Promise<Labelled<string>>
  /** holds a stored answer document against its database; nothing is written */
  verify(document: unknown, asked: VerifyOptions, caller: Caller): Promise<Labelled<Verification>>
  /** how a question that is being typed may go on */
  suggest(ask: SuggestAsk, caller: Caller): Promise<Labelled<Suggestion[]>>
  vocabulary(caller: Caller, maxTier?: Tier, source?: string): Promise<Labelled<Vocabulary>>
  /** searches that ran, each to the caller who asked */
  readonly runs: RunDesk
  /** saved questions with the shape of their answers, run as tests */
  readonly competency: CompetencyDesk
  /** rules of the session, and the read-only ones beside them */
  readonly rules: RuleDesk
  readonly sources: SourceDesk
  readonly metadata: MetadataDesk
  readonly files: OutputShelf
  readonly jobs: JobDesk
  flavors(): { readonly name: string; readonly label: string; readonly example: string | null }[]
  rcaPresets(): { readonly id: string; readonly label: string; readonly question: string }[]
  rca(request: RcaRequest, caller: Caller): Promise<Labelled<Insight>>
  /** the same as a post-mortem in Markdown */
  rcaReport(request: RcaRequest, caller: Caller): Promise<Labelled<string>>
  explain(triple: TripleText, depth: number, caller: Caller): Promise<Labelled<Explained>>
  /** for a triple that is not there: the rules that nearly derive it, and what they lack */
  whyNot(triple: TripleText, caller: Caller): Promise<Labelled<WhyNot>>
  /** the derived triples, page by page; `etag` is a hash of the page */
  materialised(query: MaterialisedQuery, caller: Caller): Promise<Labelled<{ page: MaterialisedPage; etag: string }>>
  runPhase(phase: string, options: PhaseOptions): Promise<PhaseRun[]>
  /** Prometheus text */
  metrics(): Promise<string>
  /** `route` is the pattern of the route, never the path that was asked for */
  countRequest(request: { readonly method: string; readonly route: string; readonly status: number; readonly seconds: number }): void
  health(): { readonly status: 'ok'; readonly search_enabled: boolean; readonly version: string }
  close(): Promise<void>
}

export interface PhaseOptions {
  readonly source?: string
  readonly logPath?: string
  readonly maxTier?: Tier
  readonly windowSeconds?: number
  readonly gate?: 'sound' | 'stated'
  readonly dependent?: boolean
  readonly workers?: number
  readonly similarity?: number
  readonly minHits?: number
  /** files with partial states of mine-map, instead of logs */
  readonly states?: readonly string[]
  readonly driftSimilarity?: number
  readonly ignoreWindows?: boolean
  readonly entityJoin?: boolean
  readonly uniqueNames?: boolean
  readonly rdf12?: boolean
  /** whose rules run; by default those of the configured sources' flavors */
  readonly flavor?: string
  readonly directMapping?: boolean
  readonly signal?: AbortSignal
  readonly progress?: (line: string) => void
  readonly onBegin?: () => void
  readonly onPhase?: (run: PhaseRun) => void
}

export * from './desks.ts'
export type { Problem }
