/** Names in a line as numbers: a service that was seen before costs no text. */
import { ValueHash } from '../shapes/scan-sketch.ts'

const PLACES = 256

const placeOf = (b: Uint8Array, start: number, end: number): number =>
  ((b[start] as number) * 5 + (b[(start + end) >> 1] as number) * 23 + (b[end - 1] as number) * 71 + (end - start) * 13) & (PLACES - 1)

interface Known {
  readonly bytes: Uint8Array
  readonly index: number
}

const NONE: Known = { bytes: Buffer.alloc(0), index: 0 }

export class Names {
  readonly list: string[] = []
  readonly #limit: number
  readonly #clean: (text: string) => string
  readonly #byHash = new Map<number, Known[]>()
  readonly #byText = new Map<string, number>()
  readonly #fnv = new ValueHash()
  /** by a few of their bytes: names that came lately are found by one comparison */
  readonly #recent: Known[] = Array.from({ length: PLACES }, () => NONE)

  /** Beyond the limit everything is called `(other)`. */
  constructor(limit: number, clean: (text: string) => string) {
    this.#limit = limit
    this.#clean = clean
  }

  ofText(text: string): number {
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    if (this.list.length === this.#limit - 1 && text !== OTHER) return this.ofText(OTHER)
    if (this.list.length >= this.#limit) return this.#limit - 1
    this.#byText.set(text, this.list.length)
    return this.list.push(text) - 1
  }

  ofBytes(b: Uint8Array, start: number, end: number): number {
    const place = placeOf(b, start, end)
    const recent = this.#recent[place] as Known
    if (same(recent.bytes, b, start, end)) return recent.index
    const known = this.#find(b, start, end)
    this.#recent[place] = known
    return known.index
  }

  #find(b: Uint8Array, start: number, end: number): Known {
    this.#fnv.over(b, start, end)
    const bucket = this.#byHash.get(this.#fnv.low) ?? []
    const found = bucket.find((each) => same(each.bytes, b, start, end))
    if (found !== undefined) return found
    // a copy: the bytes of a line are written over by the next ones
    const bytes = Buffer.from(b.subarray(start, end))
    const known = { bytes, index: this.ofText(this.#clean(bytes.toString('utf8'))) }
    if (this.#byHash.size < this.#limit) this.#byHash.set(this.#fnv.low, [...bucket, known])
    return known
  }
}

const OTHER = '(other)'

function same(known: Uint8Array, b: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false
  for (let i = 0; i < known.length; i += 1) if (known[i] !== b[start + i]) return false
  return true
}
