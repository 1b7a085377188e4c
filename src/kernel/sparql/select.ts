/** SELECT as alternatives over the variables it names: grouped, folded, extended, and for DISTINCT without what it leaves out. */
import type { Alternative } from './alternative.ts'
import { ofAtoms, renamed } from './alternative.ts'
import { aggregatesIn, grouped } from './aggregate.ts'
import type { Compiling } from './compiling.ts'
import { relationAtom } from './compiling.ts'
import type { Within } from './condition.ts'
import { extended, filtered } from './condition.ts'
import { readGroup } from './group.ts'
import type { Expression, Pattern, Select, SubSelect } from './syntax.ts'
import { isHidden } from './terms.ts'

export function readSubSelect(query: SubSelect, compiling: Compiling): readonly Alternative[] {
  const { limitOffset } = query.solutionModifiers
  if (limitOffset !== undefined)
    compiling.refuse(limitOffset, 'LIMIT and OFFSET in a sub-SELECT are not supported', 'LIMIT in a sub-SELECT')
  // an ORDER BY without a LIMIT changes nothing about which solutions there are
  const { alternatives, variables } = readSelect(query, compiling, [])
  const shown = alternatives.map((each) => onlyShowing(each, variables, compiling))
  return query.distinct === true ? distinct(shown, variables, compiling) : shown
}

export interface Selected {
  readonly alternatives: readonly Alternative[]
  readonly variables: readonly string[]
  /** the variables that hold the values of the expressions asked for beside, in the same order */
  readonly beside: readonly string[]
}

/** `beside` are expressions over the solutions before the projection, such as those of ORDER BY. */
export function readSelect(query: Select | SubSelect, compiling: Compiling, beside: readonly Expression[]): Selected {
  const within: Within = { compiling, scope: null }
  // the parser knows no type for VALUES behind a sub-SELECT, which the grammar allows
  const values = 'values' in query && query.values !== undefined ? [query.values as Pattern] : []
  let alternatives = readGroup([...query.where.patterns, ...values], within)
  const { group, having } = query.solutionModifiers
  const binds = query.variables.flatMap((selected) => ('expression' in selected ? [selected] : []))
  const folds = aggregatesIn([...binds.map(({ expression }) => expression), ...(having?.having ?? []), ...beside])
  // the result of `COUNT(*) AS ?n` is ?n itself, any other aggregate is a step on the way to a value
  const named = new Map(binds.map(({ expression, variable }) => [expression, variable.value]))
  for (const { variable } of binds) {
    if (alternatives.some(({ bound }) => bound.has(variable.value)))
      compiling.refuse(variable, `?${variable.value} has a value already, and cannot be the name of another`)
  }
  let folded: Within['folded']
  if (group !== undefined || folds.length > 0) {
    folded = new Map(folds.map((fold) => [fold, named.get(fold) ?? compiling.fresh()]))
    alternatives = grouped(alternatives, group?.groupings, folded, compiling)
  }
  const over: Within = folded === undefined ? within : { ...within, folded }
  for (const condition of having?.having ?? []) alternatives = filtered(alternatives, condition, over)
  for (const bind of binds) {
    if (bind.expression.type === 'expression' && bind.expression.subType === 'aggregate') continue
    const all = alternatives.flatMap((each) => extended(each, bind.variable.value, bind.expression, over))
    alternatives = compiling.limited(all, bind)
  }
  const names = beside.map((expression) => {
    if (expression.type === 'term' && expression.subType === 'variable') return expression.value
    const variable = compiling.fresh()
    alternatives = compiling.limited(alternatives.flatMap((each) => extended(each, variable, expression, over)), expression)
    return variable
  })
  const variables = query.variables.flatMap((selected) => {
    if ('expression' in selected) return [selected.variable.value]
    return selected.type === 'wildcard' ? visibleIn(alternatives) : [selected.value]
  })
  return { alternatives, variables, beside: names }
}

/** `SELECT *`: the variables of the pattern, in the order in which the solutions have them. */
function visibleIn(alternatives: readonly Alternative[]): string[] {
  return [...new Set(alternatives.flatMap(({ bound }) => [...bound]))].filter((variable) => !isHidden(variable))
}

/** What is not projected is unknown outside: it gets a name that nobody can mean, and still counts. */
function onlyShowing(alternative: Alternative, variables: readonly string[], { fresh }: Compiling): Alternative {
  const own = [...alternative.bound].filter((variable) => !variables.includes(variable) && !isHidden(variable))
  return renamed(alternative, new Map(own.map((variable) => [variable, fresh()])))
}

/** One relation for each set of variables that have a value: solutions that agree in those are one solution. */
function distinct(alternatives: readonly Alternative[], variables: readonly string[], compiling: Compiling): Alternative[] {
  const columnsOf = ({ bound }: Alternative) => variables.filter((variable) => bound.has(variable))
  const alike = Map.groupBy(alternatives, (each) => columnsOf(each).join(' '))
  return [...alike.values()].map((group) => {
    const columns = group[0] === undefined ? [] : columnsOf(group[0])
    const { predicate, rule } = compiling.relation('distinct')
    const head = relationAtom(predicate, columns)
    for (const [n, { body }] of group.entries()) compiling.add({ id: rule(`-${n + 1}`), head, body })
    return ofAtoms([head])
  })
}
