/**
 * The ontology as SHACL: one node shape per class and one property shape per property. Property shapes have IRIs of their own
 * (`:CustomerShape.status`), so that a validation report can name the shape behind a result.
 *
 * SHACL core has no word for uniqueness, and SHACL-SPARQL, which has, makes core-only processors stop (rdf-validate-shacl among
 * them). So the file stays in the core, unique values are told in the comment of the shape, and SQL checks them. What is unique
 * because it is the key needs no word at all: two records with the same key are the same node.
 */
import { hash64 } from '../../kernel/text/index.ts'
import type { Quad } from '../../kernel/rdf/index.ts'
import { RDF, RDFS, RDF_TYPE, SH, STANDARD_PREFIXES, quad, quadKey, writeTurtle } from '../../kernel/rdf/index.ts'
import { type Term, XSD, compareText, iri, literal } from '../../kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../ontology.ts'
import type { Bound } from './check-text.ts'
import { type Constraint, type SchemaOption, constraintsOf } from './constraints.ts'

export interface ShapesOptions extends SchemaOption {
  /** lines of comment at the top, such as the ceiling under which the file was made */
  readonly header?: readonly string[]
}

export function shapesTurtle(ontology: Ontology, { header = [], ...schema }: ShapesOptions = {}): string {
  return writeTurtle(shapesOf(ontology, schema), { prefixes: { ...STANDARD_PREFIXES, '': ontology.baseIri }, header })
}

export function shapesOf(ontology: Ontology, schema: SchemaOption = {}): Quad[] {
  const byClass = Map.groupBy(constraintsOf(ontology, schema).constraints, ({ cls }) => cls)
  return ontology.classes.flatMap((cls) => classShape(ontology, cls, byClass.get(cls) ?? []))
}

/** `:CustomerShape`, or with a mark where the ontology has a class of that name. */
export function shapeIri(ontology: Ontology, cls: OntologyClass): string {
  const name = `${cls.name}Shape`
  return `${ontology.baseIri}${name}${classNames(ontology).has(name) ? `_${hash64(cls.name).slice(0, 6)}` : ''}`
}

const known = new WeakMap<Ontology, ReadonlySet<string>>()

/** Asked for once per property, and a large schema has many. */
function classNames(ontology: Ontology): ReadonlySet<string> {
  const names = known.get(ontology) ?? new Set([...ontology.classes, ...(ontology.eventSubclasses ?? [])].map(({ name }) => name))
  known.set(ontology, names)
  return names
}

export const propertyShapeIri = (ontology: Ontology, cls: OntologyClass, property: OntologyProperty): string =>
  `${shapeIri(ontology, cls)}.${property.name}`

/** The shape that a constraint is part of. */
export const sourceShape = (ontology: Ontology, { kind, cls, property }: Constraint): string =>
  property === null || kind === 'unique' ? shapeIri(ontology, cls) : propertyShapeIri(ontology, cls, property)

const BOUNDS: Readonly<Record<Bound, string>> = {
  '>=': 'minInclusive', '>': 'minExclusive', '<=': 'maxInclusive', '<': 'maxExclusive',
}

/** The constraint component that SHACL names in a result of this constraint; for uniqueness one in our own namespace. */
export function componentOf(ontology: Ontology, constraint: Constraint): string {
  switch (constraint.kind) {
    case 'required':
      return `${SH}MinCountConstraintComponent`
    case 'datatype':
      return `${SH}DatatypeConstraintComponent`
    case 'reference':
      return `${SH}ClassConstraintComponent`
    case 'in':
      return `${SH}InConstraintComponent`
    case 'declared':
    case 'pattern':
      return `${SH}PatternConstraintComponent`
    case 'unique':
      return `${ontology.baseIri}UniqueConstraintComponent`
    case 'range': {
      const [first = '', ...rest] = BOUNDS[constraint.bound]
      return `${SH}${first.toUpperCase()}${rest.join('')}ConstraintComponent`
    }
  }
}

