/** Occurrences of approved events as individuals: when, where and in which line of which file. */
import { LOG_DISCOVERY, type Session, type Tier, within } from '../contracts/index.ts'
import { type Quad, quad, RDF_TYPE, RDFS, XSD } from '../kernel/rdf/index.ts'
import { compareText, iri, literal, type Term } from '../kernel/term.ts'
import { termIri } from '../rules/index.ts'
import type { StoredEvent } from '../store/index.ts'
import { cutSession, severityTier } from './cut.ts'

export interface InstanceOptions {
  readonly baseIri: string
  readonly recordBase: string
  /** slots whose values must not become part of an IRI, such as those at risk of naming a person */
  readonly privateSlots?: ReadonlySet<string>
  readonly maxTier?: Tier
}

// xsd:dateTime and JavaScript spell years alike only between these
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * `events` holds every occurrence of the templates in question. The number of an individual is its place among the
 * occurrences of its template by time, file and offset: mining the same logs again gives the same IRIs.
 */
export function eventQuads(whole: Session, events: readonly StoredEvent[], options: InstanceOptions): Quad[] {
  const { maxTier = 'Restricted', recordBase, baseIri } = options
  const session = cutSession(whole, maxTier)
  const classes = classesByTemplate(session)
  const found = session.entities.filter(({ source }) => source === LOG_DISCOVERY)
  const kinds = new Map(found.map(({ key_slot: slot, name }) => [slot, name]))
  const entities = new Map<string, Entity>()
  const quads: Quad[] = []
  for (const [cluster, occurrences] of Map.groupBy(events, ({ clusterId }) => clusterId)) {
    const names = classes.get(cluster)
    if (names === undefined) continue
    for (const [i, event] of occurrences.toSorted(inOrder).entries()) {
      if (!(event.tsMs >= EARLIEST_MS && event.tsMs <= LATEST_MS)) continue
      // a single line may be graver than the lines of its template are as a rule
      if (!within(severityTier(event.severity), maxTier)) continue
      const touched = entitiesOf(event, options)
      for (const entity of touched) entities.set(entity.iri, entity)
      const subject = `${recordBase}event/${encodeURIComponent(cluster)}-${i + 1}`
      quads.push(...occurrenceQuads(subject, event, names, touched, baseIri))
    }
  }
  for (const entity of entities.values()) quads.push(...entityQuads(entity, kinds.get(entity.slot), baseIri))
  return quads
}

/** Names of the approved classes for each template, sorted. */
function classesByTemplate(session: Session): Map<string, string[]> {
  const classes = new Map<string, string[]>()
  for (const { name, templates, source } of session.events) {
    if (source !== LOG_DISCOVERY) continue
    for (const template of templates) classes.set(template, [...(classes.get(template) ?? []), name].toSorted(compareText))
  }
  return classes
}

const inOrder = (x: StoredEvent, y: StoredEvent): number => x.tsMs - y.tsMs || compareText(x.file, y.file) || x.offset - y.offset

interface Entity {
  readonly iri: string
  readonly slot: string
  readonly value: string
}

function entitiesOf({ entities }: StoredEvent, { recordBase, privateSlots = new Set() }: InstanceOptions): Entity[] {
  return entities.flatMap((pair) => {
    const at = pair.indexOf('=')
    const [slot, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (at < 1 || value === '' || privateSlots.has(slot)) return []
    return [{ iri: `${recordBase}entity/${encoded(slot)}/${encoded(value)}`, slot, value }]
  })
}

/** Only the asserted class: that it is a causal event follows from the ontology. */
function occurrenceQuads(
  subject: string,
  event: StoredEvent,
  names: readonly string[],
  entities: readonly Entity[],
  baseIri: string,
): Quad[] {
  const startedAt = new Date(event.tsMs).toISOString()
  const about: (readonly [string, Term])[] = [
    ...names.map((name) => [RDF_TYPE, iri(termIri(baseIri, name))] as const),
    [`${RDFS}label`, literal(`${names.join(', ')} at ${startedAt}`)],
    [`${baseIri}startedAt`, literal(startedAt, `${XSD}dateTime`)],
    [`${baseIri}severity`, literal(event.severity)],
    ...(event.service === '' ? [] : [[`${baseIri}service`, literal(event.service)] as const]),
    ...entities.map((entity) => [`${baseIri}onEntity`, iri(entity.iri)] as const),
    [`${baseIri}logFile`, literal(event.file)],
    [`${baseIri}logOffset`, literal(String(event.offset), `${XSD}integer`)],
  ]
  return about.map(([property, object]) => quad(iri(subject), iri(property), object))
}

/** An entity has a class once a reviewer has approved its kind. */
function entityQuads(entity: Entity, kind: string | undefined, baseIri: string): Quad[] {
  if (kind === undefined) return []
  return [
    quad(iri(entity.iri), iri(RDF_TYPE), iri(termIri(baseIri, kind))),
    quad(iri(entity.iri), iri(`${RDFS}label`), literal(entity.value)),
  ]
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
