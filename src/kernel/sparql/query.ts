/** SELECT and ASK as rules: one relation of solutions for each alternative, in which every solution is a row of its own. */
import type { DatalogRule } from '../datalog/index.ts'
import { relationAtom, startCompiling } from './compiling.ts'
import type { CompileOptions, Compiling, SparqlFault } from './compiling.ts'
import { readGroup } from './group.ts'
import { readSelect } from './select.ts'
import type { Ask, Query, Select } from './syntax.ts'
import { parseQuery } from './syntax.ts'

export interface SolutionRelation {
  readonly predicate: string
  /** what each column holds; null for one that only tells solutions apart */
  readonly variables: readonly (string | null)[]
}

export interface CompiledQuery {
  readonly ok: true
  readonly form: 'select' | 'ask'
  readonly rules: readonly DatalogRule[]
  readonly solutions: readonly SolutionRelation[]
  /** what the query selects, in its order */
  readonly variables: readonly string[]
  readonly distinct: boolean
  readonly orderBy: readonly { readonly variable: string; readonly descending: boolean }[]
  readonly offset: number
  readonly limit?: number
}

export type CompiledSelect = CompiledQuery | { readonly ok: false; readonly faults: readonly SparqlFault[] }

export function compileSelect(text: string, options: CompileOptions): CompiledSelect {
  const parsed = parseQuery(text, options.prefixes)
  if (!parsed.ok) return { ok: false, faults: [parsed.fault] }
  const { query } = parsed
  const compiling = startCompiling(text, query, options)
  refuseDatasets(query, compiling)
  if (query.subType === 'describe' || query.subType === 'construct') {
    const form = query.subType.toUpperCase()
    compiling.refuse(query, `${form} is not supported here: write a SELECT or ASK query`, form)
    return { ok: false, faults: compiling.faults }
  }
  const compiled = query.subType === 'select' ? compiledSelect(query, compiling) : compiledAsk(query, compiling)
  return compiling.faults.length > 0 ? { ok: false, faults: compiling.faults } : compiled
}

export function refuseDatasets({ datasets }: Pick<Query, 'datasets'>, { refuse }: Compiling): void {
  if (datasets.clauses.length > 0) refuse(datasets, 'FROM is not supported: a rule reads the whole graph', 'FROM')
}

function compiledSelect(query: Select, compiling: Compiling): CompiledQuery {
  const orders = (query.solutionModifiers.order?.orderDefs ?? []).map((order) =>
    'descending' in order ? order : { expression: order, descending: false },
  )
  const { alternatives, variables, beside } = readSelect(query, compiling, orders.map(({ expression }) => expression))
  const distinct = query.distinct === true || query.reduced === true
  const solutions = alternatives.map(({ body, bound }, n): SolutionRelation => {
    const shown = [...new Set([...variables, ...beside])].filter((variable) => bound.has(variable))
    const columns = [...shown, ...(distinct ? [] : [...bound].filter((variable) => !shown.includes(variable)))]
    const { predicate, rule } = compiling.relation('solution')
    compiling.add({ id: n === 0 ? compiling.id : rule(), head: relationAtom(predicate, columns), body })
    const held = columns.length === 0 ? [null] : columns.map((column) => (shown.includes(column) ? column : null))
    return { predicate, variables: held }
  })
  const { limit, offset = 0 } = query.solutionModifiers.limitOffset ?? {}
  const orderBy = orders.map(({ descending }, n) => ({ variable: beside[n] ?? '', descending }))
  const bounds = limit === undefined ? { offset } : { offset, limit }
  return { ok: true, form: 'select', rules: compiling.rules, solutions, variables, distinct, orderBy, ...bounds }
}

function compiledAsk(query: Ask, compiling: Compiling): CompiledQuery {
  const { limitOffset, group, having } = query.solutionModifiers
  for (const modifier of [limitOffset, group, having]) {
    if (modifier !== undefined) compiling.refuse(modifier, 'a modifier behind ASK is not supported', 'ASK with modifiers')
  }
  const values = query.values === undefined ? [] : [query.values]
  const alternatives = readGroup([...query.where.patterns, ...values], { compiling, scope: null })
  const solutions = alternatives.map(({ body }, n): SolutionRelation => {
    const { predicate, rule } = compiling.relation('solution')
    compiling.add({ id: n === 0 ? compiling.id : rule(), head: relationAtom(predicate, []), body })
    return { predicate, variables: [null] }
  })
  return { ok: true, form: 'ask', rules: compiling.rules, solutions, variables: [], distinct: true, orderBy: [], offset: 0 }
}
