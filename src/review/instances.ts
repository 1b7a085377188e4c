/**
 * Occurrences of approved events as individuals: what happened, from when to when, how often, on which things, and in which lines
 * of which files. An individual is known by what it says and not by its place among others, so mining more of the same log, or
 * its files under another order, leaves its IRI as it is.
 */
import { LIMITS, LOG_DISCOVERY, SEVERITIES, type Session, type Tier, tierRank } from '../contracts/index.ts'
import { type Quad, quad, RDF_TYPE, RDFS, XSD } from '../kernel/rdf/index.ts'
import { compareText, iri, literal, type Term } from '../kernel/term.ts'
import { hash64 } from '../kernel/text/index.ts'
import { entityPath, termIri } from '../rules/index.ts'
import { cutSession } from './cut.ts'
import { runsOf } from './intervals.ts'
import { causeBetween } from './known-causes.ts'
import type { Occurrence, Thing } from './occurrences.ts'
import { SENSITIVITY_TIER, SERVICE } from './vocabulary.ts'

/** A record of the database that a name in the log stands for. */
export interface RecordLink {
  /** the property that leads to it; its label says how sensitive that is */
  readonly property: string
  readonly record: string
}

export interface InstanceOptions {
  readonly baseIri: string
  readonly recordBase: string
  readonly maxTier?: Tier
  readonly linksOf?: (thing: Thing) => readonly RecordLink[]
  /** names of classes that tables have: an entity of the same name is left without a class */
  readonly tableClasses?: ReadonlySet<string>
  readonly limit?: number
}

export interface Instances {
  readonly quads: readonly Quad[]
  readonly count: number
  /** lines behind them */
  readonly lines: number
  /** instances beyond the limit: the latest ones are left out */
  readonly leftOut: number
}

/** One event on one thing from its first line to its last. */
export interface Interval {
  readonly occurrences: readonly Occurrence[]
  readonly first: Occurrence
  readonly last: Occurrence
  readonly iri: string
}

/** `occurrences` are those within the ceiling, in the order of time. */
export function instancesOf(whole: Session, occurrences: readonly Occurrence[], options: InstanceOptions): Instances {
  const { limit = LIMITS.log_instances, maxTier = 'Restricted' } = options
  const session = cutSession(whole, maxTier)
  const all = intervalsOf(occurrences, options.recordBase, session)
  // the lowest tiers first: how much there is above a ceiling must not decide what is left below it
  const kept = all.length <= limit ? all : all.toSorted((x, y) => tierRank(x.first.tier) - tierRank(y.first.tier)).slice(0, limit)
  const kinds = new Map(
    session.entities
      .filter(({ source, name }) => source === LOG_DISCOVERY && options.tableClasses?.has(name) !== true)
      .map(({ key_slot: slot, name }) => [slot, name]),
  )
  const entities = new Map<string, Thing>()
  const tiers = new Set<Tier>()
  const quads: Quad[] = []
  for (const interval of kept) {
    for (const thing of interval.first.things) entities.set(entityIri(thing, options.recordBase), thing)
    const { tier, classTier } = interval.first
    if (tier !== classTier) tiers.add(tier)
    quads.push(...intervalQuads(interval, options))
  }
  for (const [subject, thing] of entities) quads.push(...entityQuads(subject, thing, kinds.get(thing.slot), options.baseIri))
  // the label stands beside what it is about: no class of the project says that a line is graver than its kind
  for (const tier of tiers) quads.push(quad(iri(tierClass(tier)), iri(`${options.baseIri}${SENSITIVITY_TIER}`), literal(tier)))
  const lines = kept.reduce((sum, { occurrences: own }) => sum + own.length, 0)
  return { quads, count: kept.length, lines, leftOut: all.length - kept.length }
}

/**
 * By start, then IRI. Lines of one event on the same things by the same service, of one tier: what happens in the lines above
 * a ceiling changes nothing in the intervals below it. A line that follows a known cause of the event begins an interval anew.
 */
export function intervalsOf(occurrences: readonly Occurrence[], recordBase: string, session: Session): Interval[] {
  const isNew = causeBetween(session, occurrences)
  const byEvent = Map.groupBy(occurrences, ({ names, tier }) => JSON.stringify([tier, ...names]))
  const runs = [...byEvent.values()].flatMap((own) => {
    const byThing = Map.groupBy(own, ({ service, things }) => JSON.stringify([service, things]))
    return runsOf([...byThing.values()].map((group) => ({ isNamed: (group[0]?.things.length ?? 0) > 0, occurrences: group })), isNew)
  })
  return runs
    .flatMap((run): Interval[] => {
      const [first, last] = [run[0], run.at(-1)]
      return first === undefined || last === undefined ? [] : [{ occurrences: run, first, last, iri: intervalIri(first, recordBase) }]
    })
    .toSorted((x, y) => x.first.tsMs - y.first.tsMs || compareText(x.iri, y.iri))
}

