/**
 * The rows of all states once more, now with templates instead of shapes: columns for the later stages, and how many lines agree
 * with what their template says of itself.
 */
import { LIMITS, SEVERITIES } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import { ENTITIES_PER_LINE, type EventColumns, emptyColumns } from '../columns.ts'
import type { ShapeFacts } from './partial.ts'
import { type Described, type EntityPlace, NOWHERE, type Placed, type RowSource, eachRun, placesOf } from './row-places.ts'
import type { Rows } from './rows.ts'
import { orderOf } from './time-order.ts'

export interface Relabelled {
  readonly columns: EventColumns
  /** lines per template that agree with its severity and service, and those with a time */
  readonly agreeing: readonly number[]
  readonly timed: readonly number[]
  /** templates that are too frequent to be held in columns, by index */
  readonly leftOut: readonly number[]
}

export interface RelabelOptions {
  readonly rowLimit?: number
}

export function relabel(
  sources: readonly RowSource[], described: readonly Described[], facts: ReadonlyMap<string, ShapeFacts>, { rowLimit = LIMITS.log_rows }: RelabelOptions = {},
): Relabelled {
  const timed = described.map(({ template }) => template.members.reduce((sum, { shape }) => sum + (facts.get(shape.key)?.timed ?? 0), 0))
  const leftOut = tooMany(timed, rowLimit)
  const files = sorted(sources.flatMap((source) => source.files))
  const services = sorted(sources.flatMap((source) => source.services))
  const slots = sorted(described.flatMap((each) => each.slots.flatMap(({ entity, slot }) => (entity ? [slot.name] : []))))
  const length = timed.reduce((sum, count, i) => (leftOut.has(i) ? sum : sum + count), 0)
  const templates = described.map(({ template }) => template.id)
  const filler = new Filler(emptyColumns(length, { templates, services, files, slots }), described, leftOut)
  eachRun(sources, (source) => {
    const indices = filler.indices(source)
    return (rows, first, last) => filler.block(rows, first, last, indices)
  })
  return { columns: inTimeOrder(filler.columns), agreeing: [...filler.agreeing], timed, leftOut: [...leftOut].toSorted((x, y) => x - y) }
}

const sorted = (names: readonly string[]): string[] => [...new Set(names)].toSorted(compareText)

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

class Filler {
  readonly columns: EventColumns
  readonly agreeing: Float64Array
  readonly #described: readonly Described[]
  readonly #leftOut: Uint8Array
  readonly #places: ReadonlyMap<string, Placed>
  readonly #slots: ReadonlyMap<string, number>
  #row = 0

  constructor(columns: EventColumns, described: readonly Described[], leftOut: ReadonlySet<number>) {
    this.columns = columns
    this.#described = described
    this.#leftOut = Uint8Array.from(described, (_, i) => (leftOut.has(i) ? 1 : 0))
    this.agreeing = new Float64Array(described.length)
    this.#places = placesOf(described)
    this.#slots = new Map(columns.slots.map((name, i) => [name, i]))
  }

  indices(source: RowSource): Indices {
    const places = source.shapes.map((key) => this.#places.get(key) ?? NOWHERE)
    const own = places.map(({ template }) => this.#described[template])
    return {
      template: Int32Array.from(places, ({ template }) => template),
      entities: places.map(({ entities }) => entities.map((each) => ({ ...each, index: this.#slots.get(each.name) ?? 0 }))),
      services: indicesIn(this.columns.services, source.services),
      files: indicesIn(this.columns.files, source.files),
      level: Int32Array.from(own, (each) => (each === undefined ? -1 : SEVERITIES.indexOf(each.severity))),
      service: Int32Array.from(own, (each) => (each === undefined ? -1 : source.services.indexOf(each.service))),
    }
  }

  block(rows: Rows, first: number, last: number, { template: templates, entities, services, files, level, service }: Indices): void {
    const { columns } = this
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
      if (Number.isNaN(ts) || this.#leftOut[template] === 1) continue
      const at = this.#row
      this.#row += 1
      columns.ts[at] = ts
      columns.template[at] = template
      columns.service[at] = services[rows.service[row] as number] as number
      columns.severity[at] = rows.level[row] as number
      columns.trace[at] = rows.trace[row] as number
      columns.file[at] = files[rows.file[row] as number] as number
      columns.offset[at] = rows.offset[row] as number
      const own = entities[shape] as readonly IndexedPlace[]
      if (own.length > 0) this.#entities(at, own, rows, start, value)
    }
  }

  #entities(at: number, entities: readonly IndexedPlace[], rows: Rows, start: number, end: number): void {
    let count = 0
    for (let i = 0; i < entities.length && count < ENTITIES_PER_LINE; i += 1) {
      const { slot, hash, index } = entities[i] as IndexedPlace
      let found = hash
      if (slot >= 0) for (let v = start; v < end; v += 1) if (rows.valueSlot[v] === slot) found = rows.valueHash[v] as number
      if (found === 0) continue
      this.columns.entity[at * ENTITIES_PER_LINE + count] = found
      this.columns.entitySlot[at * ENTITIES_PER_LINE + count] = index
      count += 1
    }
  }
}

/** With the place of its name among the slots of the columns. */
interface IndexedPlace extends EntityPlace {
  readonly index: number
}

/** What the numbers in the rows of a state stand for. */
interface Indices {
  /** by shape; -1 where it belongs to no template */
  readonly template: Int32Array
  readonly entities: readonly (readonly IndexedPlace[])[]
  /** by shape, what its template says of itself */
  readonly level: Int32Array
  readonly service: Int32Array
  readonly services: Int32Array
  readonly files: Int32Array
}

function indicesIn(all: readonly string[], names: readonly string[]): Int32Array {
  const index = new Map(all.map((name, i) => [name, i]))
  return Int32Array.from(names, (name) => index.get(name) ?? -1)
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
