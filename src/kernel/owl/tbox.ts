/**
 * The axioms of a graph, ready to be made into rules. Axioms that only restate others (the steps of a hierarchy taken at
 * once, say) are left out: instances get there by the single steps, and rules for both would derive everything twice.
 */
import type { BodyItem } from '../datalog/index.ts'
import { evaluate } from '../datalog/index.ts'
import type { GraphView, Quad } from '../rdf/index.ts'
import { RDF_TYPE, factTriple, quad, quadKey, tripleFact } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { compareText, iri, termKey } from '../term.ts'
import type { List } from './lists.ts'
import { MOST_MEMBERS, readList } from './lists.ts'
import { AXIOM_CLASSES, AXIOM_PROPERTIES } from './vocabulary.ts'
import { FIRST, INVERSE_OF, ON_PROPERTY, OWL_DEFAULTS, REST, ground, owl, ruleName } from './rule.ts'
import { schemaRules } from './schema.ts'

/** A property, or the inverse of one where an axiom speaks of `[ owl:inverseOf :p ]`. */
export interface Property {
  readonly name: string
  readonly inverse: boolean
  readonly premises: readonly BodyItem[]
}

/** A class of things by their values for a property. */
export interface Restriction {
  readonly cls: Term
  readonly property: Property
  readonly value: Term
  /** the triples that say so */
  readonly premises: readonly BodyItem[]
  readonly key: readonly Term[]
}

export interface Tbox {
  triples(property: string): readonly Quad[]
  instances(cls: string): readonly Term[]
  objects(subject: Term, property: string): readonly Term[]
  list(head: Term): List | undefined
  property(term: Term): Property | undefined
  restrictions(kind: string): readonly Restriction[]
  /** why some axioms were not read */
  readonly notices: readonly string[]
}

/** The axioms that a graph holds, as triples. */
export function axiomsIn(graph: GraphView): Quad[] {
  const properties = AXIOM_PROPERTIES.flatMap((property) => graph.triples(property))
  const types = AXIOM_CLASSES.flatMap((name) =>
    graph.instances(iri(name)).map((subject) => quad(subject, iri(RDF_TYPE), iri(name))),
  )
  return [...properties, ...types]
}

/** Rules of the schema table whose conclusions instances reach without them. The others relate restrictions to each other. */
const RESTATING = new Set(
  ['scm-sco scm-eqc1 scm-eqc2 scm-spo scm-eqp1 scm-eqp2 scm-dom1 scm-dom2 scm-rng1 scm-rng2 scm-hv scm-int scm-uni']
    .concat('scm-cls scm-op scm-dp')
    .flatMap((names) => names.split(' ')),
)

/** A hierarchy as deep as this is a mistake or an attack; the run over the graph has a budget of its own. */
const MOST_IMPLIED = 5_000_000

/** What follows from the axioms alone: all of it, and the part that no other axioms restate. */
export function closeSchema(base: readonly Quad[]): { all: Quad[]; telling: Quad[] } {
  const rules = schemaRules(tboxOf(base), OWL_DEFAULTS)
  const facts = base.map((one) => tripleFact(one))
  const model = evaluate({ relations: [], rules }, facts, { maxFacts: facts.length + MOST_IMPLIED })
  // then every axiom gets its rule: more work, and nothing lost
  if (model.stopped !== null) return { all: [...base], telling: [...base] }
  const all: Quad[] = []
  const telling: Quad[] = []
  for (const fact of model.facts) {
    const one = factTriple(fact)
    if (one === undefined) continue
    all.push(one)
    const derivation = fact.asserted ? undefined : model.derivation(fact.id)
    if (derivation === undefined || !RESTATING.has(ruleName(derivation.rule))) telling.push(one)
  }
  return { all, telling }
}

export function tboxOf(axioms: readonly Quad[]): Tbox {
  const sorted = [...new Map(axioms.map((one) => [quadKey(one), one])).entries()]
    .toSorted(([x], [y]) => compareText(x, y))
    .map(([, one]) => one)
  const byProperty = Map.groupBy(
    sorted.filter(({ predicate }) => predicate.value !== RDF_TYPE),
    ({ predicate }) => predicate.value,
  )
  const byClass = Map.groupBy(
    sorted.filter(({ predicate }) => predicate.value === RDF_TYPE),
    ({ object }) => object.value,
  )
  const shelves = new Map<string, Map<string, Term[]>>()
  const objects = (subject: Term, property: string): readonly Term[] => {
    let shelf = shelves.get(property)
    if (shelf === undefined) {
      shelf = new Map()
      for (const one of byProperty.get(property) ?? []) {
        const known = shelf.get(termKey(one.subject))
        if (known === undefined) shelf.set(termKey(one.subject), [one.object])
        else known.push(one.object)
      }
      shelves.set(property, shelf)
    }
    return shelf.get(termKey(subject)) ?? []
  }
  const notices = new Set<string>()
  const lists = new Map<string, List | undefined>()
  const list = (head: Term): List | undefined => {
    const key = termKey(head)
    if (!lists.has(key)) {
      const read = readList(head, (node) => objects(node, FIRST), (node) => objects(node, REST))
      if (!read.ok) notices.add(`the list ${key} is not read: ${read.why}`)
      lists.set(key, read.ok ? read.list : undefined)
    }
    return lists.get(key)
  }
  const property = (term: Term): Property | undefined => {
    if (term.kind === 'iri') return { name: term.value, inverse: false, premises: [] }
    const named = objects(term, INVERSE_OF).find((one) => one.kind === 'iri')
    if (term.kind !== 'bnode' || named === undefined) return undefined
    return { name: named.value, inverse: true, premises: [ground(term, INVERSE_OF, named)] }
  }
  return {
    triples: (name) => byProperty.get(name) ?? [],
    instances: (name) => (byClass.get(name) ?? []).map(({ subject }) => subject),
    objects,
    list,
    property,
    restrictions: (kind) =>
      (byProperty.get(kind) ?? []).flatMap(({ subject: cls, object: value }) =>
        objects(cls, ON_PROPERTY).flatMap((on): Restriction[] => {
          const found = property(on)
          if (found === undefined) return []
          const premises = [ground(cls, kind, value), ground(cls, ON_PROPERTY, on), ...found.premises]
          return [{ cls, property: found, value, premises, key: [cls, on, value] }]
        }),
      ),
    get notices() {
      return [...notices].toSorted(compareText)
    },
  }
}

const LISTS = ['propertyChainAxiom', 'hasKey', 'members', 'distinctMembers', 'intersectionOf', 'unionOf', 'oneOf'].map(owl)

/** Axioms of a graph that no rule can be made for, and why. */
export function owlNotices(quads: readonly Quad[]): readonly string[] {
  const tbox = tboxOf(quads)
  const long: string[] = []
  for (const property of LISTS) {
    for (const { subject, object: head } of tbox.triples(property)) {
      const list = tbox.list(head)
      const needsWhole = list !== undefined && list.members.length > MOST_MEMBERS && WHOLE.has(property)
      if (!needsWhole) continue
      const count = `${list.members.length} members for ${property}`
      long.push(`${termKey(subject)} has a list of ${count}: more than ${MOST_MEMBERS} are not joined`)
    }
  }
  return [...tbox.notices, ...long.toSorted(compareText)]
}

const WHOLE = new Set(['propertyChainAxiom', 'hasKey', 'intersectionOf'].map(owl))
