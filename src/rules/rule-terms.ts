/** The classes and properties that a rule reads, and those that it gives: what it needs to exist, and what it brings. */
import type { Argument, Atom, BodyItem, DatalogRule, Expr } from '../kernel/datalog/index.ts'
import { RDF_TYPE, classOf, inVocabulary, isMade, meaningOf } from '../kernel/rdf/index.ts'
import { axiomTerms } from './axiom-terms.ts'
import type { RuleReading } from './rule-reading.ts'

export type TermKind = 'class' | 'property'

/** IRIs, each with what the rule takes it for. Words of RDF, OWL and SHACL are nobody's terms. */
export interface RuleTerms {
  readonly reads: ReadonlyMap<string, TermKind>
  readonly derives: ReadonlyMap<string, TermKind>
  /** pairs of which either can be given by the other: one of them must be there */
  readonly either: readonly (readonly [string, string, TermKind])[]
}

const known = new WeakMap<object, RuleTerms>()

export function termsOf(reading: Pick<RuleReading, 'rules' | 'axioms'>): RuleTerms {
  const found = known.get(reading) ?? termsIn(reading)
  known.set(reading, found)
  return found
}

function termsIn({ rules, axioms }: Pick<RuleReading, 'rules' | 'axioms'>): RuleTerms {
  const stated = axiomTerms(axioms)
  const reads = new Map(stated.reads)
  const derives = new Map(stated.derives)
  for (const { head, body } of rules) {
    for (const atom of body.flatMap(atomsIn)) note(reads, atom)
    note(derives, head)
  }
  return { reads, derives, either: stated.either }
}

function atomsIn(item: BodyItem): readonly Atom[] {
  if (item.kind === 'atom' || item.kind === 'not') return [item.atom]
  return item.kind === 'aggregate' ? item.body : []
}

function note(into: Map<string, TermKind>, { predicate, args }: Atom): void {
  if (isMade(predicate)) {
    const [, property, object] = args
    const name = constantOf(property)
    if (name !== undefined && name !== RDF_TYPE) add(into, name, 'property')
    if (name === RDF_TYPE && constantOf(object) !== undefined) add(into, constantOf(object)!, 'class')
    return
  }
  const cls = classOf(predicate)
  if (cls !== undefined) return cls.kind === 'iri' ? add(into, cls.value, 'class') : undefined
  const meaning = meaningOf(predicate)
  if (meaning.kind === 'property' && meaning.property !== RDF_TYPE) add(into, meaning.property, 'property')
}

function add(into: Map<string, TermKind>, iri: string, kind: TermKind): void {
  if (!inVocabulary(iri) && !into.has(iri)) into.set(iri, kind)
}

const constantOf = (arg: Argument | null | undefined): string | undefined =>
  arg !== null && arg !== undefined && 'term' in arg && arg.term.kind === 'iri' ? arg.term.value : undefined

/** Every expression of a rule: tests, calculations and the conditions of aggregates. */
export function expressionsOf({ body }: DatalogRule): Expr[] {
  return body.flatMap((item) => {
    if (item.kind === 'test' || item.kind === 'assign') return [item.expr]
    return item.kind === 'aggregate' ? (item.where ?? []).flatMap((one) => (one.kind === 'test' ? [one.expr] : [])) : []
  })
}
