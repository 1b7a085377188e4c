/**
 * Chunks of bytes into lines with a cap, without copying a line that lies whole in its chunk. A line of a gigabyte costs no
 * more memory than the cap: node:readline would gather the whole line and end the process.
 */
import { isUtf8 } from 'node:buffer'
import { LIMITS } from '../../contracts/basics/index.ts'
import { NEWLINE, standsAt } from './bytes.ts'

export const MAX_LINE_BYTES = LIMITS.log_line_bytes
const BATCH = '{"resourceLogs"'

export type Encoding = 'utf8' | 'utf16le' | 'utf16be'

/** `bytes`: how much of the input the line stands for, its end included; `cut`: how much of that is missing in the range. */
export type LineSink = (b: Uint8Array, start: number, end: number, offset: number, bytes: number, cut: number) => void

export class LineSplitter {
  readonly #sink: LineSink
  readonly #onLatin1: () => void
  readonly #wide: Encoding | null
  #offset: number
  /** the start of a line whose end has not come yet */
  #carry: Uint8Array = Buffer.alloc(4096)
  #held = 0
  #dropped = 0
  #odd = -1

  constructor(sink: LineSink, { encoding = 'utf8', offset = 0, onLatin1 = () => {} }: SplitterOptions = {}) {
    this.#sink = sink
    this.#onLatin1 = onLatin1
    this.#wide = encoding === 'utf8' ? null : encoding
    this.#offset = offset
  }

  push(given: Uint8Array): void {
    const view = Buffer.isBuffer(given) ? given : Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    const chunk = this.#wide === null ? view : this.#even(view)
    let from = 0
    let next = this.#newline(chunk, 0)
    if (this.#held + this.#dropped > 0) {
      if (next < 0) return this.#keep(chunk, 0, chunk.length)
      this.#keep(chunk, 0, next)
      this.#give(this.#carry, 0, this.#held, this.#dropped, this.#width)
      this.#held = this.#dropped = 0
      from = next + this.#width
      next = this.#newline(chunk, from)
    }
    // asked once for all lines of the chunk, not for each
    const clean = this.#wide === null && next >= 0 && isUtf8(chunk.subarray(from, chunk.lastIndexOf(NEWLINE) + 1))
    if (next >= 0) from = this.#wholeLines(chunk, from, next, clean)
    if (from < chunk.length) this.#keep(chunk, from, chunk.length)
  }

  /** Behind the last line that ends in the chunk; the loop stands alone so that it stays compiled from chunk to chunk. */
  #wholeLines(chunk: Uint8Array, first: number, firstEnd: number, clean: boolean): number {
    let from = first
    for (let next = firstEnd; next >= 0; next = this.#newline(chunk, from)) {
      this.#whole(chunk, from, next, clean)
      from = next + this.#width
    }
    return from
  }

  /** The last line may have no end of its own. */
  end(): void {
    if (this.#odd !== -1) this.#keep(Uint8Array.of(this.#odd), 0, 1)
    if (this.#held + this.#dropped > 0) this.#give(this.#carry, 0, this.#held, this.#dropped, 0)
    this.#held = this.#dropped = 0
  }

  get #width(): number {
    return this.#wide === null ? 1 : 2
  }

  #newline(chunk: Uint8Array, from: number): number {
    if (this.#wide === null) return chunk.indexOf(NEWLINE, from)
    const low = this.#wide === 'utf16le' ? 0 : 1
    for (let at = from; at + 1 < chunk.length; at += 2) if (chunk[at + low] === NEWLINE && chunk[at + 1 - low] === 0) return at
    return -1
  }

  /** Code units lie at even places: a byte without its other half waits for the next chunk. */
  #even(chunk: Uint8Array): Uint8Array {
    const all = this.#odd === -1 ? chunk : Buffer.concat([Uint8Array.of(this.#odd), chunk])
    this.#odd = all.length % 2 === 1 ? (all[all.length - 1] as number) : -1
    return all.subarray(0, all.length & ~1)
  }

  #whole(chunk: Uint8Array, from: number, to: number, clean: boolean): void {
    const cap = this.#capOf(chunk, from, to)
    const end = Math.min(to, from + cap)
    if (clean) {
      const bytes = to - from + 1
      this.#sink(chunk, from, end, this.#offset, bytes, to - end)
      this.#offset += bytes
    } else this.#give(chunk, from, end, to - end, this.#width)
  }

  #keep(chunk: Uint8Array, from: number, to: number): void {
    const cap = this.#held === 0 ? this.#capOf(chunk, from, to) : this.#capOf(this.#carry, 0, this.#held)
    const fits = Math.min(to - from, Math.max(0, cap - this.#held))
    if (this.#held + fits > this.#carry.length) {
      const larger = Buffer.alloc(Math.min(cap, Math.max(this.#carry.length * 2, this.#held + fits)))
      larger.set(this.#carry.subarray(0, this.#held))
      this.#carry = larger
    }
    this.#carry.set(chunk.subarray(from, from + fits), this.#held)
    this.#held += fits
    this.#dropped += to - from - fits
  }

  /** A batch of records in one line may be longer than a line of text. */
  #capOf(b: Uint8Array, from: number, to: number): number {
    return b[from] === 123 && standsAt(b, from, to, BATCH) ? LIMITS.log_batch_line_bytes : MAX_LINE_BYTES
  }

  /** A line that may have to be turned into UTF-8 first. */
  #give(b: Uint8Array, start: number, end: number, cut: number, ending: number): void {
    const bytes = end - start + cut + ending
    const part = Buffer.from(b.buffer, b.byteOffset + start, end - start)
    if (this.#wide !== null) {
      const even = Buffer.from(part.subarray(0, part.length & ~1))
      const text = Buffer.from((this.#wide === 'utf16be' ? even.swap16() : even).toString('utf16le'), 'utf8')
      this.#sink(text, 0, text.length, this.#offset, bytes, cut)
    } else if (isUtf8(part) || isUtf8(part.subarray(0, wholeCharacters(part)))) {
      this.#sink(b, start, cut > 0 ? start + wholeCharacters(part) : end, this.#offset, bytes, cut)
    } else {
      this.#onLatin1()
      const text = Buffer.from(part.toString('latin1'), 'utf8')
      this.#sink(text, 0, text.length, this.#offset, bytes, cut)
    }
    this.#offset += bytes
  }
}

export interface SplitterOptions {
  readonly encoding?: Encoding
  /** where the first byte lies in its file */
  readonly offset?: number
  /** a line was no UTF-8 and was read as Latin-1 */
  readonly onLatin1?: () => void
}

/** The length without a character that was cut in two at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  let end = bytes.length
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      if (needs > back) end = bytes.length - back
      break
    }
  }
  return end
}
