/**
 * The lines of one service cut into sequences: by trace where its lines carry one, else by the entity whose lines read like
 * sessions (a block, a job, a connection), else by slices of time. How it was cut stands in the evidence.
 */
import { compareText } from '../../kernel/term.ts'
import { ENTITIES_PER_LINE, type EventColumns } from '../columns.ts'

/** Rows of the columns in order of time; what they have in common is a hash or a time. */
export interface LogSequence {
  readonly key: number
  readonly rows: readonly number[]
}

export interface Cut {
  /** `trace`, `entity <slot>` or `slices of <n> s` */
  readonly by: string
  /** by their first line */
  readonly sequences: readonly LogSequence[]
}

/** A thing whose lines make a session has a few lines each, and there are several such things. */
const SESSION = { fewest: 8, shortest: 2, longest: 500 } as const
/** Lines that a slice holds on average, so that there is an order in it. */
const SLICE_LINES = 12
const SLICE_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 21_600, 86_400] as const

/** The rows must be in order of time. */
export function cutRows(columns: EventColumns, rows: readonly number[]): Cut {
  const { ts, trace, slots } = columns
  const traced = rows.filter((row) => trace[row] !== 0)
  if (traced.length * 2 > rows.length) return { by: 'trace', sequences: grouped(traced, (row) => trace[row]!) }
  const slot = sessionSlot(columns, rows)
  if (slot !== null) {
    const own = rows.filter((row) => valueOf(columns, row, slot) !== 0)
    return { by: `entity ${slots[slot]}`, sequences: grouped(own, (row) => valueOf(columns, row, slot)) }
  }
  const [first, last] = [ts[rows[0] ?? 0] ?? 0, ts[rows.at(-1) ?? 0] ?? 0]
  const wanted = ((last - first) / 1000 / Math.max(1, rows.length)) * SLICE_LINES
  const seconds = SLICE_SECONDS.find((each) => each >= wanted) ?? 86_400
  // slices begin at round times, so that the first line of a log does not move all of them
  return { by: `slices of ${seconds} s`, sequences: grouped(rows, (row) => Math.floor(ts[row]! / 1000 / seconds) * seconds * 1000) }
}

const grouped = (rows: readonly number[], keyOf: (row: number) => number): LogSequence[] =>
  [...Map.groupBy(rows, keyOf)].map(([key, own]) => ({ key, rows: own }))

/** The hash of the value that a row has in a slot, or 0. */
function valueOf({ entity, entitySlot }: EventColumns, row: number, slot: number): number {
  for (let at = row * ENTITIES_PER_LINE; at < (row + 1) * ENTITIES_PER_LINE; at += 1) {
    if (entity[at] !== 0 && entitySlot[at] === slot) return entity[at]!
  }
  return 0
}

/** The slot that most lines carry, of those whose values read like sessions; null when no slot is on most lines. */
function sessionSlot({ entity, entitySlot, slots }: EventColumns, rows: readonly number[]): number | null {
  const seen = slots.map(() => ({ lines: 0, values: new Set<number>() }))
  for (const row of rows) {
    for (let at = row * ENTITIES_PER_LINE; at < (row + 1) * ENTITIES_PER_LINE; at += 1) {
      const own = entity[at] === 0 ? undefined : seen[entitySlot[at]!]
      if (own === undefined) continue
      own.lines += 1
      own.values.add(entity[at]!)
    }
  }
  const fitting = [...seen.entries()].filter(([, { lines, values }]) => {
    const length = lines / values.size
    return lines * 2 > rows.length && values.size >= SESSION.fewest && length >= SESSION.shortest && length <= SESSION.longest
  })
  // the finer of two slots on equally many lines: a session, not the host it ran on
  const best = fitting.toSorted(([x, a], [y, b]) => b.lines - a.lines || b.values.size - a.values.size || compareText(slots[x]!, slots[y]!))
  return best[0]?.[0] ?? null
}
