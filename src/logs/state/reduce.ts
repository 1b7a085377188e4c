/** Partial states in any order and number into what the whole log says: templates with typed slots, events, columns. */
import { SEVERITIES, type Severity } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { LogEvent, LogTemplate } from '../candidate.ts'
import type { Profile } from '../candidates.ts'
import type { EventColumns } from '../columns.ts'
import { type ReadCounts, inKeyOrder } from '../read/counts.ts'
import { eventNames, maskedMessage, slotRanges, templatesOf, typeSlots } from '../templates/index.ts'
import type { Template, TemplateOptions } from '../templates/index.ts'
import { type MergeLimits, mergeStates } from './merge-states.ts'
import { type MergedTable, type ShapeFacts, isEarlier, noFacts } from './partial.ts'
import { type RelabelOptions, relabel } from './relabel.ts'
import type { Described, RowSource } from './row-places.ts'
import type { StateSource } from './sources.ts'
import { type EventOptions, storedEvents } from './stored-events.ts'

/** Without the events that are stored one by one. */
export interface ReducedRows {
  readonly counts: ReadCounts
  readonly shapes: number
  /** records that found no room in a table of shapes; where it was the table of one state, the result depends on how the log was cut */
  readonly overflow: number
  readonly templates: readonly LogTemplate[]
  /** in the order of the templates */
  readonly profiles: readonly Profile[]
  readonly columns: EventColumns
  /** templates too frequent for the later stages */
  readonly leftOut: readonly string[]
}

export interface Reduced extends ReducedRows {
  /** the earliest events of each template, in the order of time */
  readonly events: readonly LogEvent[]
  /** events that were not kept as such, as their template has enough */
  readonly unstored: number
}

export type ReduceOptions = TemplateOptions & RelabelOptions & EventOptions & MergeLimits

export interface ReducedTemplates {
  readonly merged: MergedTable
  readonly described: readonly Described[]
  readonly templates: readonly LogTemplate[]
  readonly sources: readonly RowSource[]
}

/** Templates and slots only: what can be said before the rows are looked at again. */
export function reduceTemplates(states: readonly StateSource[], options: TemplateOptions & MergeLimits = {}): ReducedTemplates {
  const sources: RowSource[] = []
  const merged = mergeStates(states, (state, { files, services, segments, shapes }) => void sources.push({ state, files, services, segments, shapes }), options)
  const described = templatesOf(merged.table, options).templates.map(describe)
  const names = eventNames(described)
  return { merged, described, templates: described.map((each, i) => templateOf(each, names[i] ?? '', merged.facts)), sources }
}

export function reduceStates(states: readonly StateSource[], options: ReduceOptions = {}): Reduced {
  const templates = reduceTemplates(states, options)
  return withEvents(templates, reduceRows(templates, options), options)
}

export function withEvents(templates: ReducedTemplates, rows: ReducedRows, options: EventOptions = {}): Reduced {
  const events = storedEvents(templates, options)
  return { ...rows, events, unstored: rows.profiles.reduce((sum, { timed }) => sum + timed, 0) - events.length }
}

/** A template for each line. */
export function reduceRows({ merged, described, templates, sources }: ReducedTemplates, options: RelabelOptions = {}): ReducedRows {
  const { columns, agreeing, timed, leftOut } = relabel(sources, described, merged.facts, options)
  const profiles = described.map((each, i): Profile => ({
    agreeing: agreeing[i] ?? 0,
    timed: timed[i] ?? 0,
    severities: tallied(each.template, 'severities'),
    services: tallied(each.template, 'services'),
  }))
  return {
    counts: inKeyOrder(merged.counts), shapes: merged.table.size, overflow: merged.overflow, templates, profiles, columns,
    leftOut: leftOut.map((i) => described[i]?.template.id ?? ''),
  }
}

function countsOf({ members }: Template, by: 'severities' | 'services'): [name: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { shape } of members) for (const [name, count] of shape[by]) counts.set(name, (counts.get(name) ?? 0) + count)
  return [...counts].toSorted(([x, m], [y, n]) => n - m || compareText(x, y))
}

const tallied = (template: Template, by: 'severities' | 'services'): Record<string, number> => Object.fromEntries(countsOf(template, by))

function describe(template: Template): Described {
  const counts = new Map(countsOf(template, 'severities'))
  const gravest = SEVERITIES.findLast((each) => counts.has(each)) ?? 'CRITICAL'
  return {
    template, severity: mainSeverity(counts), gravest, service: countsOf(template, 'services')[0]?.[0] ?? '', slots: typeSlots(template, gravest),
  }
}

/** The most frequent one; of two equally frequent ones the graver, as it hides more. */
const mainSeverity = (counts: ReadonlyMap<string, number>): Severity =>
  SEVERITIES.reduce<Severity>((best, each) => ((counts.get(each) ?? 0) >= (counts.get(best) ?? 0) ? each : best), 'DEBUG')

function templateOf({ template, gravest, service, slots }: Described, eventName: string, facts: ReadonlyMap<string, ShapeFacts>): LogTemplate {
  const whole = noFacts()
  let from = ''
  for (const { shape } of template.members) {
    const own = facts.get(shape.key) ?? noFacts()
    whole.firstMs = Math.min(whole.firstMs, own.firstMs)
    whole.lastMs = Math.max(whole.lastMs, own.lastMs)
    if (!isEarlier(own.sampleMs, own.sample, whole)) continue
    whole.sampleMs = own.sampleMs
    whole.sample = own.sample
    from = shape.key
  }
  return {
    clusterId: template.id,
    template: template.text,
    eventName,
    sampleLine: maskedMessage(whole.sample, slotRanges(template, whole.sample, from), slots),
    hits: template.hits,
    firstSeen: iso(whole.firstMs),
    lastSeen: iso(whole.lastMs),
    severity: gravest,
    service,
    slots: slots.map((each) => each.slot),
  }
}

const iso = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : '')
