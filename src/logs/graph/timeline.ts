/** Event columns by template: when each occurs, in which rows, and on which things. Lines without a time take no part. */
import { ENTITIES_PER_LINE } from '../columns.ts'
import type { EventColumns } from '../columns.ts'

/** All occurrences of one template, by time. */
export interface Track {
  readonly template: number
  readonly times: Float64Array
  readonly rows: Uint32Array
  /** 0, 1, 2, ... */
  readonly index: Uint32Array
  /** index of the service that writes it, or null where several do */
  readonly service: number | null
}

export interface Timeline {
  /** by index of the template; one without timed lines is empty */
  readonly tracks: readonly Track[]
  readonly startMs: number
  readonly endMs: number
}

export function timelineOf({ ts, template, templates, service, length }: EventColumns): Timeline {
  const counts = new Uint32Array(templates.length)
  let [startMs, endMs] = [Infinity, -Infinity]
  for (let row = 0; row < length; row += 1) {
    const time = ts[row] ?? NaN
    if (Number.isNaN(time)) continue
    counts[template[row] ?? 0] = (counts[template[row] ?? 0] ?? 0) + 1
    if (time < startMs) startMs = time
    if (time > endMs) endMs = time
  }
  const rows = templates.map((_, i) => new Uint32Array(counts[i] ?? 0))
  const filled = new Uint32Array(templates.length)
  for (let row = 0; row < length; row += 1) {
    if (Number.isNaN(ts[row] ?? NaN)) continue
    const id = template[row] ?? 0
    const at = filled[id] ?? 0
    filled[id] = at + 1
    const own = rows[id]
    if (own !== undefined) own[at] = row
  }
  const timeOf = (row: number): number => ts[row] ?? 0
  const tracks = rows.map((own, i) => {
    own.sort((x, y) => timeOf(x) - timeOf(y) || x - y)
    const first = service[own[0] ?? 0] ?? 0
    return {
      template: i,
      rows: own,
      times: Float64Array.from(own, timeOf),
      index: Uint32Array.from(own, (_, at) => at),
      service: own.every((row) => service[row] === first) ? first : null,
    }
  })
  return startMs > endMs ? { tracks, startMs: 0, endMs: 0 } : { tracks, startMs, endMs }
}

/** The trace of a line is a thing like any other; it has this place beside the numbered slots. */
export const TRACE_SLOT = -1

/** Hash of what the row names in the slot, 0 where it names nothing there. */
export function entityAt({ entity, entitySlot, trace }: EventColumns, row: number, slot: number): number {
  if (slot === TRACE_SLOT) return trace[row] ?? 0
  for (let i = row * ENTITIES_PER_LINE; i < (row + 1) * ENTITIES_PER_LINE; i += 1) {
    if (entitySlot[i] === slot && entity[i] !== 0) return entity[i] ?? 0
  }
  return 0
}

/** The slots that any of the rows fills. */
export function slotsOf(columns: EventColumns, rows: Uint32Array): number[] {
  const slots = new Set<number>()
  for (const row of rows) {
    if (columns.trace[row] !== 0) slots.add(TRACE_SLOT)
    for (let i = row * ENTITIES_PER_LINE; i < (row + 1) * ENTITIES_PER_LINE; i += 1) {
      if (columns.entity[i] !== 0) slots.add(columns.entitySlot[i] ?? 0)
    }
  }
  return [...slots].toSorted((x, y) => x - y)
}
