/**
 * GROUP BY and the aggregates. Groups whose keys have values in different variables are different groups, so each such set has
 * relations of its own: `groups` with the keys, `rows` with every solution once for each aggregate, `fold` with the results.
 * A result that has none (an error, an empty group) leaves its variable without a value.
 */
import type { AggregateFunction, Argument, Atom } from '../datalog/index.ts'
import { literal } from '../term.ts'
import type { Alternative } from './alternative.ts'
import { UNIT, asArgument, binding, denied, having, holds } from './alternative.ts'
import type { Compiling } from './compiling.ts'
import { ANY, relationAtom } from './compiling.ts'
import type { Valued } from './condition.ts'
import { extended, valued } from './condition.ts'
import type { AggregateCall, Expression, Modifiers } from './syntax.ts'
import { isHidden } from './terms.ts'

type Grouping = NonNullable<Modifiers['group']>['groupings'][number]

/** Every aggregate of the expressions; none stands inside another. */
export function aggregatesIn(expressions: readonly Expression[]): AggregateCall[] {
  const found: AggregateCall[] = []
  const pending = expressions.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type !== 'expression') continue
    if (node.subType === 'aggregate') found.push(node)
    else if (node.subType === 'operation' || node.subType === 'functionCall') pending.push(...node.args.toReversed())
  }
  return found
}

/** Without groupings all solutions are one group, even if there are none. `folded` says which variable gets which result. */
export function grouped(
  alternatives: readonly Alternative[],
  groupings: readonly Grouping[] | undefined,
  folded: ReadonlyMap<AggregateCall, string>,
  compiling: Compiling,
): readonly Alternative[] {
  const keys: string[] = []
  let solutions = alternatives
  for (const grouping of groupings ?? []) {
    const named = 'variable' in grouping
    const expression = named ? grouping.value : grouping
    if (expression.type === 'term' && expression.subType === 'variable' && !named) {
      keys.push(expression.value)
      continue
    }
    const key = named ? grouping.variable.value : compiling.fresh()
    keys.push(key)
    const all = solutions.flatMap((each) => extended(each, key, expression, { compiling, scope: null }))
    solutions = compiling.limited(all, expression)
  }
  const keysOf = ({ bound }: Alternative) => [...new Set(keys)].filter((key) => bound.has(key))
  const parts = Map.groupBy(solutions, (each) => keysOf(each).join(' '))
  if (groupings === undefined && parts.size === 0) parts.set('', [])
  return [...parts.values()].flatMap((rows) => {
    const group = { keys: rows[0] === undefined ? [] : keysOf(rows[0]), rows, always: groupings === undefined }
    return foldGroup(group, folded, compiling)
  })
}

interface Group {
  readonly keys: readonly string[]
  readonly rows: readonly Alternative[]
  /** there without any solution */
  readonly always: boolean
}

function foldGroup(group: Group, folded: ReadonlyMap<AggregateCall, string>, compiling: Compiling): readonly Alternative[] {
  let alternatives: readonly Alternative[] = [groupsOf(group, compiling)]
  for (const [fold, into] of folded) {
    const result = foldRule(group, fold, into, alternatives[0] ?? UNIT, compiling)
    const all = alternatives.flatMap((each) => {
      const done = binding(each, holds(result), [into])
      if (fold.aggregation.toLowerCase() === 'count') return [done]
      const args = result.args.map((arg) => (arg !== null && 'variable' in arg && arg.variable === into ? null : arg))
      return [done, having(each, [denied({ ...result, args })])]
    })
    alternatives = compiling.limited(all, fold)
  }
  return alternatives
}

function groupsOf({ keys, rows, always }: Group, compiling: Compiling): Alternative {
  if (always) return UNIT
  const { predicate, rule } = compiling.relation('groups')
  const head = relationAtom(predicate, keys)
  for (const [n, { body }] of rows.entries()) compiling.add({ id: rule(`-${n + 1}`), head, body })
  return binding(UNIT, holds(head), keys)
}

const FUNCTIONS: Readonly<Record<string, AggregateFunction>> = {
  count: 'count',
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  sample: 'sample',
  group_concat: 'concat',
}

/** These look at every solution: one without a value spoils the result. The others pass it over. */
const SPOILT: ReadonlySet<AggregateFunction> = new Set(['sum', 'avg', 'min', 'max', 'concat'])

