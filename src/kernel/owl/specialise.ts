/**
 * The rules of the profile for one graph. Axioms are partially evaluated: each becomes a rule of its own over constant
 * relations, with the axiom and its list cells as premises. Called again with a graph that has grown, it gives the same rules
 * under the same ids, and those for what is new.
 */
import type { DatalogRule } from '../datalog/index.ts'
import type { GraphView, Quad } from '../rdf/index.ts'
import { RDF_TYPE, TRIPLE, classOf, meaningOf, quadKey } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { compareText, termKey } from '../term.ts'
import { classAxiomRules, disjointListRules } from './class-axioms.ts'
import { classRules } from './classes.ts'
import { datatypeRules } from './datatypes.ts'
import type { Partitions } from './equality.ts'
import { equalityRules } from './equality.ts'
import { propertyRules } from './properties.ts'
import type { OwlOptions } from './rule.ts'
import { OWL_DEFAULTS, SAME_AS, THING, member, v } from './rule.ts'
import { schemaRules } from './schema.ts'
import { axiomsIn, closeSchema, tboxOf } from './tbox.ts'

/** What the fixpoint over a graph asks for rules, run by run. */
export interface OwlSpecialiser {
  readonly rules: (graph: GraphView) => readonly DatalogRule[]
  /** axioms that were not read, and why */
  readonly notices: () => readonly string[]
}

export function owlSpecialiser(options: Partial<OwlOptions> = {}): OwlSpecialiser {
  const wanted = { ...OWL_DEFAULTS, ...options }
  const made = new Map<string, DatalogRule>()
  let notices: readonly string[] = []
  const base = new Map<string, Quad>()
  let closed = { all: new Set<string>(), telling: [] as readonly Quad[] }
  const rules = (graph: GraphView): readonly DatalogRule[] => {
    // what the schema alone implies is no new axiom, although the graph now holds it
    const fresh = axiomsIn(graph).filter((axiom) => !closed.all.has(quadKey(axiom)))
    if (fresh.length > 0) {
      for (const axiom of fresh) base.set(quadKey(axiom), axiom)
      const { all, telling } = closeSchema([...base.values()])
      closed = { all: new Set(all.map(quadKey)), telling }
    }
    const tbox = tboxOf(closed.telling)
    const core = [
      ...schemaRules(tbox, wanted),
      ...classAxiomRules(tbox),
      ...propertyRules(tbox, wanted),
      ...classRules(tbox, wanted),
      ...datatypeRules(tbox, graph, wanted),
    ]
    const partitions = partitionsOf(graph, core)
    // without unique names, rules that merge nearly always find something to merge
    const merges = !wanted.uniqueNames && core.some(({ head }) => head.predicate === SAME_AS)
    const live = new Set(partitions.classes.map(termKey))
    for (const one of [
      ...core,
      ...disjointListRules(tbox, (cls) => live.has(termKey(cls))),
      ...equalityRules(tbox, graph, partitions, wanted, merges),
    ]) {
      if (!made.has(one.id)) made.set(one.id, one)
    }
    notices = tbox.notices
    const all = [...made.values()]
    const telling = wanted.trivial ? all : withoutThings(all, wanted.readers ?? [])
    return wanted.anonymous ? telling : withoutUnread(telling)
  }
  return { rules, notices: () => notices }
}

/** The rules for a graph as it stands. */
export const owlRules = (graph: GraphView, options: Partial<OwlOptions> = {}): readonly DatalogRule[] =>
  owlSpecialiser(options).rules(graph)

function partitionsOf(graph: GraphView, rules: readonly DatalogRule[]): Partitions {
  const properties = new Set(graph.properties)
  const classes = new Map(graph.classes.map((cls) => [termKey(cls), cls]))
  for (const { head } of rules) {
    const cls: Term | undefined = classOf(head.predicate)
    if (cls !== undefined) classes.set(termKey(cls), cls)
    const meaning = meaningOf(head.predicate)
    if (meaning.kind === 'property') properties.add(meaning.property)
  }
  return {
    properties: [...properties].toSorted(compareText),
    classes: [...classes].toSorted(([x], [y]) => compareText(x, y)).map(([, cls]) => cls),
  }
}

/** Without the rules that put something into a class which has no name and which no rule reads, and those that fed only them. */
function withoutUnread(rules: readonly DatalogRule[]): readonly DatalogRule[] {
  const read = new Set(
    rules.flatMap(({ body }) =>
      body.flatMap((item) => (item.kind === 'atom' || item.kind === 'not' ? [item.atom] : item.kind === 'aggregate' ? item.body : [])),
    ).map(({ predicate }) => predicate),
  )
  const kept = rules.filter(({ head }) => classOf(head.predicate)?.kind !== 'bnode' || read.has(head.predicate))
  return kept.length === rules.length ? kept : withoutUnread(kept)
}

/** That something is a thing is only worth deriving where a rule goes on from there. */
function withoutThings(rules: readonly DatalogRule[], readers: readonly DatalogRule[]): readonly DatalogRule[] {
  const things = member(v('x'), THING).predicate
  const asks = ({ body }: DatalogRule) =>
    body.some(
      (item) =>
        item.kind === 'atom' && [
          things,
          RDF_TYPE,
          TRIPLE,
        ].includes(item.atom.predicate) && item.atom.args[0] !== null && 'variable' in (item.atom.args[0] ?? {})
    )
  return [...rules, ...readers].some(asks) ? rules : rules.filter(({ head }) => head.predicate !== things)
}
