/** Events of the materialised graph as an engineer speaks of them: what happened, where, when, in which line. */
import { z } from 'zod'
import type { LogLine, Tier } from '../contracts/index.ts'
import { tierAt, within } from '../contracts/index.ts'
import type { StoredFact } from '../kernel/datalog/index.ts'
import { RDFS, RDF_TYPE, XSD, meaningOf } from '../kernel/rdf/index.ts'
import { firstAbove, firstAtLeast } from '../kernel/stats/index.ts'
import type { Term } from '../kernel/term.ts'
import { compareText, termKey } from '../kernel/term.ts'
import type { Materialisation } from '../materialise/index.ts'

export interface Entity {
  readonly iri: string
  readonly name: string
}

export interface Event {
  readonly iri: string
  /** local name of its most particular class: LinkDown */
  readonly className: string
  /** LinkDown on crt-07 */
  readonly label: string
  readonly classes: readonly string[]
  readonly classNames: ReadonlySet<string>
  readonly entities: readonly Entity[]
  readonly severity: string | null
  readonly service: string | null
  /** as the graph spells it */
  readonly time: string
  readonly ms: number
  /** its lines, the first one too, as far as the graph keeps them */
  readonly lines: readonly Line[]
  /** records of databases that it is about */
  readonly records: readonly string[]
  /** lines that were written one after the other and count as this event */
  readonly count: number
  /** the first */
  readonly line: LogLine | null
}

/** One of the lines that count as an event. */
export interface Line {
  readonly ms: number
  readonly line: LogLine | null
}

/** One step of the graph: `effect :hasCause cause`. */
export interface CauseEdge {
  readonly cause: Event
  readonly effect: Event
  readonly fact: StoredFact
}

/** The graph as far as one caller may see it. */
export interface View {
  readonly m: Materialisation
  readonly ceiling: Tier
  readonly events: ReadonlyMap<string, Event>
  /** by class name, each in the order of time */
  readonly byClass: ReadonlyMap<string, readonly Event[]>
  /** when they began */
  readonly times: ReadonlyMap<string, readonly number[]>
  readonly causes: ReadonlyMap<Event, readonly CauseEdge[]>
  readonly effects: ReadonlyMap<Event, readonly CauseEdge[]>
}

const known = new WeakMap<Materialisation, Map<Tier, View>>()

/** Everything with a start time is an event. A graph never changes, so it is read once for each ceiling. */
export function viewOf(m: Materialisation, ceiling: Tier): View {
  const views = known.get(m) ?? new Map<Tier, View>()
  known.set(m, views)
  const view = views.get(ceiling) ?? readView(m, ceiling)
  views.set(ceiling, view)
  return view
}

function readView(m: Materialisation, ceiling: Tier): View {
  const visible = (facts: readonly StoredFact[]) => facts.filter((fact) => within(tierAt(fact.tier), ceiling))
  const classes = classesOf(m, ceiling)
  const events = new Map<string, Event>()
  for (const fact of visible(m.model.find(`${m.baseIri}startedAt`))) {
    const [subject, time] = fact.args
    if (subject?.kind !== 'iri' || time?.kind !== 'literal' || time.datatype !== `${XSD}dateTime`) continue
    const ms = Date.parse(time.value)
    if (Number.isNaN(ms)) continue
    const terms = (name: string) => visible(m.model.find(`${m.baseIri}${name}`, [subject])).flatMap(({ args }) => args[1] ?? [])
    const value = (name: string): string | null => terms(name).map((term) => term.value).toSorted(compareText)[0] ?? null
    const types = classes.get(termKey(subject)) ?? []
    const classNames = types.filter((type) => type.startsWith(m.baseIri)).map(localName)
    const className = classNames[0] ?? localName(subject.value)
    const entities = entitiesOf(m, ceiling, terms('onEntity'))
    const names = entities.map(({ name }) => name)
    const line = lineOf(value('logFile'), value('logOffset'))
    const endMs = Math.max(ms, Date.parse(value('endedAt') ?? '') || ms)
    events.set(subject.value, {
      iri: subject.value,
      className,
      label: names.length === 0 ? className : `${className} on ${listed(names)}`,
      classes: types,
      classNames: new Set(classNames),
      entities,
      severity: value('severity'),
      service: value('occurredAtService'),
      time: time.value,
      ms,
      lines: [{ ms, line }, ...(repeatsOf(value('repeats'), ms, line) ?? lastOf(ms, endMs, lineOf(value('lastLogFile'), value('lastLogOffset'))))],
      records: terms('involves').filter(({ kind }) => kind === 'iri').map((record) => record.value).toSorted(compareText),
      count: Math.max(1, Number(value('occurrences') ?? 1) || 1),
      line,
    })
  }
  const edges = visible(m.model.find(`${m.baseIri}hasCause`)).flatMap((fact): CauseEdge[] => {
    const [effect, cause] = fact.args.map((term) => (term === null ? undefined : events.get(term.value)))
    // a cause that is not earlier than its effect is none, and would send the walk in circles
    return effect === undefined || cause === undefined || cause.ms >= effect.ms ? [] : [{ cause, effect, fact }]
  })
  const sorted = edges.toSorted((x, y) => compareText(x.cause.iri, y.cause.iri) || compareText(x.effect.iri, y.effect.iri))
  const byClass = Map.groupBy([...events.values()].toSorted(byTime), ({ className }) => className)
  return {
    m,
    ceiling,
    events,
    byClass,
    times: new Map([...byClass].map(([name, own]) => [name, own.map(({ ms }) => ms)])),
    causes: Map.groupBy(sorted, ({ effect }) => effect),
    effects: Map.groupBy(sorted, ({ cause }) => cause),
  }
}

