/** The log files at a path: a file, all files below a folder, or those that a pattern names. No link is followed. */
import type { Dirent, Stats } from 'node:fs'
import { lstatSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ServiceError } from '../../contracts/basics/index.ts'
import { compareText } from '../../kernel/term.ts'
import { type ReadCounts, skip } from './counts.ts'
import { globBase, isGlob, matchesGlob } from './glob.ts'
import { compareRotated } from './rotation.ts'

export interface LogFile {
  readonly path: string
  /** relative to what was asked for, with `/` on every host */
  readonly name: string
  readonly size: number
  readonly mtimeMs: number
}

const MAX_DEPTH = 32

/** In the order in which they are read. What is no file is counted and left alone. */
export function listLogFiles(path: string, counts: ReadCounts): LogFile[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined && isGlob(path)) {
    const { base, rest } = globBase(path.replaceAll('\\', '/'))
    if (lstatSync(base, { throwIfNoEntry: false })?.isDirectory() !== true) throw notFound()
    return walk(base, '', counts).filter((file) => matchesGlob(file.name, rest)).toSorted(inOrder)
  }
  if (stats === undefined) throw notFound()
  if (stats.isSymbolicLink()) {
    throw new ServiceError('invalid_request', 'the log path is a symbolic link', { stage: 'read', hint: 'name the folder it points to' })
  }
  if (stats.isFile()) return [fileOf(path, basename(path), stats)]
  if (!stats.isDirectory()) throw new ServiceError('invalid_request', 'the log path is neither a file nor a folder', { stage: 'read' })
  return walk(path, '', counts).toSorted(inOrder)
}

const notFound = () => new ServiceError('not_found', 'there is no log file or folder at the given path', { stage: 'read' })
const inOrder = (x: LogFile, y: LogFile): number => compareRotated(x.name, y.name)
const fileOf = (path: string, name: string, { size, mtimeMs }: Stats): LogFile => ({ path, name, size, mtimeMs })

function walk(root: string, below: string, counts: ReadCounts, depth = 0): LogFile[] {
  if (depth > MAX_DEPTH) {
    skip(counts, 'too_deep', { files: 1 })
    return []
  }
  let entries: Dirent[]
  try {
    entries = readdirSync(join(root, below), { withFileTypes: true })
  } catch {
    skip(counts, 'unreadable', { files: 1 })
    return []
  }
  return entries.toSorted((x, y) => compareText(x.name, y.name)).flatMap((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) return walk(root, name, counts, depth + 1)
    if (!entry.isFile()) {
      skip(counts, entry.isSymbolicLink() ? 'symlink' : 'special', { files: 1 })
      return []
    }
    const path = join(root, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats?.isFile() === true ? [fileOf(path, name, stats)] : []
  })
}
