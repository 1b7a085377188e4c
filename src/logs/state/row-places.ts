/** What the rows of a state have to be told once the templates are known: in which order they come, and where entities stand. */
import type { Severity } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import { ValueHash } from '../shapes/scan-sketch.ts'
import type { ShapePart } from '../shapes/table.ts'
import type { Template, TypedSlot } from '../templates/index.ts'
import type { Segment } from './partial.ts'
import type { Rows } from './rows.ts'
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

/** Rows `first` to `last` of each block, in an order that knows nothing of the sharding. */
export function eachRun(
  sources: readonly RowSource[], start: (source: RowSource) => (rows: Rows, first: number, last: number) => void,
): void {
  for (const { source, from, to } of runsOf(sources)) {
    const use = start(source)
    let base = 0
    eachBlock(source.state, (rows) => {
      const [first, last] = [Math.max(0, from - base), Math.min(rows.rows, to - base)]
      base += rows.rows
      if (first < last) use(rows, first, last)
    })
  }
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
export interface EntityPlace {
  readonly name: string
  readonly slot: number
  readonly text: string
  readonly hash: number
}

export interface Placed {
  readonly template: number
  readonly entities: readonly EntityPlace[]
}

export const NOWHERE: Placed = { template: -1, entities: [] }

/** By the keys of the shapes. */
export function placesOf(described: readonly Described[]): Map<string, Placed> {
  const places = new Map<string, Placed>()
  for (const [template, { template: { members }, slots }] of described.entries()) {
    for (const { shape, spans } of members) {
      const entities = slots.flatMap(({ entity, slot }, i) => (entity ? placeOf(slot.name, shape.parts, spans[i] ?? [0, 0]) : []))
      places.set(shape.key, { template, entities })
    }
  }
  return places
}

function placeOf(name: string, parts: readonly ShapePart[], [from, to]: readonly [number, number]): EntityPlace[] {
  const inside = parts.slice(from, to)
  if (inside.length === 1 && inside[0]?.slot === true) {
    return [{ name, slot: parts.slice(0, from).filter((part) => part.slot).length, text: '', hash: 0 }]
  }
  // a value made of words and slots has no hash of its own in the rows
  if (inside.length === 0 || inside.some((part) => part.slot)) return []
  const text = inside.map((part, i) => (part.spaced && i > 0 ? ' ' : '') + part.text).join('')
  const bytes = Buffer.from(text, 'utf8')
  const fnv = new ValueHash()
  fnv.over(bytes, 0, bytes.length)
  return [{ name, slot: -1, text, hash: (fnv.high ^ fnv.low) >>> 0 || 1 }]
}
