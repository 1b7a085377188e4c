/**
 * What compiled rules lean on beside the triples: which terms are resources, which time lies a window later, and the union
 * of the type partitions for a rule that asks for any class. All of it follows from the triples, none of it is data.
 */
import type { Argument, Atom, DatalogRule, Fact, Model } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { XSD, iri, literal, termKey } from '../term.ts'
import { MADE, RESOURCE, TRIPLE, classOf, laterPredicate, meaningOf, relationOf } from './partition.ts'
import { RDF_TYPE } from './quad.ts'

export interface Support {
  readonly facts: readonly Fact[]
  readonly rules: readonly DatalogRule[]
}

/** Facts that no source asserts carry this instead. */
export const CLOCK = 'clock'

/** `model` is an earlier run of the same rules: what it made needs a partition to go to. */
export function supportFor(rules: readonly DatalogRule[], facts: readonly Fact[], model?: Model): Support {
  const asked = new Set(rules.flatMap(bodyAtoms).map((atom) => atom.predicate))
  const support: { facts: Fact[]; rules: DatalogRule[] } = { facts: [], rules: [] }
  const needsTerms = asked.has(RESOURCE) || [...asked].some((predicate) => meaningOf(predicate).kind === 'later')
  const given = needsTerms ? [...facts, ...(model?.find(MADE) ?? [])] : []
  const terms = distinct([...given.flatMap((fact) => fact.args), ...rules.flatMap((rule) => constants(rule.head))])
  if (asked.has(RESOURCE)) {
    for (const term of terms) if (term.kind !== 'literal') support.facts.push({ predicate: RESOURCE, args: [term] })
  }
  for (const predicate of asked) {
    const meaning = meaningOf(predicate)
    if (meaning.kind !== 'later') continue
    for (const term of terms) {
      const later = secondsAfter(term, meaning.seconds)
      if (later !== undefined)
        support.facts.push({ predicate: laterPredicate(meaning.seconds), args: [term, later], source: CLOCK })
    }
  }
  const makes = rules.some(({ head }) => head.predicate === MADE)
  if (!makes && !asked.has(RDF_TYPE) && !asked.has(TRIPLE)) return support
  const partitions = new Set([...facts, ...rules.map((rule) => rule.head)].map(({ predicate }) => predicate))
  for (const { args } of model?.find(MADE) ?? []) if (args[1] && args[2]) partitions.add(relationOf(args[1].value, args[2]))
  const triples = [...partitions].filter((predicate) => meaningOf(predicate).kind === 'property').toSorted()
  if (makes) support.rules.push(...triples.map(placing))
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
function placing(predicate: string): DatalogRule {
  const cls = classOf(predicate)
  const object: Argument = cls === undefined ? Y : { term: cls }
  const made: Atom = { predicate: MADE, args: [X, { term: iri(propertyIn(predicate)) }, object] }
  return { id: `made~${predicate}`, head: { predicate, args: [X, object] }, body: [{ kind: 'atom', atom: made }] }
}

const propertyIn = (predicate: string): string => (classOf(predicate) === undefined ? predicate : RDF_TYPE)

/** The dateTime so many seconds later. The fraction is carried over as text, so nothing below a millisecond is lost. */
export function secondsAfter(time: Term, seconds: number): Term | undefined {
  if (time.kind !== 'literal' || time.datatype !== `${XSD}dateTime`) return undefined
  const parts = /^(-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(time.value)
  if (parts === null) return undefined
  const [, whole, fraction = '', zone = ''] = parts
  const ms = Date.parse(`${whole}${zone === '' ? 'Z' : zone}`) + seconds * 1000
  const instant = new Date(ms)
  if (Number.isNaN(instant.getTime())) return undefined
  return literal(`${instant.toISOString().slice(0, -5)}${fraction}${zone === '' ? '' : 'Z'}`, `${XSD}dateTime`)
}

const bodyAtoms = (rule: DatalogRule): readonly Atom[] =>
  rule.body.flatMap((item) =>
    item.kind === 'atom' || item.kind === 'not' ? [item.atom] : item.kind === 'aggregate' ? item.body : [],
  )

const constants = (atom: Atom): Term[] => atom.args.flatMap((arg) => (arg !== null && 'term' in arg ? [arg.term] : []))

const distinct = (terms: readonly (Term | null)[]): Term[] => [
  ...new Map(terms.flatMap((term) => (term === null ? [] : [[termKey(term), term] as const]))).values(),
]
