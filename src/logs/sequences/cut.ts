/**
 * The events of one service cut into sequences: by trace where its lines carry one, else by the entity whose lines read like
 * sessions (a block, a job, a connection), else by slices of time. How it was cut stands in the evidence.
 */
import { compareText } from '../../kernel/term.ts'
import type { LogEvent } from '../candidate.ts'

export interface LogSequence {
  readonly id: string
  readonly events: readonly LogEvent[]
}

export interface Cut {
  /** `trace`, `entity <slot>` or `slices of <n> s` */
  readonly by: string
  readonly sequences: readonly LogSequence[]
}

/** A thing whose lines make a session has a few lines each, and there are several such things. */
const SESSION = { fewest: 8, shortest: 2, longest: 500 } as const
/** Lines that a slice holds on average, so that there is an order in it. */
const SLICE_LINES = 12
const SLICE_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 21_600, 86_400] as const

/** The events must be in order of time. */
export function cutEvents(events: readonly LogEvent[]): Cut {
  const traced = events.filter((event) => event.trace !== '')
  if (traced.length * 2 > events.length) return { by: 'trace', sequences: grouped(traced, (event) => event.trace) }
  const slot = sessionSlot(events)
  if (slot !== null) {
    const own = events.filter((event) => valueOf(event, slot) !== null)
    return { by: `entity ${slot}`, sequences: grouped(own, (event) => valueOf(event, slot) ?? '') }
  }
  const [first, last] = [events[0]?.tsMs ?? 0, events.at(-1)?.tsMs ?? 0]
  const wanted = ((last - first) / 1000 / Math.max(1, events.length)) * SLICE_LINES
  const seconds = SLICE_SECONDS.find((each) => each >= wanted) ?? 86_400
  // slices begin at round times, so that the first line of a log does not move all of them
  const sliceOf = (event: LogEvent): string => new Date(Math.floor(event.tsMs / 1000 / seconds) * seconds * 1000).toISOString()
  return { by: `slices of ${seconds} s`, sequences: grouped(events, sliceOf) }
}

const grouped = (events: readonly LogEvent[], key: (event: LogEvent) => string): LogSequence[] =>
  [...Map.groupBy(events, key)].map(([id, own]) => ({ id, events: own })).toSorted((x, y) => compareText(x.id, y.id))

function valueOf(event: LogEvent, slot: string): string | null {
  const found = event.entities.find((entity) => entity.startsWith(`${slot}=`))
  return found === undefined ? null : found.slice(slot.length + 1)
}

/** The slot that most lines carry, of those whose values read like sessions; null when no slot is on most lines. */
function sessionSlot(events: readonly LogEvent[]): string | null {
  const slots = new Map<string, { lines: number; readonly values: Set<string> }>()
  for (const { entities } of events) {
    for (const entity of entities) {
      const slot = entity.slice(0, entity.indexOf('='))
      const seen = slots.get(slot) ?? { lines: 0, values: new Set<string>() }
      seen.lines += 1
      seen.values.add(entity)
      slots.set(slot, seen)
    }
  }
  const fitting = [...slots].filter(([, { lines, values }]) => {
    const length = lines / values.size
    return lines * 2 > events.length && values.size >= SESSION.fewest && length >= SESSION.shortest && length <= SESSION.longest
  })
  // the finer of two slots on equally many lines: a session, not the host it ran on
  return fitting.toSorted(([x, a], [y, b]) => b.lines - a.lines || b.values.size - a.values.size || compareText(x, y))[0]?.[0] ?? null
}
