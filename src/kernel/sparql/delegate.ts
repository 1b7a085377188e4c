/**
 * A CONSTRUCT that has no reading as rules, as a question to a SPARQL store. The store's solutions come back as facts of a
 * relation of their own; the rule then has those and the triples of its outermost pattern as premises.
 */
import type { Atom, DatalogRule } from '../datalog/index.ts'
import type { Alternative } from './alternative.ts'
import { holds, ofAtoms, variablesOf } from './alternative.ts'
import { startCompiling } from './compiling.ts'
import type { CompileOptions, Compiling, SparqlFault } from './compiling.ts'
import type { Construct, Placed } from './syntax.ts'
import { parseQuery } from './syntax.ts'
import { headsOf, readTemplate } from './template.ts'
import { isHidden } from './terms.ts'
import { readTriples } from './triples.ts'

/** What holds of the solutions that a store has for a rule. A name with a space in it is never a property. */
export const answerPredicate = (rule: string): string => `answer ${rule}`

export interface DelegatedConstruct {
  /** the query for the store */
  readonly select: string
  /** the columns of the answer relation */
  readonly variables: readonly string[]
  readonly rules: readonly DatalogRule[]
}

export type Delegation = ({ readonly ok: true } & DelegatedConstruct) | { readonly ok: false; readonly faults: readonly SparqlFault[] }

export function delegateConstruct(text: string, options: CompileOptions): Delegation {
  const parsed = parseQuery(text, options.prefixes)
  if (!parsed.ok) return { ok: false, faults: [parsed.fault] }
  const { query } = parsed
  if (query.subType !== 'construct') return { ok: false, faults: [{ message: 'expected a CONSTRUCT query', line: 1, column: 1 }] }
  const compiling = startCompiling(text, query, options)
  const triples = readTemplate(query, compiling)
  const select = asSelect(text, query)
  if (compiling.faults.length > 0) return { ok: false, faults: compiling.faults }
  if (select === undefined) return { ok: false, faults: [{ message: 'the query has no WHERE of its own', line: 1, column: 1 }] }
  const shown = outermost(query, options, text)
  const inTemplate = triples.flatMap(({ subject, property, object }) =>
    [subject, property, object].flatMap((part) => ('variable' in part ? [part.variable] : [])),
  )
  const variables = [...new Set([...inTemplate, ...shown.flatMap(variablesOf)])]
  const answer: Atom = { predicate: answerPredicate(options.id), args: variables.map((variable) => ({ variable })) }
  // a variable without a value makes no triple, and must not keep the others from being made
  const rules = triples.flatMap((triple, n) => {
    const asked = new Set([triple.subject, triple.property, triple.object].flatMap((part) => ('variable' in part ? [part.variable] : [])))
    for (const atom of shown) for (const variable of variablesOf(atom)) asked.add(variable)
    const seen = { ...answer, args: answer.args.map((arg) => (arg !== null && 'variable' in arg && asked.has(arg.variable) ? arg : null)) }
    const alternative: Alternative = { ...ofAtoms(shown), body: [holds(seen), ...shown.map(holds)], bound: asked }
    return headsOf([triple], alternative, 0, compiling).map((one) => ({ ...one, id: n === 0 ? options.id : `${options.id}~${n + 1}` }))
  })
  return { ok: true, select, variables, rules }
}

/** The same prologue and WHERE, asking for every variable. */
function asSelect(text: string, query: Construct): string | undefined {
  const where = spanOf(query.where)
  if (where === undefined) return undefined
  const prologue = query.context.reduce((end, entry) => Math.max(end, spanOf(entry)?.end ?? 0), 0)
  return `${text.slice(0, prologue)}\nSELECT * WHERE ${text.slice(where.start).replace(/^\s*WHERE/i, '')}`
}

function spanOf(node: Placed): { start: number; end: number } | undefined {
  const { loc } = node as { readonly loc?: { readonly sourceLocationType: string; readonly start?: number; readonly end?: number } }
  if (loc?.sourceLocationType !== 'source' || loc.start === undefined || loc.end === undefined) return undefined
  return { start: loc.start, end: loc.end }
}

/** Triple patterns that hold in every solution, as far as they are plain atoms over variables that the solutions name. */
function outermost(query: Construct, options: CompileOptions, text: string): Atom[] {
  const aside: Compiling = startCompiling(text, query, options)
  return query.where.patterns.flatMap((pattern) => {
    if (pattern.type !== 'pattern' || pattern.subType !== 'bgp') return []
    const [only, ...others] = readTriples(pattern, aside)
    if (only === undefined || others.length > 0) return []
    return only.body.flatMap((item) =>
      item.kind === 'atom' && !item.atom.predicate.startsWith('path') && !variablesOf(item.atom).some(isHidden) ? [item.atom] : [],
    )
  })
}
