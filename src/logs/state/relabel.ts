/**
 * The rows of all states once more, now with templates instead of shapes: columns for the later stages, the earliest lines of each
 * template as events to be stored, and how many lines agree with what their template says of itself.
 */
import { LIMITS, SEVERITIES, type Severity } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { LogEvent } from '../candidate.ts'
import { ENTITIES_PER_LINE, type EventColumns, emptyColumns } from '../columns.ts'
import { ValueHash } from '../shapes/scan-sketch.ts'
import type { ShapePart } from '../shapes/table.ts'
import type { Template, TypedSlot } from '../templates/index.ts'
import type { Segment, ShapeFacts } from './partial.ts'
import { type Rows, TextCursor } from './rows.ts'
import { type StateSource, eachBlock } from './sources.ts'

/** A template as far as it is known before the rows are looked at again. */
export interface Described {
  readonly template: Template
  /** of most of its lines */
  readonly severity: Severity
  /** of any of its lines: the text, the sample and the values come from all of them, so this says who may see them */
  readonly gravest: Severity
  readonly service: string
  readonly slots: readonly TypedSlot[]
}

/** A state without its shape table, which has been merged. */
export interface RowSource {
  readonly state: StateSource
  readonly files: readonly string[]
  readonly services: readonly string[]
  readonly segments: readonly Segment[]
  /** keys by the index that the rows use */
  readonly shapes: readonly string[]
}

export interface Relabelled {
  readonly columns: EventColumns
  readonly events: readonly LogEvent[]
  /** events that were not kept as such, as their template has enough */
  readonly unstored: number
  /** lines per template that agree with its severity and service, and those with a time */
  readonly agreeing: readonly number[]
  readonly timed: readonly number[]
  /** templates that are too frequent to be held in columns, by index */
  readonly leftOut: readonly number[]
}

export interface RelabelOptions {
  readonly rowLimit?: number
  readonly eventLimit?: number
}

export function relabel(
  sources: readonly RowSource[], described: readonly Described[], facts: ReadonlyMap<string, ShapeFacts>, options: RelabelOptions = {},
): Relabelled {
  const { rowLimit = LIMITS.log_rows, eventLimit = LIMITS.log_events_per_template } = options
  const timed = described.map(({ template }) => template.members.reduce((sum, { shape }) => sum + (facts.get(shape.key)?.timed ?? 0), 0))
  const leftOut = tooMany(timed, rowLimit)
  const files = sorted(sources.flatMap((source) => source.files))
  const services = sorted(sources.flatMap((source) => source.services))
  const slots = sorted(described.flatMap((each) => each.slots.flatMap(({ entity, slot }) => (entity ? [slot.name] : []))))
  const length = timed.reduce((sum, count, i) => (leftOut.has(i) ? sum : sum + count), 0)
  const templates = described.map(({ template }) => template.id)
  const filler = new Filler(emptyColumns(length, { templates, services, files, slots }), described, leftOut, eventLimit)
  for (const { source, from, to } of runsOf(sources)) filler.fill(source, from, to)
  const events = eventsInOrder(filler.stored.flatMap((stored) => stored.events()))
  return {
    columns: inTimeOrder(filler.columns), events, agreeing: [...filler.agreeing], timed,
    unstored: timed.reduce((sum, count) => sum + count, 0) - events.length, leftOut: [...leftOut].toSorted((x, y) => x - y),
  }
}

const sorted = (names: readonly string[]): string[] => [...new Set(names)].toSorted(compareText)

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

/** The most frequent ones, until the rest fits: whole templates, as half of the lines of one would look like a change. */
function tooMany(timed: readonly number[], limit: number): Set<number> {
  let sum = timed.reduce((all, count) => all + count, 0)
  const out = new Set<number>()
  for (const i of timed.keys().toArray().toSorted((x, y) => (timed[y] ?? 0) - (timed[x] ?? 0) || x - y)) {
    if (sum <= limit) break
    out.add(i)
    sum -= timed[i] ?? 0
  }
  return out
}

interface Run {
  readonly source: RowSource
  readonly file: string
  readonly offset: number
  /** rows of the state */
  readonly from: number
  to: number
}

/** The segments of all states by file and offset, neighbours of one state joined: an order that knows nothing of the sharding. */
function runsOf(sources: readonly RowSource[]): Run[] {
  const all = sources.flatMap((source) => {
    let row = 0
    return source.segments.map(({ file, offset, rows }): Run => {
      const from = row
      row += rows
      return { source, file: source.files[file] ?? '', offset, from, to: row }
    })
  })
  const runs: Run[] = []
  for (const run of all.toSorted((x, y) => compareText(x.file, y.file) || x.offset - y.offset)) {
    const last = runs.at(-1)
    if (last !== undefined && last.source === run.source && last.to === run.from) last.to = run.to
    else runs.push({ ...run })
  }
  return runs
}

