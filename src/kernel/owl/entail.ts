/**
 * Whether one graph follows from another. What the closure does not hold as triples is asked for by a hypothesis: to show
 * that two classes are disjoint, let something be in both and look for an inconsistency; to show that a property is
 * transitive, take two steps and look for the third triple. Blank nodes of the conclusion stand for something that exists.
 */
import type { BodyItem, DatalogRule, Fact } from '../datalog/index.ts'
import type { Quad } from '../rdf/index.ts'
import { quadKey, reasonOver, tripleAtom, tripleFact, RDF_TYPE } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { iri, termKey } from '../term.ts'
import type { Closure } from './closure.ts'
import { closureOf } from './closure.ts'
import type { Claim } from './hypotheses.ts'
import { claimsIn } from './hypotheses.ts'
import { owl } from './rule.ts'
import type { Literal } from './value-space.ts'
import { isSame, isWithin } from './value-space.ts'

export interface Entailment {
  readonly entailed: boolean
  /** triples of the conclusion that nothing supports; those with blank nodes only where no match of the whole was found */
  readonly missing: readonly Quad[]
}

const STRICT = { uniqueNames: false, trivial: true }

export function entails(premise: readonly Quad[], conclusion: readonly Quad[]): Entailment {
  const closure = closureOf(premise, STRICT)
  // from what cannot be everything follows
  if (closure.inconsistencies.length > 0) return { entailed: true, missing: [] }
  const open = new Map(conclusion.filter(isStatement).map((one) => [quadKey(one), one]))
  const plain = entailedSimply(closure, [...open.values()])
  if (plain.entailed) return plain
  const known = new Set(closure.triples.map(quadKey))
  for (const claim of claimsIn([...open.values()])) {
    if (known.has(quadKey(claim.axiom)) || claim.attempts.every((attempt) => isShown(premise, attempt))) {
      for (const one of [claim.axiom, ...claim.parts]) open.delete(quadKey(one))
    }
  }
  return entailedSimply(closure, [...open.values()])
}

/** The heading of a document says nothing about the world. */
const isStatement = ({ predicate, object }: Quad): boolean => !(predicate.value === RDF_TYPE && object.value === owl('Ontology'))

function isShown(premise: readonly Quad[], { suppose, conclude }: Claim['attempts'][number]): boolean {
  const closure = closureOf([...premise, ...suppose], STRICT)
  if (closure.inconsistencies.length > 0) return true
  if (conclude === undefined) return false
  if (closure.triples.some((one) => quadKey(one) === quadKey(conclude))) return true
  // a value in two datatypes is in every one that holds what the two share
  const isType = ({ subject, predicate }: Quad) => predicate.value === RDF_TYPE && termKey(subject) === termKey(conclude.subject)
  return conclude.predicate.value === RDF_TYPE && isWithin(
    closure.triples.filter(isType).map(({ object }) => object.value), conclude.object.value
  )
}

/**
 * Whether the triples hold in the graph for some choice of their blank nodes. Values count for the datatypes given, by
 * default all.
 */
export function entailedSimply(
  { triples }: Pick<Closure,
  'triples'>,
  conclusion: readonly Quad[],
  datatypes?: ReadonlySet<string>,
): Entailment {
  const counts = ({ datatype }: Literal) => datatypes === undefined || datatypes.has(datatype)
  const literals = triples.flatMap(({ object }) => (object.kind === 'literal' && counts(object) ? [object] : []))
  const wanted = conclusion.map(
    (one) => (
      { ...one, object: one.object.kind === 'literal' && counts(one.object) ? spelled(one.object, literals) : one.object }
    )
  )
  const keys = new Set(triples.map(quadKey))
  const isGround = ({ subject, object }: Quad) => subject.kind !== 'bnode' && object.kind !== 'bnode'
  const missing = wanted.filter((one) => isGround(one) && !keys.has(quadKey(one)))
  const loose = wanted.filter((one) => !isGround(one))
  if (missing.length > 0 || loose.length === 0) return { entailed: missing.length === 0, missing }
  const argument = (term: Term) => (term.kind === 'bnode' ? { variable: term.value } : { term })
  const body = loose.map(
    ({ subject, predicate, object }): BodyItem => (
      { kind: 'atom', atom: tripleAtom(argument(subject), predicate.value, argument(object)) }
    )
  )
  const query: DatalogRule = { id: 'query', head: { predicate: 'query answer', args: [{ term: iri('urn:yes') }] }, body }
  const facts: Fact[] = triples.map((one) => tripleFact(one))
  const found = reasonOver({ facts, rules: [query] }).model.find('query answer').length > 0
  return { entailed: found, missing: found ? [] : loose }
}

/** The same value in the spelling of the graph. */
const spelled = (literal: Literal, known: readonly Literal[]): Literal =>
  known.some((one) => termKey(one) === termKey(literal))
    ? literal
    : (known.find((one) => isSame(one, literal) === true) ?? literal)
