/** How the rules of the profile are put together: variables, triples as premises, ids that an axiom keeps from run to run. */
import type { Argument, Atom, BodyItem, DatalogRule, Expr } from '../datalog/index.ts'
import { OWL, RDF, RDFS, RDF_TYPE, classOf, guard, meaningOf, tripleAtom, tripleHead } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { iri, termKey } from '../term.ts'

export interface OwlOptions {
  /** two IRIs are two things: what would make them one is reported as a conflict. Blank nodes are no names and still merge. */
  readonly uniqueNames: boolean
  /** also derive what says nothing: everything is itself, a class is its own subclass, an instance of owl:Thing */
  readonly trivial: boolean
  /** false: that something is in a class without a name is derived only where another rule goes on from there */
  readonly anonymous: boolean
  /** rules of others that read what these derive */
  readonly readers?: readonly DatalogRule[]
}

/** What the product wants: rows must not merge silently, and a graph of truisms helps nobody. */
export const OWL_DEFAULTS: OwlOptions = { uniqueNames: true, trivial: false, anonymous: true }

export const owl = (name: string): string => OWL + name
export const rdfs = (name: string): string => RDFS + name
export const SAME_AS = owl('sameAs')
export const SUB_CLASS = rdfs('subClassOf')
export const SUB_PROPERTY = rdfs('subPropertyOf')
export const DOMAIN = rdfs('domain')
export const RANGE = rdfs('range')
export const EQUIVALENT_CLASS = owl('equivalentClass')
export const EQUIVALENT_PROPERTY = owl('equivalentProperty')
export const INVERSE_OF = owl('inverseOf')
export const ON_PROPERTY = owl('onProperty')
export const THING = iri(owl('Thing'))
export const NOTHING = iri(owl('Nothing'))
export const FIRST = `${RDF}first`
export const REST = `${RDF}rest`
export const NIL = `${RDF}nil`

export interface Variable {
  readonly variable: string
}
export const v = (variable: string): Variable => ({ variable })
export const [X, Y, Z, W] = [v('x'), v('y'), v('z'), v('w')]
export const is = (term: Term): Argument => ({ term })

export const triple = (subject: Argument | null, property: string, object: Argument | null): BodyItem => ({
  kind: 'atom',
  atom: tripleAtom(subject, property, object),
})
/** A triple that an axiom or a list consists of, as a premise. */
export const ground = (subject: Term, property: string, object: Term): BodyItem => triple(is(subject), property, is(object))
export const typed = (subject: Argument, cls: Term): BodyItem => triple(subject, RDF_TYPE, is(cls))
export const member = (subject: Argument, cls: Term): Atom => tripleHead(subject, RDF_TYPE, is(cls))
export const holds = (subject: Argument, property: string, object: Argument): Atom => tripleHead(subject, property, object)
export const unequal = (left: Argument, right: Argument): BodyItem => ({ kind: 'compare', op: '!=', left, right })
export const test = (expr: Expr): BodyItem => ({ kind: 'test', expr })
export const call = (name: string, ...args: readonly Expr[]): Expr => ({ call: name, args })

/** The id is the W3C name and what the rule was made for. */
export function rule(name: string, about: readonly (Term | string)[], head: Atom, ...body: readonly BodyItem[]): DatalogRule {
  const key = about.map((part) => (typeof part === 'string' ? part : termKey(part)))
  return { id: [name, ...key].join('~'), head, body: guarded(head, distinct(body)) }
}

/** The W3C name that a rule's id starts with. */
export const ruleName = (id: string): string => id.split('~', 1)[0] ?? id

/** Two members of a list share the way to the first of them. */
function distinct(body: readonly BodyItem[]): readonly BodyItem[] {
  return body.length < 4 ? body : [...new Map(body.map((item) => [JSON.stringify(item), item])).values()]
}

/** A triple has no literal as its subject: a variable that no premise has there is asked to be a resource. */
function guarded(head: Atom, body: readonly BodyItem[]): readonly BodyItem[] {
  const [subject] = head.args
  if (meaningOf(head.predicate).kind === 'auxiliary' || !subject || !('variable' in subject)) return body
  const isSubject = ({ args: [first] }: Atom) => first && 'variable' in first && first.variable === subject.variable
  if (body.some((item) => item.kind === 'atom' && isTriple(item.atom) && isSubject(item.atom))) return body
  return [...body, guard(subject)]
}

const isTriple = ({ predicate }: Atom): boolean =>
  classOf(predicate) !== undefined || ['property', 'triple'].includes(meaningOf(predicate).kind)
