/** The result as RDF: the records behind the answer, the facts derived from them, and where each derived fact comes from. */
import type { Subgraph } from '../contracts/index.ts'
import { type Quad, PROV, RDF, RDFS, RDF_TYPE, quadKey, writeTurtle } from '../kernel/rdf/index.ts'
import { type Term, compareText, iri, literal } from '../kernel/term.ts'
import type { Ontology } from '../ontology/index.ts'
import type { Inferred } from './inferred.ts'
import { termOfCell } from './reason.ts'
import { type LoadedRecord, type RecordSet, recordLabel, referenceOf } from './records.ts'

const MAX_VIEW_NODES = 200

export interface BuiltSubgraph {
  readonly count: number
  readonly turtle: string
  readonly view: Subgraph['view']
}

export function buildSubgraph(ontology: Ontology, records: RecordSet, inferred: readonly Inferred[]): BuiltSubgraph {
  const quads = dedupe([
    ...records.all().flatMap((record) => recordQuads(ontology, records, record)),
    ...inferred.flatMap((fact) => inferredQuads(ontology, fact)),
  ])
  const turtle = writeTurtle(quads, { prefixes: { '': ontology.baseIri, rdf: RDF, rdfs: RDFS, prov: PROV } })
  return { count: quads.length, turtle, view: viewOf(ontology, records, inferred) }
}

/**
 * The records of the result: those selected, those that derivations rest on, and what they refer to. A why-question reads far
 * more than that to be sure of what is absent, and none of it belongs to the result.
 */
export function resultRecords(ontology: Ontology, records: RecordSet, selected: readonly string[], inferred: readonly Inferred[]): RecordSet {
  const iris = new Set([...selected, ...inferred.flatMap(({ subject, object, records: premises }) => [subject.value, object.value, ...premises])])
  for (const record of [...iris].flatMap((iri) => records.get(iri) ?? [])) {
    for (const property of record.cls.properties) {
      const target = property.kind === 'object' ? referenceOf(ontology, record, property.name) : null
      if (target !== null) iris.add(target)
    }
  }
  return records.only(iris)
}

function recordQuads(ontology: Ontology, records: RecordSet, record: LoadedRecord): Quad[] {
  const subject = iri(record.iri)
  const quads: Quad[] = [
    { subject, predicate: iri(RDF_TYPE), object: iri(record.cls.iri) },
    { subject, predicate: iri(`${RDFS}label`), object: literal(recordLabel(record)) },
  ]
  for (const property of record.cls.properties) {
    const target = property.kind === 'object' ? referenceOf(ontology, record, property.name) : null
    const object: Term | null =
      property.kind === 'object'
        ? target !== null && records.get(target) !== undefined
          ? iri(target)
          : null
        : termOfCell(record.cells.get(property.columns[0] ?? '') ?? null, property.range)
    if (object !== null) quads.push({ subject, predicate: iri(property.iri), object })
  }
  return quads
}

/** The triple itself, and a statement about it that SPARQL can ask for its premises. */
function inferredQuads(ontology: Ontology, { id, subject, predicate: name, object, rule, records, facts }: Inferred): Quad[] {
  const predicate = iri(name)
  const statementOf = (fact: string) => iri(`${ontology.recordBase}statement/${fact}`)
  const statement = statementOf(id)
  return [
    { subject, predicate, object },
    { subject: statement, predicate: iri(RDF_TYPE), object: iri(`${RDF}Statement`) },
    { subject: statement, predicate: iri(`${RDF}subject`), object: subject },
    { subject: statement, predicate: iri(`${RDF}predicate`), object: predicate },
    { subject: statement, predicate: iri(`${RDF}object`), object },
    { subject: statement, predicate: iri(`${PROV}wasGeneratedBy`), object: iri(`${ontology.baseIri}rule/${rule}`) },
    ...[...records.map(iri), ...facts.map(statementOf)].map((premise) => ({
      subject: statement,
      predicate: iri(`${PROV}wasDerivedFrom`),
      object: premise,
    })),
  ]
}

/** The picture of a result, without its RDF. */
export function viewOf(ontology: Ontology, records: RecordSet, inferred: readonly Inferred[]): Subgraph['view'] {
  // records that carry a derived fact come first, so that a cut picture still shows the answer
  const touched = new Set(inferred.flatMap(({ subject, object, records: premises }) => [subject.value, object.value, ...premises]))
  const ordered = records.all().toSorted((a, b) => Number(touched.has(b.iri)) - Number(touched.has(a.iri)) || compareText(a.iri, b.iri))
  const shown = ordered.slice(0, MAX_VIEW_NODES)
  const visible = new Set(shown.map((record) => record.iri))
  const edges = shown.flatMap((record) =>
    record.cls.properties.flatMap((property) => {
      const to = property.kind === 'object' ? referenceOf(ontology, record, property.name) : null
      return to !== null && visible.has(to) ? [{ from: record.iri, to, property: property.name, derived: false }] : []
    }),
  )
  const derived = inferred
    .filter(({ subject, object }) => visible.has(subject.value) && visible.has(object.value))
    .map(({ subject, predicate, object }) => ({
      from: subject.value,
      to: object.value,
      property: predicate.slice(ontology.baseIri.length),
      derived: true,
    }))
  return {
    nodes: shown.map((record) => ({ iri: record.iri, label: recordLabel(record), class: record.cls.name })),
    edges: [...edges, ...derived],
    truncated: ordered.length > shown.length,
  }
}

const dedupe = (quads: readonly Quad[]): Quad[] => [...new Map(quads.map((quad) => [quadKey(quad), quad])).values()]
