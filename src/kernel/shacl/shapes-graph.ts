/** A shapes graph to read from: values by subject and property, lists, and names for the blank nodes that faults speak of. */
import type { Quad } from '../rdf/index.ts'
import { OWL, RDF, RDFS, SH, XSD } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { termKey } from '../term.ts'

export interface ShapesGraph {
  values(subject: Term, property: string): readonly Term[]
  /** the properties that a node has, in order of appearance */
  properties(subject: Term): readonly string[]
  /** the subjects of a property, in order of appearance */
  subjects(property: string): readonly Term[]
  /** who points at a node by a property */
  holders(property: string, object: Term): readonly Term[]
  /** the members of an rdf:List, or what is wrong with it */
  list(node: Term): { readonly ok: true; readonly members: readonly Term[] } | { readonly ok: false; readonly message: string }
  /** how a fault names a node: its IRI or, for a blank node, the property it hangs on and the nearest node with a name */
  name(node: Term): string
}

interface Pointer {
  readonly from: Term
  readonly property: string
}

/** Says what is wrong; a rule about which something was said is not compiled. */
export type Refuse = (message: string) => void

const PREFIXES: readonly (readonly [string, string])[] = [
  ['sh', SH],
  ['rdf', RDF],
  ['rdfs', RDFS],
  ['owl', OWL],
  ['xsd', XSD],
]

/** An IRI as a message shows it: the standard vocabularies under their prefixes, others in full. */
export function shortIri(value: string): string {
  for (const [prefix, namespace] of PREFIXES) if (value.startsWith(namespace)) return `${prefix}:${value.slice(namespace.length)}`
  return `<${value}>`
}

export function shapesGraph(quads: readonly Quad[]): ShapesGraph {
  const bySubject = new Map<string, Map<string, Term[]>>()
  const subjectsOf = new Map<string, Map<string, Term>>()
  const pointers = new Map<string, Pointer[]>()
  const seen = new Set<string>()
  for (const { subject, predicate, object } of quads) {
    const [from, to] = [termKey(subject), termKey(object)]
    const key = `${from} ${predicate.value} ${to}`
    if (seen.has(key)) continue
    seen.add(key)
    entry(entry(bySubject, from, () => new Map<string, Term[]>()), predicate.value, (): Term[] => []).push(object)
    entry(subjectsOf, predicate.value, () => new Map<string, Term>()).set(from, subject)
    entry(pointers, to, (): Pointer[] => []).push({ from: subject, property: predicate.value })
  }
  const values = (subject: Term, property: string): readonly Term[] => bySubject.get(termKey(subject))?.get(property) ?? []

  const list: ShapesGraph['list'] = (node) => {
    const members: Term[] = []
    const cells = new Set<string>()
    let cell = node
    while (cell.kind !== 'iri' || cell.value !== `${RDF}nil`) {
      if (cells.has(termKey(cell))) return { ok: false, message: 'the list runs in a circle' }
      cells.add(termKey(cell))
      const [firsts, rests] = [values(cell, `${RDF}first`), values(cell, `${RDF}rest`)]
      const [first] = firsts
      const [rest] = rests
      if (first === undefined || rest === undefined || firsts.length > 1 || rests.length > 1)
        return { ok: false, message: 'the list is broken: each of its cells needs one rdf:first and one rdf:rest' }
      members.push(first)
      cell = rest
    }
    return { ok: true, members }
  }

  const name = (node: Term): string => {
    if (node.kind === 'literal') return termKey(node)
    const visited = new Set<string>()
    let at: Term = node
    let way = ''
    while (at.kind === 'bnode') {
      visited.add(termKey(at))
      const pointer: Pointer | undefined = (pointers.get(termKey(at)) ?? []).find(({ from }) => !visited.has(termKey(from)))
      if (pointer === undefined) return way === '' ? 'a blank node' : `${way} of a blank node`
      // of a long way up only the first step helps the reader, and a list's cells do not
      if (way === '' && !pointer.property.startsWith(RDF)) way = `the ${shortIri(pointer.property)}`
      at = pointer.from
    }
    return way === '' ? shortIri(at.value) : `${way} of ${shortIri(at.value)}`
  }

  return {
    values,
    properties: (subject) => [...(bySubject.get(termKey(subject))?.keys() ?? [])],
    subjects: (property) => [...(subjectsOf.get(property)?.values() ?? [])],
    holders: (property, object) =>
      (pointers.get(termKey(object)) ?? []).flatMap((pointer) => (pointer.property === property ? [pointer.from] : [])),
    list,
    name,
  }
}

/** The one value of a property, undefined where there is none; two values are refused. */
export function single(graph: ShapesGraph, node: Term, property: string, refuse: Refuse): Term | undefined {
  const values = graph.values(node, property)
  const { length } = values
  if (length > 1) refuse(`${graph.name(node)} has ${length} values of ${shortIri(property)}, at most one is allowed`)
  return values[0]
}

/** The members of the list that is the value of a property; a broken list is refused. */
export function members(graph: ShapesGraph, node: Term, list: Term, property: string, refuse: Refuse): readonly Term[] {
  const read = graph.list(list)
  if (read.ok) return read.members
  refuse(`${shortIri(property)} of ${graph.name(node)}: ${read.message}`)
  return []
}

/** Whether sh:deactivated is true. */
export function isDeactivated(graph: ShapesGraph, node: Term, refuse: Refuse): boolean {
  const flag = booleanAt(graph, node, `${SH}deactivated`, refuse)
  return flag ?? false
}

export function booleanAt(graph: ShapesGraph, node: Term, property: string, refuse: Refuse): boolean | undefined {
  const value = single(graph, node, property, refuse)
  if (value === undefined) return undefined
  if (value.kind === 'literal' && value.datatype === `${XSD}boolean`) {
    if (value.value === 'true' || value.value === '1') return true
    if (value.value === 'false' || value.value === '0') return false
  }
  refuse(`${shortIri(property)} of ${graph.name(node)} is ${termKey(value)}, expected true or false`)
  return undefined
}

/** A count: a whole number from 0 upward. */
export function countAt(graph: ShapesGraph, node: Term, property: string, refuse: Refuse): number | undefined {
  const value = single(graph, node, property, refuse)
  if (value === undefined) return undefined
  if (value.kind === 'literal' && /^\+?\d{1,15}$/.test(value.value) && value.datatype.startsWith(XSD)) return Number(value.value)
  refuse(`${shortIri(property)} of ${graph.name(node)} is ${termKey(value)}, expected a whole number from 0 upward`)
  return undefined
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
