/** Lines into records: partial lines are joined, lines inside lines are read, what belongs to the line before is folded away. */
import { type ReadCounts, skip } from './counts.ts'
import { Fields, type LineNote, Scratch } from './fields.ts'
import { type Format, type LineOutcome, LineReader } from './line.ts'
import { MAX_LINE_BYTES } from './lines.ts'
import { readOtlp } from './otlp.ts'
import { TimeReader } from './time.ts'

/** Gets each record with the offset of its first line. The fields are used again for the next one. */
export type RecordSink = (fields: Fields, offset: number) => void

export class RecordReader {
  readonly #fields = new Fields()
  readonly #lines: LineReader
  readonly #pending = new Scratch()
  #pendingOffset = 0
  #pendingTime = Number.NaN
  #format: Format = 'plain'
  #ofFormat = 0
  readonly #counts: ReadCounts
  readonly #sink: RecordSink

  /** `referenceMs`: when the log was last written, for times that have no year. */
  constructor(counts: ReadCounts, sink: RecordSink, referenceMs: number) {
    this.#lines = new LineReader(new TimeReader(referenceMs))
    this.#counts = counts
    this.#sink = sink
  }

  /** One line without its end; `bytesWithEnd` is how many bytes of the input it stands for, `cut` how many of them are missing here. */
  line(b: Uint8Array, start: number, end: number, offset: number, bytesWithEnd: number, cut: number): void {
    const counts = this.#counts
    counts.lines += 1
    counts.bytes += bytesWithEnd
    if (cut > 0) {
      skip(counts, 'cut', { bytes: cut })
      this.#note('cut_line')
    }
    const outcome = this.#lines.read(b, start, end, cut > 0, this.#fields)
    this.#settle(outcome, b, start, end, offset, bytesWithEnd - cut)
  }

  /** The input ends: a partial line whose rest never came is a record. */
  end(): void {
    if (this.#pending.length > 0) this.#flush('orphan_partial')
    this.#noteFormat(this.#format)
  }

  #settle(outcome: LineOutcome, b: Uint8Array, start: number, end: number, offset: number, bytes: number): void {
    const counts = this.#counts
    if (outcome === 'record' && this.#pending.length === 0) {
      counts.heads += 1
      counts.recordBytes += bytes
      return this.#emit(offset)
    }
    if (outcome === 'partial') {
      if (this.#pending.length === 0) {
        this.#pendingOffset = offset
        this.#pendingTime = this.#fields.tsMs
      }
      this.#append()
      counts.partial += 1
      counts.recordBytes += bytes
      return
    }
    if (outcome === 'wrapped') {
      if (this.#pending.length > 0) {
        this.#append()
        counts.heads += 1
        counts.recordBytes += bytes
        return this.#flush(null)
      }
      const { bytes: inside, start: from, end: to } = this.#fields.message
      return this.#settle(this.#lines.readInside(inside, from, to, false, this.#fields), b, start, end, offset, bytes)
    }
    this.#whole(outcome, b, start, end, offset, bytes)
    if (this.#pending.length > 0) this.#flush('orphan_partial')
  }

  #whole(outcome: LineOutcome, b: Uint8Array, start: number, end: number, offset: number, bytes: number): void {
    const counts = this.#counts
    if (outcome === 'record') {
      counts.heads += 1
      counts.recordBytes += bytes
      this.#emit(offset)
    } else if (outcome === 'continuation') {
      counts.folded += 1
      counts.recordBytes += bytes
    } else if (outcome === 'otlp') {
      const read = readOtlp(b, start, end, this.#fields, () => this.#emit(offset))
      if (!read) return skip(counts, 'bad_json', { lines: 1, bytes })
      counts.heads += 1
      counts.recordBytes += bytes
    } else if (outcome !== 'wrapped' && outcome !== 'partial') skip(counts, outcome, { lines: 1, bytes })
  }

  #emit(offset: number): void {
    const counts = this.#counts
    counts.records += 1
    this.#countFormat()
    if (this.#fields.note !== null) this.#note(this.#fields.note)
    this.#sink(this.#fields, offset)
  }

  /** A run of one format is counted as one, up to the end. */
  #countFormat(): void {
    const { format } = this.#lines
    if (format !== this.#format) this.#noteFormat(format)
    this.#ofFormat += 1
  }

  #noteFormat(next: Format): void {
    const { formats } = this.#counts
    if (this.#ofFormat > 0) formats[this.#format] = (formats[this.#format] ?? 0) + this.#ofFormat
    this.#ofFormat = 0
    this.#format = next
  }

  #note(note: LineNote): void {
    this.#counts.notes[note] = (this.#counts.notes[note] ?? 0) + 1
  }

  #append(): void {
    const { bytes, start, end } = this.#fields.message
    const room = MAX_LINE_BYTES - this.#pending.length
    this.#pending.append(bytes, start, Math.min(end, start + Math.max(0, room)))
  }

  /** The joined line becomes a record. */
  #flush(note: LineNote | null): void {
    const fields = new Fields()
    fields.tsMs = this.#pendingTime
    const outcome = this.#lines.readInside(this.#pending.bytes, 0, this.#pending.length, false, fields)
    this.#pending.clear()
    if (outcome !== 'record') return
    if (note !== null) this.#note(note)
    const counts = this.#counts
    counts.records += 1
    this.#countFormat()
    this.#sink(fields, this.#pendingOffset)
  }
}
