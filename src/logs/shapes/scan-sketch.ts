/** sketch.ts over bytes: the same smallest hashes and exact counts, in typed arrays; a text is made only for a value that is kept. */
import { VALUE_KINDS } from './kinds.ts'
import { SKETCH_CHARS, SKETCH_SIZE } from './sketch.ts'
import type { SlotSketch } from './sketch.ts'

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

export class ByteSketch {
  #n = 0
  readonly #kinds = new Float64Array(VALUE_KINDS.length)
  #size = 0
  #high = new Uint32Array(4)
  #low = new Uint32Array(4)
  #counts = new Float64Array(4)
  readonly #texts: string[] = []

  add(kind: number, high: number, low: number, b: Buffer, start: number, end: number): void {
    this.#n += 1
    this.#kinds[kind]! += 1
    const size = this.#size
    if (size === SKETCH_SIZE) {
      const last = this.#high[size - 1] as number
      if (high > last || (high === last && low > (this.#low[size - 1] as number))) return
    }
    let from = 0
    let to = size
    while (from < to) {
      const middle = (from + to) >> 1
      const own = this.#high[middle] as number
      if (own < high || (own === high && (this.#low[middle] as number) < low)) from = middle + 1
      else to = middle
    }
    if (from < size && this.#high[from] === high && this.#low[from] === low) this.#counts[from]! += 1
    else this.#insert(from, high, low, b.toString('utf8', start, end).slice(0, SKETCH_CHARS))
  }

  #insert(at: number, high: number, low: number, value: string): void {
    if (this.#size === this.#high.length && this.#size < SKETCH_SIZE) {
      this.#high = grown(this.#high, new Uint32Array(Math.min(SKETCH_SIZE, this.#size * 4)))
      this.#low = grown(this.#low, new Uint32Array(Math.min(SKETCH_SIZE, this.#size * 4)))
      this.#counts = grown(this.#counts, new Float64Array(Math.min(SKETCH_SIZE, this.#size * 4)))
    }
    const size = Math.min(this.#size + 1, SKETCH_SIZE)
    const [highs, lows, counts, texts] = [this.#high, this.#low, this.#counts, this.#texts]
    for (let i = size - 1; i > at; i -= 1) {
      highs[i] = highs[i - 1] as number
      lows[i] = lows[i - 1] as number
      counts[i] = counts[i - 1] as number
      texts[i] = texts[i - 1] as string
    }
    this.#high[at] = high
    this.#low[at] = low
    this.#counts[at] = 1
    texts[at] = value
    this.#size = size
  }

  sketch(): SlotSketch {
    const values = this.#texts.map((own, i) => ({ hash: hex(this.#high[i] ?? 0) + hex(this.#low[i] ?? 0), text: own, count: this.#counts[i] ?? 0 }))
    return { n: this.#n, kinds: [...this.#kinds], values }
  }
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex = (value: number): string =>
  (PAIRS[value >>> 24] as string) + (PAIRS[(value >>> 16) & 255] as string) + (PAIRS[(value >>> 8) & 255] as string) + (PAIRS[value & 255] as string)

function grown<T extends Uint32Array | Float64Array>(old: T, larger: T): T {
  larger.set(old)
  return larger
}
