/**
 * A text that differs whenever a SQLite database may hold something else. No statement runs: the head of the file, the head of
 * the write-ahead log's index, and what the file system says of them. It stays on the host: it tells of data of every tier.
 */
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'

const FILE_HEAD = 100
/** change counter, and the version that wrote it */
const COUNTERS = [[24, 28], [92, 100]] as const
/** the first copy of the index's head: a counter of transactions, the last frame, salts and checksums */
const INDEX_HEAD = 48

export interface FileWatch {
  /** null when the file cannot be looked at: then nothing is known. Synchronous: a few small calls, made by every question. */
  version(): string | null
  close(): void
}

/**
 * One handle a file, kept open for all who watch it: POSIX drops every lock that a process has on a file when the process closes
 * any handle of it, and a program that uses us may have the same database open for writing. So nothing is closed between two
 * looks, only with the last watch, as any connection to the database would when it ends.
 */
interface Watched {
  watches: number
  readonly handles: Map<string, { readonly ino: bigint; readonly handle: number }>
}
const watched = new Map<string, Watched>()

export function watchFile(path: string): FileWatch {
  const shared = watched.get(path) ?? { watches: 0, handles: new Map() }
  shared.watches += 1
  watched.set(path, shared)
  let closed = false
  return {
    version: () => (closed ? null : versionOf(path, shared.handles)),
    close() {
      if (closed) return
      closed = true
      shared.watches -= 1
      if (shared.watches > 0) return
      watched.delete(path)
      for (const { handle } of shared.handles.values()) closeSync(handle)
    },
  }
}

function versionOf(path: string, handles: Watched['handles']): string | null {
  try {
    // SQLite keeps its log beside the file that a link leads to
    const file = realpathSync(path)
    const head = headOf(file, FILE_HEAD, handles)
    if (head === null) return null
    const counters = COUNTERS.map(([from, to]) => head.toString('hex', from, to))
    // within one tick of the clock a log that is written from its start again keeps size and time: its index does not
    const index = headOf(`${file}-shm`, INDEX_HEAD, handles)
    return [...counters, index?.toString('hex') ?? '-', stampOf(file), stampOf(`${file}-wal`)].join(' ')
  } catch {
    return null
  }
}

function headOf(file: string, length: number, handles: Watched['handles']): Buffer | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  const known = handles.get(file)
  // a file that was replaced is nobody's database any more
  if (known !== undefined && known.ino !== found?.ino) {
    handles.delete(file)
    closeSync(known.handle)
  }
  if (found === undefined) return null
  const { handle } = handles.get(file) ?? kept(file, handles)
  const head = Buffer.alloc(length)
  return head.subarray(0, readSync(handle, head, 0, length, 0))
}

function kept(file: string, handles: Watched['handles']): { readonly handle: number } {
  const handle = openSync(file, 'r')
  const opened = { ino: fstatSync(handle, { bigint: true }).ino, handle }
  handles.set(file, opened)
  return opened
}

function stampOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '-' : `${found.ino}:${found.size}:${found.mtimeNs}`
}
