/** Shapes as SHACL Core describes them, read from a shapes graph. What is not known here is refused, never overlooked. */
import { RDF_TYPE, SH, XSD } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { termKey } from '../term.ts'
import type { Path } from './path.ts'
import { readPath, sayPath } from './path.ts'
import type { Refuse, ShapesGraph } from './shapes-graph.ts'
import { booleanAt, countAt, isDeactivated, members, shortIri, single } from './shapes-graph.ts'
import type { ValueTest } from './value-tests.ts'
import { boundTest, datatypeTest, languageTest, lengthTest, nodeKindTest, patternTest } from './value-tests.ts'

/** Constraints on each value by itself. */
export type ValueConstraint =
  | { readonly kind: 'test'; readonly says: string; readonly test: ValueTest }
  | { readonly kind: 'in'; readonly terms: readonly Term[] }
  | { readonly kind: 'class'; readonly cls: Term }
  | { readonly kind: 'closed'; readonly allowed: readonly string[] }
  | { readonly kind: 'conforms' | 'not'; readonly shape: Shape }
  | { readonly kind: 'and' | 'or' | 'xone'; readonly shapes: readonly Shape[] }

/** Constraints on all values of a focus node together. */
export type SetConstraint =
  | { readonly kind: 'count'; readonly min: number; readonly max: number | undefined }
  | { readonly kind: 'hasValue'; readonly term: Term }
  | { readonly kind: 'equals' | 'disjoint'; readonly property: string }
  | { readonly kind: 'order'; readonly op: '<' | '<='; readonly property: string }
  | { readonly kind: 'uniqueLang' }
  | {
      readonly kind: 'qualified'
      readonly shape: Shape
      /** shapes that a counted value must not conform to */
      readonly apart: readonly Shape[]
      readonly min: number
      readonly max: number | undefined
    }

export interface Shape {
  readonly node: Term
  readonly name: string
  /** absent: a node shape, whose only value is the focus node */
  readonly path: Path | undefined
  readonly deactivated: boolean
  readonly values: readonly ValueConstraint[]
  readonly sets: readonly SetConstraint[]
}

/** Says nothing about conformance. */
const SILENT = new Set(
  ['name', 'description', 'order', 'group', 'defaultValue', 'message', 'severity', 'deactivated', 'path', 'flags', 'prefixes']
    .concat(['targetClass', 'targetNode', 'targetSubjectsOf', 'targetObjectsOf', 'target', 'rule', 'declare', 'shapesGraph'])
    .concat(['qualifiedMinCount', 'qualifiedMaxCount', 'qualifiedValueShapesDisjoint', 'ignoredProperties'])
    .concat(['entailment', 'labelTemplate']),
)
/** The constraint components of DASH: with them in the graph the shape asks for more than we can see. */
const DASH = 'http://datashapes.org/dash#'
const DASH_CONSTRAINTS = new Set(
  ['closedByTypes', 'coExistsWith', 'fileExtension', 'hasValueIn', 'hasValueWithClass', 'nonRecursive', 'reifiableBy']
    .concat(['rootClass', 'scriptConstraint', 'singleLine', 'stem', 'subSetOf', 'symmetric', 'uniqueValueForClass', 'uriStart'])
    .map((name) => DASH + name),
)
const MAX_DEPTH = 48

export interface ShapeReader {
  read(node: Term, refuse: Refuse): Shape
}

export function shapeReader(graph: ShapesGraph): ShapeReader {
  const known = new Map<string, Shape>()
  const custom = customParameters(graph)

  function read(node: Term, refuse: Refuse, above: readonly string[] = []): Shape {
    const key = termKey(node)
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const faults: string[] = []
    const complain: Refuse = (message) => {
      faults.push(message)
      refuse(message)
    }
    const shape = readNew(node, complain, [...above, key])
    // a shape about which something was said is read again for the next rule, which must hear of it too
    if (faults.length === 0) known.set(key, shape)
    return shape
  }

  function readNew(node: Term, refuse: Refuse, above: readonly string[]): Shape {
    const name = graph.name(node)
    const path = single(graph, node, `${SH}path`, refuse)
    const empty = { node, name, path: undefined, deactivated: false, values: [], sets: [] }
    if (node.kind === 'literal') {
      refuse(`${name} is a literal, expected a shape`)
      return empty
    }
    const nested = (inner: Term): Shape => {
      if (above.includes(termKey(inner))) refuse(`${graph.name(inner)} refers to itself: a recursive shape has no agreed meaning`)
      else if (above.length >= MAX_DEPTH) refuse(`shapes are nested more than ${MAX_DEPTH} deep in ${name}`)
      else return read(inner, refuse, above)
      return { ...empty, node: inner }
    }
    const isProperty = graph.values(node, RDF_TYPE).some(({ value }) => value === `${SH}PropertyShape`)
    if (isProperty && path === undefined) refuse(`${name} is a property shape without sh:path`)
    const readAlong = path === undefined ? undefined : readPath(graph, path, refuse)
    const values: ValueConstraint[] = []
    const sets: SetConstraint[] = []
    const reading = { graph, node, refuse, nested, values, sets, onPath: path !== undefined }
    for (const property of graph.properties(node)) {
      if (custom.has(property) || DASH_CONSTRAINTS.has(property)) refuse(unsupported(property, name))
      if (!property.startsWith(SH) || SILENT.has(property.slice(SH.length))) continue
      readConstraint(property, reading)
    }
    return { node, name, path: readAlong, deactivated: isDeactivated(graph, node, refuse), values, sets }
  }

  return { read: (node, refuse) => read(node, refuse) }
}

