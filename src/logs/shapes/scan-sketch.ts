/**
 * sketch.ts over bytes: the same smallest hashes and exact counts, in typed arrays. Up to twice as many values as are wanted are
 * gathered in a small hash table before the larger half is dropped: a new value shifts nothing, a known one is found at once,
 * and one that is too large is refused by one comparison. Texts are made when the sketch is read.
 */
import { isAscii } from 'node:buffer'
import { VALUE_KINDS } from './kinds.ts'
import { SKETCH_CHARS, SKETCH_SIZE } from './sketch.ts'
import type { SketchedValue, SlotSketch } from './sketch.ts'

/**
 * FNV-1a over bytes, 64 bits in two halves, finished as `valueHash` of the reference does. The halves are signed: numbers beyond
 * 31 bits would be made an object each when they are handed on.
 */
export class ValueHash {
  high = 0
  low = 0

  over(b: Uint8Array, start: number, end: number): void {
    let high = 0xcbf29ce4 | 0
    let low = 0x84222325 | 0
    for (let i = start; i < end; i += 1) {
      low ^= b[i] as number
      // times the prime 2^40 + 0x1b3; what flows over into the upper half is made from pieces of 16 bits, which stay small integers
      const over = Math.imul(low >>> 16, 0x1b3) + (Math.imul(low & 0xffff, 0x1b3) >>> 16)
      high = (Math.imul(high, 0x1b3) + (over >>> 16) + (low << 8)) | 0
      low = Math.imul(low, 0x1b3)
    }
    this.high = finalised(high ^ low)
    this.low = finalised((low + this.high) | 0)
  }
}

/** The last step of MurmurHash3. */
function finalised(half: number): number {
  let x = half
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}

const FEWEST = 4
const MOST = 2 * SKETCH_SIZE
/** More values than this left by a comparison of upper halves alone are compared by both. */
const CROWD = 1.5 * SKETCH_SIZE
/** SKETCH_CHARS are never more bytes, and a character that the cut divides lies behind them. */
const TEXT_BYTES = 3 * SKETCH_CHARS + 4
const KINDS = VALUE_KINDS.length
const NO_LIMIT = 0xffff_ffff
const UPPER_HALVES = new Uint32Array(MOST)

/**
 * The sketches of all slots of a table: what every value touches lies side by side, the rest is looked at for few of them. A slot
 * that has held one value only, as those of rare shapes have, costs a few numbers and its text.
 */
export class ByteSketches {
  /** from the second value on */
  readonly #values: (SmallestValues | null)[] = []
  #kinds = new Float64Array(256 * KINDS)
  /** by slot: no value whose hash has a larger upper half is among the smallest */
  #limits = new Uint32Array(256)
  /** the first value of each slot, as numbers in the order of SmallestValues, and how often it came */
  #first = new Uint32Array(256 * WIDTH)
  #firstCounts = new Float64Array(256)
  #texts = new Uint8Array(4096)
  #textBytes = 0

  /** Room for so many slots more; the number of the first. */
  claim(slots: number): number {
    const first = this.#values.length
    for (let slot = first; slot < first + slots; slot += 1) {
      if (slot === this.#limits.length) {
        this.#limits = grown(this.#limits, new Uint32Array(2 * slot))
        this.#kinds = grown(this.#kinds, new Float64Array(2 * slot * KINDS))
        this.#first = grown(this.#first, new Uint32Array(2 * slot * WIDTH))
        this.#firstCounts = grown(this.#firstCounts, new Float64Array(2 * slot))
      }
      this.#limits[slot] = NO_LIMIT
      this.#values.push(null)
    }
    return first
  }

