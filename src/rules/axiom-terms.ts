/** Which terms an OWL axiom asks for and which it brings: of `:A rdfs:subClassOf :B` something must be an A already, and B may be new. */
import { OWL, type Quad, RDF, RDFS, RDF_TYPE, inVocabulary } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { termKey } from '../kernel/term.ts'
import type { RuleTerms, TermKind } from './rule-terms.ts'

const DECLARED: Readonly<Record<string, TermKind>> = {
  [`${OWL}Class`]: 'class', [`${RDFS}Class`]: 'class', [`${OWL}ObjectProperty`]: 'property', [`${OWL}DatatypeProperty`]: 'property',
  [`${RDF}Property`]: 'property',
}
const CHARACTERISTICS = new Set(
  ['TransitiveProperty', 'SymmetricProperty', 'AsymmetricProperty', 'FunctionalProperty', 'InverseFunctionalProperty',
    'ReflexiveProperty', 'IrreflexiveProperty'].map((name) => OWL + name),
)
const MEMBERS = [`${OWL}intersectionOf`, `${OWL}unionOf`, `${OWL}members`]
const FILLERS = [`${OWL}someValuesFrom`, `${OWL}allValuesFrom`, `${OWL}onClass`, `${OWL}complementOf`]
const NOTES = new Set(['label', 'comment', 'seeAlso', 'isDefinedBy'].map((name) => RDFS + name))

export function axiomTerms(quads: readonly Quad[]): RuleTerms {
  const reads = new Map<string, TermKind>()
  const derives = new Map<string, TermKind>()
  const either: (readonly [string, string, TermKind])[] = []
  const about = Map.groupBy(quads, ({ subject }) => termKey(subject))
  const add = (into: Map<string, TermKind>, term: Term, kind: TermKind) => {
    if (term.kind === 'iri' && !inVocabulary(term.value)) into.set(term.value, kind)
  }
  const listed = (head: Term): Term[] => {
    const items: Term[] = []
    const seen = new Set<string>()
    for (let cell = head; cell.value !== `${RDF}nil` && !seen.has(termKey(cell)); ) {
      seen.add(termKey(cell))
      const parts = about.get(termKey(cell)) ?? []
      items.push(...parts.filter(({ predicate }) => predicate.value === `${RDF}first`).map(({ object }) => object))
      const next = parts.find(({ predicate }) => predicate.value === `${RDF}rest`)?.object
      if (next === undefined) break
      cell = next
    }
    return items
  }
  /** A class or what it is made of. The property of a restriction is read on either side, unless a member gives its values. */
  const expression = (into: Map<string, TermKind>, term: Term, depth = 0): void => {
    if (term.kind === 'iri') return add(into, term, 'class')
    if (depth > 32) return
    for (const { predicate, object } of about.get(termKey(term)) ?? []) {
      if (predicate.value === `${OWL}onProperty`) add(hasValue(term) ? into : reads, object, 'property')
      else if (MEMBERS.includes(predicate.value)) for (const member of listed(object)) expression(into, member, depth + 1)
      else if (FILLERS.includes(predicate.value)) expression(into, object, depth + 1)
    }
  }
  const hasValue = (term: Term): boolean =>
    (about.get(termKey(term)) ?? []).some(({ predicate }) => predicate.value === `${OWL}hasValue`)
  const mutual = (subject: Term, object: Term, kind: TermKind): void => {
    if (subject.kind === 'iri' && object.kind === 'iri') either.push([subject.value, object.value, kind])
    else {
      expression(derives, subject.kind === 'iri' ? subject : object)
      expression(reads, subject.kind === 'iri' ? object : subject)
    }
  }

  for (const { subject, predicate, object } of quads) {
    const name = predicate.value
    if (name === RDF_TYPE) {
      if (subject.kind === 'iri' && DECLARED[object.value] !== undefined) add(derives, subject, DECLARED[object.value]!)
      else if (CHARACTERISTICS.has(object.value)) add(reads, subject, 'property')
      else if (!inVocabulary(object.value)) add(reads, object, 'class')
    } else if (name === `${RDFS}subClassOf`) {
      expression(reads, subject)
      expression(derives, object)
    } else if (name === `${RDFS}subPropertyOf`) {
      add(reads, subject, 'property')
      add(derives, object, 'property')
    } else if (name === `${RDFS}domain` || name === `${RDFS}range`) {
      add(reads, subject, 'property')
      expression(derives, object)
    } else if (name === `${OWL}equivalentClass`) mutual(subject, object, 'class')
    else if (name === `${OWL}inverseOf` || name === `${OWL}equivalentProperty`) mutual(subject, object, 'property')
    else if (name === `${OWL}propertyChainAxiom`) {
      add(derives, subject, 'property')
      for (const step of listed(object)) add(reads, step, 'property')
    } else if (name === `${OWL}disjointWith` || name === `${OWL}disjointUnionOf`) {
      expression(reads, subject)
      for (const one of name === `${OWL}disjointWith` ? [object] : listed(object)) expression(reads, one)
    } else if (name === `${OWL}hasKey`) {
      expression(reads, subject)
      for (const one of listed(object)) add(reads, one, 'property')
    } else if (!inVocabulary(name) && !NOTES.has(name)) add(reads, predicate, 'property')
  }
  return { reads, derives, either }
}
