/** Upkeep of the project's store: bringing it to this program's shape, and letting go of what has grown too old. */
import { existsSync } from 'node:fs'
import { Days, ServiceError } from '../contracts/index.ts'
import { type Pruned, SCHEMA_VERSION, checkStore, openWorkspace } from '../store/index.ts'
import type { Project } from './project.ts'

export interface Migration {
  readonly dry_run: boolean
  readonly schema_version: number
  /** in words; empty when the store already has this shape */
  readonly changes: readonly string[]
}

export interface Upkeep {
  readonly dryRun: boolean
  readonly now: () => Date
}

export async function migrateStore({ config }: Project, { dryRun, now }: Upkeep): Promise<Migration> {
  const { changes } = await checkStore(config.store, now().toISOString())
  if (!dryRun) openWorkspace(config.store, { clock: now }).close()
  return { dry_run: dryRun, schema_version: SCHEMA_VERSION, changes }
}

export interface Pruning extends Pruned {
  readonly dry_run: boolean
  readonly older_than: string
  readonly before: string
}

const DAY_MS = 86_400_000

/** Without an age of its own the configuration's `retention` holds. A store that is not there is not made. */
export function pruneStore({ config }: Project, { dryRun, now, ...asked }: Upkeep & { readonly olderThan?: string }): Pruning {
  const olderThan = asked.olderThan ?? config.retention
  if (!Days.safeParse(olderThan).success) {
    throw new ServiceError('invalid_request', 'an age is a number of days', { hint: 'such as 30d' })
  }
  const before = new Date(now().getTime() - Number(olderThan.slice(0, -1)) * DAY_MS)
  const about = { dry_run: dryRun, older_than: olderThan, before: before.toISOString() }
  if (!existsSync(config.store)) return { ...about, search_runs: 0, log_events: 0, samples: 0 }
  const workspace = openWorkspace(config.store, { clock: now })
  try {
    return { ...about, ...workspace.prune(before, { dryRun }) }
  } finally {
    workspace.close()
  }
}
