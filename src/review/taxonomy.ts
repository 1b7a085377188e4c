/** Approved log discoveries as ontology: the root-cause vocabulary, a class per event and entity, a property per relationship. */
import {
  LOG_DISCOVERY, maxTier as higher, type Session, type SessionEntity, type SessionEvent, type SessionRelationship, type Tier,
  UNLABELLED,
} from '../contracts/index.ts'
import { OWL, type Quad, quad, RDF_TYPE, RDFS, XSD } from '../kernel/rdf/index.ts'
import { iri, literal, type Term } from '../kernel/term.ts'
import { DOMAIN_INCLUDES, termIri } from '../rules/index.ts'
import { cutSession, severityTier } from './cut.ts'
import { CAUSAL_EVENT, SENSITIVITY_TIER } from './vocabulary.ts'

/** A property by which events lead to the records of a table, known by a column that names them. */
export interface LinkProperty {
  readonly iri: string
  readonly label: string
  /** the IRI of the table's class */
  readonly range: string
  readonly tier: Tier
}

export interface TaxonomyOptions {
  readonly baseIri: string
  readonly maxTier?: Tier
  readonly links?: readonly LinkProperty[]
  /** name -> tier of the classes that tables have */
  readonly tableClasses?: ReadonlyMap<string, Tier>
}

/** Whether anything in the session came from logs. Without it no triple of ours may appear in the ontology. */
export const hasLogDiscovery = ({ events, entities, relationships, causal_rules, rules }: Session): boolean =>
  [...events, ...entities, ...relationships, ...causal_rules, ...rules].some(({ source }) => source === LOG_DISCOVERY)

/** Empty when the session holds nothing from logs. */
export function rcaTaxonomyQuads(whole: Session, options: TaxonomyOptions): Quad[] {
  const { baseIri, maxTier = 'Restricted', links = [], tableClasses = new Map<string, Tier>() } = options
  if (!hasLogDiscovery(whole)) return []
  const session = cutSession(whole, maxTier)
  const classes = new Map([
    ...tableClasses,
    ...session.events.map(({ name, severity }) => [name, severityTier(severity)] as const),
    ...session.entities.map(({ name }) => [name, UNLABELLED] as const),
  ])
  return [
    ...vocabularyQuads(baseIri),
    ...links.flatMap((link) => linkQuads(link, baseIri)),
    ...fromLogs(session.events).flatMap((event) => eventClassQuads(event, baseIri)),
    ...fromLogs(session.entities).flatMap((entity) => entityClassQuads(entity, baseIri)),
    ...fromLogs(session.relationships).flatMap((relationship) => relationshipQuads(relationship, baseIri, classes)),
  ]
}

const fromLogs = <Entry extends { source: string }>(entries: readonly Entry[]): Entry[] =>
  entries.filter(({ source }) => source === LOG_DISCOVERY)

export function eventClassQuads(
  { name, label, severity }: Pick<SessionEvent, 'name' | 'label' | 'severity'>,
  baseIri: string,
): Quad[] {
  return describe(termIri(baseIri, name), [
    [RDF_TYPE, iri(`${OWL}Class`)],
    [`${RDFS}subClassOf`, iri(`${baseIri}${CAUSAL_EVENT}`)],
    [`${RDFS}label`, literal(label === '' ? name : label)],
    [`${baseIri}${SENSITIVITY_TIER}`, literal(severityTier(severity))],
  ])
}

/** The session does not know its tier, and what nobody has labelled counts as most sensitive. */
export function entityClassQuads({ name, key_slot: slot }: Pick<SessionEntity, 'name' | 'key_slot'>, baseIri: string): Quad[] {
  return describe(termIri(baseIri, name), [
    [RDF_TYPE, iri(`${OWL}Class`)],
    [`${RDFS}label`, literal(name)],
    ...(slot === '' ? [] : ([[`${RDFS}comment`, literal(`Identified in logs by ${slot}.`)]] as const)),
    [`${baseIri}${SENSITIVITY_TIER}`, literal(UNLABELLED)],
  ])
}

/**
 * `classes` are the names that stand in the ontology, with their tiers: a property may not speak of a class that nobody approved,
 * and is as sensitive as the more sensitive of the two that it names.
 */
export function relationshipQuads(
  { name, from, to }: Pick<SessionRelationship, 'name' | 'from' | 'to'>,
  baseIri: string,
  classes: ReadonlyMap<string, Tier>,
): Quad[] {
  return describe(termIri(baseIri, name), [
    [RDF_TYPE, iri(`${OWL}ObjectProperty`)],
    [`${RDFS}label`, literal(`${from} is related to ${to}`)],
    ...(classes.has(from) ? ([[`${RDFS}domain`, iri(termIri(baseIri, from))]] as const) : []),
    ...(classes.has(to) ? ([[`${RDFS}range`, iri(termIri(baseIri, to))]] as const) : []),
    [`${baseIri}${SENSITIVITY_TIER}`, literal(higher(classes.get(from) ?? UNLABELLED, classes.get(to) ?? UNLABELLED))],
  ])
}

