/**
 * What compiled rules lean on beside the triples: which terms are resources, where a window of time ends, and the union
 * of the type partitions for a rule that asks for any class. All of it follows from the triples, none of it is data.
 */
import type { Argument, Atom, DatalogRule, Expr, Fact, Model } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { XSD, iri, literal, termKey } from '../term.ts'
import { MADE, MADE_TYPE, RESOURCE, TRIPLE, classOf, meaningOf, relationOf } from './partition.ts'
import { RDF_TYPE } from './quad.ts'

export interface Support {
  readonly facts: readonly Fact[]
  readonly rules: readonly DatalogRule[]
}

/** `model` is an earlier run of the same rules: what it made needs a partition to go to. */
export function supportFor(rules: readonly DatalogRule[], facts: readonly Fact[], model?: Model): Support {
  const asked = new Set(rules.flatMap(bodyAtoms).map((atom) => atom.predicate))
  const support: { facts: Fact[]; rules: DatalogRule[] } = { facts: [], rules: [] }
  const made = [MADE, MADE_TYPE].flatMap((predicate) => model?.find(predicate) ?? [])
  if (asked.has(RESOURCE)) {
    const given = [...facts, ...made]
    for (const term of distinct([...given.flatMap((fact) => fact.args), ...rules.flatMap((rule) => constants(rule.head))]))
      if (term.kind !== 'literal') support.facts.push({ predicate: RESOURCE, args: [term] })
  }
  const makers = [MADE, MADE_TYPE].filter((predicate) => rules.some(({ head }) => head.predicate === predicate))
  if (makers.length === 0 && !asked.has(RDF_TYPE) && !asked.has(TRIPLE)) return support
  const partitions = new Set([...facts, ...rules.map((rule) => rule.head)].map(({ predicate }) => predicate))
  // what a rule asks for may be made later: a cycle through it must show before the run, whatever the data are
  if (makers.length > 0) for (const predicate of asked) partitions.add(predicate)
  for (const { args } of made) if (args[1] && args[2]) partitions.add(relationOf(args[1].value, args[2]))
  const triples = [...partitions].filter((predicate) => meaningOf(predicate).kind === 'property').toSorted()
  for (const maker of makers) {
    const places = triples.filter((predicate) => maker === MADE || classOf(predicate) !== undefined)
    support.rules.push(...places.map((predicate) => placing(predicate, maker)))
  }
  if (asked.has(RDF_TYPE)) support.rules.push(...triples.filter((predicate) => classOf(predicate) !== undefined).map(typeUnion))
  if (asked.has(TRIPLE)) support.rules.push(...triples.map(tripleUnion))
  return support
}

const [X, Y]: [Argument, Argument] = [{ variable: 'x' }, { variable: 'y' }]

/** Copies the instances of a class into the relation that a pattern `?x a ?class` reads. */
const typeUnion = (predicate: string): DatalogRule => ({
  id: `union~${predicate}`,
  head: { predicate: RDF_TYPE, args: [X, Y] },
  body: [{ kind: 'atom', atom: { predicate, args: [X, Y] } }],
})

/** Copies a partition into the relation that a pattern `?x ?p ?y` reads. */
const tripleUnion = (predicate: string): DatalogRule => ({
  id: `triples~${predicate}`,
  head: { predicate: TRIPLE, args: [X, { term: iri(propertyIn(predicate)) }, Y] },
  body: [{ kind: 'atom', atom: { predicate, args: [X, Y] } }],
})

/** Hands made triples on to their partition. */
function placing(predicate: string, maker: string): DatalogRule {
  const cls = classOf(predicate)
  const object: Argument = cls === undefined ? Y : { term: cls }
  const made: Atom = { predicate: maker, args: [X, { term: iri(propertyIn(predicate)) }, object] }
  return { id: `made~${maker === MADE ? '' : 'type '}${predicate}`, head: { predicate, args: [X, object] }, body: [{ kind: 'atom', atom: made }] }
}

const propertyIn = (predicate: string): string => (classOf(predicate) === undefined ? predicate : RDF_TYPE)

const DURATION = `${XSD}dayTimeDuration`

/** The variable that holds the end of a window; no person can write such a name. */
export const LIMIT = '_:limit'

/** The end of a window: so many seconds after a time. */
export const limitOf = (earlier: Argument, seconds: number): Expr => ({
  call: '+',
  args: [earlier, { term: literal(`PT${seconds}S`, DURATION) }],
})

export interface Window {
  readonly from: Expr
  readonly seconds: number
}

/** A calculation of `limitOf`, read back; undefined for any other one. */
export function windowIn({ into, expr }: { readonly into: string; readonly expr: Expr }): Window | undefined {
  if (into !== LIMIT || !('call' in expr)) return undefined
  const [from, by] = expr.args
  const seconds = by !== undefined && 'term' in by ? /^PT(\d+)S$/.exec(by.term.value)?.[1] : undefined
  return from === undefined || seconds === undefined ? undefined : { from, seconds: Number(seconds) }
}

const bodyAtoms = (rule: DatalogRule): readonly Atom[] =>
  rule.body.flatMap((item) =>
    item.kind === 'atom' || item.kind === 'not' ? [item.atom] : item.kind === 'aggregate' ? item.body : [],
  )

const constants = (atom: Atom): Term[] => atom.args.flatMap((arg) => (arg !== null && 'term' in arg ? [arg.term] : []))

const distinct = (terms: readonly (Term | null)[]): Term[] => [
  ...new Map(terms.flatMap((term) => (term === null ? [] : [[termKey(term), term] as const]))).values(),
]