interface Reading {
  readonly graph: ShapesGraph
  readonly node: Term
  readonly refuse: Refuse
  readonly nested: (node: Term) => Shape
  readonly values: ValueConstraint[]
  readonly sets: SetConstraint[]
  readonly onPath: boolean
}

const unsupported = (property: string, shape: string): string =>
  `${shortIri(property)} in ${shape} is not supported in a condition`

function readConstraint(property: string, reading: Reading): void {
  const { graph, node, refuse, nested, values, sets } = reading
  const name = property.slice(SH.length)
  const all = graph.values(node, property)
  const test = (says: string, test: ValueTest) => values.push({ kind: 'test', says, test })
  const iriOnly = (term: Term): boolean => {
    if (term.kind !== 'iri') refuse(`${shortIri(property)} of ${graph.name(node)} is ${termKey(term)}, expected an IRI`)
    return term.kind === 'iri'
  }
  const pathOnly = () => {
    if (!reading.onPath) refuse(`${shortIri(property)} in ${graph.name(node)} needs a sh:path beside it`)
  }
  switch (name) {
    case 'class':
      for (const cls of all) if (iriOnly(cls)) values.push({ kind: 'class', cls })
      return
    case 'node':
      for (const inner of all) values.push({ kind: 'conforms', shape: nested(inner) })
      return
    case 'property':
      for (const inner of all) {
        if (graph.values(inner, `${SH}path`).length === 0) refuse(`${graph.name(inner)} is a property shape without sh:path`)
        values.push({ kind: 'conforms', shape: nested(inner) })
      }
      return
    case 'not':
      for (const inner of all) values.push({ kind: 'not', shape: nested(inner) })
      return
    case 'and':
    case 'or':
    case 'xone':
      for (const list of all) values.push({ kind: name, shapes: members(graph, node, list, property, refuse).map(nested) })
      return
    case 'hasValue':
      for (const term of all) {
        if (term.kind === 'bnode') refuse(`sh:hasValue of ${graph.name(node)} is a blank node: it names no node of the data`)
        sets.push({ kind: 'hasValue', term })
      }
      return
    case 'equals':
    case 'disjoint':
      for (const other of all) if (iriOnly(other)) sets.push({ kind: name, property: other.value })
      return
    case 'lessThan':
    case 'lessThanOrEquals':
      pathOnly()
      for (const other of all) {
        if (iriOnly(other)) sets.push({ kind: 'order', op: name === 'lessThan' ? '<' : '<=', property: other.value })
      }
      return
    case 'minCount':
    case 'maxCount': {
      pathOnly()
      const count = countAt(graph, node, property, refuse) ?? 0
      sets.push(name === 'minCount' ? { kind: 'count', min: count, max: undefined } : { kind: 'count', min: 0, max: count })
      return
    }
    case 'uniqueLang':
      pathOnly()
      // the one spelling that the recommendation names; it has a test by which "1" leaves the constraint off
      if ((booleanAt(graph, node, property, refuse) ?? false) && all[0]?.value === 'true') sets.push({ kind: 'uniqueLang' })
      return
    case 'qualifiedValueShape':
      pathOnly()
      readQualified(reading)
      return
    case 'closed':
      if (booleanAt(graph, node, property, refuse) ?? false) values.push({ kind: 'closed', allowed: allowedBy(reading) })
      return
    case 'in': {
      const list = single(graph, node, property, refuse)
      if (list === undefined) return
      const terms = members(graph, node, list, property, refuse)
      if (terms.some(({ kind }) => kind === 'bnode')) refuse(`sh:in of ${graph.name(node)} holds a blank node`)
      values.push({ kind: 'in', terms })
      return
    }
    default: {
      const value = name === 'pattern' ? all[0] : single(graph, node, property, refuse)
      if (value !== undefined) readTest(name, property, value, reading, test)
    }
  }
}

const BOUNDS = { minInclusive: '>=', minExclusive: '>', maxInclusive: '<=', maxExclusive: '<' } as const

type AddTest = (says: string, test: ValueTest) => void