/** No two runs of an event on the same things begin in the same millisecond. */
const intervalIri = ({ clusterId, tier, service, things, tsMs }: Occurrence, recordBase: string): string =>
  `${recordBase}event/${encodeURIComponent(clusterId)}-${hash64(JSON.stringify([tier, service, things, tsMs]))}`

/** Only the asserted class: that it is a causal event follows from the ontology. */
function intervalQuads({ occurrences, first, last, iri: subject }: Interval, options: InstanceOptions): Quad[] {
  const { baseIri, recordBase, linksOf = () => [] } = options
  const [startedAt, endedAt] = [first, last].map(({ tsMs }) => new Date(tsMs).toISOString()) as [string, string]
  const name = first.names.join(', ')
  const called = first.service === '' ? first.things : [...first.things, { slot: SERVICE, value: first.service }]
  const links = new Map(called.flatMap((thing) => linksOf(thing)).map((link) => [`${link.property} ${link.record}`, link]))
  const about: (readonly [string, Term])[] = [
    ...first.names.map((each) => [RDF_TYPE, iri(termIri(baseIri, each))] as const),
    ...(first.tier === first.classTier ? [] : [[RDF_TYPE, iri(tierClass(first.tier))] as const]),
    [`${RDFS}label`, literal(`${name} at ${startedAt}`)],
    [`${baseIri}startedAt`, literal(startedAt, `${XSD}dateTime`)],
    [`${baseIri}endedAt`, literal(endedAt, `${XSD}dateTime`)],
    [`${baseIri}duration`, literal(durationText(last.tsMs - first.tsMs), `${XSD}duration`)],
    [`${baseIri}occurrences`, literal(String(occurrences.length), `${XSD}integer`)],
    [`${baseIri}severity`, literal(gravest(occurrences))],
    ...(first.service === '' ? [] : [[`${baseIri}occurredAtService`, literal(first.service)] as const]),
    ...first.things.map((thing) => [`${baseIri}onEntity`, iri(entityIri(thing, recordBase))] as const),
    ...[...links.values()].map(({ property, record }) => [property, iri(record)] as const),
    [`${baseIri}logFile`, literal(first.file)],
    [`${baseIri}logOffset`, literal(String(first.offset), `${XSD}integer`)],
    ...(occurrences.length === 1
      ? []
      : ([
          [`${baseIri}lastLogFile`, literal(last.file)],
          [`${baseIri}lastLogOffset`, literal(String(last.offset), `${XSD}integer`)],
          [`${baseIri}repeats`, literal(repeatsText(occurrences, first))],
        ] as const)),
  ]
  return about.map(([property, object]) => quad(iri(subject), iri(property), object))
}

/** `[[5000,240],[9000,12,"b.log"]]`: milliseconds after the first line, the byte, and the file where it is another one. */
const repeatsText = (occurrences: readonly Occurrence[], first: Occurrence): string =>
  JSON.stringify(occurrences.slice(1).map(({ tsMs, offset, file }) => [tsMs - first.tsMs, offset, ...(file === first.file ? [] : [file])]))

/** An entity has a class once a reviewer has approved its kind. */
function entityQuads(subject: string, { value }: Thing, kind: string | undefined, baseIri: string): Quad[] {
  if (kind === undefined) return []
  return [
    quad(iri(subject), iri(RDF_TYPE), iri(termIri(baseIri, kind))),
    quad(iri(subject), iri(`${RDFS}label`), literal(value)),
  ]
}

export const entityIri = ({ slot, value }: Thing, recordBase: string): string =>
  `${recordBase}${entityPath(slot)}${encodeURIComponent(value.toWellFormed())}`

/** Not a term of the project: nobody asks for events by their tier. Sorted after every class that is one. */
const tierClass = (tier: Tier): string => `urn:wherefore:tier:${tier}`

/** `PT0S`, `PT12.345S`: seconds only, so that equal times are equal texts. */
export const durationText = (ms: number): string => `PT${(ms / 1000).toFixed(3).replace(/\.?0+$/, '')}S`

const gravest = (occurrences: readonly Occurrence[]): string =>
  SEVERITIES.findLast((each) => occurrences.some(({ severity }) => severity === each)) ?? 'INFO'
