/** Records in, everything that mining finds out: the whole story of this room in one function. */
import { MINING, SEVERITIES } from '../contracts/index.ts'
import type { Severity } from '../contracts/index.ts'
import { quantile } from '../kernel/stats/index.ts'
import { compareText } from '../kernel/term.ts'
import type { LogEdge, LogEvent, LogRecord, LogTemplate, Mined } from './candidate.ts'
import { candidatesOf } from './candidates.ts'
import type { Judged, Profile } from './candidates.ts'
import { judge } from './causality.ts'
import type { Verdict } from './causality.ts'
import { eventLinks } from './graph.ts'
import type { EventLink } from './graph.ts'
import { mainly, rounded, tally } from './tally.ts'
import { shapeOf } from './shapes/index.ts'
import { entitiesOf, eventNames, maskedMessage, slotRanges, templatesOfRecords, typeSlots } from './templates/index.ts'
import type { RecordedTemplate, TemplateOptions, TypedSlot } from './templates/index.ts'

export interface MineOptions extends TemplateOptions {
  readonly windowSeconds?: number
  /** chance in the surrogates of the transfer-entropy test */
  readonly seed?: number
  /** counters of the reader, passed through */
  readonly skipped?: Readonly<Record<string, number>>
}

/** Pure: the same records in any order give the same result. */
export function mine(records: readonly LogRecord[], options: MineOptions = {}): Mined {
  const { windowSeconds = MINING.window_seconds, seed = 7, skipped = {} } = options
  const windowMs = windowSeconds * 1000
  const clusters = templatesOfRecords(records.toSorted(inOrder), options).map(described)
  const names = eventNames(clusters)
  const templates = clusters.map((each, i) => templateOf(each, names[i] ?? ''))
  const events = clusters.flatMap(eventsOf).toSorted(inOrder)
  const [startMs, endMs] = [events[0]?.tsMs ?? 0, events.at(-1)?.tsMs ?? 0]
  const judged = eventLinks(events, windowMs).map((link): Judged => {
    const verdict = judge(link, { startMs, endMs, windowMs, seed })
    return { link, verdict, edge: edgeOf(link, verdict) }
  })
  const edges = judged.map(({ edge }) => edge)
  const candidates = candidatesOf({ templates, profiles: clusters.map(profileOf), events, judged, windowSeconds })
  return { lines: records.length, skipped, templates, events, edges, candidates }
}

/** By time, lines without one last; the place in the files decides between equals. */
function inOrder(x: LogRecord | LogEvent, y: LogRecord | LogEvent): number {
  const [first, second] = [x.tsMs ?? Infinity, y.tsMs ?? Infinity]
  return (first === second ? 0 : first - second) || compareText(x.file, y.file) || x.offset - y.offset
}

interface Described extends RecordedTemplate {
  readonly severity: Severity
  readonly service: string
  readonly slots: readonly TypedSlot[]
}

function described({ template, records }: RecordedTemplate): Described {
  const severity = mainSeverity(records)
  const service = mainly(records, (record) => record.service)
  return { template, records, severity, service, slots: typeSlots(template, severity) }
}

/** The most frequent one; of two equally frequent ones the graver, as it hides more. */
function mainSeverity(records: readonly LogRecord[]): Severity {
  const counts = new Map(tally(records, (record) => record.severity))
  return SEVERITIES.reduce<Severity>((best, each) => ((counts.get(each) ?? 0) >= (counts.get(best) ?? 0) ? each : best), 'DEBUG')
}

function profileOf({ records, severity, service }: Described): Profile {
  return {
    agreeing: records.filter((record) => record.severity === severity && record.service === service).length,
    severities: Object.fromEntries(tally(records, (record) => record.severity)),
    services: Object.fromEntries(tally(records, (record) => record.service)),
  }
}

function templateOf({ template, records, severity, service, slots }: Described, eventName: string): LogTemplate {
  const timed = records.filter((record) => record.tsMs !== null)
  const sample = records[0]
  return {
    clusterId: template.id,
    template: template.text,
    eventName,
    sampleLine: sample === undefined ? '' : maskedMessage(sample.message, rangesOf(template, sample), slots),
    hits: records.length,
    firstSeen: iso(timed[0]),
    lastSeen: iso(timed.at(-1)),
    severity,
    service,
    slots: slots.map((each) => each.slot),
  }
}

const iso = (record: LogRecord | undefined): string => (record?.tsMs == null ? '' : new Date(record.tsMs).toISOString())
const figure = (value: number | null): number | null => (value === null ? null : rounded(value))

/** Lines without a time belong to their template but cannot take part in an order. */
function eventsOf({ template, records, slots }: Described): LogEvent[] {
  const named = slots.some((each) => each.entity)
  return records.flatMap((record) => {
    const { tsMs, service, trace, severity, file, offset } = record
    if (tsMs === null) return []
    const entities = named ? entitiesOf(record.message, rangesOf(template, record), slots) : []
    return [{ clusterId: template.id, tsMs, service, trace, entities, severity, file, offset }]
  })
}

const rangesOf = (template: RecordedTemplate['template'], { message }: LogRecord): [number, number][] =>
  slotRanges(template, message, shapeOf(message).key)

function edgeOf(link: EventLink, verdict: Verdict): LogEdge {
  const lags = link.sightings.map((pair) => pair.lagMs)
  return {
    src: link.src,
    dst: link.dst,
    srcKind: 'event',
    dstKind: 'event',
    pmi: rounded(link.pmi),
    cooccurrenceCount: link.lead.before + link.lead.after + link.lead.tied,
    temporalLeadRatio: rounded(link.leadRatio),
    directed: link.leadRatio > MINING.gate_temporal_lead_ratio,
    lagMsP50: figure(quantile(lags, 0.5)),
    lagMsP95: figure(quantile(lags, 0.95)),
    grangerP: figure(verdict.grangerP),
    teZ: figure(verdict.teZ),
    verdict: verdict.verdict,
    failedConditions: verdict.failed,
    sharedEntity: link.sharedEntity,
  }
}