/** Where a template finds an entity in the lines of a shape: in a slot, or in words that all its lines share. */
interface EntityPlace {
  readonly name: string
  /** of the name among the slots of the columns */
  readonly index: number
  readonly slot: number
  readonly text: string
  readonly hash: number
}

interface Placed {
  readonly template: number
  readonly entities: readonly EntityPlace[]
}

/** The earliest events of a template, whatever the order in which they come. */
class Stored {
  readonly #limit: number
  #kept: LogEvent[] = []
  #bound = Infinity

  constructor(limit: number) {
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

class Filler {
  readonly columns: EventColumns
  readonly agreeing: Float64Array
  readonly stored: readonly Stored[]
  readonly #described: readonly Described[]
  readonly #leftOut: Uint8Array
  readonly #places = new Map<string, Placed>()
  #row = 0

  constructor(columns: EventColumns, described: readonly Described[], leftOut: ReadonlySet<number>, eventLimit: number) {
    this.columns = columns
    this.#described = described
    this.#leftOut = Uint8Array.from(described, (_, i) => (leftOut.has(i) ? 1 : 0))
    this.agreeing = new Float64Array(described.length)
    this.stored = described.map(() => new Stored(eventLimit))
    const slotIndex = new Map(columns.slots.map((name, i) => [name, i]))
    for (const [template, { template: { members }, slots }] of described.entries()) {
      for (const { shape, spans } of members) {
        const entities = slots.flatMap(({ entity, slot }, i) =>
          (entity ? placeOf({ name: slot.name, index: slotIndex.get(slot.name) ?? 0 }, shape.parts, spans[i] ?? [0, 0]) : []))
        this.#places.set(shape.key, { template, entities })
      }
    }
  }

  fill(source: RowSource, from: number, to: number): void {
    const places = source.shapes.map((key) => this.#places.get(key) ?? NOWHERE)
    const own = places.map(({ template }) => this.#described[template])
    const indices: Indices = {
      source,
      template: Int32Array.from(places, ({ template }) => template),
      entities: places.map(({ entities }) => entities),
      services: indicesIn(this.columns.services, source.services),
      files: indicesIn(this.columns.files, source.files),
      level: Int32Array.from(own, (each) => (each === undefined ? -1 : SEVERITIES.indexOf(each.severity))),
      service: Int32Array.from(own, (each) => (each === undefined ? -1 : source.services.indexOf(each.service))),
    }
    let base = 0
    eachBlock(source.state, (rows) => {
      const [first, last] = [Math.max(0, from - base), Math.min(rows.rows, to - base)]
      base += rows.rows
      if (first < last) this.#block(rows, first, last, indices)
    })
  }

  #block(rows: Rows, first: number, last: number, indices: Indices): void {
    const { columns, stored } = this
    const { template: templates, entities, services, files, level, service } = indices
    const texts = new TextCursor(rows)
    let value = 0
    for (let row = 0; row < first; row += 1) value += rows.values[row] as number
    for (let row = first; row < last; row += 1) {
      const start = value
      value += rows.values[row] as number
      const shape = rows.shape[row] as number
      const template = templates[shape] as number
      if (!(template >= 0)) continue
      if (rows.level[row] === level[shape] && rows.service[row] === service[shape]) this.agreeing[template]! += 1
      const ts = rows.ts[row] as number
      if (Number.isNaN(ts)) continue
      while (texts.row < row) texts.next()
      if (texts.row === row && (stored[template] as Stored).wants(ts)) this.#store(rows, row, template, indices, texts)
      if (this.#leftOut[template] === 1) continue
      const at = this.#row
      this.#row += 1
      columns.ts[at] = ts
      columns.template[at] = template
      columns.service[at] = services[rows.service[row] as number] as number
      columns.severity[at] = rows.level[row] as number
      columns.trace[at] = rows.trace[row] as number
      columns.file[at] = files[rows.file[row] as number] as number
      columns.offset[at] = rows.offset[row] as number
      const own = entities[shape] as readonly EntityPlace[]
      if (own.length > 0) this.#entities(at, own, rows, start, value)
    }
  }

  #entities(at: number, entities: readonly EntityPlace[], rows: Rows, start: number, end: number): void {
    let count = 0
    for (let i = 0; i < entities.length && count < ENTITIES_PER_LINE; i += 1) {
      const { slot, hash, index } = entities[i] as EntityPlace
      let found = hash
      if (slot >= 0) for (let v = start; v < end; v += 1) if (rows.valueSlot[v] === slot) found = rows.valueHash[v] as number
      if (found === 0) continue
      this.columns.entity[at * ENTITIES_PER_LINE + count] = found
      this.columns.entitySlot[at * ENTITIES_PER_LINE + count] = index
      count += 1
    }
  }

  #store(rows: Rows, row: number, template: number, { source, entities }: Indices, texts: TextCursor): void {
    const named: string[] = []
    for (const { name, slot, text } of entities[rows.shape[row] as number] as readonly EntityPlace[]) {
      const own = slot < 0 ? text : texts.value(slot)
      if (own !== '') named.push(`${name}=${own}`)
    }
    this.stored[template]?.add({
      clusterId: this.columns.templates[template] as string,
      tsMs: rows.ts[row] as number,
      service: source.services[rows.service[row] as number] as string,
      trace: texts.trace,
      entities: named.length < 2 ? named : [...new Set(named)].toSorted(),
      severity: SEVERITIES[rows.level[row] as number] as Severity,
      file: source.files[rows.file[row] as number] as string,
      offset: rows.offset[row] as number,
    })
  }
}

/** What the numbers in the rows of a state stand for. */
interface Indices {
  readonly source: RowSource
  /** by shape; -1 where it belongs to no template */
  readonly template: Int32Array
  readonly entities: readonly (readonly EntityPlace[])[]
  /** by shape, what its template says of itself */
  readonly level: Int32Array
  readonly service: Int32Array
  readonly services: Int32Array
  readonly files: Int32Array
}

const NOWHERE: Placed = { template: -1, entities: [] }

function indicesIn(all: readonly string[], names: readonly string[]): Int32Array {
  const index = new Map(all.map((name, i) => [name, i]))
  return Int32Array.from(names, (name) => index.get(name) ?? -1)
}

function placeOf(named: Pick<EntityPlace, 'name' | 'index'>, parts: readonly ShapePart[], [from, to]: readonly [number, number]): EntityPlace[] {
  const inside = parts.slice(from, to)
  if (inside.length === 1 && inside[0]?.slot === true) {
    return [{ ...named, slot: parts.slice(0, from).filter((part) => part.slot).length, text: '', hash: 0 }]
  }
  // a value made of words and slots has no hash of its own in the rows
  if (inside.length === 0 || inside.some((part) => part.slot)) return []
  const text = inside.map((part, i) => (part.spaced && i > 0 ? ' ' : '') + part.text).join('')
  const bytes = Buffer.from(text, 'utf8')
  const fnv = new ValueHash()
  fnv.over(bytes, 0, bytes.length)
  return [{ ...named, slot: -1, text, hash: (fnv.high ^ fnv.low) >>> 0 || 1 }]
}

/** By time, equal times in the order they have: by file and offset. */
function inTimeOrder(columns: EventColumns): EventColumns {
  const { length, ts } = columns
  let ordered = true
  for (let i = 1; i < length && ordered; i += 1) ordered = (ts[i] as number) >= (ts[i - 1] as number)
  if (ordered) return columns
  const order = orderOf(ts)
  const out = emptyColumns(length, columns)
  for (let i = 0; i < length; i += 1) {
    const from = order[i] as number
    for (const name of ['ts', 'template', 'service', 'severity', 'trace', 'file', 'offset'] as const) out[name][i] = columns[name][from] as number
    for (let e = 0; e < ENTITIES_PER_LINE; e += 1) {
      out.entity[i * ENTITIES_PER_LINE + e] = columns.entity[from * ENTITIES_PER_LINE + e] as number
      out.entitySlot[i * ENTITIES_PER_LINE + e] = columns.entitySlot[from * ENTITIES_PER_LINE + e] as number
    }
  }
  return out
}

/** Sorting numbers is many times faster than sorting by a function: time and place in one number, where both fit into one. */
function orderOf(ts: Float64Array): Uint32Array {
  const least = ts.reduce((min, value) => Math.min(min, value), Infinity)
  const span = ts.reduce((max, value) => Math.max(max, value), -Infinity) - least + 1
  if (span * ts.length > Number.MAX_SAFE_INTEGER || ts.some((value) => !Number.isInteger(value))) {
    return Uint32Array.from(ts.keys()).toSorted((x, y) => (ts[x] as number) - (ts[y] as number) || x - y)
  }
  const keys = ts.map((value, i) => (value - least) * ts.length + i).toSorted()
  return Uint32Array.from(keys, (key) => key % ts.length)
}
