/**
 * Triples as facts of the Datalog engine, partitioned by predicate: `<s> <p> <o>` is the fact `p(s, o)`.
 * Types are partitioned further, by class. Stratification looks at predicate names only, so one `rdf:type` for all
 * classes would tie every rule that reads a class to every rule that gives one, and negation would become impossible.
 */
import type { Argument, Atom, BodyItem, Fact } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { iri } from '../term.ts'
import type { Quad } from './quad.ts'
import { RDF_TYPE } from './quad.ts'

// A name with a space in it can never be an IRI, so data cannot speak about the engine's own relations.
const TYPE_OF = `${RDF_TYPE} `
const PATH = 'path+ '
const NONE = 'none '
/** every triple, for a pattern whose property is a variable */
export const TRIPLE = 'triple any'
/** triples whose property or class only the data tell: they are handed on to the partition where they belong */
export const MADE = 'triple made'
/** the same, of types alone: a rule that makes types is in no circle with what it reads of other properties */
export const MADE_TYPE = 'type made'
export const isMade = (predicate: string): boolean => predicate === MADE || predicate === MADE_TYPE
/** holds of every IRI and blank node: a guard for heads whose subject might otherwise be a literal */
export const RESOURCE = 'resource term'

export const pathPredicate = (property: string): string => `${PATH}${property}`
export const nonePredicate = (ruleId: string, n: number): string => `${NONE}${ruleId} ${n}`

/** What a predicate name stands for. Auxiliary relations are never triples: a proof through them is unfolded. */
export type Meaning =
  | { readonly kind: 'property'; readonly property: string }
  | { readonly kind: 'path' | 'none' }
  | { readonly kind: 'resource' | 'triple' | 'made' }
  /** a relation that a compiler made for a rule of its own: its name has a space in it */
  | { readonly kind: 'auxiliary' }

export function meaningOf(predicate: string): Meaning {
  if (predicate === RESOURCE) return { kind: 'resource' }
  if (predicate === TRIPLE) return { kind: 'triple' }
  if (isMade(predicate)) return { kind: 'made' }
  if (predicate.startsWith(TYPE_OF)) return { kind: 'property', property: RDF_TYPE }
  if (predicate.startsWith(PATH)) return { kind: 'path' }
  if (predicate.startsWith(NONE)) return { kind: 'none' }
  return predicate.includes(' ') ? { kind: 'auxiliary' } : { kind: 'property', property: predicate }
}

/** The relation that holds the triples with this property and, for types, this object. */
export function relationOf(property: string, object: Term | undefined): string {
  if (property !== RDF_TYPE || object === undefined || object.kind === 'literal') return property
  return object.kind === 'iri' ? `${TYPE_OF}${object.value}` : `${TYPE_OF}_:${object.value}`
}

/** A property or class that a pattern names, or a variable that stands for it. */
type Named = string | Argument

const propertyOf = (named: Named): Argument => (typeof named === 'string' ? { term: iri(named) } : named)

/** A triple as the head of a rule. Where the rule does not name the partition, the triple is made first and then handed on. */
export function tripleHead(subject: Argument, property: Named, object: Argument): Atom {
  const named = propertyOf(property)
  if ('variable' in named || (named.term.value === RDF_TYPE && 'variable' in object)) {
    return { predicate: 'variable' in named ? MADE : MADE_TYPE, args: [subject, named, object] }
  }
  return { predicate: relationOf(named.term.value, 'term' in object ? object.term : undefined), args: [subject, object] }
}

/**
 * A triple in the body of a rule. The class of a type is left open, since its partition holds no other: an argument that is
 * always the same would look like a bound one when joins are ordered, and lead into a product of two classes.
 */
export function tripleAtom(subject: Argument | null, property: Named, object: Argument | null): Atom {
  const named = propertyOf(property)
  if ('variable' in named) return { predicate: TRIPLE, args: [subject, named, object] }
  const predicate = relationOf(named.term.value, object !== null && 'term' in object ? object.term : undefined)
  return { predicate, args: [subject, predicate === named.term.value ? object : null] }
}

/** The class whose instances a relation holds, for a partition of rdf:type. */
export function classOf(predicate: string): Term | undefined {
  if (!predicate.startsWith(TYPE_OF)) return undefined
  const value = predicate.slice(TYPE_OF.length)
  return value.startsWith('_:') ? { kind: 'bnode', value: value.slice(2) } : iri(value)
}

/** Keeps a literal from becoming a subject. It says nothing about the data, so a proof does not show it. */
export const guard = (term: Argument): BodyItem => ({ kind: 'test', expr: { call: '!', args: [{ call: 'isliteral', args: [term] }] } })

export const isGuard = (item: BodyItem): boolean =>
  item.kind === 'test' &&
  'call' in item.expr &&
  item.expr.call === '!' &&
  item.expr.args.every((arg) => 'call' in arg && arg.call === 'isliteral')

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
