/** One row as RDF: its node, its class, its label, its values and the records it refers to. */
import { within } from '../../contracts/index.ts'
import type { Quad } from '../../kernel/rdf/index.ts'
import { RDFS, RDF_TYPE, quad } from '../../kernel/rdf/index.ts'
import type { Term } from '../../kernel/term.ts'
import { XSD, compareText, iri, literal } from '../../kernel/term.ts'
import type { Cell } from '../../sources/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../ontology.ts'
import { recordIri } from '../record-iri.ts'
import { blankLabel } from './content.ts'
import { hexBinary, literalOf } from './lexical.ts'
import type { Cells } from './read.ts'

export interface RecordOptions {
  /** how many rows of the same content came before; matters only where there is no key */
  readonly ordinal?: number
  /** the record behind a reference that does not name its target's key; without it such references are left out */
  readonly resolve?: (property: OntologyProperty, cells: Cells) => Term | null
}

/** Cells by column name; columns of the class that are missing count as NULL. */
export function recordQuads(ontology: Ontology, cls: OntologyClass, cells: Cells, options: RecordOptions = {}): Quad[] {
  return recordMapper(ontology, cls)(cells, options)
}

/** The same for many rows of one class. */
export function recordMapper(ontology: Ontology, cls: OntologyClass): (cells: Cells, options?: RecordOptions) => Quad[] {
  const targets = new Map(ontology.classes.map((each) => [each.name, each]))
  const properties = cls.properties.map((property) => ({
    property,
    predicate: iri(property.iri),
    target: targets.get(property.range),
  }))
  const naming = namingColumn(cls)
  const kinds = eventKinds(ontology, cls)
  const links = junctionLinks(ontology, cls)
  return (cells, { ordinal = 0, resolve = () => null } = {}) => {
    const subject = recordNode(ontology, cls, cells, ordinal)
    const objectOf = (property: OntologyProperty, target: OntologyClass | undefined): Term | null => {
      if (property.kind === 'data') return literalOf(cells.get(property.columns[0] ?? '') ?? null, property.range)
      if (target === undefined || !leadsToKey(property, target)) return resolve(property, cells)
      return referenced(ontology, property, target, cells)
    }
    const quads = [quad(subject, a, iri(cls.iri))]
    for (const { column, value, type } of kinds) {
      if (textOf(cells.get(column) ?? null) === value) quads.push(quad(subject, a, type))
    }
    const name = naming === undefined ? null : textOf(cells.get(naming) ?? null)
    if (name !== null) quads.push(quad(subject, label, literal(name)))
    for (const { property, predicate, target } of properties) {
      const object = objectOf(property, target)
      if (object !== null) quads.push(quad(subject, predicate, object))
    }
    for (const { predicate, from, to } of links) {
      const [left, right] = [from, to].map((property) => objectOf(property, targets.get(property.range)))
      if (left !== null && left !== undefined && right !== null && right !== undefined) quads.push(quad(left, predicate, right))
    }
    return quads
  }
}

/** A label has no tier of its own and is read by everybody who may see the record: it must not repeat what is hidden from them. */
function namingColumn(cls: OntologyClass): string | undefined {
  const open = cls.properties.filter(({ kind, tier }) => kind === 'data' && within(tier, cls.tier))
  const calling = cls.labelProperties ?? (cls.labelProperty === null ? [] : [cls.labelProperty])
  return calling.flatMap((each) => open.filter(({ name }) => name === each))[0]?.columns[0]
}

const a = iri(RDF_TYPE)
const label = iri(`${RDFS}label`)

/** The record's IRI; a blank node named after its content where the table has no key or the key has a hole in it. */
export function recordNode(ontology: Ontology, cls: OntologyClass, cells: Cells, ordinal = 0): Term {
  const key = cls.key.map((column) => keyText(cells.get(column) ?? null))
  if (key.length > 0 && key.every((part) => part !== null)) return iri(recordIri(ontology, cls, key))
  const content = readColumns(cls).map((column) => cells.get(column) ?? null)
  return { kind: 'bnode', value: blankLabel(cls.table, content, ordinal) }
}

/** The columns of a class that may be read: its key and everything behind a property. A cut ontology names no others. */
export const readColumns = (cls: OntologyClass): string[] =>
  [...new Set([...cls.key, ...cls.properties.flatMap(({ columns }) => columns)])].toSorted(compareText)

/** Whether the reference names every key column of its target, so that the target's IRI follows from it. */
export const leadsToKey = ({ refColumns }: OntologyProperty, target: OntologyClass): boolean =>
  target.key.length > 0 && target.key.every((column) => refColumns.includes(column))

function referenced(ontology: Ontology, property: OntologyProperty, target: OntologyClass, cells: Cells): Term | null {
  // one NULL among several columns means no reference at all, as in SQL's simple match
  const values = property.columns.map((column) => keyText(cells.get(column) ?? null))
  if (values.includes(null)) return null
  return iri(recordIri(ontology, target, target.key.map((column) => values[property.refColumns.indexOf(column)] ?? '')))
}

const keyText = (cell: Cell): string | null => (cell instanceof Uint8Array ? hexBinary(cell) : textOf(cell))

function textOf(cell: Cell): string | null {
  const term = literalOf(cell, `${XSD}string`)
  return term === null ? null : term.value
}

interface EventKind {
  readonly column: string
  readonly value: string
  readonly type: Term
}

function eventKinds(ontology: Ontology, cls: OntologyClass): EventKind[] {
  return (ontology.eventSubclasses ?? []).flatMap((kind) => {
    const column = cls.properties.find(({ name }) => name === kind.property)?.columns[0]
    return kind.parent === cls.name && column !== undefined ? [{ column, value: kind.value, type: iri(kind.iri) }] : []
  })
}

interface JunctionLink {
  readonly predicate: Term
  readonly from: OntologyProperty
  readonly to: OntologyProperty
}

/** Two references of a junction, read as one property between the records they lead to. */
function junctionLinks(ontology: Ontology, cls: OntologyClass): JunctionLink[] {
  return (ontology.relationships ?? []).flatMap((relationship) => {
    if (relationship.junction !== cls.name) return []
    const from = cls.properties.find(({ name }) => name === relationship.fromProperty)
    const to = cls.properties.find(({ name }) => name === relationship.toProperty)
    return from === undefined || to === undefined ? [] : [{ predicate: iri(relationship.iri), from, to }]
  })
}
