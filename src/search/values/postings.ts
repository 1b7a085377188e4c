/** From a hash to the numbers noted under it, in typed arrays: an entry costs four bytes, where a Map would take a hundred. */

/** A few tags are compared in no time, and a bucket takes as much memory as an entry. */
const PER_BUCKET = 4

export class PostingsBuilder {
  private readonly hashes: number[] = []
  private readonly ids: number[] = []

  note(hash: number, id: number): void {
    this.hashes.push(hash)
    this.ids.push(id)
  }

  done(): Postings {
    return new Postings(this.hashes, this.ids)
  }
}

/** Numbers below 2^16 by hash. Two hashes that agree in bucket and tag are taken for one: who asks compares the texts. */
export class Postings {
  private readonly mask: number
  private readonly starts: Uint32Array
  private readonly ids: Uint16Array
  private readonly tags: Uint16Array

  constructor(hashes: readonly number[], ids: readonly number[]) {
    const buckets = 2 ** Math.ceil(Math.log2(Math.max(1, hashes.length / PER_BUCKET)))
    this.mask = buckets - 1
    this.starts = new Uint32Array(buckets + 1)
    this.ids = new Uint16Array(ids.length)
    this.tags = new Uint16Array(ids.length)
    for (const hash of hashes) this.starts[(hash & this.mask) + 1]! += 1
    for (let bucket = 0; bucket < buckets; bucket += 1) this.starts[bucket + 1]! += this.starts[bucket]!
    const next = this.starts.slice(0, buckets)
    for (let at = 0; at < hashes.length; at += 1) {
      const hash = hashes[at]!
      const place = next[hash & this.mask]!++
      this.ids[place] = ids[at]!
      this.tags[place] = hash >>> 16
    }
  }

  /** in the order they were noted */
  under(hash: number): number[] {
    const found: number[] = []
    this.each(hash, (id) => found.push(id))
    return found
  }

  each(hash: number, visit: (id: number) => void): void {
    const tag = hash >>> 16
    const end = this.starts[(hash & this.mask) + 1]!
    for (let at = this.starts[hash & this.mask]!; at < end; at += 1) if (this.tags[at] === tag) visit(this.ids[at]!)
  }

  /** At most so many stand under it: told without counting. */
  atMost(hash: number): number {
    return this.starts[(hash & this.mask) + 1]! - this.starts[hash & this.mask]!
  }
}