const linkQuads = ({ iri: property, label, range, tier }: LinkProperty, baseIri: string): Quad[] =>
  describe(property, [
    [RDF_TYPE, iri(`${OWL}ObjectProperty`)],
    [`${RDFS}label`, literal(label)],
    [DOMAIN_INCLUDES, iri(`${baseIri}${CAUSAL_EVENT}`)],
    [`${RDFS}range`, iri(range)],
    [`${RDFS}subPropertyOf`, iri(`${baseIri}involves`)],
    [`${baseIri}${SENSITIVITY_TIER}`, literal(tier)],
  ])

/**
 * :hasCause and :rootCause both lie below :precededBy, and :rootCause not below :hasCause, so that a rule can ask for an event
 * without a cause. For the same reason :precededBy and :rootCause have no rdfs:domain and no range: a class derived from "has no
 * cause" must not feed a rule that derives causes. Of what a property is said without consequences (schema:domainIncludes): an
 * event is known by its class, and a dozen further ways to derive that would only swell its proofs.
 * :precededBy is transitive: what precedes a cause precedes its effects.
 * The properties are Public: how sensitive a statement is follows from the class of its event.
 */
function vocabularyQuads(baseIri: string): Quad[] {
  const own = (name: string) => iri(`${baseIri}${name}`)
  const event = own(CAUSAL_EVENT)
  const property = (kind: 'Object' | 'Datatype', name: string, label: string, more: readonly (readonly [string, Term])[] = []) =>
    describe(`${baseIri}${name}`, [
      [RDF_TYPE, iri(`${OWL}${kind}Property`)],
      [`${RDFS}label`, literal(label)],
      [`${baseIri}${SENSITIVITY_TIER}`, literal('Public')],
      ...(more.some(([about]) => about === `${RDFS}domain`) ? [] : [[DOMAIN_INCLUDES, event] as const]),
      ...more,
    ])
  const data = (name: string, label: string, datatype: string) =>
    property('Datatype', name, label, [[`${RDFS}range`, iri(`${XSD}${datatype}`)]])
  const below = [`${RDFS}subPropertyOf`, own('precededBy')] as const
  const between = [[`${RDFS}domain`, event], [`${RDFS}range`, event]] as const
  return [
    ...describe(`${baseIri}${SENSITIVITY_TIER}`, [
      [RDF_TYPE, iri(`${OWL}AnnotationProperty`)],
      [`${RDFS}label`, literal('sensitivity tier')],
    ]),
    ...describe(event.value, [
      [RDF_TYPE, iri(`${OWL}Class`)],
      [`${RDFS}label`, literal('causal event')],
      [`${baseIri}${SENSITIVITY_TIER}`, literal('Public')],
    ]),
    ...property('Object', 'precededBy', 'preceded by', [[RDF_TYPE, iri(`${OWL}TransitiveProperty`)]]),
    ...property('Object', 'hasCause', 'has cause', [below, ...between]),
    ...property('Object', 'rootCause', 'root cause', [below]),
    ...property('Object', 'triggers', 'triggers', [[`${OWL}inverseOf`, own('hasCause')], ...between]),
    ...property('Object', 'cycleEntry', 'goes back to a circle of causes entered at'),
    ...property('Object', 'onEntity', 'on entity'),
    ...property('Object', 'involves', 'involves the record'),
    ...data('startedAt', 'started at', 'dateTime'),
    ...data('endedAt', 'ended at', 'dateTime'),
    ...data('duration', 'duration', 'duration'),
    ...data('occurrences', 'number of occurrences', 'integer'),
    ...data('occurredAtService', 'occurred at service', 'string'),
    ...data('severity', 'severity', 'string'),
    ...data('logFile', 'log file', 'string'),
    ...data('logOffset', 'byte offset in the log file', 'integer'),
    ...data('lastLogFile', 'log file of the last occurrence', 'string'),
    ...data('lastLogOffset', 'byte offset of the last occurrence', 'integer'),
    ...data('repeats', 'when and in which byte it was repeated', 'string'),
    ...data('derivation', 'derivation', 'string'),
    ...data('multipleCandidateCauses', 'has multiple candidate causes', 'boolean'),
    ...data('inCausalCycle', 'is part of a circle of causes', 'boolean'),
  ]
}

const describe = (subject: string, about: readonly (readonly [property: string, object: Term])[]): Quad[] =>
  about.map(([property, object]) => quad(iri(subject), iri(property), object))