function readTest(name: string, property: string, value: Term, reading: Reading, test: AddTest): void {
  const { graph, node, refuse } = reading
  const says = `${shortIri(property)} ${value.kind === 'iri' ? shortIri(value.value) : termKey(value)}`
  const wrong = (expected: string) =>
    refuse(`${shortIri(property)} of ${graph.name(node)} is ${termKey(value)}, expected ${expected}`)
  const textOf = (term: Term): string | undefined =>
    term.kind === 'literal' && term.datatype === `${XSD}string` ? term.value : undefined
  if (Object.hasOwn(BOUNDS, name)) {
    if (value.kind === 'literal') test(says, boundTest(BOUNDS[name as keyof typeof BOUNDS], value))
    else wrong('a literal')
  } else if (name === 'datatype') {
    if (value.kind === 'iri') test(says, datatypeTest(value))
    else wrong('the IRI of a datatype')
  } else if (name === 'nodeKind') {
    const kind = nodeKindTest(value)
    if (kind === undefined) wrong('a node kind such as sh:IRI')
    else test(says, kind)
  } else if (name === 'minLength' || name === 'maxLength') {
    const length = countAt(graph, node, property, refuse)
    if (length !== undefined) test(says, lengthTest(name === 'minLength' ? '>=' : '<=', length))
  } else if (name === 'pattern') {
    const flags = single(graph, node, `${SH}flags`, refuse)
    for (const each of graph.values(node, property)) {
      const pattern = textOf(each)
      if (pattern === undefined || (flags !== undefined && textOf(flags) === undefined)) wrong('a string')
      else test(`sh:pattern ${termKey(each)}`, patternTest(pattern, flags?.value))
    }
  } else if (name === 'languageIn') {
    const ranges = members(graph, node, value, property, refuse).map(textOf)
    if (ranges.includes(undefined)) wrong('a list of language tags')
    const known = ranges.filter((range) => range !== undefined)
    test(`sh:languageIn ${known.join(' ')}`, languageTest(known))
  } else refuse(unsupported(property, graph.name(node)))
}

function readQualified({ graph, node, refuse, nested, sets }: Reading): void {
  const inner = single(graph, node, `${SH}qualifiedValueShape`, refuse)
  if (inner === undefined) return
  const min = countAt(graph, node, `${SH}qualifiedMinCount`, refuse)
  const max = countAt(graph, node, `${SH}qualifiedMaxCount`, refuse)
  if (min === undefined && max === undefined)
    refuse(`${graph.name(node)} has sh:qualifiedValueShape without sh:qualifiedMinCount or sh:qualifiedMaxCount`)
  const disjoint = booleanAt(graph, node, `${SH}qualifiedValueShapesDisjoint`, refuse) ?? false
  const siblings = disjoint
    ? graph
        .holders(`${SH}property`, node)
        .flatMap((parent) => graph.values(parent, `${SH}property`))
        .flatMap((sibling) => graph.values(sibling, `${SH}qualifiedValueShape`))
        .filter((shape) => termKey(shape) !== termKey(inner))
    : []
  const apart = [...new Map(siblings.map((shape) => [termKey(shape), shape])).values()].map(nested)
  sets.push({ kind: 'qualified', shape: nested(inner), apart, min: min ?? 0, max })
}

/** What a node of a closed shape may have: the properties of its property shapes, and those it ignores. */
function allowedBy({ graph, node, refuse }: Reading): string[] {
  const paths = graph.values(node, `${SH}property`).flatMap((shape) => graph.values(shape, `${SH}path`))
  const ignored = single(graph, node, `${SH}ignoredProperties`, refuse)
  const more = ignored === undefined ? [] : members(graph, node, ignored, `${SH}ignoredProperties`, refuse)
  return [...paths, ...more].flatMap((term) => (term.kind === 'iri' ? [term.value] : []))
}

/** The parameters of constraint components that the graph declares itself. */
function customParameters(graph: ShapesGraph): ReadonlySet<string> {
  const components = graph.holders(RDF_TYPE, { kind: 'iri', value: `${SH}ConstraintComponent` })
  const parameters = components.flatMap((component) => graph.values(component, `${SH}parameter`))
  const paths = parameters.flatMap((parameter) => graph.values(parameter, `${SH}path`))
  return new Set(paths.map(({ value }) => value).filter((property) => !property.startsWith(SH)))
}

const sayShape = ({ name, path }: Shape): string => (path === undefined ? `sh:node ${name}` : `sh:property ${sayPath(path)}`)

/** A shape's constraints on single values in words, for the explanation of a relation. */
export function sayConstraints(shape: Shape): string {
  const words = shape.values.map((constraint) => {
    switch (constraint.kind) {
      case 'test':
        return constraint.says
      case 'class':
        return `sh:class ${shortIri(constraint.cls.value)}`
      case 'conforms':
        return sayShape(constraint.shape)
      default:
        return `sh:${constraint.kind}`
    }
  })
  return words.join(', ')
}
