/** In which order the queue is read, and its first few rows without sorting all of it. */
import type { QueueSort } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { Brief } from './brief.ts'

/** A row with the value it is sorted by. */
export interface Placed {
  readonly brief: Brief
  readonly key: number | string
  /** with grouping: the pids it stands for */
  readonly members: string[] | null
}

type Place = { readonly key: number | string; readonly brief: Pick<Brief, 'pid'> }

export interface Order {
  readonly key: (brief: Brief) => number | string
  readonly compare: (x: Place, y: Place) => number
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
  const turn = sort === 'name' ? 1 : -1
  return { key: keys[sort], compare: (x, y) => turn * compareKeys(x.key, y.key) || compareText(x.brief.pid, y.brief.pid) }
}

const compareKeys = (x: number | string, y: number | string): number =>
  typeof x === 'number' && typeof y === 'number' ? x - y : compareText(String(x), String(y))

/** The first `count` in order: a row that comes after the last of them is turned away by one comparison. */
export function topOf<Row extends Place>(rows: readonly Row[], compare: (x: Row, y: Row) => number, count: number): Row[] {
  const top: Row[] = []
  for (const row of rows) {
    if (top.length === count && compare(row, top[count - 1]!) >= 0) continue
    let [low, high] = [0, top.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(row, top[middle]!) < 0) high = middle
      else low = middle + 1
    }
    top.splice(low, 0, row)
    if (top.length > count) top.pop()
  }
  return top
}
