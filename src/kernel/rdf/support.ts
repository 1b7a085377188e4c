/**
 * What compiled rules lean on beside the triples: which terms are resources, which time lies a window later, and the union
 * of the type partitions for a rule that asks for any class. All of it follows from the triples, none of it is data.
 */
import type { Atom, DatalogRule, Fact } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { XSD, literal, termKey } from '../term.ts'
import { RESOURCE, laterPredicate, meaningOf } from './partition.ts'
import { RDF_TYPE } from './quad.ts'

export interface Support {
  readonly facts: readonly Fact[]
  readonly rules: readonly DatalogRule[]
}

/** Facts that no source asserts carry this instead. */
export const CLOCK = 'clock'

export function supportFor(rules: readonly DatalogRule[], facts: readonly Fact[]): Support {
  const asked = new Set(rules.flatMap(bodyAtoms).map((atom) => atom.predicate))
  const support: { facts: Fact[]; rules: DatalogRule[] } = { facts: [], rules: [] }
  const terms = distinct([...facts.flatMap((fact) => fact.args), ...rules.flatMap((rule) => constants(rule.head))])
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
  if (asked.has(RDF_TYPE)) support.rules.push(...typeUnion(rules, facts))
  return support
}

/** A rule for each class copies its instances into the relation that a pattern `?x a ?class` reads. */
function typeUnion(rules: readonly DatalogRule[], facts: readonly Fact[]): DatalogRule[] {
  const partitions = new Set([...facts, ...rules.map((rule) => rule.head)].map(({ predicate }) => predicate))
  const args = [{ variable: 'x' }, { variable: 'class' }]
  return [...partitions]
    .filter((predicate) => predicate.startsWith(`${RDF_TYPE} `))
    .toSorted()
    .map((predicate) => ({
      id: `union ${predicate}`,
      head: { predicate: RDF_TYPE, args },
      body: [{ kind: 'atom', atom: { predicate, args } }],
    }))
}

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
