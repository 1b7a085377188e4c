/**
 * Event columns in blocks, as map writes them and reduce reads them: what later stages need of each line, its shape and service
 * as indices of the state. Values that may name entities stand as hashes; the first lines of each shape keep their texts too.
 */
import { Scratch } from '../read/fields.ts'
import { BadState } from './container.ts'

export const ROWS_PER_BLOCK = 16_384
/** Values of one line that may name an entity; which of them do is known only when all shapes are. */
export const VALUES_PER_LINE = 8

/** One block, filled and written over and over. */
export class RowBlock {
  rows = 0
  readonly ts = new Float64Array(ROWS_PER_BLOCK)
  readonly offset = new Float64Array(ROWS_PER_BLOCK)
  readonly trace = new Float64Array(ROWS_PER_BLOCK)
  readonly shape = new Uint32Array(ROWS_PER_BLOCK)
  readonly file = new Uint32Array(ROWS_PER_BLOCK)
  readonly service = new Uint16Array(ROWS_PER_BLOCK)
  readonly level = new Uint8Array(ROWS_PER_BLOCK)
  readonly values = new Uint8Array(ROWS_PER_BLOCK)
  valueCount = 0
  readonly valueHash = new Uint32Array(ROWS_PER_BLOCK * VALUES_PER_LINE)
  readonly valueSlot = new Uint8Array(ROWS_PER_BLOCK * VALUES_PER_LINE)
  readonly texts = new Scratch()

  get full(): boolean {
    return this.rows === ROWS_PER_BLOCK
  }

  /** The block as bytes, and empty again. */
  take(): Uint8Array {
    const { rows, valueCount } = this
    const pieces: Uint8Array[] = [
      bytesOf(Uint32Array.of(rows, valueCount, this.texts.length, 0)),
      bytesOf(this.ts.subarray(0, rows)), bytesOf(this.offset.subarray(0, rows)), bytesOf(this.trace.subarray(0, rows)),
      bytesOf(this.shape.subarray(0, rows)), bytesOf(this.file.subarray(0, rows)), bytesOf(this.valueHash.subarray(0, valueCount)),
      bytesOf(this.service.subarray(0, rows)), this.level.subarray(0, rows), this.values.subarray(0, rows),
      this.valueSlot.subarray(0, valueCount), this.texts.bytes.subarray(0, this.texts.length),
    ]
    this.rows = this.valueCount = 0
    this.texts.clear()
    return Buffer.concat(pieces)
  }
}

const bytesOf = (array: Float64Array | Uint32Array | Uint16Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

export interface Rows {
  readonly rows: number
  readonly ts: Float64Array
  readonly offset: Float64Array
  readonly trace: Float64Array
  readonly shape: Uint32Array
  readonly file: Uint32Array
  readonly service: Uint16Array
  readonly level: Uint8Array
  /** how many values each row has, one after the other in the next two */
  readonly values: Uint8Array
  readonly valueHash: Uint32Array
  readonly valueSlot: Uint8Array
  readonly texts: Uint8Array
}

export function readRows(payload: Uint8Array): Rows {
  // a copy whose start is aligned, so that the columns can be views of it
  const bytes = payload.byteOffset % 8 === 0 ? payload : new Uint8Array(payload)
  let at = 0
  const next = <T>(make: (buffer: ArrayBuffer, from: number, length: number) => T, length: number, width: number): T => {
    const made = make(bytes.buffer as ArrayBuffer, bytes.byteOffset + at, length)
    at += length * width
    return made
  }
  const f64 = (length: number) => next((buffer, from, n) => new Float64Array(buffer, from, n), length, 8)
  const u32 = (length: number) => next((buffer, from, n) => new Uint32Array(buffer, from, n), length, 4)
  const u16 = (length: number) => next((buffer, from, n) => new Uint16Array(buffer, from, n), length, 2)
  const u8 = (length: number) => next((buffer, from, n) => new Uint8Array(buffer, from, n), length, 1)
  if (bytes.length < 16) throw new BadState('the state is damaged')
  const [rows = 0, valueCount = 0, textBytes = 0] = u32(4)
  if (rows > ROWS_PER_BLOCK || bytes.length !== 16 + 36 * rows + 5 * valueCount + textBytes) throw new BadState('the state is damaged')
  return {
    rows, ts: f64(rows), offset: f64(rows), trace: f64(rows), shape: u32(rows), file: u32(rows), valueHash: u32(valueCount),
    service: u16(rows), level: u8(rows), values: u8(rows), valueSlot: u8(valueCount), texts: u8(textBytes),
  }
}

export const MAX_TEXT = 0xffff

/** The texts of the lines that kept theirs, one after the other. Most are passed over: only what is asked for becomes a string. */
export class TextCursor {
  /** of the line at hand; -1 before the first one, and none is larger than the one behind the last */
  row = -1
  readonly #view: Buffer
  #trace = 0
  #values = 0
  #next = 0

  constructor({ texts }: Rows) {
    this.#view = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength)
  }

  /** Steps to the next line that has texts; false behind the last. */
  next(): boolean {
    const view = this.#view
    const at = this.#next
    if (at >= view.length) {
      this.row = Infinity
      return false
    }
    this.row = this.#short(at)
    this.#trace = at + 2
    this.#values = at + 4 + this.#short(at + 2)
    let end = this.#values + 1
    for (let left = view[this.#values] as number; left > 0; left -= 1) end += 3 + this.#short(end + 1)
    if (!(end <= view.length)) throw new BadState('the state is damaged')
    this.#next = end
    return true
  }

  get trace(): string {
    return this.#values === this.#trace + 2 ? '' : this.#view.toString('utf8', this.#trace + 2, this.#values)
  }

  /** What stood in a slot; empty where nothing is kept of it. */
  value(slot: number): string {
    const view = this.#view
    let found = ''
    let at = this.#values + 1
    for (let left = view[this.#values] as number; left > 0; left -= 1) {
      const end = at + 3 + this.#short(at + 1)
      if (view[at] === slot) found = view.toString('utf8', at + 3, end)
      at = end
    }
    return found
  }

  #short(at: number): number {
    return (this.#view[at] as number) | ((this.#view[at + 1] as number) << 8)
  }
}
