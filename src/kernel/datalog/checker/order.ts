/** The checker's own way to look up a window: rows of a relation in the order of one of their values. */
import type { Reading } from './values.ts'

interface Entry {
  readonly at: number
  readonly row: number
}

export class Order {
  readonly #entries = new Map<string, Entry[]>()

  /** `readings` are those of one column, by row. */
  constructor(readings: Iterable<readonly [row: number, reading: Reading]>) {
    for (const [row, reading] of readings) {
      const place = placeOf(reading)
      if (place === undefined) continue
      const entries = this.#entries.get(place.among)
      if (entries === undefined) this.#entries.set(place.among, [{ at: place.at, row }])
      else entries.push({ at: place.at, row })
    }
    for (const entries of this.#entries.values()) entries.sort((x, y) => x.at - y.at)
  }

  /** All rows from one value to the other, perhaps some beside them. */
  *between(low: Reading, high: Reading): Generator<number> {
    const [first, last] = [placeOf(low), placeOf(high)]
    const entries = this.#entries.get(first?.among ?? '') ?? []
    let [from, to] = [0, entries.length]
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      if ((entries[middle]?.at ?? 0) < (first?.at ?? 0)) from = middle + 1
      else to = middle
    }
    for (let n = from; n < entries.length && (entries[n]?.at ?? 0) <= (last?.at ?? 0); n++) yield entries[n]?.row ?? 0
  }

  /** Whether `between` finds every row that lies between the two. */
  static canTell(low: Reading, high: Reading): boolean {
    const [first, last] = [placeOf(low), placeOf(high)]
    return first !== undefined && last !== undefined && first.among === last.among
  }
}

/** A place in an order; fractions of seconds are left to the comparison itself, so a place stands for its whole second. */
function placeOf(reading: Reading): { readonly among: string; readonly at: number } | undefined {
  if (reading.of === 'date' || reading.of === 'dateTime') {
    return { among: `${reading.of} ${reading.zoned ? 'with' : 'without'} a zone`, at: reading.day * 86_400 + reading.second }
  }
  return undefined
}
