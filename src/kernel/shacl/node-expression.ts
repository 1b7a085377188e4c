/** Node expressions of SHACL-AF: from a focus node to nodes, as alternatives that each say where they end. */
import type { Argument, Atom, BodyItem } from '../datalog/index.ts'
import { RDF, SH } from '../rdf/index.ts'
import { termKey } from '../term.ts'
import type { Term } from '../term.ts'
import type { Body, Focus, Weaving } from './bodies.ts'
import {
  addRules,
  and,
  atomItem,
  binds,
  call,
  constant,
  fresh,
  newRelation,
  notItem,
  safe,
  termsRelation,
  testItem,
} from './bodies.ts'
import { holds } from './conform.ts'
import { NO_OPERANDS, callFunction } from './function.ts'
import { readPath } from './path.ts'
import type { ShapeReader } from './shape.ts'
import type { ShapesGraph } from './shapes-graph.ts'
import { members, shortIri, single } from './shapes-graph.ts'
import { walk } from './walk.ts'

/** One way to a node: what must hold, and where it ends. */
export interface Nodes {
  readonly items: Body
  readonly end: Argument
}

export interface Expressing {
  readonly graph: ShapesGraph
  readonly shapes: ShapeReader
  readonly weave: Weaving
  readonly focus: Focus
}

const MAX_DEPTH = 32
/** More ways become a relation of their own. */
const MAX_WAYS = 12
const FOLDS = { count: 'count', min: 'min', max: 'max', sum: 'sum' } as const
/** Expressions of the drafts that have no reading here: a refusal names these first. */
const KNOWN = ['if', 'exists', 'limit', 'offset', 'orderBy', 'groupConcat', 'concat', 'values']

/** The nodes of an expression; none after a refusal. */
export function nodesOf(node: Term, expressing: Expressing, above: readonly string[] = []): readonly Nodes[] {
  const { graph, shapes, weave, focus } = expressing
  const { refuse } = weave
  if (node.kind === 'iri' && node.value === `${SH}this`) return [{ items: [], end: { variable: focus.variable } }]
  if (node.kind !== 'bnode') return [{ items: [], end: constant(node) }]
  const fail = (message: string): readonly Nodes[] => {
    refuse(`${graph.name(node)}: ${message}`)
    return []
  }
  if (above.includes(termKey(node))) return fail('the node expression runs in a circle')
  if (above.length >= MAX_DEPTH) return fail(`the node expression is nested more than ${MAX_DEPTH} deep`)
  const inside = [...above, termKey(node)]
  const nested = (inner: Term) => limited(nodesOf(inner, expressing, inside), expressing)
  const keys = graph.properties(node).filter((key) => key.startsWith(SH))
  const value = (name: string) => single(graph, node, SH + name, refuse)
  const listed = (list: Term, name: string) => members(graph, node, list, SH + name, refuse).map(nested)
  const start = () => {
    const nodes = value('nodes')
    return nodes === undefined ? [{ items: [], end: { variable: focus.variable } }] : nested(nodes)
  }
  const only = (...names: readonly string[]): boolean => {
    const strange = keys.find((key) => !names.includes(key.slice(SH.length)))
    if (strange !== undefined) fail(`${shortIri(strange)} has no meaning beside ${names.map((name) => `sh:${name}`).join(', ')}`)
    return strange === undefined
  }
  const has = (name: string): Term | undefined => (keys.includes(SH + name) ? value(name) : undefined)

  const path = has('path')
  if (path !== undefined) {
    if (!only('path', 'nodes')) return []
    const along = readPath(graph, path, refuse)
    if (along === undefined) return []
    return start().flatMap(({ items, end }) =>
      walk(along, end, weave).map((way) => ({ items: [...items, ...way.items], end: way.end })),
    )
  }
  const filter = has('filterShape')
  if (filter !== undefined) {
    if (!only('filterShape', 'nodes')) return []
    if (!keys.includes(`${SH}nodes`)) return fail('sh:filterShape needs sh:nodes beside it')
    const shape = shapes.read(filter, refuse)
    return start().flatMap((way) => {
      const { items, end } = asVariable(way, weave)
      const scope = binds(items, end.variable) ? [items] : and(focus.scope, [items])
      return and([items], holds(shape, { variable: end.variable, scope }, weave)).map((body) => ({ items: body, end }))
    })
  }
  const union = has('union')
  if (union !== undefined) return only('union') ? listed(union, 'union').flat() : []
  const intersection = has('intersection')
  if (intersection !== undefined) {
    if (!only('intersection')) return []
    const [first, ...more] = listed(intersection, 'intersection')
    if (first === undefined) return fail('sh:intersection of nothing')
    return more.reduce((left, right) => left.flatMap((x) => right.map((y) => both(x, y))), first)
  }
  const minus = has('minus')
  if (minus !== undefined) {
    if (!only('minus', 'nodes')) return []
    const taken = asRelation(nested(minus), expressing, 'nodes that sh:minus takes away')
    return start().map(({ items, end }) => ({ items: [...items, notItem(taken(end))], end }))
  }
  const distinct = has('distinct')
  if (distinct !== undefined) return only('distinct') ? nested(distinct) : []
  for (const [name, fn] of Object.entries(FOLDS)) {
    const folded = has(name)
    if (folded === undefined) continue
    if (!only(name)) return []
    const each = fresh(weave, 'each')
    const into = fresh(weave, name)
    const body = [asRelation(nested(folded), expressing, `nodes that sh:${name} folds`)(each)]
    const fold = fn === 'count' ? { fn, of: null } : { fn, of: each.variable, sparql: { distinct: false } }
    const item: BodyItem = { kind: 'aggregate', into: into.variable, body, ...fold }
    return [{ items: [item], end: into }]
  }
  const strange = keys.find((key) => KNOWN.includes(key.slice(SH.length))) ?? keys[0]
  if (strange !== undefined) return fail(`${shortIri(strange)} is not supported in a node expression`)
  return functionCall(node, expressing, nested)
}

