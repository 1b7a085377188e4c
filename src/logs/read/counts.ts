/** What became of every byte of the input. Lines and bytes that gave no record are counted by reason, so that all adds up. */
import { compareText } from '../../kernel/term.ts'
import type { LineNote, LineSkip } from './fields.ts'
import type { Format } from './line.ts'

/**
 * `folded` and `partial` lines belong to the record of another line; `cut`: what a line had behind its cap; `bom`: marks at the
 * start of a file. The others are files that were not read, or not to their end.
 */
export type SkipReason = LineSkip | 'cut' | 'bom' | FileSkip
export type FileSkip =
  | 'symlink' | 'special' | 'unreadable' | 'too_deep' | 'binary' | 'archive' | 'too_large' | 'bomb' | 'corrupt' | 'changed'

export interface Skipped {
  lines: number
  bytes: number
  files: number
}

export interface ReadCounts {
  files: number
  /** all bytes, those of compressed files as they were inside */
  bytes: number
  lines: number
  records: number
  /** lines and bytes that became records, or belong to one */
  heads: number
  folded: number
  partial: number
  recordBytes: number
  skipped: Partial<Record<SkipReason, Skipped>>
  notes: Partial<Record<LineNote, number>>
  formats: Partial<Record<Format, number>>
}

export const noCounts = (): ReadCounts => ({
  files: 0, bytes: 0, lines: 0, records: 0, heads: 0, folded: 0, partial: 0, recordBytes: 0, skipped: {}, notes: {}, formats: {},
})

export function skip(counts: ReadCounts, reason: SkipReason, by: Partial<Skipped>): void {
  const own = (counts.skipped[reason] ??= { lines: 0, bytes: 0, files: 0 })
  own.lines += by.lines ?? 0
  own.bytes += by.bytes ?? 0
  own.files += by.files ?? 0
}

export function addCounts(into: ReadCounts, other: ReadCounts): void {
  for (const name of ['files', 'bytes', 'lines', 'records', 'heads', 'folded', 'partial', 'recordBytes'] as const) into[name] += other[name]
  for (const [reason, by] of Object.entries(other.skipped)) skip(into, reason as SkipReason, by)
  for (const [note, by] of Object.entries(other.notes)) into.notes[note as LineNote] = (into.notes[note as LineNote] ?? 0) + by
  for (const [format, by] of Object.entries(other.formats)) into.formats[format as Format] = (into.formats[format as Format] ?? 0) + by
}

/** True when every line and every byte is accounted for exactly once. */
export function addsUp(counts: ReadCounts): boolean {
  const skipped = Object.values(counts.skipped)
  const lines = skipped.reduce((sum, each) => sum + each.lines, counts.heads + counts.folded + counts.partial)
  const bytes = skipped.reduce((sum, each) => sum + each.bytes, counts.recordBytes)
  return lines === counts.lines && bytes === counts.bytes
}

/** With reasons and formats in code-unit order: equal counts are equal texts. */
export const inKeyOrder = (counts: ReadCounts): ReadCounts => ({
  ...counts, skipped: keyed(counts.skipped), notes: keyed(counts.notes), formats: keyed(counts.formats),
})

const keyed = <T extends object>(counts: T): T => Object.fromEntries(Object.entries(counts).toSorted(([x], [y]) => compareText(x, y))) as T

/** Everything that was not read as it stood, by reason: lines, or files where the reason is about files. */
export function skippedOf({ skipped, notes, folded, partial }: ReadCounts): Record<string, number> {
  const lines = Object.entries(skipped).flatMap(([reason, by]): [string, number][] => (by.lines + by.files > 0 ? [[reason, by.lines + by.files]] : []))
  const joined: [string, number][] = [...(folded > 0 ? [['folded', folded] as [string, number]] : []), ...(partial > 0 ? [['partial', partial] as [string, number]] : [])]
  return Object.fromEntries([...lines, ...Object.entries(notes), ...joined])
}
