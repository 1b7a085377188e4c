/** The solutions of a compiled query, read out of a model: ordered, cut and made distinct as the query says. */
import type { Model } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { compareText, termKey } from '../term.ts'
import { compareValues, valueOf } from '../values/index.ts'
import type { CompiledQuery } from './query.ts'

export type Solution = ReadonlyMap<string, Term>

export function readSolutions(model: Model, query: CompiledQuery): Solution[] {
  const rows = query.solutions.flatMap(({ predicate, variables }) =>
    model.find(predicate).map(({ args }): Solution => {
      const pairs = variables.flatMap((variable, column): [string, Term][] => {
        const term = args[column]
        return variable === null || term === null || term === undefined ? [] : [[variable, term]]
      })
      return new Map(pairs)
    }),
  )
  const ordered = query.orderBy.length === 0 ? rows : rows.toSorted((x, y) => order(x, y, query))
  const shown = ordered.map((row): Solution => new Map(query.variables.flatMap((name) => entry(name, row.get(name)))))
  const kept = query.distinct ? [...new Map(shown.map((row) => [rowKey(row), row])).values()] : shown
  return kept.slice(query.offset, query.limit === undefined ? undefined : query.offset + query.limit)
}

/** Whether an ASK holds. */
export const readAnswer = (model: Model, query: CompiledQuery): boolean =>
  query.solutions.some(({ predicate }) => model.find(predicate).length > 0)

const entry = (name: string, term: Term | undefined): [string, Term][] => (term === undefined ? [] : [[name, term]])

const rowKey = (row: Solution): string => [...row].map(([name, term]) => `${name} ${termKey(term)}`).join('\n')

function order(x: Solution, y: Solution, { orderBy }: CompiledQuery): number {
  for (const { variable, descending } of orderBy) {
    const difference = compareForOrder(x.get(variable), y.get(variable))
    if (difference !== 0) return descending ? -difference : difference
  }
  return 0
}

const KINDS = ['bnode', 'iri', 'literal']

/** Nothing before blank nodes before IRIs before literals; literals by value where they have an order, else by spelling. */
function compareForOrder(x: Term | undefined, y: Term | undefined): number {
  if (x === undefined || y === undefined) return Number(x !== undefined) - Number(y !== undefined)
  if (x.kind !== y.kind) return KINDS.indexOf(x.kind) - KINDS.indexOf(y.kind)
  const byValue = compareValues(valueOf(x), valueOf(y))
  return typeof byValue === 'number' ? byValue : compareText(termKey(x), termKey(y))
}
