/**
 * SHACL rules as rules of the Datalog engine, so that what they derive has premises. All rules run to one fixpoint together;
 * `order` and `orderedGroups` are for a caller that runs them in groups. Whatever has no reading is refused by name, and a rule
 * about which something was refused does not run at all: half a condition would derive what nobody asked for.
 */
import type { DatalogRule, RuleFault } from '../datalog/index.ts'
import type { GraphView, Quad } from '../rdf/index.ts'
import { RDFS, RDF_TYPE, SH, meaningOf, tripleAtom } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { compareText, termKey } from '../term.ts'
import type { Weaving } from './bodies.ts'
import { atomItem, constant, weaving } from './bodies.ts'
import { SPECIALISED } from './conform.ts'
import { subclassRules } from './instances.ts'
import type { RuleInput } from './rule.ts'
import { sparqlRule, tripleRule } from './rule.ts'
import { shapeReader } from './shape.ts'
import type { ShapesGraph } from './shapes-graph.ts'
import { isDeactivated, shapesGraph, shortIri, single } from './shapes-graph.ts'
import type { Target } from './targets.ts'
import { targetsOf } from './targets.ts'

export interface ShaclRule {
  /** `<id>`, `<id>~rule-2` …; the engine's rules are named after it: `<rule>`, `<rule>~2` … */
  readonly id: string
  readonly kind: 'triple' | 'sparql'
  readonly node: Term
  /** derivations of the rule bind `this` to the focus node of this shape */
  readonly shape: Term
  readonly targets: readonly Target[]
  /** sh:order: lower runs first where rules run in groups */
  readonly order: number
  /** by itself or by its shape; such a rule has no rules for the engine */
  readonly deactivated: boolean
  /** with the rules of the relations it needs; rules that several need carry the same id */
  readonly rules: readonly DatalogRule[]
  /** the rule's own relations in words, for explanations */
  readonly meanings: ReadonlyMap<string, string>
}

export interface ShaclFault extends RuleFault {
  readonly shape: Term
  /** a feature that is SPARQL, but has no reading as rules */
  readonly unsupported?: string
}

export interface CompiledShacl {
  readonly rules: readonly ShaclRule[]
  /** line and column count inside the text of a query; 0 where the shapes graph itself is at fault */
  readonly faults: readonly ShaclFault[]
  /** what is no fault and still worth knowing: a rule without a target never fires */
  readonly notices: readonly string[]
  /** rules for what a graph holds: subclasses hand their instances up, closed shapes learn which properties there are */
  specialise(graph: Pick<GraphView, 'triples' | 'properties' | 'classes'>): DatalogRule[]
}

export interface ShaclOptions {
  /** names the rules; without it each is named after its own IRI or that of its shape */
  readonly id?: string
}

export function compileShaclRules(shapes: readonly Quad[], { id }: ShaclOptions = {}): CompiledShacl {
  const graph = shapesGraph(shapes)
  const reader = shapeReader(graph)
  const faults: ShaclFault[] = []
  const notices: string[] = []
  const rules: ShaclRule[] = []
  const woven: Weaving[] = []
  const numbers = new Map<string, number>()
  for (const { shape, node, order, refusals } of rulesIn(graph)) {
    const base = (id ?? (node.kind === 'iri' ? node.value : namedAbove(graph, shape))).replaceAll('~', '%7E')
    const number = (numbers.get(base) ?? 0) + 1
    numbers.set(base, number)
    const own: ShaclFault[] = refusals.map((message) => ({ message, line: 0, column: 0, shape }))
    const refuseAt: RuleInput['refuseAt'] = (message, { line, column }, unsupported) => {
      if (own.some((fault) => fault.message === message && fault.line === line)) return
      own.push({ message, line, column, shape, ...(unsupported === undefined ? {} : { unsupported }) })
    }
    const weave = weaving(number === 1 ? base : `${base}~rule-${number}`, (message) => refuseAt(message, { line: 0, column: 0 }))
    const kind = kindOf(graph, node, weave)
    const targets = targetsOf(graph, shape, weave.refuse)
    const deactivated = [node, shape].map((each) => isDeactivated(graph, each, weave.refuse)).includes(true)
    const input = { graph, shapes: reader, weave, node, targets, refuseAt }
    const heads = deactivated || kind === undefined ? [] : kind === 'triple' ? tripleRule(input) : sparqlRule(input)
    faults.push(...own)
    if (own.length > 0 || kind === undefined) continue
    if (targets.length === 0) notices.push(`${weave.id}: ${graph.name(shape)} has no target, so its rule never fires`)
    woven.push(weave)
    const compiled = deactivated ? [] : [...heads, ...weave.rules.values()]
    rules.push({ id: weave.id, kind, node, shape, targets, order, deactivated, rules: compiled, meanings: weave.meanings })
  }
  for (const [shape, property] of refusedInferences(graph)) {
    faults.push({ message: `${property} of ${graph.name(shape)} is not supported: write a rule`, line: 0, column: 0, shape })
  }
  const own = new Set(rules.flatMap((rule) => rule.rules.map(({ head }) => head.predicate)))
  return { rules, faults, notices, specialise: (view) => specialised(woven, own, view) }
}

