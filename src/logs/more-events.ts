/**
 * Further occurrences to be stored, beyond the earliest of each template: those that a reviewer may soon ask for, as far as they
 * fit. They come from the columns, which know a thing by its hash; its name is that of an equal hash among the earliest. A thing that
 * none of them names keeps its hash for a name: equal things stay equal, and nothing is made up. Only where all the earliest lines
 * of the template name theirs, though: where one was withheld, what is not known may have to be withheld as well.
 */
import { LIMITS, SEVERITIES, type Severity } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { LogEdge, LogEvent } from './candidate.ts'
import { ENTITIES_PER_LINE, type EventColumns } from './columns.ts'
import { ValueHash } from './shapes/scan-sketch.ts'

/** All in the order of time; `stored` holds the earliest of each template in that order. */
export function moreEvents(
  columns: EventColumns, stored: readonly LogEvent[], edges: readonly LogEdge[], limit: number = LIMITS.log_events_stored,
): LogEvent[] {
  const kept = new Map<string, number>()
  for (const { clusterId } of stored) kept.set(clusterId, (kept.get(clusterId) ?? 0) + 1)
  const timed = countsOf(columns)
  const wanted = wantedTemplates(columns, timed, kept, edges, limit - stored.length)
  if (wanted.size === 0) return [...stored]
  const names = namesOf(stored, kept)
  const passed = new Uint32Array(columns.templates.length)
  const more: LogEvent[] = []
  for (let row = 0; row < columns.length; row += 1) {
    const template = columns.template[row] as number
    if (!wanted.has(template) || Number.isNaN(columns.ts[row] as number)) continue
    // the columns are in the order of time too, so these are the ones that are stored
    passed[template]! += 1
    if ((passed[template] as number) > (kept.get(columns.templates[template] as string) ?? 0)) more.push(eventAt(columns, row, names))
  }
  return [...stored, ...more].toSorted((x, y) => x.tsMs - y.tsMs || compareText(x.file, y.file) || x.offset - y.offset)
}

/** Whole templates: ends of causal edges, then of other edges, then the rarest, until the room is taken. */
function wantedTemplates(
  { templates }: EventColumns, timed: Uint32Array, kept: ReadonlyMap<string, number>, edges: readonly LogEdge[], room: number,
): Set<number> {
  const worth = new Map<string, number>()
  for (const { src, dst, verdict } of edges) {
    for (const id of [src, dst]) worth.set(id, Math.max(worth.get(id) ?? 0, verdict === 'LOG_CAUSAL_EDGE' ? 2 : 1))
  }
  const missing = (i: number): number => (timed[i] as number) - (kept.get(templates[i] as string) ?? 0)
  const order = templates
    .keys()
    .filter((i) => missing(i) > 0 && kept.has(templates[i] as string))
    .toArray()
    .toSorted((x, y) => (worth.get(templates[y] as string) ?? 0) - (worth.get(templates[x] as string) ?? 0) || missing(x) - missing(y) || x - y)
  const wanted = new Set<number>()
  let left = room
  for (const i of order) {
    if (missing(i) > left) continue
    wanted.add(i)
    left -= missing(i)
  }
  return wanted
}

function countsOf({ length, template, templates, ts }: EventColumns): Uint32Array {
  const counts = new Uint32Array(templates.length)
  for (let row = 0; row < length; row += 1) if (!Number.isNaN(ts[row] as number)) counts[template[row] as number]! += 1
  return counts
}

interface Names {
  readonly entities: ReadonlyMap<number, string | null>
  readonly traces: ReadonlyMap<number, string | null>
  /** template and slot -> earliest lines that name a thing there */
  readonly named: ReadonlyMap<string, number>
  readonly kept: ReadonlyMap<string, number>
}

const placeOf = (clusterId: string, slot: string): string => `${clusterId} ${slot}`

/** Two names of one hash are none. */
function namesOf(stored: readonly LogEvent[], kept: ReadonlyMap<string, number>): Names {
  const [entities, traces] = [new Map<number, string | null>(), new Map<number, string | null>()]
  const named = new Map<string, number>()
  const hash = new ValueHash()
  const over = (text: string): ValueHash => {
    const bytes = Buffer.from(text, 'utf8')
    hash.over(bytes, 0, bytes.length)
    return hash
  }
  const note = (names: Map<number, string | null>, key: number, text: string) => {
    const known = names.get(key)
    names.set(key, known === undefined || known === text ? text : null)
  }
  for (const event of stored) {
    for (const entity of event.entities) {
      const at = entity.indexOf('=')
      const place = placeOf(event.clusterId, entity.slice(0, at))
      named.set(place, (named.get(place) ?? 0) + 1)
      const { high, low } = over(entity.slice(at + 1))
      note(entities, (high ^ low) >>> 0 || 1, entity.slice(at + 1))
    }
    if (event.trace === '') continue
    const { high, low } = over(event.trace)
    note(traces, (high & 0xf_ffff) * 0x1_0000_0000 + (low >>> 0) || 1, event.trace)
  }
  return { entities, traces, named, kept }
}

function eventAt(columns: EventColumns, row: number, names: Names): LogEvent {
  const clusterId = columns.templates[columns.template[row] as number] as string
  const entities: string[] = []
  for (let i = row * ENTITIES_PER_LINE; i < (row + 1) * ENTITIES_PER_LINE; i += 1) {
    const hash = columns.entity[i] as number
    if (hash === 0) continue
    const slot = columns.slots[columns.entitySlot[i] as number] as string
    const isOpen = (names.named.get(placeOf(clusterId, slot)) ?? 0) >= (names.kept.get(clusterId) ?? 0)
    const name = names.entities.get(hash) ?? (isOpen ? opaque(hash) : null)
    if (name !== null) entities.push(`${slot}=${name}`)
  }
  const trace = columns.trace[row] as number
  return {
    clusterId,
    tsMs: columns.ts[row] as number,
    service: columns.services[columns.service[row] as number] as string,
    trace: trace === 0 ? '' : (names.traces.get(trace) ?? opaque(trace)),
    entities: [...new Set(entities)].toSorted(compareText),
    severity: SEVERITIES[columns.severity[row] as number] as Severity,
    file: columns.files[columns.file[row] as number] as string,
    offset: columns.offset[row] as number,
  }
}

/** `#1f2e3d4c`: no value of a log that names a thing begins so. */
const opaque = (hash: number): string => `#${hash.toString(16)}`