/** `[ ex:function ( arguments ) ]`: the function's results for each combination of its arguments. */
function functionCall(node: Term, expressing: Expressing, nested: (inner: Term) => readonly Nodes[]): readonly Nodes[] {
  const { graph, weave, focus } = expressing
  const fail = (message: string): readonly Nodes[] => {
    weave.refuse(`${graph.name(node)}: ${message}`)
    return []
  }
  const [name, ...more] = graph.properties(node).filter((key) => !key.startsWith(RDF))
  const [list, second] = name === undefined ? [] : graph.values(node, name)
  if (name === undefined || list === undefined) return fail('a blank node that is no node expression')
  if (more.length > 0 || second !== undefined) return fail('the node expression says more than one thing')
  const cells = graph.list(list)
  if (!cells.ok) return fail(`the arguments of ${shortIri(name)}: ${cells.message}`)
  const operands = cells.members.map(nested)
  const results = callFunction(graph, name, operands.length, weave)
  if (results === undefined) return []
  const tuples = operands.reduce<readonly { items: Body; ends: readonly Argument[] }[]>(
    (left, right) =>
      left.flatMap(({ items, ends }) =>
        right.map((way) => ({ items: [...items, ...way.items], ends: [...ends, way.end] })),
      ),
    [{ items: [], ends: [] }],
  )
  return tuples.map(({ items, ends }) => {
    addRules(weave, results.operands, ends.length === 0 ? NO_OPERANDS : ends, safe([items], focus))
    const end = fresh(weave, 'result')
    return { items: [...items, atomItem(results.atom(ends, end))], end }
  })
}

/** The end under a variable: a constant is asked for through a relation that holds nothing else. */
function asVariable({ items, end }: Nodes, weave: Weaving): { items: Body; end: { variable: string } } {
  if ('variable' in end) return { items, end }
  const variable = fresh(weave, 'constant')
  const predicate = termsRelation(weave, [end.term], 'a constant')
  return { items: [...items, atomItem({ predicate, args: [variable] })], end: variable }
}

/** The pairs of focus and node as a relation. */
function asRelation(ways: readonly Nodes[], { weave, focus }: Expressing, meaning: string): (end: Argument) => Atom {
  const predicate = newRelation(weave, 'nodes', meaning)
  const from = { variable: focus.variable }
  for (const { items, end } of ways) addRules(weave, predicate, [from, end], safe([items], focus))
  return (end) => ({ predicate, args: [from, end] })
}

function limited(ways: readonly Nodes[], expressing: Expressing): readonly Nodes[] {
  if (ways.length <= MAX_WAYS) return ways
  const end = fresh(expressing.weave, 'node')
  return [{ items: [atomItem(asRelation(ways, expressing, 'nodes of an expression')(end))], end }]
}

/** Both ways, to the same node. */
function both(one: Nodes, other: Nodes): Nodes {
  return { items: [...one.items, ...other.items, testItem(call('sameterm', one.end, other.end))], end: one.end }
}