  add(slot: number, kind: number, high: number, low: number, b: Uint8Array, start: number, end: number): void {
    this.#kinds[slot * KINDS + kind]! += 1
    if (high >>> 0 > (this.#limits[slot] as number)) return
    const values = this.#values[slot]
    if (values === null || values === undefined) return this.#addFirst(slot, high, low, b, start, end)
    values.add(high, low, b, start, end)
    this.#limits[slot] = values.limit
  }

  #addFirst(slot: number, high: number, low: number, b: Uint8Array, start: number, end: number): void {
    const first = this.#first
    const at = slot * WIDTH
    if (this.#firstCounts[slot] === 0) {
      const length = Math.min(end - start, TEXT_BYTES)
      if (this.#textBytes + length > this.#texts.length) this.#texts = grown(this.#texts, new Uint8Array(Math.max(this.#textBytes + length, 2 * this.#texts.length)))
      for (let i = 0; i < length; i += 1) this.#texts[this.#textBytes + i] = b[start + i] as number
      first[at + HIGH] = high
      first[at + LOW] = low
      first[at + TEXT_START] = this.#textBytes
      this.#textBytes += length
      first[at + TEXT_END] = this.#textBytes
      this.#firstCounts[slot] = 1
    } else if (first[at + HIGH] === high >>> 0 && first[at + LOW] === low >>> 0) this.#firstCounts[slot]! += 1
    else this.#valuesOf(slot).add(high, low, b, start, end)
  }

  /** More than one from now on, with the first in it. */
  #valuesOf(slot: number): SmallestValues {
    const [high = 0, low = 0, start = 0, end = 0] = this.#first.subarray(slot * WIDTH, (slot + 1) * WIDTH)
    const values = new SmallestValues()
    values.add(high | 0, low | 0, this.#texts, start, end, this.#firstCounts[slot])
    this.#values[slot] = values
    return values
  }

  sketch(slot: number): SlotSketch {
    const kinds = [...this.#kinds.subarray(slot * KINDS, (slot + 1) * KINDS)]
    return { n: kinds.reduce((sum, count) => sum + count, 0), kinds, values: this.#values[slot]?.values() ?? this.#firstValue(slot) }
  }

  #firstValue(slot: number): SketchedValue[] {
    const [high = 0, low = 0, start = 0, end = 0] = this.#first.subarray(slot * WIDTH, (slot + 1) * WIDTH)
    const count = this.#firstCounts[slot] as number
    const text = (): string => Buffer.from(this.#texts.buffer, this.#texts.byteOffset + start, end - start).toString('utf8').slice(0, SKETCH_CHARS)
    return count === 0 ? [] : [{ hash: hex(high) + hex(low), text: text(), count }]
  }
}

/** A value as numbers side by side: the halves of its hash, where its text starts and ends. */
const [HIGH, LOW, TEXT_START, TEXT_END, WIDTH] = [0, 1, 2, 3, 4] as const

class SmallestValues {
  limit = NO_LIMIT
  #size = 0
  #room = FEWEST
  #data = new Uint32Array(FEWEST * WIDTH)
  /** a stream may hold one value more often than 32 bits can count */
  #counts = new Float64Array(FEWEST)
  /** by lower half: one more than the index of the value, 0 where there is none */
  #places = new Uint8Array(2 * FEWEST)
  #texts = new Uint8Array(64)
  #textBytes = 0

  add(signedHigh: number, signedLow: number, b: Uint8Array, start: number, end: number, times = 1): void {
    const high = signedHigh >>> 0
    const low = signedLow >>> 0
    const places = this.#places
    const data = this.#data
    const mask = places.length - 1
    let place = low & mask
    for (let entry = places[place] as number; entry !== 0; entry = places[place] as number) {
      const at = (entry - 1) * WIDTH
      if (data[at + LOW] === low && data[at + HIGH] === high) {
        this.#counts[entry - 1]! += times
        return
      }
      place = (place + 1) & mask
    }
    this.#insert(place, signedHigh, signedLow, b, start, Math.min(end, start + TEXT_BYTES), times)
  }

  #insert(place: number, high: number, low: number, b: Uint8Array, start: number, end: number, times: number): void {
    const textStart = this.#textBytes
    const textEnd = textStart + end - start
    if (textEnd > this.#texts.length) this.#texts = grown(this.#texts, new Uint8Array(Math.max(textEnd, 4 * this.#texts.length)))
    const texts = this.#texts
    for (let from = start, to = textStart; from < end; from += 1, to += 1) texts[to] = b[from] as number
    this.#textBytes = textEnd
    const data = this.#data
    const at = this.#size * WIDTH
    data[at + HIGH] = high
    data[at + LOW] = low
    data[at + TEXT_START] = textStart
    data[at + TEXT_END] = textEnd
    this.#counts[this.#size] = times
    this.#size += 1
    this.#places[place] = this.#size
    if (this.#size < this.#room) return
    if (this.#room === MOST) this.#keep(this.#smallest())
    else this.#grow()
  }

  #grow(): void {
    this.#room = Math.min(4 * this.#room, MOST)
    this.#data = grown(this.#data, new Uint32Array(this.#room * WIDTH))
    this.#counts = grown(this.#counts, new Float64Array(this.#room))
    this.#places = new Uint8Array(2 * this.#room)
    this.#place()
  }

  /** Those among the smallest by their upper halves, in the order in which they came: all that may count, and few more. */
  #smallest(): number[] {
    const size = this.#size
    const sorting = UPPER_HALVES
    for (let i = 0; i < size; i += 1) sorting[i] = this.#data[i * WIDTH + HIGH] as number
    sorting.sort()
    this.limit = sorting[SKETCH_SIZE - 1] as number
    const kept: number[] = []
    for (let i = 0; i < size; i += 1) if ((this.#data[i * WIDTH + HIGH] as number) <= this.limit) kept.push(i)
    return kept.length <= CROWD ? kept : this.#inOrder().slice(0, SKETCH_SIZE).toSorted((x, y) => x - y)
  }

  /** Sorted as numbers, the upper half before the index; only where two upper halves are equal the lower ones are compared. */
  #inOrder(): number[] {
    const data = this.#data
    const keys = new Float64Array(this.#size)
    for (let i = 0; i < keys.length; i += 1) keys[i] = (data[i * WIDTH + HIGH] as number) * MOST + i
    const order = Array.from(keys.toSorted(), (key) => key % MOST)
    const half = (i: number, which: number): number => data[i * WIDTH + which] as number
    const same = order.some((index, i) => i > 0 && half(index, HIGH) === half(order[i - 1] as number, HIGH))
    return same ? order.toSorted((x, y) => half(x, HIGH) - half(y, HIGH) || half(x, LOW) - half(y, LOW)) : order
  }

  /** `kept` rises, so everything moves towards the start. */
  #keep(kept: readonly number[]): void {
    const data = this.#data
    const texts = this.#texts
    let textBytes = 0
    for (let k = 0; k < kept.length; k += 1) {
      const i = kept[k] as number
      const [from, to] = [i * WIDTH, k * WIDTH]
      const [start, end] = [data[from + TEXT_START] as number, data[from + TEXT_END] as number]
      data[to + HIGH] = data[from + HIGH] as number
      data[to + LOW] = data[from + LOW] as number
      data[to + TEXT_START] = textBytes
      for (let at = start; at < end; at += 1, textBytes += 1) texts[textBytes] = texts[at] as number
      data[to + TEXT_END] = textBytes
      this.#counts[k] = this.#counts[i] as number
    }
    this.#size = kept.length
    this.#textBytes = textBytes
    this.#places.fill(0)
    this.#place()
  }

  #place(): void {
    const mask = this.#places.length - 1
    for (let i = 0; i < this.#size; i += 1) {
      let place = (this.#data[i * WIDTH + LOW] as number) & mask
      while (this.#places[place] !== 0) place = (place + 1) & mask
      this.#places[place] = i + 1
    }
  }

  values(): SketchedValue[] {
    const data = this.#data
    const texts = Buffer.from(this.#texts.buffer, this.#texts.byteOffset, this.#textBytes)
    // one text for all where bytes are characters, which is nearly everywhere
    const whole = isAscii(texts) ? texts.toString('latin1') : null
    return this.#inOrder().slice(0, SKETCH_SIZE).map((i): SketchedValue => {
      const [start, end] = [data[i * WIDTH + TEXT_START] as number, data[i * WIDTH + TEXT_END] as number]
      const text = whole === null ? texts.toString('utf8', start, end).slice(0, SKETCH_CHARS) : whole.slice(start, Math.min(end, start + SKETCH_CHARS))
      return { hash: hex(data[i * WIDTH + HIGH] as number) + hex(data[i * WIDTH + LOW] as number), text, count: this.#counts[i] as number }
    })
  }
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex = (value: number): string =>
  (PAIRS[value >>> 24] as string) + (PAIRS[(value >>> 16) & 255] as string) + (PAIRS[(value >>> 8) & 255] as string) + (PAIRS[value & 255] as string)

function grown<T extends Uint8Array | Uint32Array | Float64Array>(old: T, larger: T): T {
  larger.set(old)
  return larger
}
