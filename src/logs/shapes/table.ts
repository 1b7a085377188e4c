/**
 * The table of shapes: how often each came, when, at which severity and in which service, and what its slots held. Tables form
 * a commutative monoid, so any sharding of the lines in any order gives the same table.
 */
import { compareText } from '../../kernel/term.ts'
import { shapeOf } from './shape.ts'
import type { Part } from './shape.ts'
import { emptySketch, mergeSketch, sketchValues } from './sketch.ts'
import type { SlotSketch } from './sketch.ts'

/** A part as it is the same in all lines of the shape. */
export interface ShapePart {
  readonly slot: boolean
  /** the constant; empty for a slot */
  readonly text: string
  readonly spaced: boolean
  readonly key: string
}

export interface Shape {
  readonly key: string
  readonly parts: readonly ShapePart[]
  count: number
  readonly severities: Map<string, number>
  readonly services: Map<string, number>
  /** one per slot, in order */
  readonly slots: readonly SlotSketch[]
}

export type ShapeTable = Map<string, Shape>

export interface Line {
  readonly message: string
  readonly severity: string
  readonly service: string
}

/** Adds one line to the table and returns the key of its shape. */
export function addLine(table: ShapeTable, line: Line): string {
  const { key, parts } = shapeOf(line.message)
  let shape = table.get(key)
  if (shape === undefined) {
    shape = emptyShape(key, parts.map(shapePart))
    table.set(key, shape)
  }
  shape.count += 1
  count(shape.severities, line.severity, 1)
  count(shape.services, line.service, 1)
  let slot = 0
  for (const part of parts) {
    if (!part.slot) continue
    const sketch = shape.slots[slot]
    if (sketch !== undefined) sketchValues(sketch, line.message.slice(part.start, part.end), part.kind, 1)
    slot += 1
  }
  return key
}

const emptyShape = (key: string, parts: readonly ShapePart[]): Shape => ({
  key, parts, count: 0, severities: new Map(), services: new Map(),
  slots: parts.filter((part) => part.slot).map(emptySketch),
})

const shapePart = (part: Part): ShapePart =>
  part.slot
    ? { slot: true, text: '', spaced: part.spaced, key: part.key }
    : { slot: false, text: part.text, spaced: part.spaced, key: '' }

const count = (counts: Map<string, number>, name: string, by: number): void => {
  counts.set(name, (counts.get(name) ?? 0) + by)
}

/** Adds another table to this one, in place; `taken` over, the other is not copied, and nobody else may hold it. */
export function mergeTables(into: ShapeTable, other: ReadonlyMap<string, Shape>, taken = false): void {
  for (const shape of other.values()) {
    let own = into.get(shape.key)
    if (own === undefined && taken) {
      into.set(shape.key, shape)
      continue
    }
    if (own === undefined) {
      own = emptyShape(shape.key, shape.parts)
      into.set(shape.key, own)
    }
    own.count += shape.count
    for (const [name, by] of shape.severities) count(own.severities, name, by)
    for (const [name, by] of shape.services) count(own.services, name, by)
    for (const [i, sketch] of shape.slots.entries()) {
      const mine = own.slots[i]
      if (mine !== undefined) mergeSketch(mine, sketch)
    }
  }
}

/** The shapes in an order that depends on nothing but them. */
export const shapesOf = (table: ReadonlyMap<string, Shape>): Shape[] =>
  [...table.values()].toSorted((x, y) => compareText(x.key, y.key))
