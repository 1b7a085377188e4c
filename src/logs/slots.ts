/** The values of a template: what each is called, of what type it is, whether it names an entity, and who may see it. */
import { SEVERITY_TIER, type Severity } from '../contracts/index.ts'
import { partsOf, snakeCase, splitIdentifier } from '../kernel/text/index.ts'
import type { Part, ValueKind } from '../kernel/text/index.ts'
import type { LogRecord, LogSlot, SlotType } from './candidate.ts'
import { isPrivateName, isPrivateValue } from './pii.ts'
import { tally } from './tally.ts'
import type { Cluster } from './templates.ts'

export interface TypedSlot {
  readonly slot: LogSlot
  /** index into the cluster's parts */
  readonly position: number
  /** true where the values name things that events share: nodes, hosts, sessions */
  readonly entity: boolean
}

const TOP_VALUES = 20
/** A type holds for a slot when this share of its values has it: one odd line must not change the column. */
const TYPE_SHARE = 0.95

const ENTITY_NAMES: ReadonlySet<string> = new Set(
  `node host hostname nf session device router switch peer neighbor neighbour instance pod container vm machine
  server cell site interface port link cluster tenant volume disk queue topic shard replica worker job order
  resource element`.split(/\s+/),
)
const NEVER_ENTITY: ReadonlySet<string> = new Set(
  'version release build code status state reason cause level type mode date time duration size count amount'.split(' '),
)

const NO_NAME: ReadonlySet<string> = new Set(['duration', 'bytes', 'timestamp', 'text', 'quoted'])

/** The slots of a cluster, in the order in which they stand in the template. */
export function typeSlots(cluster: Cluster, severity: Severity): TypedSlot[] {
  const lines = cluster.records.map((record) => partsOf(record.message))
  const positions = cluster.parts.flatMap((part, position) => (part.slot ? [position] : []))
  const names = new Map<string, number>()
  return positions.map((position, slotIdx) => {
    const column = lines.flatMap((line) => line[position] ?? [])
    const base = nameOf(cluster, position, column)
    const seen = (names.get(base) ?? 0) + 1
    names.set(base, seen)
    return typedSlot({ name: seen === 1 ? base : `${base}_${seen}`, base, column, position, slotIdx, severity })
  })
}

interface SlotInput {
  readonly name: string
  readonly base: string
  readonly column: readonly Part[]
  readonly position: number
  readonly slotIdx: number
  readonly severity: Severity
}

function typedSlot({ name, base, column, position, slotIdx, severity }: SlotInput): TypedSlot {
  const values = tally(column, (part) => part.value)
  const { type, subtype } = typeOf(column, values.length)
  const piiRisk = isPrivateName(base) || values.some(([value]) => isPrivateValue(value))
  const topValues: [string, number][] = piiRisk ? [[`<${name}>`, column.length]] : values.slice(0, TOP_VALUES)
  const slot: LogSlot = {
    slotIdx, name, type, subtype, distinctCount: values.length, sampleCount: column.length, topValues, piiRisk,
    tier: piiRisk ? 'Restricted' : SEVERITY_TIER[severity],
  }
  return { slot, position, entity: !piiRisk && isEntity(base, type, subtype) }
}

/** The key before `=`, else the word before the value, else what kind of value it is. */
function nameOf(cluster: Cluster, position: number, column: readonly Part[]): string {
  const key = cluster.parts[position]?.key ?? ''
  const before = cluster.parts.slice(0, position).findLast((part) => part.slot || /\p{L}/u.test(part.shown))
  const word = key !== '' ? key : before !== undefined && !before.slot ? before.shown : ''
  return snakeCase(word) || tally(column, (part) => part.kind)[0]?.[0] || 'value'
}

const TYPES: Partial<Record<Part['kind'], SlotType>> = {
  iri: 'IRI', ip: 'IP', uuid: 'UUID', hex: 'HEX', number: 'NUMERIC', duration: 'NUMERIC', bytes: 'NUMERIC',
}
const SUBTYPES: Partial<Record<ValueKind, string>> = {
  duration: 'duration', bytes: 'bytes', email: 'e-mail', path: 'path', timestamp: 'timestamp', identifier: 'id',
  quoted: 'quoted', text: 'text',
}

function typeOf(column: readonly Part[], distinct: number): { type: SlotType; subtype: string } {
  const n = column.length
  const types = tally(column, (part) => TYPES[part.kind] ?? 'FREETEXT')
  const [kind = 'text', ofKind = 0] = tally(column, (part) => part.kind)[0] ?? []
  const subtype = ofKind >= TYPE_SHARE * n ? (SUBTYPES[kind as ValueKind] ?? '') : ''
  const [type = 'FREETEXT', ofType = 0] = types[0] ?? []
  if (type !== 'FREETEXT' && ofType >= TYPE_SHARE * n) return { type: type as SlotType, subtype }
  // few values that come again and again; from four lines on, as one line would make any slot an ENUM
  const few = n >= 4 && distinct <= 20 && distinct <= Math.sqrt(n)
  return { type: few ? 'ENUM' : 'FREETEXT', subtype }
}

/** By name (node, session_id), or by values that look like names of things; a measure is none, whatever it is called. */
function isEntity(name: string, type: SlotType, subtype: string): boolean {
  const words = splitIdentifier(name)
  const last = words.at(-1) ?? ''
  if (words.some((word) => NEVER_ENTITY.has(word)) || NO_NAME.has(subtype)) return false
  if (last === 'id') return true
  if (type === 'NUMERIC') return last === 'session'
  return ENTITY_NAMES.has(last) || type === 'UUID' || type === 'IP' || subtype === 'id'
}

/** `slot=value` of the entities in a record, sorted by the order of the slots' names. */
export function entitiesOf(record: LogRecord, slots: readonly TypedSlot[]): string[] {
  if (!slots.some((each) => each.entity)) return []
  const parts = partsOf(record.message)
  const found = slots.flatMap(({ entity, slot, position }) => {
    const value = parts[position]?.value ?? ''
    return entity && value !== '' ? [`${slot.name}=${value}`] : []
  })
  return [...new Set(found)].toSorted()
}

/** The message with private values replaced by the names of their slots. */
export function maskedMessage(record: LogRecord, slots: readonly TypedSlot[]): string {
  const parts = partsOf(record.message)
  let text = ''
  let reached = 0
  for (const { slot, position } of slots) {
    const part = parts[position]
    if (!slot.piiRisk || part === undefined) continue
    text += `${record.message.slice(reached, part.start)}<${slot.name}>`
    reached = part.end
  }
  return text + record.message.slice(reached)
}