/** Rules of one order number together, lowest first: for a caller that runs each group before the next. */
export function orderedGroups(rules: readonly ShaclRule[]): ShaclRule[][] {
  const groups = Map.groupBy(rules, ({ order }) => order)
  return [...groups].toSorted(([x], [y]) => x - y).map(([, group]) => group)
}

interface FoundRule {
  readonly shape: Term
  readonly node: Term
  readonly order: number
  readonly refusals: readonly string[]
}

/** Every sh:rule of the graph: by order, then by shape, then as they stand. */
function rulesIn(graph: ShapesGraph): FoundRule[] {
  const found = graph.subjects(`${SH}rule`).flatMap((shape) =>
    graph.values(shape, `${SH}rule`).map((node): FoundRule => {
      const refusals: string[] = []
      const value = single(graph, node, `${SH}order`, (message) => refusals.push(message))
      const order = value === undefined ? 0 : Number(value.kind === 'literal' && value.value !== '' ? value.value : Number.NaN)
      if (!Number.isFinite(order)) refusals.push(`sh:order of ${graph.name(node)} is no number`)
      return { shape, node, order: Number.isFinite(order) ? order : 0, refusals }
    }),
  )
  return found.toSorted((x, y) => x.order - y.order || compareText(termKey(x.shape), termKey(y.shape)))
}

function kindOf(graph: ShapesGraph, node: Term, weave: Weaving): ShaclRule['kind'] | undefined {
  const types = graph.values(node, RDF_TYPE).map(({ value }) => value)
  const kinds = (['triple', 'sparql'] as const).filter((kind) =>
    types.includes(SH + { triple: 'TripleRule', sparql: 'SPARQLRule' }[kind]),
  )
  const [kind] = kinds
  if (kind !== undefined && kinds.length === 1) return kind
  const said = types.map((type) => shortIri(type)).join(', ')
  const type = said === '' ? 'of no type' : `of type ${said}`
  weave.refuse(`${graph.name(node)} is ${type}, expected sh:TripleRule or sh:SPARQLRule`)
  return undefined
}

/** The IRI of a shape or, for a blank one, of the nearest node with a name above it. */
function namedAbove(graph: ShapesGraph, shape: Term): string {
  return shape.kind === 'iri' ? shape.value : graph.name(shape)
}

/** Inferences of SHACL-AF that are no rules. */
const refusedInferences = (graph: ShapesGraph): (readonly [Term, string])[] =>
  graph.subjects(`${SH}values`).map((shape) => [shape, 'sh:values'] as const)

type View = Parameters<CompiledShacl['specialise']>[0]

function specialised(woven: readonly Weaving[], own: ReadonlySet<string>, view: View): DatalogRule[] {
  const classes = new Map(woven.flatMap((weave) => [...weave.classes]))
  const rules = subclassRules([...classes.values()], view.triples(`${RDFS}subClassOf`))
  const closed = woven.flatMap((weave) => [...weave.closed].map(([predicate, allowed]) => ({ id: weave.id, predicate, allowed })))
  if (closed.length === 0) return rules
  rules.push({ id: SPECIALISED.predicate, head: SPECIALISED, body: [] })
  // what the rules themselves derive counts from the start: a rule that breaks its own condition is found at once
  const made = [...own].flatMap((predicate) => {
    const meaning = meaningOf(predicate)
    return meaning.kind === 'property' ? [meaning.property] : []
  })
  const properties = [...new Set([...view.properties, ...made])].toSorted(compareText)
  for (const { id, predicate, allowed } of closed) {
    for (const property of properties) {
      if (allowed.includes(property)) continue
      rules.push(...openRules(id, predicate, property, view.classes))
    }
  }
  return rules
}

const NODE = { variable: 'this' }

/** A node with this property is none that the closed shape describes. */
function openRules(id: string, predicate: string, property: string, classes: readonly Term[]): DatalogRule[] {
  const head = { predicate, args: [NODE] }
  if (property !== RDF_TYPE) {
    return [{ id: `${id}~open ${predicate} ${property}`, head, body: [atomItem(tripleAtom(NODE, property, null))] }]
  }
  return classes.map((cls) => ({
    id: `${id}~open ${predicate} ${termKey(cls)}`,
    head,
    body: [atomItem(tripleAtom(NODE, property, constant(cls)))],
  }))
}
