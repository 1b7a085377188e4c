/** What people said about tables and columns, read from the store again when the store has changed, also by another process. */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import type { StoredMetadata } from '../contracts/index.ts'
import type { Workspace } from '../store/index.ts'
import type { MetadataSupply } from './open-sources.ts'

/** `peek` gives the workspace only where there is one: asking a question must not create a store. */
export function metadataSupply(file: string, peek: () => Workspace | null): MetadataSupply & { forget(): void } {
  let seen: { readonly stamp: string; readonly rows: readonly StoredMetadata[]; readonly version: string } | null = null

  const current = () => {
    const stamp = [file, `${file}-wal`].map(stampOf).join(' ')
    if (seen !== null && seen.stamp === stamp && stamp !== NO_FILE) return seen
    const rows = peek()?.metadata.list() ?? []
    const version = rows.length === 0 ? '' : createHash('sha256').update(JSON.stringify(rows)).digest('hex')
    // the stamp changes with every search that is stored; the version only with what was said
    seen = { stamp, rows: version === seen?.version ? seen.rows : rows, version }
    return seen
  }
  return {
    version: () => current().version,
    rows: () => current().rows,
    forget: () => {
      seen = null
    },
  }
}

const NO_FILE = '- -'

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`
}
