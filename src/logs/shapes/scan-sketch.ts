/**
 * sketch.ts over bytes: the same smallest hashes and exact counts, in typed arrays. Up to twice as many values as are wanted are
 * gathered in a small hash table before the larger half is dropped: a new value shifts nothing, a known one is found at once,
 * and one that is too large is refused by one comparison. Texts are made when the sketch is read.
 */
import { VALUE_KINDS } from './kinds.ts'
import { SKETCH_CHARS, SKETCH_SIZE } from './sketch.ts'
import type { SketchedValue, SlotSketch } from './sketch.ts'

/** FNV-1a over bytes, 64 bits in two halves, finished as `valueHash` of the reference does. */
export class ValueHash {
  high = 0
  low = 0

  over(b: Uint8Array, start: number, end: number): void {
    let high = 0xcbf29ce4 | 0
    let low = 0x84222325 | 0
    for (let i = start; i < end; i += 1) {
      low ^= b[i] as number
      // times the prime 2^40 + 0x1b3 in pieces of 16 bits, so that everything stays a small integer
      const one = (low & 0xffff) * 0x1b3
      const two = (low >>> 16) * 0x1b3 + (one >>> 16)
      high = (Math.imul(high, 0x1b3) + (two >>> 16) + (low << 8)) | 0
      low = (two << 16) | (one & 0xffff)
    }
    this.high = finalised(high ^ low)
    this.low = finalised((low >>> 0) + this.high)
  }
}

/** The last step of MurmurHash3. */
function finalised(half: number): number {
  let x = half >>> 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

const FEWEST = 8
const MOST = 2 * SKETCH_SIZE
/** More values than this left by a comparison of upper halves alone are compared by both. */
const CROWD = 1.5 * SKETCH_SIZE
/** SKETCH_CHARS are never more bytes, and a character that the cut divides lies behind them. */
const TEXT_BYTES = 3 * SKETCH_CHARS + 4
const sorting = new Uint32Array(MOST)

export class ByteSketch {
  #n = 0
  readonly #kinds = new Float64Array(VALUE_KINDS.length)
  #size = 0
  /** no value whose hash has a larger upper half is among the smallest */
  #limit = 0xffff_ffff
  #room = FEWEST
  #high = new Uint32Array(FEWEST)
  #low = new Uint32Array(FEWEST)
  #counts = new Float64Array(FEWEST)
  #textStart = new Uint32Array(FEWEST)
  #textEnd = new Uint32Array(FEWEST)
  /** by lower half: one more than the index of the value, 0 where there is none */
  #places = new Uint8Array(2 * FEWEST)
  #texts = new Uint8Array(64)
  #textBytes = 0

  add(kind: number, high: number, low: number, b: Uint8Array, start: number, end: number): void {
    this.#n += 1
    this.#kinds[kind]! += 1
    if (high > this.#limit) return
    const places = this.#places
    const mask = places.length - 1
    let place = low & mask
    for (let entry = places[place] as number; entry !== 0; entry = places[place] as number) {
      if (this.#low[entry - 1] === low && this.#high[entry - 1] === high) {
        this.#counts[entry - 1]! += 1
        return
      }
      place = (place + 1) & mask
    }
    this.#insert(place, high, low, b, start, Math.min(end, start + TEXT_BYTES))
  }

  #insert(place: number, high: number, low: number, b: Uint8Array, start: number, end: number): void {
    const i = this.#size
    this.#high[i] = high
    this.#low[i] = low
    this.#counts[i] = 1
    this.#textStart[i] = this.#textBytes
    const textEnd = this.#textBytes + end - start
    if (textEnd > this.#texts.length) this.#texts = grown(this.#texts, new Uint8Array(Math.max(textEnd, 2 * this.#texts.length)))
    const texts = this.#texts
    for (let from = start, to = this.#textBytes; from < end; from += 1, to += 1) texts[to] = b[from] as number
    this.#textEnd[i] = this.#textBytes = textEnd
    this.#places[place] = i + 1
    this.#size = i + 1
    if (this.#size < this.#room) return
    if (this.#room === MOST) this.#keep(this.#smallest())
    else this.#grow()
  }

  #grow(): void {
    this.#room *= 4
    this.#high = grown(this.#high, new Uint32Array(this.#room))
    this.#low = grown(this.#low, new Uint32Array(this.#room))
    this.#counts = grown(this.#counts, new Float64Array(this.#room))
    this.#textStart = grown(this.#textStart, new Uint32Array(this.#room))
    this.#textEnd = grown(this.#textEnd, new Uint32Array(this.#room))
    this.#places = new Uint8Array(2 * this.#room)
    this.#place()
  }

  /** Those among the smallest by their upper halves, in the order in which they came: all that may count, and few more. */
  #smallest(): number[] {
    const size = this.#size
    sorting.set(this.#high.subarray(0, size))
    sorting.subarray(0, size).sort()
    const limit = sorting[SKETCH_SIZE - 1] as number
    const kept: number[] = []
    for (let i = 0; i < size; i += 1) if ((this.#high[i] as number) <= limit) kept.push(i)
    this.#limit = limit
    return kept.length <= CROWD ? kept : this.#inOrder().slice(0, SKETCH_SIZE).toSorted((x, y) => x - y)
  }

  #inOrder(): number[] {
    return Array.from({ length: this.#size }, (_, i) => i)
      .toSorted((x, y) => (this.#high[x] as number) - (this.#high[y] as number) || (this.#low[x] as number) - (this.#low[y] as number))
  }

  /** `kept` rises, so everything moves towards the start. */
  #keep(kept: readonly number[]): void {
    let textBytes = 0
    for (let to = 0; to < kept.length; to += 1) {
      const from = kept[to] as number
      const [start, end] = [this.#textStart[from] as number, this.#textEnd[from] as number]
      this.#high[to] = this.#high[from] as number
      this.#low[to] = this.#low[from] as number
      this.#counts[to] = this.#counts[from] as number
      this.#texts.copyWithin(textBytes, start, end)
      this.#textStart[to] = textBytes
      this.#textEnd[to] = textBytes += end - start
    }
    this.#size = kept.length
    this.#textBytes = textBytes
    this.#places.fill(0)
    this.#place()
  }

  #place(): void {
    const mask = this.#places.length - 1
    for (let i = 0; i < this.#size; i += 1) {
      let place = (this.#low[i] as number) & mask
      while (this.#places[place] !== 0) place = (place + 1) & mask
      this.#places[place] = i + 1
    }
  }

  sketch(): SlotSketch {
    const texts = Buffer.from(this.#texts.buffer, this.#texts.byteOffset, this.#textBytes)
    const values = this.#inOrder().slice(0, SKETCH_SIZE).map((i): SketchedValue => ({
      hash: hex(this.#high[i] as number) + hex(this.#low[i] as number),
      text: texts.toString('utf8', this.#textStart[i], this.#textEnd[i]).slice(0, SKETCH_CHARS),
      count: this.#counts[i] as number,
    }))
    return { n: this.#n, kinds: [...this.#kinds], values }
  }
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex = (value: number): string =>
  (PAIRS[value >>> 24] as string) + (PAIRS[(value >>> 16) & 255] as string) + (PAIRS[(value >>> 8) & 255] as string) + (PAIRS[value & 255] as string)

function grown<T extends Uint8Array | Uint32Array | Float64Array>(old: T, larger: T): T {
  larger.set(old)
  return larger
}
