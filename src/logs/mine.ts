/** Records in, everything that mining finds out: the whole story of this room in one function. */
import { MINING, SEVERITIES } from '../contracts/index.ts'
import type { Severity } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { LogEvent, LogRecord, LogTemplate, Mined } from './candidate.ts'
import { candidatesOf } from './candidates.ts'
import type { Judged, Profile } from './candidates.ts'
import { edgeOf } from './causality/edge.ts'
import { findCauses } from './causality/judge.ts'
import { columnsOf } from './columns.ts'
import { eventNames } from './event-name.ts'
import { entitiesOf, maskedMessage, typeSlots } from './slots.ts'
import type { TypedSlot } from './slots.ts'
import { mainly, tally } from './tally.ts'
import { clusterRecords } from './templates.ts'
import type { Cluster, TemplateOptions } from './templates.ts'

export interface MineOptions extends TemplateOptions {
  readonly windowSeconds?: number
  /** chance in the surrogates of the transfer-entropy test */
  readonly seed?: number
  /** `stated` stops after the conditions of the gate as stated */
  readonly gate?: 'sound' | 'stated'
  /** counters of the reader, passed through */
  readonly skipped?: Readonly<Record<string, number>>
}

/** Pure: the same records in any order give the same result. */
export function mine(records: readonly LogRecord[], options: MineOptions = {}): Mined {
  const { windowSeconds = MINING.window_seconds, seed = 7, gate = 'sound', skipped = {} } = options
  const windowMs = windowSeconds * 1000
  const clusters = clusterRecords(records.toSorted(inOrder), options).map(described)
  const names = eventNames(clusters)
  const templates = clusters.map((each, i) => templateOf(each, names[i] ?? ''))
  const events = clusters.flatMap(eventsOf).toSorted(inOrder)
  const columns = columnsOf(events)
  const { judged: found, searched } = findCauses(columns, { windowMs, seed, gate })
  const judged = found.map((each): Judged => ({ ...each, edge: edgeOf(columns, each) }))
  const edges = judged.map(({ edge }) => edge)
  const candidates = candidatesOf({ templates, profiles: clusters.map(profileOf), events, columns, judged, windowSeconds })
  return { lines: records.length, skipped, templates, events, edges, searched, candidates }
}

/** By time, lines without one last; the place in the files decides between equals. */
function inOrder(x: LogRecord | LogEvent, y: LogRecord | LogEvent): number {
  const [first, second] = [x.tsMs ?? Infinity, y.tsMs ?? Infinity]
  return (first === second ? 0 : first - second) || compareText(x.file, y.file) || x.offset - y.offset
}

interface Described {
  readonly cluster: Cluster
  readonly severity: Severity
  readonly service: string
  readonly slots: readonly TypedSlot[]
}

function described(cluster: Cluster): Described {
  const severity = mainSeverity(cluster.records)
  return { cluster, severity, service: mainly(cluster.records, (record) => record.service), slots: typeSlots(cluster, severity) }
}

/** The most frequent one; of two equally frequent ones the graver, as it hides more. */
function mainSeverity(records: readonly LogRecord[]): Severity {
  const counts = new Map(tally(records, (record) => record.severity))
  return SEVERITIES.reduce<Severity>((best, each) => ((counts.get(each) ?? 0) >= (counts.get(best) ?? 0) ? each : best), 'DEBUG')
}

function profileOf({ cluster: { records }, severity, service }: Described): Profile {
  return {
    agreeing: records.filter((record) => record.severity === severity && record.service === service).length,
    severities: Object.fromEntries(tally(records, (record) => record.severity)),
    services: Object.fromEntries(tally(records, (record) => record.service)),
  }
}

function templateOf({ cluster, severity, service, slots }: Described, eventName: string): LogTemplate {
  const { id, template, records } = cluster
  const timed = records.filter((record) => record.tsMs !== null)
  const sample = records[0]
  return {
    clusterId: id,
    template,
    eventName,
    sampleLine: sample === undefined ? '' : maskedMessage(sample, slots),
    hits: records.length,
    firstSeen: iso(timed[0]),
    lastSeen: iso(timed.at(-1)),
    severity,
    service,
    slots: slots.map((each) => each.slot),
  }
}

const iso = (record: LogRecord | undefined): string => (record?.tsMs == null ? '' : new Date(record.tsMs).toISOString())

/** Lines without a time belong to their template but cannot take part in an order. */
function eventsOf({ cluster, slots }: Described): LogEvent[] {
  return cluster.records.flatMap((record) => {
    const { tsMs, service, trace, severity, file, offset } = record
    if (tsMs === null) return []
    return [{ clusterId: cluster.id, tsMs, service, trace, entities: entitiesOf(record, slots), severity, file, offset }]
  })
}
