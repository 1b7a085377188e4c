/**
 * Triples as facts of the Datalog engine, partitioned by predicate: `<s> <p> <o>` is the fact `p(s, o)`.
 * Types are partitioned further, by class. Stratification looks at predicate names only, so one `rdf:type` for all
 * classes would tie every rule that reads a class to every rule that gives one, and negation would become impossible.
 */
import type { Argument, Atom, Fact } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { iri } from '../term.ts'
import type { Quad } from './quad.ts'
import { RDF_TYPE } from './quad.ts'

// A name with a space in it can never be an IRI, so data cannot speak about the engine's own relations.
const TYPE_OF = `${RDF_TYPE} `
const PATH = 'path+ '
const NONE = 'none '
const LATER = 'later '
/** holds of every IRI and blank node: a guard for heads whose subject might otherwise be a literal */
export const RESOURCE = 'resource term'

export const pathPredicate = (property: string): string => `${PATH}${property}`
export const nonePredicate = (ruleId: string, n: number): string => `${NONE}${ruleId} ${n}`
/** `later 30(?t, ?limit)`: ?limit is 30 seconds after ?t */
export const laterPredicate = (seconds: number): string => `${LATER}${seconds}`

/** What a predicate name stands for. Auxiliary relations are never triples: a proof through them is unfolded. */
export type Meaning =
  | { readonly kind: 'property'; readonly property: string }
  | { readonly kind: 'path' | 'none' }
  | { readonly kind: 'later'; readonly seconds: number }
  | { readonly kind: 'resource' }

export function meaningOf(predicate: string): Meaning {
  if (predicate === RESOURCE) return { kind: 'resource' }
  if (predicate.startsWith(TYPE_OF)) return { kind: 'property', property: RDF_TYPE }
  if (predicate.startsWith(PATH)) return { kind: 'path' }
  if (predicate.startsWith(NONE)) return { kind: 'none' }
  if (predicate.startsWith(LATER)) return { kind: 'later', seconds: Number(predicate.slice(LATER.length)) }
  return { kind: 'property', property: predicate }
}

/** The relation that holds the triples with this property and, for types, this object. */
export const relationOf = (property: string, object: Term | undefined): string =>
  property === RDF_TYPE && object?.kind === 'iri' ? `${TYPE_OF}${object.value}` : property

/** A triple as the head of a rule. */
export function tripleHead(subject: Argument, property: string, object: Argument): Atom {
  return { predicate: relationOf(property, 'term' in object ? object.term : undefined), args: [subject, object] }
}

/**
 * A triple in the body of a rule. The class of a type is left open, since its partition holds no other: an argument that is
 * always the same would look like a bound one when joins are ordered, and lead into a product of two classes.
 */
export function tripleAtom(subject: Argument, property: string, object: Argument): Atom {
  const head = tripleHead(subject, property, object)
  return head.predicate === property ? head : { ...head, args: [subject, null] }
}

/** The class whose instances a relation holds, for a partition of rdf:type. */
export const classOf = (predicate: string): string | undefined =>
  predicate.startsWith(TYPE_OF) ? predicate.slice(TYPE_OF.length) : undefined

export function tripleFact({ subject, predicate, object }: Quad, about: { tier?: number; source?: string } = {}): Fact {
  return { predicate: relationOf(predicate.value, object), args: [subject, object], ...about }
}

/** The triple that a fact stands for; undefined for the engine's own relations. */
export function factTriple({ predicate, args }: Fact): Quad | undefined {
  const meaning = meaningOf(predicate)
  const [subject, object] = args
  if (meaning.kind !== 'property' || args.length !== 2 || !subject || !object) return undefined
  return { subject, predicate: iri(meaning.property), object }
}