/** The relation of an aggregate's results, by the keys of the group. */
function foldRule(group: Group, fold: AggregateCall, into: string, base: Alternative, compiling: Compiling): Atom {
  const { keys } = group
  const fn = FUNCTIONS[fold.aggregation.toLowerCase()]
  const { predicate, rule } = compiling.relation('fold')
  const head: Atom = { predicate, args: [...keys.map(asArgument), { variable: into }] }
  if (fn === undefined) {
    compiling.refuse(fold, `the aggregate ${fold.aggregation} is not supported`, fold.aggregation)
    return head
  }
  const [expression] = fold.expression
  const whole = expression === undefined || expression.type === 'wildcard'
  const rows = group.rows.flatMap((each): Valued[] =>
    whole ? [{ alternative: each, value: undefined }] : valued(each, expression, { compiling, scope: null }),
  )
  const spoilt = !whole && SPOILT.has(fn) ? rows.filter(({ value }) => value === undefined) : []
  const counted = whole ? rows : rows.filter(({ value }) => value !== undefined)
  const source = whole && fold.distinct ? distinctRows(counted, keys, compiling) : allRows(counted, keys, !whole, compiling)
  const separator = 'separator' in fold && typeof fold.separator === 'string' ? { separator: fold.separator } : {}
  const sparql = { distinct: fold.distinct && !whole, ...(fn === 'concat' ? { separator: ' ', ...separator } : {}) }
  const of = whole ? null : VALUE
  compiling.add({
    id: rule(),
    head,
    body: [
      ...base.body.slice(0, group.always ? 0 : 1),
      ...denySpoilt(spoilt, keys, compiling),
      { kind: 'aggregate', into, fn, of, body: [source], sparql },
    ],
  })
  return head
}

const VALUE = '_:value'

/** Every solution is a row: which alternative it belongs to, the keys, the value, and all that tells it from the others. */
function allRows(rows: readonly Valued[], keys: readonly string[], withValue: boolean, compiling: Compiling): Atom {
  const { predicate, rule } = compiling.relation('rows')
  const others = rows.map(({ alternative, value }) =>
    [...alternative.bound].filter((variable) => !keys.includes(variable) && variable !== value),
  )
  const width = Math.max(0, ...others.map((each) => each.length))
  for (const [n, { alternative, value }] of rows.entries()) {
    const rest = Array.from({ length: width }, (_, column) => others[n]?.[column])
    const args: Argument[] = [
      { term: literal(String(n + 1)) },
      ...keys.map(asArgument),
      ...(withValue && value !== undefined ? [asArgument(value)] : []),
      ...rest.map((variable): Argument => (variable === undefined ? { term: ANY } : { variable })),
    ]
    compiling.add({ id: rule(`-${n + 1}`), head: { predicate, args }, body: alternative.body })
  }
  const value = withValue ? [asArgument(VALUE)] : []
  return { predicate, args: [null, ...keys.map(asArgument), ...value, ...Array.from({ length: width }, () => null)] }
}

/** Solutions that agree in every variable a person wrote are one row. */
function distinctRows(rows: readonly Valued[], keys: readonly string[], compiling: Compiling): Atom {
  const { predicate, rule } = compiling.relation('rows')
  const visible = rows.flatMap(({ alternative }) => [...alternative.bound].filter((variable) => !isHidden(variable)))
  const columns = [...new Set(visible)].filter((variable) => !keys.includes(variable))
  for (const [n, { alternative }] of rows.entries()) {
    const has = columns.map((column) => alternative.bound.has(column))
    const args: Argument[] = [
      { term: literal(has.map((known) => (known ? '+' : '-')).join('')) },
      ...keys.map(asArgument),
      ...columns.map((column, at): Argument => (has[at] === true ? { variable: column } : { term: ANY })),
    ]
    compiling.add({ id: rule(`-${n + 1}`), head: { predicate, args }, body: alternative.body })
  }
  return { predicate, args: [null, ...keys.map(asArgument), ...columns.map(() => null)] }
}

function denySpoilt(rows: readonly Valued[], keys: readonly string[], compiling: Compiling) {
  if (rows.length === 0) return []
  const { predicate, rule } = compiling.relation('spoilt')
  const head = relationAtom(predicate, keys)
  for (const [n, { alternative }] of rows.entries()) compiling.add({ id: rule(`-${n + 1}`), head, body: alternative.body })
  return [denied(head)]
}
