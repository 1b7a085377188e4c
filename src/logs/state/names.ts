/** Names in a line as numbers: a service that was seen before costs no text. */
import { ValueHash } from '../shapes/scan-sketch.ts'

interface Known {
  readonly bytes: Uint8Array
  readonly index: number
}

export class Names {
  readonly list: string[] = []
  readonly #limit: number
  readonly #clean: (text: string) => string
  readonly #byHash = new Map<number, Known[]>()
  readonly #byText = new Map<string, number>()
  readonly #fnv = new ValueHash()
  #last: Known | null = null

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
    if (this.#last !== null && same(this.#last.bytes, b, start, end)) return this.#last.index
    this.#fnv.over(b, start, end)
    const bucket = this.#byHash.get(this.#fnv.low) ?? []
    const found = bucket.find((each) => same(each.bytes, b, start, end))
    if (found !== undefined) {
      this.#last = found
      return found.index
    }
    const bytes = b.slice(start, end)
    const known = { bytes, index: this.ofText(this.#clean(Buffer.from(bytes).toString('utf8'))) }
    if (this.#byHash.size < this.#limit) this.#byHash.set(this.#fnv.low, [...bucket, known])
    this.#last = known
    return known.index
  }
}

const OTHER = '(other)'

function same(known: Uint8Array, b: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false
  for (let i = 0; i < known.length; i += 1) if (known[i] !== b[start + i]) return false
  return true
}
