/**
 * A log as pieces that can be read apart: files, and large files cut where a record starts. Which pieces there are depends on
 * the files alone, so that a run that was stopped finds its pieces again.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { LIMITS } from '../../contracts/basics/index.ts'
import { NEWLINE } from './bytes.ts'
import { type ReadCounts, skip } from './counts.ts'
import { Fields } from './fields.ts'
import type { LogFile } from './files.ts'
import { LineReader } from './line.ts'
import { SNIFF_BYTES, type Sniffed, sniff } from './sniff.ts'
import { TimeReader } from './time.ts'

export interface Piece {
  readonly file: LogFile
  /** place of the file in the order of reading */
  readonly index: number
  readonly from: number
  readonly to: number
  readonly sniffed: Sniffed
}

/** A link or a pipe that took the file's place since the folder was listed is refused, and not waited on. */
export const openLog = (path: string): number =>
  openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))

export function piecesOf(files: readonly LogFile[], counts: ReadCounts, pieceBytes: number = LIMITS.log_piece_bytes): Piece[] {
  return files.flatMap((file, index) => piecesOfFile(file, index, counts, pieceBytes))
}

function piecesOfFile(file: LogFile, index: number, counts: ReadCounts, pieceBytes: number): Piece[] {
  let handle: number
  try {
    handle = openLog(file.path)
  } catch {
    skip(counts, 'unreadable', { files: 1, bytes: file.size })
    counts.bytes += file.size
    return []
  }
  try {
    if (!fstatSync(handle).isFile()) {
      skip(counts, 'special', { files: 1 })
      return []
    }
    const head = new Uint8Array(Math.min(SNIFF_BYTES, file.size))
    const sniffed = sniff(head.subarray(0, readSync(handle, head, 0, head.length, 0)))
    if (sniffed.refused !== null) {
      skip(counts, sniffed.refused, { files: 1, bytes: file.size })
      counts.bytes += file.size
      return []
    }
    counts.files += 1
    const cuts = sniffed.packing === 'none' && sniffed.encoding === 'utf8' ? cutsOf(handle, file.size, pieceBytes) : []
    const bounds = [0, ...cuts, file.size]
    return bounds.slice(1).map((to, i) => ({ file, index, from: bounds[i] as number, to, sniffed }))
  } finally {
    closeSync(handle)
  }
}

const WINDOW = 1024 * 1024
/** So much more is in the first piece of a file: whoever takes it is reading while other threads are being started. */
const LEAD = 4 * 1024 * 1024

/** Offsets that part a file into equal pieces, each moved to where a record starts; one that cannot be found nearby is left out. */
function cutsOf(handle: number, size: number, pieceBytes: number): number[] {
  const cuts: number[] = []
  const window = Buffer.alloc(Math.min(WINDOW, size))
  // an even number of equal pieces: no thread waits for a last one that is larger than the others
  const count = size <= pieceBytes / 2 ? 1 : 2 * Math.ceil(size / pieceBytes / 2)
  const lead = Math.min(LEAD, size / count / 4)
  for (let i = 1; i < count; i += 1) {
    const wanted = Math.floor(lead + ((size - lead) * i) / count)
    const read = readSync(handle, window, 0, window.length, wanted)
    const found = recordStart(window.subarray(0, read))
    if (found >= 0 && wanted + found < size) cuts.push(wanted + found)
  }
  return cuts
}

/** The first place in the window that starts a record, seen from a whole line before it; -1 when there is none. */
function recordStart(window: Uint8Array): number {
  const lines = new LineReader(new TimeReader(0))
  const fields = new Fields()
  let joined = true // of the line that reaches into the window nothing is known
  let from = window.indexOf(NEWLINE) + 1
  for (let to = from > 0 ? window.indexOf(NEWLINE, from) : -1; to >= 0; from = to + 1, to = window.indexOf(NEWLINE, from)) {
    let outcome = lines.read(window, from, to, false, fields)
    const partial = outcome === 'partial'
    if (outcome === 'wrapped') {
      const { bytes, start, end } = fields.message
      outcome = lines.readInside(bytes, start, end, false, fields)
    }
    if (!joined && outcome === 'record') return from
    joined = partial
  }
  return -1
}
