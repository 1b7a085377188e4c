/** What a format finds in a line, as ranges of bytes. One object is used for all lines: nothing is made per line. */
import { INFO, type Level } from './level.ts'

/** Why a line gives no record. `folded` and `partial` lines belong to the record of another line. */
export type LineSkip = 'blank' | 'bad_json' | 'no_message'

/** A line that was read, with something to be said about it. */
export type LineNote = 'implausible_time' | 'assumed_year' | 'latin1' | 'cut_line' | 'orphan_partial' | 'many_lines_in_one'

export interface Range {
  bytes: Uint8Array
  start: number
  end: number
}

/**
 * All bytes that are read line by line are Buffers: an engine that has seen one kind of array only makes faster code, and throws
 * it away when a second kind comes.
 */
export const NOTHING = Buffer.alloc(0)

export class Fields {
  tsMs = Number.NaN
  level: Level = INFO
  /** whether the line itself said how grave it is */
  levelled = false
  readonly message: Range = { bytes: NOTHING, start: 0, end: 0 }
  readonly service: Range = { bytes: NOTHING, start: 0, end: 0 }
  readonly trace: Range = { bytes: NOTHING, start: 0, end: 0 }
  note: LineNote | null = null

  clear(): void {
    this.tsMs = Number.NaN
    this.level = INFO
    this.levelled = false
    this.note = null
    this.service.start = this.service.end = 0
    this.trace.start = this.trace.end = 0
    this.message.start = this.message.end = 0
  }
}

export function setRange(range: Range, bytes: Uint8Array, start: number, end: number): void {
  range.bytes = bytes
  range.start = start
  range.end = end
}

export const isEmpty = (range: Range): boolean => range.end <= range.start

/** Room in which a message is put together that does not stand in one piece in its line. */
export class Scratch {
  bytes: Uint8Array = Buffer.alloc(4096)
  length = 0

  clear(): void {
    this.length = 0
  }

  push(byte: number): void {
    if (this.length === this.bytes.length) this.#grow(this.length + 1)
    this.bytes[this.length] = byte
    this.length += 1
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    const length = this.length + end - start
    if (length > this.bytes.length) this.#grow(length)
    if (end - start < 24) for (let i = start, to = this.length; i < end; i += 1, to += 1) this.bytes[to] = bytes[i] as number
    else this.bytes.set(bytes.subarray(start, end), this.length)
    this.length = length
  }

  text(text: string): void {
    const encoded = Buffer.from(text, 'utf8')
    this.append(encoded, 0, encoded.length)
  }

  #grow(wanted: number): void {
    const larger = Buffer.alloc(Math.max(wanted, this.bytes.length * 2))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }
}