/** One class's shape by itself; `constraints` are those of the class. */
export function classShape(ontology: Ontology, cls: OntologyClass, constraints: readonly Constraint[]): Quad[] {
  const shape = iri(shapeIri(ontology, cls))
  const byProperty = Map.groupBy(constraints, ({ property }) => property)
  const unique = constraints.flatMap((each) => {
    if (each.kind !== 'unique' || each.identity) return []
    return [`No two have the same ${each.properties.map(({ label }) => label).join(' and ')} (checked by SQL).`]
  })
  const key = cls.key.length === 0 ? 'which has no key' : `identified by ${cls.key.join(', ')}`
  return [
    quad(shape, a, sh('NodeShape')),
    quad(shape, sh('targetClass'), iri(cls.iri)),
    quad(shape, iri(`${RDFS}label`), literal(`Shape of ${cls.label}`)),
    quad(shape, iri(`${RDFS}comment`), literal([`Records of the table ${cls.table}, ${key}.`, ...unique].join(' '))),
    ...cls.properties.flatMap((property) => {
      const node = iri(propertyShapeIri(ontology, cls, property))
      return [quad(shape, sh('property'), node), ...propertyShape(node, cls, property, byProperty.get(property) ?? [])]
    }),
  ]
}

function propertyShape(node: Term, cls: OntologyClass, property: OntologyProperty, about: readonly Constraint[]): Quad[] {
  const columns = `Column${property.columns.length === 1 ? '' : 's'} ${property.columns.join(', ')} of the table ${cls.table}.`
  const evidence = property.inferred === null ? '' : ` Not declared: ${property.inferred}.`
  return [
    quad(node, a, sh('PropertyShape')),
    quad(node, sh('path'), iri(property.iri)),
    quad(node, sh('name'), literal(property.label)),
    quad(node, sh('description'), literal(columns + evidence)),
    // a column holds one value, and so does a reference
    quad(node, sh('maxCount'), integer(1)),
    ...(property.kind === 'object' ? [quad(node, sh('nodeKind'), sh(nodeKind(about)))] : []),
    ...about.flatMap((constraint) => demandQuads(node, constraint)),
  ]
}

/** Records of a class without a key have no IRI. */
const nodeKind = (about: readonly Constraint[]): string =>
  about.some((each) => each.kind === 'reference' && each.target.key.length > 0) ? 'IRI' : 'BlankNodeOrIRI'

function demandQuads(node: Term, constraint: Constraint): Quad[] {
  switch (constraint.kind) {
    case 'required':
      return [quad(node, sh('minCount'), integer(1))]
    case 'datatype':
      return [quad(node, sh('datatype'), iri(constraint.datatype))]
    case 'reference':
      return [quad(node, sh('class'), iri(constraint.target.iri))]
    case 'in': {
      const { head, quads } = list(constraint.terms)
      return [quad(node, sh('in'), head), ...quads]
    }
    case 'range':
      return [quad(node, sh(BOUNDS[constraint.bound]), constraint.term)]
    case 'declared':
    case 'pattern':
      return [quad(node, sh('pattern'), literal(constraint.pattern))]
    case 'unique':
      return []
  }
}

/** An RDF list whose nodes are named by what follows them, so that the same list is the same nodes wherever it stands. */
function list(terms: readonly Term[]): { head: Term; quads: Quad[] } {
  return terms.toReversed().reduce<{ head: Term; quads: Quad[] }>(
    ({ head, quads }, term) => {
      const cell = [quad(PLACE, iri(`${RDF}first`), term), quad(PLACE, iri(`${RDF}rest`), head)]
      const node = contentNode(cell)
      return { head: node, quads: [...cell.map((each) => ({ ...each, subject: node })), ...quads] }
    },
    { head: iri(`${RDF}nil`), quads: [] },
  )
}

/** A blank node named by the triples about it, which are written here about `PLACE`. */
export const contentNode = (about: readonly Quad[]): Term => ({
  kind: 'bnode',
  value: `b${hash64(about.map(quadKey).toSorted(compareText).join('\n'))}`,
})

const sh = (name: string): Term => iri(SH + name)
const a = iri(RDF_TYPE)
const integer = (value: number): Term => literal(String(value), `${XSD}integer`)
/** Stands for the blank node whose name is not known before its triples are. */
export const PLACE: Term = { kind: 'bnode', value: 'here' }
