/**
 * OWL 2 RL, by the names of the W3C profile's tables. Each axiom becomes one Datalog rule whose first premise is the axiom
 * itself, so a derivation shows it. This is a part of the 78 rules; axioms outside it are counted, not silently skipped.
 */
import type { Argument, Atom, BodyItem, DatalogRule } from '../kernel/datalog/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { OWL, RDF, RDFS, RDF_TYPE, RESOURCE, XSD, quadKey, tripleAtom, tripleHead } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { compareText, iri } from '../kernel/term.ts'

/** Heads of the consistency rules. No IRI has a space in it, so no triple can claim to be one. */
const INCONSISTENT = 'inconsistent '
export const isInconsistency = (predicate: string): boolean => predicate.startsWith(INCONSISTENT)

export function owlRules(axioms: readonly Quad[]): DatalogRule[] {
  const rules = axioms.toSorted((a, b) => compareText(quadKey(a), quadKey(b))).flatMap((axiom) => rulesOf(axiom))
  return [...rules, ...schemaRules(axioms)]
}

const [X, Y, Z, A, B, C] = ['x', 'y', 'z', 'a', 'b', 'c'].map((variable) => ({ variable })) as [
  Argument,
  Argument,
  Argument,
  Argument,
  Argument,
  Argument,
]
const is = (value: string): Argument => ({ term: iri(value) })
const triple = (subject: Argument, property: string, object: Argument): BodyItem => ({
  kind: 'atom',
  atom: tripleAtom(subject, property, object),
})
const typed = (subject: Argument, cls: string): BodyItem => triple(subject, RDF_TYPE, is(cls))
const member = (subject: Argument, cls: string): Atom => tripleHead(subject, RDF_TYPE, is(cls))
const resource = (term: Argument): BodyItem => ({ kind: 'atom', atom: { predicate: RESOURCE, args: [term] } })

/** A rule by its W3C name, with the axiom at hand as its first premise. */
type MakeRule = (name: string, head: Atom, ...body: BodyItem[]) => DatalogRule

function rulesOf({ subject, predicate, object }: Quad): DatalogRule[] {
  // class expressions are blank nodes; the vocabulary's own terms are not data
  if (!isOwn(subject) || object.kind !== 'iri') return []
  const [s, o] = [subject.value, object.value]
  const axiom = triple(is(s), predicate.value, is(o))
  const rule: MakeRule = (name, head, ...body) => ({ id: `${name}~${s}~${o}`, head, body: [axiom, ...body] })
  if (predicate.value === RDF_TYPE) return characteristic(s, o, rule)
  switch (predicate.value) {
    case `${RDFS}domain`:
      return isOwn(object) ? [rule('prp-dom', member(X, o), triple(X, s, Y))] : []
    case `${RDFS}range`:
      return isOwn(object) ? [rule('prp-rng', member(Y, o), triple(X, s, Y), resource(Y))] : []
  }
  if (!isOwn(object) || s === o) return []
  switch (predicate.value) {
    case `${RDFS}subClassOf`:
      return [rule('cax-sco', member(X, o), typed(X, s))]
    case `${OWL}equivalentClass`:
      return [rule('cax-eqc1', member(X, o), typed(X, s)), rule('cax-eqc2', member(X, s), typed(X, o))]
    case `${OWL}disjointWith`:
      return [rule('cax-dw', { predicate: `${INCONSISTENT}cax-dw`, args: [X, is(s), is(o)] }, typed(X, s), typed(X, o))]
    case `${RDFS}subPropertyOf`:
      return [rule('prp-spo1', tripleHead(X, o, Y), triple(X, s, Y))]
    case `${OWL}equivalentProperty`:
      return [rule('prp-eqp1', tripleHead(X, o, Y), triple(X, s, Y)), rule('prp-eqp2', tripleHead(X, s, Y), triple(X, o, Y))]
    case `${OWL}inverseOf`:
      return [
        rule('prp-inv1', tripleHead(Y, o, X), triple(X, s, Y), resource(Y)),
        rule('prp-inv2', tripleHead(Y, s, X), triple(X, o, Y), resource(Y)),
      ]
    default:
      return []
  }
}

function characteristic(p: string, type: string, rule: MakeRule): DatalogRule[] {
  switch (type) {
    case `${OWL}SymmetricProperty`:
      return [rule('prp-symp', tripleHead(Y, p, X), triple(X, p, Y), resource(Y))]
    case `${OWL}TransitiveProperty`:
      return [rule('prp-trp', tripleHead(X, p, Z), triple(X, p, Y), triple(Y, p, Z))]
    case `${OWL}FunctionalProperty`:
      // prp-fp would make two records one; names are unique here, so the two values are a conflict to report
      return [
        rule('prp-fp', { predicate: `${INCONSISTENT}prp-fp`, args: [X, is(p), Y, Z] }, triple(X, p, Y), triple(X, p, Z), {
          kind: 'compare',
          op: '!=',
          left: Y,
          right: Z,
        }),
      ]
    default:
      return []
  }
}

/** The hierarchies themselves. Instances do not need them (they climb step by step), readers of the graph do. */
function schemaRules(axioms: readonly Quad[]): DatalogRule[] {
  const closure = (id: string, property: string): DatalogRule[] =>
    axioms.some(({ predicate }) => predicate.value === property)
      ? [{ id, head: tripleHead(A, property, C), body: [triple(A, property, B), triple(B, property, C)] }]
      : []
  return [...closure('scm-sco', `${RDFS}subClassOf`), ...closure('scm-spo', `${RDFS}subPropertyOf`)]
}

const AXIOM_PROPERTIES = new Set([
  `${RDFS}subClassOf`,
  `${RDFS}subPropertyOf`,
  `${RDFS}domain`,
  `${RDFS}range`,
  `${OWL}equivalentClass`,
  `${OWL}disjointWith`,
  `${OWL}equivalentProperty`,
  `${OWL}inverseOf`,
])
const CHARACTERISTICS = new Set([`${OWL}SymmetricProperty`, `${OWL}TransitiveProperty`, `${OWL}FunctionalProperty`])

export const isAxiom = ({ predicate, object }: Quad): boolean =>
  AXIOM_PROPERTIES.has(predicate.value) || (predicate.value === RDF_TYPE && CHARACTERISTICS.has(object.value))

/** Axioms that stand in the graph and that no rule here reads, with how many there are of each. */
export function axiomsNotCovered(quads: readonly Quad[]): [name: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { predicate, object } of quads) {
    const name = predicate.value === RDF_TYPE ? object.value : predicate.value
    if (NOT_COVERED.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .map(([name, count]): [string, number] => [name.slice(OWL.length), count])
    .toSorted(([x], [y]) => compareText(x, y))
}

const NOT_COVERED = new Set(
  [
    'hasKey propertyChainAxiom intersectionOf unionOf complementOf oneOf someValuesFrom allValuesFrom hasValue maxCardinality',
    'maxQualifiedCardinality sameAs differentFrom propertyDisjointWith disjointUnionOf InverseFunctionalProperty',
    'IrreflexiveProperty AsymmetricProperty AllDisjointClasses AllDisjointProperties AllDifferent',
  ].flatMap((line) => line.split(' ').map((name) => OWL + name)),
)

const inVocabulary = (value: string): boolean => [RDF, RDFS, OWL, XSD].some((namespace) => value.startsWith(namespace))
/** A term of the graph itself: datatypes are no classes to put an instance into, and owl:Thing says nothing. */
const isOwn = (term: Term): boolean => term.kind === 'iri' && !inVocabulary(term.value)
