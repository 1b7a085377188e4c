/**
 * What the stages after templates read of a log: one row per line, as columns of numbers. Names stand once, in lists that the
 * columns point into. Entities and traces are kept as hashes: only whether two are equal matters, and 0 means none.
 */
import { SEVERITIES } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { LogEvent } from './candidate.ts'

/** Entities kept of one line; further ones are left out. */
export const ENTITIES_PER_LINE = 4

export interface EventColumns {
  readonly length: number
  /** cluster ids, services, files and names of entity slots that the columns point into */
  readonly templates: readonly string[]
  readonly services: readonly string[]
  readonly files: readonly string[]
  readonly slots: readonly string[]
  /** milliseconds; NaN where the line has no time */
  readonly ts: Float64Array
  readonly template: Uint32Array
  readonly service: Uint16Array
  /** index into SEVERITIES */
  readonly severity: Uint8Array
  /** 52 bits of the trace's hash */
  readonly trace: Float64Array
  /** ENTITIES_PER_LINE places for each line: the hash of a value, and the slot it stood in */
  readonly entity: Uint32Array
  readonly entitySlot: Uint16Array
  readonly file: Uint32Array
  readonly offset: Float64Array
}

/** The columns of events, in the order given. Names are numbered in code-unit order, so that equal events give equal columns. */
export function columnsOf(events: readonly LogEvent[]): EventColumns {
  const templates = namesOf(events.map((event) => event.clusterId))
  const services = namesOf(events.map((event) => event.service))
  const files = namesOf(events.map((event) => event.file))
  const slots = namesOf(events.flatMap((event) => event.entities.map(slotName)))
  const names = { templates: templates.list, services: services.list, files: files.list, slots: slots.list }
  const columns = emptyColumns(events.length, names)
  for (const [row, event] of events.entries()) {
    columns.ts[row] = event.tsMs
    columns.template[row] = templates.at(event.clusterId)
    columns.service[row] = services.at(event.service)
    columns.severity[row] = SEVERITIES.indexOf(event.severity)
    columns.trace[row] = event.trace === '' ? 0 : wideHash(event.trace)
    columns.file[row] = files.at(event.file)
    columns.offset[row] = event.offset
    for (const [i, entity] of event.entities.slice(0, ENTITIES_PER_LINE).entries()) {
      columns.entity[row * ENTITIES_PER_LINE + i] = entityHash(entity.slice(entity.indexOf('=') + 1))
      columns.entitySlot[row * ENTITIES_PER_LINE + i] = slots.at(slotName(entity))
    }
  }
  return columns
}

/** Columns of a known length, all zero, for a builder to fill. */
export function emptyColumns(
  length: number, names: Pick<EventColumns, 'templates' | 'services' | 'files' | 'slots'>,
): EventColumns {
  return {
    length, ...names,
    ts: new Float64Array(length),
    template: new Uint32Array(length),
    service: new Uint16Array(length),
    severity: new Uint8Array(length),
    trace: new Float64Array(length),
    entity: new Uint32Array(length * ENTITIES_PER_LINE),
    entitySlot: new Uint16Array(length * ENTITIES_PER_LINE),
    file: new Uint32Array(length),
    offset: new Float64Array(length),
  }
}

const slotName = (entity: string): string => entity.slice(0, entity.indexOf('='))

function namesOf(names: readonly string[]): { list: string[]; at: (name: string) => number } {
  const list = [...new Set(names)].toSorted(compareText)
  const index = new Map(list.map((name, i) => [name, i]))
  return { list, at: (name) => index.get(name) ?? 0 }
}

/** 32 bits of a value, never 0: FNV-1a over its code units, mixed as in MurmurHash3's last step. */
export function entityHash(text: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0 || 1
}

/** 52 bits, so that among a million traces two hardly ever fall together. */
const wideHash = (text: string): number => entityHash(text) * 0x10_0000 + (entityHash(text, 0x9e3779b9) & 0xf_ffff)
