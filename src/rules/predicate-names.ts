/** What the names in front of positional arguments stand for in a graph: a derived class or property, or one of the ontology. */
import { pascalCase } from '../kernel/text/index.ts'
import { type ClassColumns, type RuleProperty, likelyNames, propertyName } from './rule-vocabulary.ts'
import { isIri, termIri } from './term-text.ts'

export type PredicateMeaning =
  | { readonly kind: 'class' | 'property'; readonly iri: string }
  /** neither one nor two arguments: no triple says that, so it stays among the rules */
  | { readonly kind: 'relation'; readonly predicate: string }
  | { readonly kind: 'unknown'; readonly message: string }

export interface PredicateNames {
  inHead(name: string, arity: number): PredicateMeaning
  inBody(name: string, arity: number): PredicateMeaning
}

export function predicateNames(known: {
  readonly classes: readonly ClassColumns[]
  readonly properties: readonly RuleProperty[]
  readonly heads: readonly { readonly name: string; readonly arity: number }[]
  readonly baseIri: string
}): PredicateNames {
  const { baseIri } = known
  const classIris = new Map(known.classes.map(({ iri, name }) => [iri, name]))
  const derived = Map.groupBy(known.heads, ({ name }) => name)
  const properties = Map.groupBy(known.properties, propertyName)

  const derivedAs = (name: string, arity: number): PredicateMeaning => {
    const isFull = isIri(name)
    if (arity === 1) return { kind: 'class', iri: isFull ? name : termIri(baseIri, pascalCase(name)) }
    if (arity === 2) return { kind: 'property', iri: isFull ? name : termIri(baseIri, name) }
    if (isFull) return unknown(`<${name}> takes one argument as a class and two as a property`)
    // a name with a space in it is never an IRI, so no data can speak of this relation
    return { kind: 'relation', predicate: `datalog ${name}/${arity}` }
  }

  return {
    inHead(name, arity) {
      const meaning = derivedAs(name, arity)
      const taken = meaning.kind === 'class' && !isIri(name) ? classIris.get(meaning.iri) : undefined
      if (taken === undefined) return meaning
      return unknown(`${name} would give things the class ${taken} of the data; call it something else`)
    },
    inBody(name, arity) {
      if (isIri(name)) return derivedAs(name, arity)
      const arities = [...new Set(derived.get(name)?.map((head) => head.arity) ?? [])]
      if (arities.includes(arity)) return derivedAs(name, arity)
      const [other] = arities
      if (other !== undefined) return unknown(`${name} has ${counted(arity)} here and ${counted(other)} where it is derived`)
      const iris = arity === 2 ? [...new Set(properties.get(name)?.map(({ iri }) => iri) ?? [])] : []
      if (iris[0] !== undefined && iris.length === 1) return { kind: 'property', iri: iris[0] }
      if (iris.length > 1) {
        const all = iris.map((iri) => `<${iri}>`).join(', ')
        return unknown(`several classes have a property ${name}; write the class, or one of ${all}`)
      }
      const names = [...classIris.values(), ...derived.keys(), ...(arity === 2 ? properties.keys() : [])]
      const likely = likelyNames(name, names)
      const hint = likely.length > 0 ? `; did you mean ${likely.join(' or ')}?` : ''
      return unknown(`no class, property or rule is called ${name}${hint}`)
    },
  }
}

const unknown = (message: string): PredicateMeaning => ({ kind: 'unknown', message })
const counted = (arity: number): string => (arity === 1 ? '1 argument' : `${arity} arguments`)