export const byTime = (x: Event, y: Event): number => x.ms - y.ms || compareText(x.iri, y.iri)

/** Events of a class between two times, both included. */
export function eventsBetween(view: View, className: string, from: number, to: number): readonly Event[] {
  const all = view.byClass.get(className) ?? []
  const times = view.times.get(className) ?? []
  return all.slice(firstAtLeast(times, from), firstAbove(times, to))
}

/** The line of a cause that an effect follows: the last one that is not after it. */
export function lineBefore({ lines }: Event, { ms }: Event): Line {
  return (lines.findLast((line) => line.ms <= ms) ?? lines[0]) as Line
}

/** How long an effect came after its cause: the one lag that is shown, rated and looked for in the log. */
export const lagOf = ({ cause, effect }: { readonly cause: Event; readonly effect: Event }): number => effect.ms - lineBefore(cause, effect).ms

const lineOf = (file: string | null, offset: string | null): LogLine | null =>
  file === null || offset === null ? null : { file, offset: Number(offset) }

const lastOf = (ms: number, endMs: number, line: LogLine | null): Line[] => (endMs > ms ? [{ ms: endMs, line }] : [])

/** `[[after ms, byte, file if another]]` in the order of time, as phase 2 writes them; null for anything else. */
const Repeats = z.array(z.tuple([z.number().min(0), z.int().min(0)], z.string()))

function repeatsOf(text: string | null, ms: number, first: LogLine | null): Line[] | null {
  const found = text === null ? null : Repeats.safeParse(parsed(text))
  if (found?.success !== true) return null
  return found.data.map(([after, offset, file = first?.file]) => ({ ms: ms + after, line: file === undefined ? null : { file, offset } }))
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/** Whether the two name the same thing, by whatever word they name it. */
export const sharedNames = (x: Event, y: Event): string[] =>
  x.entities.filter(({ name }) => y.entities.some((other) => other.name === name)).map(({ name }) => name)

/** Asserted classes come first: what was inferred is more general. */
function classesOf(m: Materialisation, ceiling: Tier): ReadonlyMap<string, string[]> {
  const found = new Map<string, { asserted: string[]; inferred: string[] }>()
  for (const { predicate, args, tier, asserted } of m.model.facts) {
    const [subject, cls] = args
    const meaning = meaningOf(predicate)
    if (meaning.kind !== 'property' || meaning.property !== RDF_TYPE || predicate === RDF_TYPE) continue
    if (!subject || cls?.kind !== 'iri' || !within(tierAt(tier), ceiling)) continue
    const types = found.get(termKey(subject)) ?? { asserted: [], inferred: [] }
    types[asserted ? 'asserted' : 'inferred'].push(cls.value)
    found.set(termKey(subject), types)
  }
  return new Map(
    [...found].map(([subject, types]) => [
      subject,
      [...types.asserted.toSorted(compareText), ...types.inferred.toSorted(compareText)],
    ]),
  )
}

function entitiesOf(m: Materialisation, ceiling: Tier, entities: readonly Term[]): Entity[] {
  return entities
    .map((entity) => ({ iri: entity.value, name: nameOf(m, entity, ceiling) }))
    .toSorted((x, y) => compareText(x.name, y.name) || compareText(x.iri, y.iri))
}

export function nameOf(m: Materialisation, thing: Term, ceiling: Tier): string {
  const labels = m.model.find(`${RDFS}label`, [thing]).filter(({ tier }) => within(tierAt(tier), ceiling))
  return labels.flatMap(({ args }) => args[1]?.value ?? []).toSorted(compareText)[0] ?? localName(thing.value)
}

export function localName(value: string): string {
  const name = value.slice(Math.max(value.lastIndexOf('#'), value.lastIndexOf('/'), value.lastIndexOf(':')) + 1)
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
