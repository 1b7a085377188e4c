/** Records as values, for logs that fit into memory. */
import { SEVERITIES, type Severity } from '../../contracts/basics/index.ts'
import { cleanText } from '../clean.ts'
import type { LogRecord } from '../candidate.ts'
import { textOf } from './bytes.ts'
import { type ReadCounts, addCounts, noCounts, skippedOf } from './counts.ts'
import type { Fields, Range } from './fields.ts'
import { listLogFiles } from './files.ts'
import { piecesOf } from './pieces.ts'
import { TextFeed, readPiece } from './read-piece.ts'
import { serviceOf } from './rotation.ts'
import { sniffText } from './sniff.ts'

export interface ReadText {
  readonly records: LogRecord[]
  readonly counts: ReadCounts
}

export interface TextOptions {
  /** when the log was last written, for times that have no year */
  readonly referenceMs?: number
  readonly offset?: number
}

/** The records of a text that is already in memory; `name` is the name of its file. */
export function readText(name: string, bytes: Uint8Array, { referenceMs = 0, offset = 0 }: TextOptions = {}): ReadText {
  const counts = noCounts()
  const records: LogRecord[] = []
  const { encoding, mark } = offset === 0 ? sniffText(bytes.subarray(0, 65_536)) : { encoding: 'utf8' as const, mark: 0 }
  const service = serviceOf(name)
  const feed = new TextFeed(counts, (fields, at) => void records.push(recordOf(fields, name, at, service)), { referenceMs, offset, mark, encoding })
  feed.push(bytes)
  feed.end()
  return { records, counts }
}

/** All records of a path in memory, with the counters. */
export async function collectLogs(path: string): Promise<{ records: LogRecord[]; skipped: Record<string, number>; counts: ReadCounts }> {
  const counts = noCounts()
  const records: LogRecord[] = []
  for (const piece of piecesOf(listLogFiles(path, counts), counts)) {
    const { name } = piece.file
    const service = serviceOf(name)
    addCounts(counts, await readPiece(piece, (fields, at) => void records.push(recordOf(fields, name, at, service))))
  }
  return { records, skipped: skippedOf(counts), counts }
}

function recordOf(fields: Fields, file: string, offset: number, service: string): LogRecord {
  const text = ({ bytes, start, end }: Range): string => cleanText(textOf(bytes, start, end)).trim()
  return {
    file, offset, tsMs: Number.isNaN(fields.tsMs) ? null : fields.tsMs, severity: SEVERITIES[fields.level] as Severity,
    service: text(fields.service) || service, trace: text(fields.trace), message: text(fields.message),
  }
}
