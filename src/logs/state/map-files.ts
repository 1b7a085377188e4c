/**
 * A path of logs into partial states in a work folder. Run again after it was stopped, it maps only what is missing: a state is
 * named after the file it was made of (path, size, time of change), the place in it, and the version of the states.
 */
import { mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { LIMITS, ServiceError } from '../../contracts/index.ts'
import { hash64 } from '../../kernel/text/index.ts'
import { cleanText } from '../clean.ts'
import { type Piece, type ReadCounts, listLogFiles, noCounts, piecesOf } from '../read/index.ts'
import { BadState, STATE_VERSION } from './container.ts'
import type { MapTask } from './map-piece.ts'
import { type StateSource, checkState, fileState, ownState } from './sources.ts'
import { mapTasks } from './threads.ts'

export interface MapOptions {
  /** is made, and left to the caller to remove */
  readonly work: string
  readonly workers?: number
  readonly pieceBytes?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: MappingProgress) => void
}

export interface MappingProgress {
  readonly bytes: number
  readonly totalBytes: number
  readonly lines: number
}

export interface MappedFiles {
  readonly states: readonly StateSource[]
  /** by the names of the files in the states, where each really lies */
  readonly files: ReadonlyMap<string, string>
  /** what was said before any file was read: links, unreadable files */
  readonly counts: ReadCounts
  readonly pieces: number
  /** pieces that an earlier run had mapped */
  readonly reused: number
}

/** Below this it takes longer to start threads than to read. */
const FOR_ONE_THREAD = 8 * 1024 * 1024

export async function mapFiles(path: string, options: MapOptions): Promise<MappedFiles> {
  const { work, pieceBytes = LIMITS.log_piece_bytes, workers = availableParallelism(), signal, onProgress } = options
  const counts = noCounts()
  const logs = listLogFiles(path, counts).filter((file) => !isOwn(file.path, work))
  const pieces = piecesOf(logs, counts, pieceBytes)
  if (pieces.length === 0 && counts.files === 0) {
    throw new ServiceError('invalid_request', 'there is nothing to read at the given path', { stage: 'read', hint: 'a text file, or a folder with some' })
  }
  mkdirSync(work, { recursive: true, mode: 0o700 })
  const tasks = pieces.map((piece): MapTask => ({ piece, target: join(work, `${nameOf(piece)}.state`) }))
  dropStale(work, new Set(tasks.map(({ target }) => target)))
  const missing = tasks.filter(({ target }) => !isWhole(target))
  const sizeOf = (some: readonly MapTask[]): number => some.reduce((sum, { piece }) => sum + piece.to - piece.from, 0)
  const totalBytes = sizeOf(tasks)
  let [bytes, lines] = [totalBytes - sizeOf(missing), 0]
  const progress = (moreBytes: number, moreLines: number): void => {
    bytes += moreBytes
    lines += moreLines
    onProgress?.({ bytes, totalBytes, lines })
  }
  const threads = sizeOf(missing) < FOR_ONE_THREAD ? 1 : workers
  // the largest first: no thread is left with one at the end
  const order = missing.toSorted((x, y) => y.piece.to - y.piece.from - (x.piece.to - x.piece.from))
  try {
    await mapTasks(order, { workers: threads, progress, ...(signal === undefined ? {} : { signal }) })
  } finally {
    // a thread that was stopped while it wrote cannot take its draft away
    for (const name of readdirSync(work)) if (name.endsWith(`.${process.pid}.tmp`)) rmSync(join(work, name), { force: true })
  }
  const files = new Map(logs.map((file) => [cleanText(file.name), realPath(file.path)]))
  return { states: tasks.map(({ target }) => ownState(fileState(target))), files, counts, pieces: tasks.length, reused: tasks.length - missing.length }
}

/** The same file under every spelling of its path. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** What mining itself writes is no log: the work folder, and the store beside it. */
const isOwn = (path: string, work: string): boolean => {
  const [folder, file] = [realPath(dirname(work)), realPath(path)]
  const store = basename(work).replace(/\.mining$/, '')
  const below = relative(folder, file)
  if (basename(folder) === '.wherefore' && !below.startsWith('..')) return true
  return below === store || below.startsWith(`${store}-`) || below.startsWith(`${store}.`)
}

function nameOf({ file, from, to }: Piece): string {
  const identity = JSON.stringify([STATE_VERSION, file.path, file.name, file.size, file.mtimeMs, from, to])
  return hash64(identity) + hash64(`${identity} `)
}

function isWhole(target: string): boolean {
  try {
    checkState(fileState(target))
    return true
  } catch (error) {
    if (!(error instanceof BadState) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}

/** What earlier runs over other files have left, and drafts of one that was stopped. */
function dropStale(work: string, wanted: ReadonlySet<string>): void {
  for (const name of readdirSync(work)) if (!wanted.has(join(work, name)) && /\.(?:state|tmp)$/.test(name)) rmSync(join(work, name), { force: true })
}
