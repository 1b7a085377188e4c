/** Events of the materialised graph as an engineer speaks of them: what happened, where, when. */
import type { Tier } from '../contracts/index.ts'
import { tierAt, within } from '../contracts/index.ts'
import type { StoredFact } from '../kernel/datalog/index.ts'
import { RDFS, RDF_TYPE, XSD, meaningOf } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { compareText, iri, termKey } from '../kernel/term.ts'
import type { Materialisation } from '../materialise/index.ts'

export interface Event {
  readonly iri: string
  /** local name of its most particular class: LinkDown */
  readonly className: string
  /** LinkDown on crt-07 */
  readonly label: string
  readonly classes: readonly string[]
  readonly severity: string | null
  /** as the graph spells it */
  readonly time: string
  readonly ms: number
}

/** The graph as far as one caller may see it. */
export interface View {
  readonly m: Materialisation
  readonly ceiling: Tier
  readonly events: ReadonlyMap<string, Event>
}

/** Everything with a start time is an event. */
export function viewOf(m: Materialisation, ceiling: Tier): View {
  const visible = (facts: readonly StoredFact[]) => facts.filter((fact) => within(tierAt(fact.tier), ceiling))
  const classes = classesOf(m, ceiling)
  const events = new Map<string, Event>()
  for (const fact of visible(m.model.find(`${m.baseIri}startedAt`))) {
    const [subject, time] = fact.args
    if (subject?.kind !== 'iri' || time?.kind !== 'literal' || time.datatype !== `${XSD}dateTime`) continue
    const ms = Date.parse(time.value)
    if (Number.isNaN(ms)) continue
    const values = (property: string) => visible(m.model.find(property, [subject])).flatMap(({ args }) => args[1] ?? [])
    const types = classes.get(termKey(subject)) ?? []
    const className = localName(types[0] ?? subject.value)
    const entities = values(`${m.baseIri}onEntity`)
      .map((entity) => entityName(m, entity, ceiling))
      .toSorted(compareText)
    const label = entities.length === 0 ? className : `${className} on ${listed(entities)}`
    const severity = values(`${m.baseIri}severity`)[0]?.value ?? null
    events.set(subject.value, { iri: subject.value, className, label, classes: types, severity, time: time.value, ms })
  }
  return { m, ceiling, events }
}

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

function entityName(m: Materialisation, entity: Term, ceiling: Tier): string {
  const labels = m.model.find(`${RDFS}label`, [entity]).filter(({ tier }) => within(tierAt(tier), ceiling))
  return labels[0]?.args[1]?.value ?? localName(entity.value)
}

/** Events that a phrase may mean: by IRI, by the name or label of the class, by the label, at last by words that it contains. */
export function eventsNamed(view: View, phrase: string): Event[] {
  const exact = view.events.get(phrase)
  if (exact !== undefined) return [exact]
  const wanted = plain(phrase)
  if (wanted === '') return []
  const all = [...view.events.values()]
  const names = ({ className, classes }: Event) => [
    plain(className),
    ...classes.slice(0, 1).flatMap((cls) => classLabels(view, cls).map(plain)),
  ]
  const searches: ((event: Event) => boolean)[] = [
    (event) => names(event).includes(wanted),
    (event) => plain(event.label) === wanted,
    (event) => plain(event.label).includes(wanted),
    (event) => names(event).some((name) => name.length > 3 && wanted.includes(name)),
  ]
  for (const search of searches) {
    const found = all.filter(search)
    if (found.length > 0) return found.toSorted((x, y) => y.ms - x.ms || compareText(x.iri, y.iri))
  }
  return []
}

function classLabels({ m, ceiling }: View, cls: string): string[] {
  return m.model
    .find(`${RDFS}label`, [iri(cls)])
    .filter(({ tier }) => within(tierAt(tier), ceiling))
    .flatMap(({ args }) => args[1]?.value ?? [])
}

/** `NF deregister`, `nf-deregister` and `NfDeregister` are the same phrase. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

function localName(value: string): string {
  const name = /[^#/:]*$/.exec(value)?.[0] ?? value
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
