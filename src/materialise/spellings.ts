/**
 * The SPARQL store answers with values: it writes 1.5 for 1.50, and an xsd:int as an xsd:integer. Joins look at terms, so its
 * literals are put back into the graph's own spelling.
 */
import { valueOf } from '../kernel/values/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import { type Term, XSD, compareText, termKey } from '../kernel/term.ts'

/** All spellings of a term's value in the graph, the one to prefer first; the term itself where there is none. */
export type Spellings = (term: Term) => readonly [Term, ...Term[]]

/**
 * `answered` are the terms that will be asked about: a graph has many more literals than that. Spellings that were asserted go
 * before derived ones, lest the choice change with what is derived from it.
 */
export function spellingsIn(asserted: Iterable<Quad>, derived: Iterable<Quad>, answered: Iterable<Term>): Spellings {
  const found = new Map<string, Map<string, Spelling>>()
  for (const term of answered) if (term.kind === 'literal') found.set(valueKey(term), new Map())
  const collect = (quads: Iterable<Quad>, isDerived: boolean) => {
    for (const { object } of quads) {
      const known = object.kind === 'literal' ? found.get(valueKey(object)) : undefined
      const key = known === undefined ? '' : termKey(object)
      if (known?.has(key) === false) known.set(key, { term: object, isDerived })
    }
  }
  if (found.size > 0) {
    collect(asserted, false)
    collect(derived, true)
  }
  return (term) => {
    const known = term.kind === 'literal' ? (found.get(valueKey(term))?.values() ?? []) : []
    const [first, ...others] = [...known]
      .map((one) => ({ ...one, rank: `${Number(one.isDerived)}${unlikeness(one.term, term)} ${termKey(one.term)}` }))
      .toSorted((x, y) => compareText(x.rank, y.rank))
      .map((one) => one.term)
    return first === undefined ? [term] : [first, ...others]
  }
}

interface Spelling {
  readonly term: Term
  readonly isDerived: boolean
}

function unlikeness(one: Term, other: Term): number {
  if (termKey(one) === termKey(other)) return 0
  return one.kind === 'literal' && other.kind === 'literal' && one.datatype === other.datatype ? 1 : 2
}

/** Shared by the literals that the store takes for one: of one value and one datatype, integers of every size together. */
function valueKey(term: Extract<Term, { kind: 'literal' }>): string {
  if (term.language !== undefined) return `${JSON.stringify(term.value)}@${term.language.toLowerCase()}`
  const value = valueOf(term)
  switch (value.kind) {
    case 'exact': {
      let { digits, scale } = value
      for (; scale > 0 && digits % 10n === 0n; scale--) digits /= 10n
      return `${value.integer ? 'integer' : 'decimal'} ${digits}e-${scale}`
    }
    case 'double':
      return `${term.datatype} ${term.datatype === `${XSD}float` ? Math.fround(value.number) : value.number}`
    case 'boolean':
      return `boolean ${value.value}`
    case 'dateTime':
    case 'date':
    case 'time':
      // one moment in two zones is two answers to the store
      return `${value.kind} ${value.seconds} ${value.fraction} ${zoneOf(term.value)}`
    case 'duration':
      return `${term.datatype} ${value.duration.months} ${value.duration.seconds.digits}e-${value.duration.seconds.scale}`
    case 'string':
    case 'opaque':
      return termKey(term)
  }
}

const zoneOf = (text: string): string => /(?:Z|[+-]\d\d:\d\d)$/.exec(text)?.[0].replace(/^[+-]00:00$/, 'Z') ?? ''
