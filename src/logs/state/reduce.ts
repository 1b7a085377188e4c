/** Partial states in any order and number into what the whole log says: templates with typed slots, events, columns. */
import { SEVERITIES, type Severity } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { LogEvent, LogTemplate } from '../candidate.ts'
import type { Profile } from '../candidates.ts'
import type { EventColumns } from '../columns.ts'
import { type ReadCounts, inKeyOrder } from '../read/counts.ts'
import { cleanText } from '../clean.ts'
import { eventNames, isPrivateValue, maskedMessage, slotRanges, templatesOf, typeSlots, withoutPrivate } from '../templates/index.ts'
import type { Template, TemplateOptions } from '../templates/index.ts'
import { type MergeLimits, mergeStates } from './merge-states.ts'
import { type MergedTable, type ShapeFacts, isEarlier, noFacts } from './partial.ts'
import { type Described, type RelabelOptions, type RowSource, relabel } from './relabel.ts'
import type { StateSource } from './sources.ts'

export interface Reduced {
  readonly counts: ReadCounts
  readonly shapes: number
  /** records that found no room in a table of shapes; where it was the table of one state, the result depends on how the log was cut */
  readonly overflow: number
  readonly templates: readonly LogTemplate[]
  /** in the order of the templates */
  readonly profiles: readonly Profile[]
  readonly columns: EventColumns
  /** the earliest events of each template, in the order of time */
  readonly events: readonly LogEvent[]
  readonly unstored: number
  /** templates too frequent for the later stages */
  readonly leftOut: readonly string[]
}

export type ReduceOptions = TemplateOptions & RelabelOptions & MergeLimits

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
  return reduceRows(reduceTemplates(states, options), options)
}

export function reduceRows({ merged, described, templates, sources }: ReducedTemplates, options: RelabelOptions = {}): Reduced {
  const { columns, events, unstored, agreeing, timed, leftOut } = relabel(sources, described, merged.facts, options)
  const profiles = described.map((each, i): Profile => ({
    agreeing: agreeing[i] ?? 0,
    timed: timed[i] ?? 0,
    severities: tallied(each.template, 'severities'),
    services: tallied(each.template, 'services'),
  }))
  return {
    counts: inKeyOrder(merged.counts), shapes: merged.table.size, overflow: merged.overflow, templates, profiles, columns, events: events.map(shownEvent), unstored,
    leftOut: leftOut.map((i) => described[i]?.template.id ?? ''),
  }
}

/** An event as it may be kept: each value is looked at by itself, as the slot may hold others that are harmless. */
function shownEvent(event: LogEvent): LogEvent {
  const trace = event.trace === '' ? '' : withoutPrivate(cleanText(event.trace))
  // most are shown as they are, and need no copy
  if (trace === event.trace && !event.entities.some(isPrivateEntity)) return event
  return { ...event, trace, entities: event.entities.filter((entity) => !isPrivateEntity(entity)) }
}

const isPrivateEntity = (entity: string): boolean => isPrivateValue(entity.slice(entity.indexOf('=') + 1))

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
