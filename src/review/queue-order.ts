/** In which order the queue is read, and where in an order a row stands. */
import type { QueueSort } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { Brief } from './brief.ts'

export interface Order {
  /** what a row is sorted by */
  readonly key: (brief: Brief) => number | string
  readonly compare: (x: Brief, y: Brief) => number
  /** how a row stands to a place that is known by its key and pid only */
  readonly compareTo: (x: Brief, place: { readonly key: number | string; readonly pid: string }) => number
}

/** Without a model the learned order is that of confidence times consequence. */
export function ordering(sort: QueueSort, odds: ((brief: Brief) => number) | null): Order {
  const keys: Readonly<Record<QueueSort, (brief: Brief) => number | string>> = {
    score: (brief) => brief.score,
    confidence: (brief) => brief.confidence,
    consequence: (brief) => brief.consequence,
    newest: (brief) => brief.createdAt,
    name: (brief) => brief.name,
    learned: odds ?? ((brief) => brief.score),
  }
  const key = keys[sort]
  const turn = sort === 'name' ? 1 : -1
  const compareTo: Order['compareTo'] = (x, place) => turn * compareKeys(key(x), place.key) || compareText(x.pid, place.pid)
  return { key, compareTo, compare: (x, y) => turn * compareKeys(key(x), key(y)) || compareText(x.pid, y.pid) }
}

const compareKeys = (x: number | string, y: number | string): number =>
  typeof x === 'number' && typeof y === 'number' ? x - y : compareText(String(x), String(y))

/** As `compare` orders them. Numbers are sorted as numbers: calling `compare` for each pair of twenty thousand takes too long. */
export function sortedBy({ key, compare }: Order, rows: readonly Brief[]): Brief[] {
  const keys = rows.map(key)
  if (!keys.every((each) => typeof each === 'number')) return rows.toSorted(compare)
  const values = Float64Array.from(keys).toSorted()
  const taken = new Uint32Array(rows.length)
  const placed = Array.from<Brief>({ length: rows.length })
  for (const [at, row] of rows.entries()) {
    const first = firstOf(values, keys[at]!)
    placed[rows.length - 1 - first - taken[first]!] = row // the highest comes first
    taken[first]! += 1
  }
  for (const [first, count] of taken.entries()) {
    if (count < 2) continue
    const from = rows.length - first - count
    const equal = placed.slice(from, from + count).toSorted(compare)
    for (const [i, row] of equal.entries()) placed[from + i] = row
  }
  return placed
}

function firstOf(values: Float64Array, value: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! >= value) high = middle
    else low = middle + 1
  }
  return low
}

/** The first place whose row does not come before this one. */
export const placeIn = (rows: readonly Brief[], compare: Order['compare'], row: Brief): number => firstFrom(rows, (each) => compare(each, row) >= 0)

/** By bisection: where rows begin to satisfy what all after them satisfy too. */
export function firstFrom(rows: readonly Brief[], isFrom: (brief: Brief) => boolean): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isFrom(rows[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
