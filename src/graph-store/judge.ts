/** Asks oxigraph what an expression or an aggregate comes to: a second opinion for the proof checker, by other people's code. */
import { Store } from 'oxigraph'
import { XSD, type Term } from '../kernel/term.ts'
import { type Judge, expressionInSparql, foldInSparql } from '../kernel/datalog/index.ts'

/** Answers kept by their query; a run asks the same thing many times, and one of many rows must not fill the memory. */
const MOST_KEPT = 100_000
/** Far below the nesting that oxigraph's parser does not survive. */
const DEEPEST = 200

const zero: Term = { kind: 'literal', value: '0', datatype: `${XSD}integer` }
const EMPTY: Readonly<Record<string, Term>> = {
  count: zero,
  sum: zero,
  avg: zero,
  concat: { kind: 'literal', value: '', datatype: `${XSD}string` },
}

export function oxigraphJudge(): Judge {
  const store = new Store()
  const kept = new Map<string, Term | null>()
  const ask = (query: string): Term | null => {
    const known = kept.get(query)
    if (known !== undefined) return known
    const answer = depthOf(query) > DEEPEST ? null : answerTo(store, query)
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(query, answer)
    return answer
  }
  const valueOf = (text: string | null) => (text === null ? null : ask(`SELECT (${text} AS ?result) {}`))
  return {
    expression: (expr) => valueOf(expressionInSparql(expr)),
    holds(expr) {
      const text = expressionInSparql(expr)
      return text !== null && valueOf(`IF(${text}, true, false)`)?.value === 'true'
    },
    aggregate(fn, distinct, separator, terms) {
      // asked for nothing, oxigraph answers nothing: what SPARQL says of an empty group it says itself
      if (terms.length === 0) return EMPTY[fn] ?? null
      const query = foldInSparql(fn, distinct, separator, terms)
      return query === null ? null : ask(query)
    },
  }
}

interface Answer {
  readonly results: { readonly bindings: readonly { readonly result?: JsonTerm }[] }
}

interface JsonTerm {
  readonly type: string
  readonly value: string
  readonly datatype?: string
  readonly 'xml:lang'?: string
}

/** null where there is no value, and where the query cannot be asked: what cannot be judged is not accepted. */
function answerTo(store: Store, query: string): Term | null {
  let answer: unknown
  try {
    // a text leaves nothing behind that waits for a finalizer, unlike terms
    answer = store.query(query, { results_format: 'application/sparql-results+json' })
  } catch {
    return null
  }
  const found = typeof answer === 'string' ? (JSON.parse(answer) as Answer).results.bindings[0]?.result : undefined
  if (found === undefined) return null
  const { type, value, datatype = `${XSD}string`, 'xml:lang': language } = found
  if (type === 'uri') return { kind: 'iri', value }
  if (type === 'bnode') return { kind: 'bnode', value }
  if (language === undefined) return { kind: 'literal', value, datatype }
  return { kind: 'literal', value, datatype: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString', language }
}

function depthOf(query: string): number {
  let depth = 0
  let most = 0
  for (const character of query) {
    if (character === '(') most = Math.max(most, ++depth)
    else if (character === ')') depth--
  }
  return most
}
