/** One project's own store: a SQLite file, apart from every customer database, readable by its owner only. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { ServiceError } from '../contracts/index.ts'
import { type HmmModels, hmmModelsOf } from './hmm-models.ts'
import { type LogTables, logTablesOf } from './log-tables.ts'
import { type MetadataStore, metadataOf } from './metadata.ts'
import { migrate } from './migrations.ts'
import { type ProposalEvent, type Proposals, proposalsOf } from './proposals.ts'
import { type Pruned, prune } from './prune.ts'
import { type Runs, runsOf } from './runs.ts'
import { type Sessions, sessionsOf } from './sessions.ts'
import { Connection } from './sqlite-dialect.ts'

export interface Workspace {
  readonly proposals: Proposals
  readonly session: Sessions
  readonly logs: LogTables
  readonly hmmModels: HmmModels
  readonly runs: Runs
  readonly metadata: MetadataStore
  /** what opening had to change in the file's shape, in words */
  readonly migrated: readonly string[]
  /** all or nothing; `work` is synchronous, so nothing else can come in between */
  transaction<Result>(work: () => Result): Result
  /** removes runs, log events and samples of before that moment; a dry run only counts them */
  prune(before: Date, options?: { readonly dryRun?: boolean }): Pruned
  /** every step of a proposal's life, oldest first */
  audit(pid: string): ProposalEvent[]
  close(): void
}

export interface WorkspaceOptions {
  readonly clock?: () => Date
  readonly busyMs?: number
}

const BUSY_MS = 5000 // longer than any transaction of ours should take

/** Opens the store, creating it and its folder when missing; `:memory:` leaves nothing behind. */
export function openWorkspace(file: string, { clock = () => new Date(), busyMs = BUSY_MS }: WorkspaceOptions = {}): Workspace {
  if (file !== ':memory:') makePrivate(file)
  const store = new Connection(file, busyMs)
  try {
    const migrated = migrate(store, clock().toISOString())
    const proposals = proposalsOf(store)
    return {
      proposals,
      session: sessionsOf(store, clock),
      logs: logTablesOf(store),
      hmmModels: hmmModelsOf(store),
      runs: runsOf(store),
      metadata: metadataOf(store),
      migrated,
      transaction: (work) => store.transaction(work),
      prune: (before, { dryRun = false } = {}) => prune(store, before, dryRun),
      audit: proposals.audit,
      close: () => store.close(),
    }
  } catch (error) {
    store.close()
    throw error
  }
}

/** The file exists with its rights before SQLite writes to it; its -wal and -shm companions inherit them. */
function makePrivate(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
  } catch (cause) {
    throw new ServiceError('source_unavailable', 'the store cannot be opened', { cause, hint: 'check its folder and its rights' })
  }
}
