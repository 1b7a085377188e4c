/**
 * A text that differs whenever a SQLite database may hold something else. No statement runs: the head of the file, the head of
 * the write-ahead log's index, and what the file system says of them. It stays on the host: it tells of data of every tier.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

const FILE_HEAD = 100
/** change counter, and the version that wrote it */
const COUNTERS = [[24, 28], [92, 100]] as const
/** the first copy of the index's head: a counter of transactions, the last frame, salts and checksums */
const INDEX_HEAD = 48

/** null when the file cannot be looked at: then nothing is known. Synchronous: six small calls, and every question makes them. */
export function fileVersion(file: string): string | null {
  try {
    const head = headOf(file, FILE_HEAD)
    if (head === null) return null
    const counters = COUNTERS.map(([from, to]) => head.toString('hex', from, to))
    // within one tick of the clock a log that is written from its start again keeps size and time: its index does not
    const index = headOf(`${file}-shm`, INDEX_HEAD)
    return [...counters, index?.toString('hex') ?? '-', stampOf(file), stampOf(`${file}-wal`)].join(' ')
  } catch {
    return null
  }
}

/**
 * One handle a file, kept open: POSIX drops every lock that a process has on a file when the process closes any handle of it, and
 * a program that uses us may have the same database open for writing. A file that was replaced is nobody's database any more.
 */
const handles = new Map<string, { readonly ino: bigint; readonly handle: number }>()

function headOf(file: string, length: number): Buffer | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  const known = handles.get(file)
  if (known !== undefined && known.ino !== found?.ino) {
    handles.delete(file)
    closeSync(known.handle)
  }
  if (found === undefined) return null
  const { handle } = handles.get(file) ?? kept(file)
  const head = Buffer.alloc(length)
  return head.subarray(0, readSync(handle, head, 0, length, 0))
}

function kept(file: string): { readonly handle: number } {
  const handle = openSync(file, 'r')
  const opened = { ino: fstatSync(handle, { bigint: true }).ino, handle }
  handles.set(file, opened)
  return opened
}

function stampOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '-' : `${found.ino}:${found.size}:${found.mtimeNs}`
}
