/** Log files as records. The only file of this room that touches the disk; it reads, and follows no link out of the folder. */
import { constants } from 'node:fs'
import type { Dirent } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { ServiceError } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { LogRecord } from './candidate.ts'
import { readLine } from './format.ts'
import { splitLines } from './lines.ts'

/**
 * What was not read as it stood, counted by reason. Files: symlink, special, unreadable, compressed, utf16, too_deep.
 * Lines: blank, bad_json, no_message. Lines read in part: cut_line, implausible_time.
 */
export type SkipCounts = Record<string, number>

const MAX_DEPTH = 32

/** The records of a file, or of all files below a folder in code-unit order. `skipped` is counted up as reading goes on. */
export async function* readLogs(path: string, skipped: SkipCounts = {}): AsyncGenerator<LogRecord> {
  const root = await lstat(path).catch((cause: unknown) => {
    throw new ServiceError('not_found', 'there is no log file or folder at the given path', { stage: 'read', cause })
  })
  if (root.isSymbolicLink()) {
    const hint = 'name the folder it points to'
    throw new ServiceError('invalid_request', 'the log path is a symbolic link', { stage: 'read', hint })
  }
  if (root.isFile()) yield* readFile(path, basename(path), skipped)
  else if (root.isDirectory()) for await (const file of walk(path, '', skipped)) yield* readFile(join(path, file), file, skipped)
  else throw new ServiceError('invalid_request', 'the log path is neither a file nor a folder', { stage: 'read' })
}

/** All records of a path in memory, with the counters. */
export async function collectLogs(path: string): Promise<{ records: LogRecord[]; skipped: SkipCounts }> {
  const skipped: SkipCounts = {}
  const records: LogRecord[] = []
  for await (const record of readLogs(path, skipped)) records.push(record)
  return { records, skipped }
}

const count = (skipped: SkipCounts, reason: string): void => {
  skipped[reason] = (skipped[reason] ?? 0) + 1
}

/** Files below a folder, as paths relative to it, with `/` on every host. */
async function* walk(root: string, below: string, skipped: SkipCounts, depth = 0): AsyncGenerator<string> {
  if (depth > MAX_DEPTH) return count(skipped, 'too_deep')
  let entries: Dirent[]
  try {
    entries = await readdir(join(root, below), { withFileTypes: true })
  } catch {
    return count(skipped, 'unreadable')
  }
  for (const entry of entries.toSorted((x, y) => compareText(x.name, y.name))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isSymbolicLink()) count(skipped, 'symlink')
    else if (entry.isDirectory()) yield* walk(root, path, skipped, depth + 1)
    else if (entry.isFile()) yield path
    else count(skipped, 'special')
  }
}

async function* readFile(path: string, name: string, skipped: SkipCounts): AsyncGenerator<LogRecord> {
  // the file may have become a link or a pipe since the folder was listed: refuse the one, do not wait on the other
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(path, flags).catch(() => null)
  if (handle === null) return count(skipped, 'unreadable')
  try {
    if (!(await handle.stat()).isFile()) return count(skipped, 'special')
    const head = new Uint8Array(4)
    await handle.read(head, 0, 4, 0)
    const unread = foreignFormat(head)
    if (unread !== null) return count(skipped, unread)
    const decoder = new TextDecoder('utf-8') // drops a byte-order mark; bytes that are no UTF-8 become U+FFFD
    const service = basename(name, extname(name))
    for await (const { bytes, offset, cut } of splitLines(handle.createReadStream({ start: 0, autoClose: false }))) {
      if (cut > 0) count(skipped, 'cut_line')
      const result = readLine(decoder.decode(bytes), service)
      if ('skip' in result) count(skipped, result.skip)
      else {
        if (result.flag !== undefined) count(skipped, result.flag)
        yield { file: name, offset, ...result.fields }
      }
    }
  } finally {
    await handle.close()
  }
}

/** Formats this reader does not speak, by their first bytes. */
function foreignFormat([a, b, c, d]: Uint8Array): 'compressed' | 'utf16' | null {
  if ((a === 0x1f && b === 0x8b) || (a === 0x50 && b === 0x4b && c === 3 && d === 4)) return 'compressed'
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return 'compressed'
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) ? 'utf16' : null
}
