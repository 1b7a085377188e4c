/**
 * Who works out for the proof checker what it does not work out itself: functions of SPARQL and the aggregates that fold as
 * SPARQL does. A judge shares no code with the engine; ours asks an independent SPARQL implementation, for which the
 * expressions are printed here.
 */
import { XSD } from '../../term.ts'
import type { Term } from '../../term.ts'
import type { AggregateFunction, Expr } from '../program.ts'

export interface Judge {
  /** the value of an expression without variables; null where it has none */
  expression(expr: Expr): Term | null
  /** whether its effective boolean value is true */
  holds(expr: Expr): boolean
  aggregate(fn: AggregateFunction, distinct: boolean, separator: string | undefined, terms: readonly Term[]): Term | null
}

const INFIX: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '&&', '||'])
const PREFIX: ReadonlyMap<string, string> = new Map([['!', '!'], ['neg', '-'], ['pos', '+']])
const BUILT_IN = /^[a-z][a-z0-9_]*$/
/** A name that no binding has: an operand without a value, which SPARQL takes for an error. */
const NO_VALUE = '?none'

/** The expression in SPARQL, or null where it has something that SPARQL cannot write: a blank node, a strange name. */
export function expressionInSparql(expr: Expr): string | null {
  if ('variable' in expr) return NO_VALUE
  if ('term' in expr) return termInSparql(expr.term)
  if ('minus' in expr) return around(expressionInSparql(expr.minus), (text) => `(- ${text})`)
  const [name, operands] = 'op' in expr ? [expr.op, [expr.left, expr.right]] : [expr.call, expr.args]
  const args = operands.map(expressionInSparql)
  if (args.includes(null)) return null
  const listed = args.slice(1).join(', ')
  if (INFIX.has(name) && args.length === 2) return `(${args[0]} ${name} ${args[1]})`
  if (PREFIX.has(name) && args.length === 1) return `(${PREFIX.get(name)} ${args[0]})`
  if (name === 'in' || name === 'not in') return `(${args[0]} ${name.toUpperCase()} (${listed}))`
  if (name.startsWith(XSD) && args.length === 1) return `<${name}>(${args[0]})`
  return BUILT_IN.test(name) ? `${name}(${args.join(', ')})` : null
}

export function termInSparql(term: Term): string | null {
  if (term.kind === 'bnode') return null
  if (term.kind === 'iri') return /[\s<>"{}|\\^`]/.test(term.value) ? null : `<${term.value}>`
  const text = JSON.stringify(term.value)
  // half a surrogate pair is no character, and SPARQL refuses it
  if (/\\ud[89a-f]/i.test(text)) return null
  if (term.language !== undefined) return /^[A-Za-z]+(-[A-Za-z0-9]+)*$/.test(term.language) ? `${text}@${term.language}` : null
  return around(termInSparql({ kind: 'iri', value: term.datatype }), (type) => `${text}^^${type}`)
}

const FOLDS: Readonly<Partial<Record<AggregateFunction, string>>> = {
  count: 'COUNT', sum: 'SUM', min: 'MIN', max: 'MAX', avg: 'AVG', concat: 'GROUP_CONCAT',
}

/** A query whose only answer is the aggregate's value, or null where SPARQL has no such query. */
export function foldInSparql(
  fn: AggregateFunction, distinct: boolean, separator: string | undefined, terms: readonly Term[],
): string | null {
  const name = FOLDS[fn]
  const values = terms.map(termInSparql)
  if (name === undefined || values.includes(null)) return null
  const behind = fn === 'concat' ? `; SEPARATOR=${JSON.stringify(separator ?? ' ')}` : ''
  return `SELECT (${name}(${distinct ? 'DISTINCT ' : ''}?v${behind}) AS ?result) { VALUES ?v { ${values.join(' ')} } }`
}

const around = (text: string | null, wrap: (text: string) => string): string | null => (text === null ? null : wrap(text))
