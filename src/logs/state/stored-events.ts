/** The earliest lines of each template as events that are stored one by one: a stage of its own behind the columns. */
import { LIMITS, SEVERITIES, type Severity } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { LogEvent } from '../candidate.ts'
import { cleanText } from '../clean.ts'
import { isPrivateValue, withoutPrivate } from '../templates/index.ts'
import { type Described, type EntityPlace, NOWHERE, type RowSource, eachRun, placesOf } from './row-places.ts'
import { type Rows, TextCursor } from './rows.ts'
import { orderOf } from './time-order.ts'

export interface EventOptions {
  readonly eventLimit?: number
}

/** In the order of time. */
export function storedEvents(
  { described, sources }: { readonly described: readonly Described[]; readonly sources: readonly RowSource[] },
  { eventLimit = LIMITS.log_events_per_template }: EventOptions = {},
): LogEvent[] {
  const places = placesOf(described)
  const stored = described.map(({ template }) => new Stored(template.id, eventLimit))
  eachRun(sources, (source) => {
    const own = source.shapes.map((key) => places.get(key) ?? NOWHERE)
    return (rows, first, last) => {
      const texts = new TextCursor(rows)
      // each row once, whatever a state that was handed over says
      for (let next = first; texts.next() && texts.row < last; ) {
        const { row } = texts
        if (row < next) continue
        next = row + 1
        const { template, entities } = own[rows.shape[row] as number] ?? NOWHERE
        const kept = stored[template]
        if (kept?.wants(rows.ts[row] as number) === true) kept.add(eventAt(source, rows, texts, kept.id, entities))
      }
    }
  })
  return eventsInOrder(stored.flatMap((each) => each.events()))
}

function eventAt(source: RowSource, rows: Rows, texts: TextCursor, clusterId: string, entities: readonly EntityPlace[]): LogEvent {
  const { row, trace } = texts
  const named: string[] = []
  for (const { name, slot, text } of entities) {
    const own = slot < 0 ? text : texts.value(slot)
    // each value is looked at by itself, as the slot may hold others that are harmless
    if (own !== '' && !isPrivateValue(own)) named.push(`${name}=${own}`)
  }
  return {
    clusterId,
    tsMs: rows.ts[row] as number,
    service: source.services[rows.service[row] as number] as string,
    trace: trace === '' ? '' : withoutPrivate(cleanText(trace)),
    entities: named.length < 2 ? named : [...new Set(named)].toSorted(),
    severity: SEVERITIES[rows.level[row] as number] as Severity,
    file: source.files[rows.file[row] as number] as string,
    offset: rows.offset[row] as number,
  }
}

/** By time; the place in the files decides between equals. */
const inOrder = (x: LogEvent, y: LogEvent): number => x.tsMs - y.tsMs || compareText(x.file, y.file) || x.offset - y.offset

/** Numbers are sorted many times faster than events: those are compared only where their times are equal. */
function eventsInOrder(events: readonly LogEvent[]): LogEvent[] {
  const sorted = Array.from(orderOf(Float64Array.from(events, ({ tsMs }) => tsMs)), (i) => events[i] as LogEvent)
  for (let from = 0, to = 1; from < sorted.length; from = to, to += 1) {
    while (to < sorted.length && sorted[to]?.tsMs === sorted[from]?.tsMs) to += 1
    if (to > from + 1) for (const [i, event] of sorted.slice(from, to).toSorted(inOrder).entries()) sorted[from + i] = event
  }
  return sorted
}

/** The earliest events of a template, whatever the order in which they come. */
class Stored {
  readonly id: string
  readonly #limit: number
  #kept: LogEvent[] = []
  #bound = Infinity

  constructor(id: string, limit: number) {
    this.id = id
    this.#limit = limit
  }

  wants(tsMs: number): boolean {
    return tsMs <= this.#bound && this.#limit > 0
  }

  add(event: LogEvent): void {
    this.#kept.push(event)
    // sorted only now and then: a log that runs backwards must not sort at every line
    if (this.#kept.length >= 2 * this.#limit) this.#kept = this.events()
    if (this.#kept.length === this.#limit) this.#bound = this.#kept.reduce((last, { tsMs }) => Math.max(last, tsMs), -Infinity)
  }

  events(): LogEvent[] {
    return this.#kept.length <= this.#limit ? this.#kept : this.#kept.toSorted(inOrder).slice(0, this.#limit)
  }
}
