/** Aggregates as SPARQL defines them, where SPARQL leaves the order of the values open in one that hangs on nothing but them. */
import { compareText, termKey } from '../term.ts'
import type { Term } from '../term.ts'
import { compareTerms, sortOrder } from './compare.ts'
import { callFunction } from './functions.ts'
import { integerTerm, isNumeric, scalarOf, textTerm } from './scalar.ts'
import { concat } from './strings.ts'

export interface SparqlFold {
  readonly fn: 'count' | 'sum' | 'min' | 'max' | 'avg' | 'sample' | 'concat'
  readonly distinct: boolean
  readonly separator?: string
}

/** undefined where SPARQL raises an error; an undefined among the values is a value that could not be had. */
export function foldSparql(fold: SparqlFold, values: readonly (Term | undefined)[]): Term | undefined {
  const { fn, distinct, separator = ' ' } = fold
  const known = inOrder(values.filter((value) => value !== undefined), distinct)
  if (fn === 'count') return integerTerm(known.length)
  if (fn === 'sample') return known[0]
  if (values.includes(undefined)) return undefined
  if (fn === 'concat') return joined(known, separator)
  if (fn === 'min' || fn === 'max') return extreme(fn, known)
  const total = sum(known)
  return fn === 'sum' || total === undefined || known.length === 0 ? total : callFunction('/', [total, integerTerm(known.length)])
}

/** By their keys, each once or as often as it came. */
function inOrder(terms: readonly Term[], distinct: boolean): readonly Term[] {
  const keyed = terms.map((term) => ({ term, key: termKey(term) })).toSorted((x, y) => compareText(x.key, y.key))
  return keyed.filter(({ key }, i) => !distinct || key !== keyed[i - 1]?.key).map(({ term }) => term)
}

function extreme(fn: 'min' | 'max', terms: readonly Term[]): Term | undefined {
  let best = terms[0]
  for (const term of terms) {
    if (best === undefined) break
    const order = sortOrder(term, best)
    if (fn === 'min' ? order < 0 : order > 0) best = term
  }
  return best
}

/** Smallest first: a sum of doubles hangs on the order of its parts. */
function sum(terms: readonly Term[]): Term | undefined {
  if (!terms.every((term) => isNumeric(scalarOf(term)))) return undefined
  const ascending = terms.toSorted((x, y) => compareTerms(x, y) || 0)
  return ascending.reduce<Term | undefined>((total, term) => callFunction('+', [total, term]), integerTerm(0))
}

/** In the language that all of them share, if they do. */
function joined(terms: readonly Term[], separator: string): Term | undefined {
  const languages = new Set(terms.map((term) => (term.kind === 'literal' ? term.language?.toLowerCase() : undefined)))
  const language = languages.size === 1 ? [...languages][0] : undefined
  const between = textTerm(separator, language)
  const parts = terms.flatMap((term, i) => (i === 0 || between === undefined ? [term] : [between, term]))
  return concat(parts)
}
