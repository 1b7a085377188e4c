/** Which nodes a shape speaks about. */
import { OWL, RDFS, RDF_TYPE, SH, tripleAtom } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { termKey } from '../term.ts'
import type { Bodies, Weaving } from './bodies.ts'
import { atomItem, termsRelation } from './bodies.ts'
import { instanceRelation } from './instances.ts'
import type { Refuse, ShapesGraph } from './shapes-graph.ts'
import { shortIri } from './shapes-graph.ts'

export interface Target {
  /** `implicit`: the shape is a class itself */
  readonly kind: 'class' | 'implicit' | 'node' | 'subjectsOf' | 'objectsOf'
  readonly term: Term
}

const TARGETS = [
  ['class', 'targetClass'],
  ['node', 'targetNode'],
  ['subjectsOf', 'targetSubjectsOf'],
  ['objectsOf', 'targetObjectsOf'],
] as const

export function targetsOf(graph: ShapesGraph, shape: Term, refuse: Refuse): Target[] {
  if (graph.values(shape, `${SH}target`).length > 0)
    refuse(`sh:target of ${graph.name(shape)} is not supported: name a class, a node, or a property by its subjects or objects`)
  const stated = TARGETS.flatMap(([kind, name]) =>
    graph.values(shape, SH + name).map((term): Target => {
      const wrong = kind === 'node' ? term.kind === 'bnode' : term.kind !== 'iri'
      const expected = kind === 'node' ? 'an IRI or a literal' : 'an IRI'
      if (wrong) refuse(`sh:${name} of ${graph.name(shape)} is ${termKey(term)}, expected ${expected}`)
      return { kind, term }
    }),
  )
  return shape.kind === 'iri' && isClass(graph, shape) ? [...stated, { kind: 'implicit', term: shape }] : stated
}

/** A class of the shapes graph: of type rdfs:Class, owl:Class, or of a class of classes that the graph declares. */
function isClass(graph: ShapesGraph, node: Term): boolean {
  const pending = [...graph.values(node, RDF_TYPE)]
  const seen = new Set<string>()
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    if (type.value === `${RDFS}Class` || type.value === `${OWL}Class`) return true
    if (seen.has(termKey(type))) continue
    seen.add(termKey(type))
    pending.push(...graph.values(type, `${RDFS}subClassOf`))
  }
  return false
}

export const THIS = { variable: 'this' }

/** `?this` is a target, one alternative for each kind of target. */
export function targetBodies(targets: readonly Target[], weave: Weaving): Bodies {
  const nodes = targets.flatMap(({ kind, term }) => (kind === 'node' ? [term] : []))
  const others = targets.flatMap(({ kind, term }) => {
    switch (kind) {
      case 'class':
      case 'implicit':
        return [[atomItem({ predicate: instanceRelation(term, weave), args: [THIS] })]]
      case 'subjectsOf':
        return [[atomItem(tripleAtom(THIS, term.value, null))]]
      case 'objectsOf':
        return [[atomItem(tripleAtom(null, term.value, THIS))]]
      case 'node':
        return []
    }
  })
  if (nodes.length === 0) return others
  return [[atomItem({ predicate: termsRelation(weave, nodes, 'target nodes'), args: [THIS] })], ...others]
}

/** A target in words: "instances of ex:Person". */
export function sayTarget({ kind, term }: Target): string {
  const name = term.kind === 'iri' ? shortIri(term.value) : termKey(term)
  if (kind === 'node') return name
  return { class: 'instances of ', implicit: 'instances of ', subjectsOf: 'subjects of ', objectsOf: 'objects of ' }[kind] + name
}
