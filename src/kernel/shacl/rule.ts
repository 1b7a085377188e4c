/** One sh:rule as Datalog: the targets bind `?this`, the conditions filter it, the rule says which triples follow. */
import type { Argument, BodyItem, DatalogRule } from '../datalog/index.ts'
import { SH, tripleHead } from '../rdf/index.ts'
import { compileConstruct } from '../sparql/index.ts'
import type { Term } from '../term.ts'
import { termKey } from '../term.ts'
import type { Bodies, Body, Focus, Weaving } from './bodies.ts'
import { SHACL_RELATION, allOf, and, call, gathered, testItem } from './bodies.ts'
import { holds } from './conform.ts'
import { instancesOf } from './instances.ts'
import type { Expressing, Nodes } from './node-expression.ts'
import { nodesOf } from './node-expression.ts'
import { prefixesAt, withPrefixes } from './prefixes.ts'
import { hiddenSelects } from './query-text.ts'
import type { ShapeReader } from './shape.ts'
import type { ShapesGraph } from './shapes-graph.ts'
import { single } from './shapes-graph.ts'
import type { Target } from './targets.ts'
import { THIS, sayTarget, targetBodies } from './targets.ts'

/** Something wrong inside the text of a query of the shapes graph; line and column count inside that text. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface RuleInput {
  readonly graph: ShapesGraph
  readonly shapes: ShapeReader
  readonly weave: Weaving
  readonly node: Term
  readonly targets: readonly Target[]
  readonly refuseAt: (message: string, place: Place, unsupported?: string) => void
}

/** More than this many rules from one are more than a person reads: the focus nodes become a relation then. */
const MAX_RULES = 24

/** `?this` is a target (the scope) and conforms to every condition (the bodies). */
function focusNodes({ graph, shapes, weave, node, targets }: RuleInput): { focus: Focus; bodies: Bodies } {
  const focus: Focus = { variable: THIS.variable, scope: targetBodies(targets, weave) }
  const conditions = graph.values(node, `${SH}condition`).map((shape) => holds(shapes.read(shape, weave.refuse), focus, weave))
  const conforming = allOf(weave, focus, conditions, 'nodes that meet the conditions')
  return { focus, bodies: and(focus.scope, conforming) }
}

const sayFocus = (targets: readonly Target[]): string => `focus nodes: ${targets.map(sayTarget).join(', ')}`

export function tripleRule(input: RuleInput): DatalogRule[] {
  const { graph, shapes, weave, node, targets } = input
  const part = (name: string): readonly Nodes[] => {
    const value = single(graph, node, SH + name, weave.refuse)
    if (value === undefined) weave.refuse(`${graph.name(node)} has no sh:${name}`)
    return value === undefined ? [] : nodesOf(value, expressing)
  }
  const { focus, bodies } = focusNodes(input)
  const expressing: Expressing = { graph, shapes, weave, focus }
  const [subjects, properties, objects] = [part('subject'), part('predicate'), part('object')]
  const triples = subjects.flatMap((s) => properties.flatMap((p) => objects.map((o) => ({ s, p, o }))))
  const most = Math.max(1, Math.floor(MAX_RULES / Math.max(1, triples.length)))
  const focused = gathered(weave, focus, bodies, sayFocus(targets), most)
  const rules = focused.flatMap((body) => triples.map(({ s, p, o }) => tripleOf(s, p, o, body, graph.name(node), weave)))
  return rules.flatMap((rule, n) => (rule === undefined ? [] : [{ ...rule, id: n === 0 ? weave.id : `${weave.id}~${n + 1}` }]))
}

function tripleOf(s: Nodes, p: Nodes, o: Nodes, body: Body, name: string, weave: Weaving): Omit<DatalogRule, 'id'> | undefined {
  const [subject, predicate] = [s, p].map(({ end }) => ('term' in end ? end.term : undefined))
  if (subject?.kind === 'literal') weave.refuse(`sh:subject of ${name} is the literal ${termKey(subject)}`)
  if (predicate !== undefined && predicate.kind !== 'iri')
    weave.refuse(`sh:predicate of ${name} is ${termKey(predicate)}, expected an IRI`)
  const items = [...body, ...s.items, ...p.items, ...o.items]
  const property = 'term' in p.end ? p.end.term.value : p.end
  return { head: tripleHead(s.end, property, o.end), body: [...items, ...guards(s.end, p.end, items)] }
}

/** A subject is no literal and a property is an IRI: what the data decide is tested. */
function guards(subject: Argument, property: Argument, body: Body): BodyItem[] {
  const tests: BodyItem[] = []
  if ('variable' in subject && !isSubject(subject.variable, body)) tests.push(testItem(call('!', call('isliteral', subject))))
  if ('variable' in property) tests.push(testItem(call('isiri', property)))
  return tests
}

/** Whether an atom of the body has the variable as the subject of a triple, which no literal can be. */
function isSubject(variable: string, body: Body): boolean {
  return body.some((item) => {
    if (item.kind !== 'atom') return false
    const { predicate, args } = item.atom
    const [first] = args
    const isTriple = !predicate.startsWith(SHACL_RELATION) || predicate.startsWith(INSTANCES)
    return isTriple && first !== null && first !== undefined && 'variable' in first && first.variable === variable
  })
}

const INSTANCES = instancesOf({ kind: 'iri', value: '' }).replace('<>', '')

export function sparqlRule(input: RuleInput): DatalogRule[] {
  const { graph, weave, node, targets, refuseAt } = input
  const text = single(graph, node, `${SH}construct`, weave.refuse)
  if (text?.kind !== 'literal') {
    weave.refuse(`${graph.name(node)} has no sh:construct with the text of a query`)
    return []
  }
  const { focus, bodies } = focusNodes(input)
  if (bodies.length === 0) return []
  // the query's own parts may look at what is given from anywhere inside, so that must be plain atoms
  const isPlain = bodies.length === 1 && bodies[0]?.every(({ kind }) => kind === 'atom')
  const [given = []] = gathered(weave, focus, bodies, sayFocus(targets), isPlain ? 1 : 0)
  for (const { message, ...place } of hiddenSelects(text.value, [THIS.variable])) {
    refuseAt(`sh:construct of ${graph.name(node)}: ${message}`, place)
  }
  const query = withPrefixes(text.value, prefixesAt(graph, node, weave.refuse))
  const compiled = compileConstruct(query.text, { id: weave.id, given })
  if (compiled.ok) return [...compiled.rules]
  for (const fault of compiled.faults) {
    refuseAt(`sh:construct of ${graph.name(node)}: ${fault.message}`, query.original(fault), fault.unsupported)
  }
  return []
}
