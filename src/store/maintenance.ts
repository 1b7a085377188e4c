/** Care of the store file as a whole: a consistent copy while others write, what opening would change, and letting go of it. */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, backup } from 'node:sqlite'
import { ServiceError } from '../contracts/index.ts'
import { migrate } from './migrations.ts'
import { Connection, translated } from './sqlite-dialect.ts'

/** Copies through SQLite's own backup: whole transactions only, whoever writes meanwhile. The copy is one file of its own. */
export async function copyStore(file: string, to: string): Promise<void> {
  const from = translated(() => new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS }))
  try {
    await backup(from, to)
  } catch (error) {
    translated(() => {
      throw error
    })
  } finally {
    from.close()
  }
  chmodSync(to, 0o600)
  // the copy carries the original's journal mode in its header; a lone file should need no -wal beside it
  const copy = translated(() => new DatabaseSync(to))
  try {
    translated(() => copy.exec('PRAGMA journal_mode = DELETE'))
  } finally {
    copy.close()
  }
}

const BUSY_MS = 5000

export interface StoreCheck {
  readonly exists: boolean
  /** what opening it would change, in words */
  readonly changes: readonly string[]
}

/** Tries the migration on a copy; the store itself is not touched. Refuses a damaged store and one of a newer program. */
export async function checkStore(file: string, now: string): Promise<StoreCheck> {
  if (!existsSync(file)) return { exists: false, changes: onCopy(':memory:', now) }
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-store-'))
  try {
    const copy = join(folder, 'copy.db')
    await copyStore(file, copy)
    const faults = translated(() => {
      const db = new DatabaseSync(copy, { readOnly: true })
      try {
        return db.prepare('PRAGMA quick_check(1)').all()
      } finally {
        db.close()
      }
    })
    if (faults.some((row) => Object.values(row)[0] !== 'ok')) {
      throw new ServiceError('source_unavailable', 'the store is damaged', { hint: 'restore it from a backup' })
    }
    return { exists: true, changes: onCopy(copy, now) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function onCopy(file: string, now: string): string[] {
  const store = new Connection(file, 0)
  try {
    return migrate(store, now)
  } finally {
    store.close()
  }
}

/** Leaves the store as one file that nobody has open, or refuses: leaving write-ahead mode needs to be alone with it. */
export function letGoOfStore(file: string): void {
  if (!existsSync(file)) return
  const db = translated(() => new DatabaseSync(file, { timeout: 200 }))
  try {
    translated(() => db.exec('PRAGMA journal_mode = DELETE'))
  } catch (cause) {
    const busy = cause instanceof ServiceError && cause.code === 'conflict'
    // a damaged store is about to be replaced: that is what a restore is for
    if (busy) {
      const about = { hint: 'stop the server first', locked: true, cause }
      throw new ServiceError('conflict', 'another process has the store open', about)
    }
  } finally {
    db.close()
  }
}
