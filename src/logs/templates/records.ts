/** Records in memory through the shape table to templates, each with its records in their settled order. */
import type { LogRecord } from '../candidate.ts'
import { addLine, partsOf } from '../shapes/index.ts'
import type { ShapeTable } from '../shapes/index.ts'
import { hidePrivate, isPrivateValue } from './pii.ts'
import type { TypedSlot } from './slots.ts'
import { templatesOf } from './templates.ts'
import type { Template, TemplateOptions } from './templates.ts'

export interface RecordedTemplate {
  readonly template: Template
  readonly records: readonly LogRecord[]
}

/** The templates of the records, most hits first. */
export function templatesOfRecords(records: readonly LogRecord[], options: TemplateOptions = {}): RecordedTemplate[] {
  const table: ShapeTable = new Map()
  const keys = records.map((record) => addLine(table, record))
  const { templates, templateOfShape } = templatesOf(table, options)
  const own = new Map<string, LogRecord[]>(templates.map(({ id }) => [id, []]))
  for (const [i, record] of records.entries()) own.get(templateOfShape.get(keys[i] ?? '') ?? '')?.push(record)
  return templates.map((template) => ({ template, records: own.get(template.id) ?? [] }))
}

/** Where the slots of the template lie in a message: one range per slot, empty where the message has nothing there. */
export function slotRanges(template: Template, message: string, shapeKey: string): [start: number, end: number][] {
  const member = template.members.find(({ shape }) => shape.key === shapeKey)
  const parts = partsOf(message)
  return (member?.spans ?? []).map(([from, to]) => {
    const start = parts[from]?.start ?? message.length
    return [start, to > from ? (parts[to - 1]?.end ?? start) : start]
  })
}

/** `slot=value` of the entities in a message, sorted. */
export function entitiesOf(message: string, ranges: readonly (readonly [number, number])[], slots: readonly TypedSlot[]): string[] {
  const found = slots.flatMap(({ entity, slot }, i) => {
    const [start, end] = ranges[i] ?? [0, 0]
    return entity && end > start && !isPrivateValue(message.slice(start, end)) ? [`${slot.name}=${message.slice(start, end)}`] : []
  })
  return [...new Set(found)].toSorted()
}

/** The message with private values replaced by the names of their slots; a private value is hidden in any slot. */
export function maskedMessage(message: string, ranges: readonly (readonly [number, number])[], slots: readonly TypedSlot[]): string {
  let text = ''
  let reached = 0
  for (const [i, { slot }] of slots.entries()) {
    const [start, end] = ranges[i] ?? [0, 0]
    if (end <= start || start < reached || !(slot.piiRisk || isPrivateValue(message.slice(start, end)))) continue
    text += `${hidePrivate(message.slice(reached, start))}<${slot.name}>`
    reached = end
  }
  return text + hidePrivate(message.slice(reached))
}
