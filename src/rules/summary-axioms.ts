/** OWL axioms in words, joined into one sentence. */
import { OWL, type Quad, RDF, RDFS, RDF_TYPE } from '../kernel/rdf/index.ts'
import { type Term, termKey } from '../kernel/term.ts'
import { classWords, listed, propertyWords, valueWords, withArticle } from './summary-words.ts'

const MOST = 3

const KINDS: Readonly<Record<string, string>> = {
  TransitiveProperty: 'leads through others of its kind', SymmetricProperty: 'holds both ways', FunctionalProperty: 'has one value at most',
  InverseFunctionalProperty: 'belongs to one thing at most', AsymmetricProperty: 'never holds both ways', IrreflexiveProperty: 'never leads back to the same thing',
  ReflexiveProperty: 'leads from each thing to itself',
}

export function axiomSummary(quads: readonly Quad[]): string {
  const about = Map.groupBy(quads, ({ subject }) => termKey(subject))
  const list = (head: Term, seen = 0): Term[] => {
    const cell = about.get(termKey(head)) ?? []
    const first = cell.find(({ predicate }) => predicate.value === `${RDF}first`)?.object
    const rest = cell.find(({ predicate }) => predicate.value === `${RDF}rest`)?.object
    return first === undefined || seen > 100 ? [] : [first, ...(rest === undefined ? [] : list(rest, seen + 1))]
  }
  const cls = (term: Term): string => {
    if (term.kind === 'iri') return withArticle(classWords(term.value))
    const parts = new Map((about.get(termKey(term)) ?? []).map(({ predicate, object }) => [predicate.value.slice(OWL.length), object]))
    const property = parts.get('onProperty')
    const name = property === undefined ? '' : propertyWords(property.value)
    const filler = (key: string) => parts.get(key)
    if (filler('hasValue') !== undefined) return `something whose ${name} is ${valueWords(filler('hasValue')!)}`
    if (filler('someValuesFrom') !== undefined) return `something with ${withArticle(name)} that is ${cls(filler('someValuesFrom')!)}`
    if (filler('allValuesFrom') !== undefined) return `something whose every ${name} is ${cls(filler('allValuesFrom')!)}`
    if (filler('intersectionOf') !== undefined) return `both ${listed(list(filler('intersectionOf')!).map(cls))}`
    if (filler('unionOf') !== undefined) return `either ${listed(list(filler('unionOf')!).map(cls), 'or')}`
    return filler('complementOf') === undefined ? 'something' : `anything but ${cls(filler('complementOf')!)}`
  }
  const said = quads.flatMap(({ subject, predicate: { value: name }, object }): string[] => {
    if (subject.kind !== 'iri') return []
    if (name === RDF_TYPE) {
      const kind = KINDS[object.value.slice(OWL.length)]
      return kind === undefined || !object.value.startsWith(OWL) ? [] : [`"${propertyWords(subject.value)}" ${kind}`]
    }
    if (name === `${RDFS}subClassOf`) return [`every ${classWords(subject.value)} is ${cls(object)}`]
    if (name === `${OWL}equivalentClass`) return [`${withArticle(classWords(subject.value))} is ${cls(object)}, and the other way round`]
    if (name === `${RDFS}subPropertyOf`) return [`"${propertyWords(subject.value)}" is a kind of "${propertyWords(object.value)}"`]
    if (name === `${OWL}inverseOf`) return [`"${propertyWords(subject.value)}" is "${propertyWords(object.value)}" read backwards`]
    if (name === `${OWL}equivalentProperty`) return [`"${propertyWords(subject.value)}" means the same as "${propertyWords(object.value)}"`]
    if (name === `${RDFS}domain`) return [`whatever has "${propertyWords(subject.value)}" is ${cls(object)}`]
    if (name === `${RDFS}range`) return [`whatever "${propertyWords(subject.value)}" leads to is ${cls(object)}`]
    if (name === `${OWL}disjointWith`) return [`nothing is both ${withArticle(classWords(subject.value))} and ${cls(object)}`]
    if (name === `${OWL}hasKey`) return [`${withArticle(classWords(subject.value))} is known by its ${listed(list(object).map(({ value }) => propertyWords(value)))}`]
    if (name !== `${OWL}propertyChainAxiom`) return []
    return [`${listed(list(object).map(({ value }) => `"${propertyWords(value)}"`), 'and then')} make "${propertyWords(subject.value)}"`]
  })
  const more = said.length - MOST
  return [...said.slice(0, MOST), ...(more > 0 ? [`${more} more ${more === 1 ? 'axiom' : 'axioms'}`] : [])].join('; ')
}
