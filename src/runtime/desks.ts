/** The parts of the service that each own a subject: metadata, sources, output files, pipeline jobs. */
import type { MetadataRow, Problem, StoredMetadata, Tier } from '../contracts/index.ts'
import type { Dialect } from '../sources/index.ts'
import type { MetadataChange } from '../store/index.ts'
import type { Caller, Labelled, PhaseOptions } from './service.ts'

/** Rows within the caller's ceiling. The ETag is made from exactly these rows. */
export interface MetadataView {
  readonly rows: readonly StoredMetadata[]
  readonly etag: string
}

export interface MetadataDesk {
  list(caller: Caller): Promise<Labelled<MetadataView>>
  /** Rows that are not named stay as they are. A row above the ceiling is refused exactly like one that names nothing. */
  set(rows: readonly MetadataRow[], caller: Caller, ifMatch?: (etag: string) => boolean): Promise<Labelled<MetadataView>>
  history(
    of: { readonly table: string; readonly column?: string },
    caller: Caller,
  ): Promise<Labelled<{ readonly history: readonly MetadataChange[] }>>
}

export interface SourceLine {
  readonly name: string
  readonly dialect: Dialect | null
  readonly flavor: string | null
  readonly max_tier: Tier
  readonly state: 'untried' | 'ready' | 'unavailable'
}

export interface SourceTest {
  readonly name: string
  readonly state: 'ready'
  readonly dialect: Dialect
  readonly engine: string
  readonly dangers: readonly string[]
  readonly notes: readonly string[]
}

export interface Introspection {
  readonly name: string
  readonly dialect: Dialect
  readonly tables: number
  readonly columns: number
  readonly columns_by_tier: Readonly<Record<Tier, number>>
  readonly foreign_keys: number
  readonly inferred_keys: readonly {
    readonly table: string
    readonly columns: readonly string[]
    readonly ref_table: string
    readonly ref_columns: readonly string[]
    readonly evidence: string
  }[]
}

export interface NewSource {
  readonly name: string
  /** a file below the folder that `serve --sources-dir` names */
  readonly file?: string
  /** the environment variable that holds the address */
  readonly env?: string
  readonly flavor?: string
  readonly max_tier?: Tier
}

export interface SourceReadiness extends SourceLine {
  readonly detail: string | null
  readonly hint: string | null
}

export interface SourceDesk {
  list(): SourceLine[]
  test(name: string): Promise<SourceTest>
  introspect(name: string, caller: Caller): Promise<Labelled<Introspection>>
  add(source: NewSource): Promise<SourceLine>
  /** tries every source, but none more often than every few seconds */
  readiness(): Promise<SourceReadiness[]>
}

export interface OutputLine {
  readonly name: string
  readonly path: string
  readonly media_type: string
  readonly ceiling: Tier
  readonly bytes: number
  readonly etag: string
  /** there is an earlier version that this caller may compare it with */
  readonly has_previous: boolean
}

export interface OutputShelf {
  list(caller: Caller): Promise<Labelled<readonly OutputLine[]>>
  read(name: string, caller: Caller): Promise<Labelled<OutputLine & { readonly body: NodeJS.ReadableStream }>>
  /** a unified diff to the version before the last run; empty when nothing changed */
  diff(name: string, caller: Caller): Promise<Labelled<string>>
}

export const JOB_STATES = ['running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

export interface JobView {
  readonly job_id: string
  readonly phase: string
  readonly state: JobState
  readonly max_tier: Tier
  readonly started_by: string
  readonly phases: readonly {
    readonly phase: string
    readonly ms: number
    readonly counts: Readonly<Record<string, number>>
    readonly files: readonly string[]
  }[]
  readonly problem: Problem | null
}

export type JobEvent =
  | { readonly id: number; readonly event: 'progress'; readonly data: { readonly line: string } }
  | { readonly id: number; readonly event: 'phase'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly id: number; readonly event: 'done'; readonly data: { readonly job_id: string; readonly state: 'done' } }
  | { readonly id: number; readonly event: 'error'; readonly data: Problem }

/** What a caller may choose; how it is watched and stopped is the job's own. */
export type JobOptions = Omit<PhaseOptions, 'signal' | 'progress' | 'onBegin' | 'onPhase'>

export interface Listening {
  /** the number of the last event that the listener has */
  readonly after: number
  readonly signal: AbortSignal
}

export interface JobDesk {
  /** Resolves once the job holds the writer lock; rejects with `conflict` while another writer does. */
  start(phase: string, options: JobOptions, caller: Caller, requestId: string): Promise<Labelled<{ readonly job_id: string }>>
  list(caller: Caller): Labelled<readonly JobView[]>
  view(jobId: string, caller: Caller): Labelled<JobView>
  /** what has happened after the event of that id, then what happens, until the job ends or the signal fires */
  events(jobId: string, caller: Caller, about: Listening): Labelled<AsyncIterable<JobEvent>>
  cancel(jobId: string, caller: Caller): Labelled<JobView>
}
