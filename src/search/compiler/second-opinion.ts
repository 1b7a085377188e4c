/**
 * The same plan by SQL of another shape. Conditions are nested `in (select ...)`, one table per level, without a join or
 * `exists`; groups are folded over a table of the single values; rows of two plans are put together by grouping all of them with
 * the side they come from. It shares with the first compiler the resolution of paths, the fitting of values and the walking of
 * selected ways, and nothing else, so that an error in one of them shows as a disagreement.
 */
import { type AliasableExpression, type Expression, type SelectQueryBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { Condition, Filter, Plan, Selection } from '../../contracts/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import type { Cell } from '../../sources/index.ts'
import { byteOrder, fit, measured, oneText, spelled, toText } from './fit.ts'
import { type Step, classNamed, resolvePath } from './resolve.ts'
import { Scope, Statement } from './scope.ts'
import { groupedPaths, isFolded, kindOf, pathKey, rangeOf, readPaths, sameSelection, uniquePaths } from './shape.ts'
import { type AnyTables, type SpannedQuery, compileSpanned, queryBuilder } from './spans.ts'

type Query = SelectQueryBuilder<AnyTables, string, Record<string, unknown>>

/** The key of every record that meets the plan's conditions, whatever the plan makes of them; null when the class has no key. */
export function secondOpinion(ontology: Ontology, plan: Plan): SpannedQuery | null {
  const root = classNamed(ontology, plan.from)
  if (root.key.length === 0) return null
  let query = from(ontology, root)
  for (const [at, key] of root.key.entries()) query = query.select(sql.id(key).as(`key${at}`)) as Query
  for (const each of allOf(ontology, root, plan.where)) query = query.where(each)
  return compileSpanned(ontology.dialect, query.toOperationNode())
}

/** How many records meet the plan's conditions, whatever the plan makes of them. */
export function secondCount(ontology: Ontology, { from: name, where }: Pick<Plan, 'from' | 'where'>): SpannedQuery {
  const root = classNamed(ontology, name)
  const count = from(ontology, root).select(sql`count(*)`.as('count')) as Query
  return compileSpanned(ontology.dialect, allOf(ontology, root, where).reduce((query, each) => query.where(each), count).toOperationNode())
}

/** What the first rows are ordered by: each row begins with it, or `at` says where it stands. */
export function secondOrder(ontology: Ontology, plan: Plan, limit: number): { query: SpannedQuery; at: readonly number[] } {
  const by = plan.order_by.map((each) => each.by)
  // rows taken once are ordered by what they show
  if (plan.distinct || plan.set_op !== undefined) {
    return { query: secondRows(ontology, { ...plan, limit }), at: by.map((one) => plan.select.findIndex((shown) => sameSelection(shown, one))) }
  }
  return { query: secondRows(ontology, { ...plan, select: [...by, ...plan.select], limit }), at: by.map((_, at) => at) }
}

/** Of the records that meet the conditions those with one of the keys: the key, then what the plan shows of each record. */
export function secondRecords(ontology: Ontology, plan: Plan, keys: readonly (readonly Cell[])[]): SpannedQuery {
  const root = classNamed(ontology, plan.from)
  const scope = new Scope(new Statement(ontology))
  const shown = plan.select.flatMap(({ path }) => {
    const end = path === undefined ? null : resolvePath(ontology, root, path)
    return end === null ? [] : end.property === null ? scope.record(end).slice(0, 1) : [scope.column(end)]
  })
  const columns = [...root.key.map((key) => sql.id(scope.root, key)), ...shown]
  const records = over(ontology, passing(ontology, root, plan).where(named(root.key, keys)), scope.root)
  const query = columns.reduce<Query>((next, column, at) => next.select(column.as(`c${at}`)) as Query, records)
  return compileSpanned(ontology.dialect, scope.applyTo(query).toOperationNode())
}

/** The key of each record that meets the conditions, then every value that folding reads; `read` says where in the row. */
export function secondEvidence(ontology: Ontology, plan: Plan): { query: SpannedQuery; read: ReadonlyMap<string, readonly number[]> } {
  const root = classNamed(ontology, plan.from)
  const scope = new Scope(new Statement(ontology))
  const columns = root.key.map((key): AliasableExpression<unknown> => sql.id(scope.root, key))
  const read = new Map<string, readonly number[]>()
  for (const path of uniquePaths(readPaths(plan))) {
    const end = resolvePath(ontology, root, path)
    const cells = end.property === null ? scope.record(end) : [scope.column(end)]
    read.set(pathKey(path), cells.map((_, at) => columns.length + at))
    columns.push(...cells)
  }
  const query = columns.reduce<Query>((next, column, at) => next.select(column.as(`c${at}`)) as Query, over(ontology, passing(ontology, root, plan), scope.root))
  return { query: compileSpanned(ontology.dialect, scope.applyTo(query).toOperationNode()), read }
}

function named(columns: readonly string[], keys: readonly (readonly Cell[])[]): Expression<SqlBool> {
  const eb = expressionBuilder<AnyTables, string>()
  const [only, ...more] = columns
  if (only !== undefined && more.length === 0) return eb(sql.id(only), 'in', keys.map(([cell]) => cell))
  return eb.or(keys.map((key) => eb.and(columns.map((column, at) => eb(sql.id(column), '=', key[at] ?? null)))))
}

/** The records that meet the conditions, with all their columns. */
function passing(ontology: Ontology, root: OntologyClass, { where }: Plan): Query {
  const own = [...new Set([...root.key, ...root.properties.flatMap(({ columns }) => columns)])]
  const all = own.reduce((query, column) => query.select(sql.id(column).as(column)) as Query, from(ontology, root))
  return allOf(ontology, root, where).reduce((query, each) => query.where(each), all)
}

const from = (ontology: Ontology, cls: OntologyClass): Query =>
  queryBuilder(ontology.dialect).selectFrom(sql<Record<string, unknown>>`${sql.id(cls.table)}`.as('m')) as unknown as Query

/** Conditions on one record; filters that begin with the same way to many records are about one and the same of them. */
function allOf(ontology: Ontology, cls: OntologyClass, where: readonly Condition[]): Expression<SqlBool>[] {
  const eb = expressionBuilder<AnyTables, string>()
  const out: Expression<SqlBool>[] = []
  const together = new Map<string, { step: Step; filters: Filter[] }>()
  for (const condition of where) {
    if ('any' in condition) out.push(eb.or(condition.any.flatMap((each) => [eb.and(allOf(ontology, cls, [each]))])))
    else if ('all' in condition) out.push(eb.and(allOf(ontology, cls, condition.all)))
    else {
      const { steps, property } = resolvePath(ontology, cls, condition.path)
      const toMany = steps.findIndex(({ backward }) => backward)
      const step = steps[0]
      if (step === undefined) {
        if (property !== null) out.push(holds(ontology, condition, property))
      } else if (condition.op === 'not_exists' || (condition.op === 'is_null' && toMany === -1)) {
        // "is null" along a way forward also holds where the way breaks off
        out.push(eb.not(reaches(ontology, step, { ...condition, op: 'exists' })))
      } else if (toMany === -1 || condition.where !== undefined) {
        out.push(reaches(ontology, step, condition))
      } else {
        // a way that goes forward first belongs together up to and including its first step back
        const key = JSON.stringify(condition.path.slice(0, toMany + 1))
        const group = together.get(key) ?? { step, filters: [] }
        group.filters.push(...rest(condition))
        together.set(key, group)
      }
    }
  }
  for (const { step, filters } of together.values()) out.push(membership(ontology, step, allOf(ontology, step.to, filters)))
  return out
}

/** The record behind the step meets the rest of the filter. */
const reaches = (ontology: Ontology, step: Step, filter: Filter): Expression<SqlBool> =>
  membership(ontology, step, allOf(ontology, step.to, filter.path.length === 1 ? (filter.where ?? []) : rest(filter)))

const rest = (filter: Filter): Filter[] => (filter.path.length === 1 ? [] : [{ ...filter, path: filter.path.slice(1) }])

/** own columns in (select those they meet from the table behind the step where ...); never unknown, so that it can be negated */
function membership(ontology: Ontology, { property, backward, to }: Step, conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  const eb = expressionBuilder<AnyTables, string>()
  const [own, theirs] = backward ? [property.refColumns, property.columns] : [property.columns, property.refColumns]
  let inner = from(ontology, to)
  for (const [at, column] of theirs.entries()) inner = inner.select(sql.id(column).as(`k${at}`)).where(sql.id(column), 'is not', null) as Query
  for (const each of conditions) inner = inner.where(each)
  const row = own.length === 1 ? sql.id(own[0] ?? '') : sql`(${sql.join(own.map((column) => sql.id(column)))})`
  return eb.and([...own.map((column) => eb(sql.id(column), 'is not', null)), eb(row, 'in', inner as never)])
}

const holds = (ontology: Ontology, filter: Filter, { columns, range }: OntologyProperty): Expression<SqlBool> =>
  filter.plan === undefined
    ? valued(ontology, filter, sql.id(columns[0] ?? ''), range)
    : beside(ontology, filter.op, sql.id(columns[0] ?? ''), range, filter.plan)

function valued(ontology: Ontology, filter: Filter, column: Expression<unknown>, range: string): Expression<SqlBool> {
  const eb = expressionBuilder<AnyTables, string>()
  const { column: own, filter: { op, value } } = fit(ontology.dialect, range, column, filter)
  const values = Array.isArray(value) ? value : [value ?? null]
  switch (op) {
    case 'is_null':
    case 'not_exists':
      return eb(own, 'is', null)
    case 'exists':
      return eb(own, 'is not', null)
    case 'in':
      return eb.or(values.map((each) => eb(own, '=', each)))
    case 'not_in':
      return eb.and(values.map((each) => eb(own, '!=', each)))
    case 'between':
      return eb.and([eb(own, '>=', values[0] ?? null), eb(own, '<=', values[1] ?? null)])
    case 'not_like':
      return eb.not(eb(own, 'like', value ?? null))
    default:
      return eb(own, op, value ?? null)
  }
}

/** Against what a plan selects, which is made in the second way too. A NULL in a list is no value. */
function beside(ontology: Ontology, op: string, column: Expression<unknown>, range: string, plan: Plan): Expression<SqlBool> {
  const { dialect } = ontology
  const eb = expressionBuilder<AnyTables, string>()
  const kinds = [range, rangeOf(ontology, classNamed(ontology, plan.from), plan.select[0] ?? {})].map(kindOf)
  const asText = kinds[0] !== kinds[1] || (kinds[0] === 'text' && dialect === 'postgres')
  const cast = (of: Expression<unknown>): Expression<unknown> => (asText ? toText(dialect, of) : of)
  const value = sql.id('v', 'value')
  const rows = over(ontology, secondSelect(ontology, plan, ['value']), 'v').select(sql`${cast(value)}`.as('value')) as Query
  if (op !== 'in' && op !== 'not_in') return eb(cast(column), op as '=', rows as never)
  const inList = eb(cast(column), 'in', rows.where(value, 'is not', null) as never)
  return op === 'in' ? inList : eb.not(eb.or([inList, eb(column, 'is', null)]))
}

/** The rows of the whole plan. */
export const secondRows = (ontology: Ontology, plan: Plan): SpannedQuery =>
  compileSpanned(ontology.dialect, secondSelect(ontology, plan, plan.select.map((_, at) => `c${at}`)).toOperationNode())

const over = (ontology: Ontology, rows: Query, alias: string): Query =>
  queryBuilder(ontology.dialect).selectFrom(rows.as(alias) as never) as unknown as Query

function secondSelect(ontology: Ontology, plan: Plan, names: readonly string[]): Query {
  const rows = plan.set_op === undefined ? foldedRows(ontology, plan, names) : combinedRows(ontology, plan, plan.set_op, names)
  return plan.limit === undefined ? rows : rows.limit(plan.limit)
}

/** One table of single values, from the records that meet the conditions; then grouped, or shown as it is. */
function foldedRows(ontology: Ontology, plan: Plan, names: readonly string[]): Query {
  const { dialect } = ontology
  const root = classNamed(ontology, plan.from)
  const scope = new Scope(new Statement(ontology))
  const paths = uniquePaths(readPaths(plan)).map((path) => ({ path, end: resolvePath(ontology, root, path) }))
  const cells = new Map(paths.map(({ path, end }) => [pathKey(path), end.property === null ? scope.record(end) : [spelled(dialect, end.property.range, scope.column(end))]]))
  const place = new Map<string, Expression<unknown>[]>()
  let values = over(ontology, passing(ontology, root, plan), scope.root)
  values = values.select(sql.lit(1).as('one')) as unknown as Query
  for (const [at, [path, columns]] of [...cells].entries()) {
    for (const [i, column] of columns.entries()) values = values.select(column.as(`c${at}_${i}`)) as Query
    place.set(path, columns.map((_, i) => sql.id('d', `c${at}_${i}`)))
  }
  const keys = [...root.key.map((key) => sql.id(scope.root, key)), ...scope.manyKeys()]
  for (const [at, key] of keys.entries()) values = values.select(key.as(`k${at}`)) as Query

  const shown = ({ path, aggregate }: Selection): AliasableExpression<unknown> => {
    const [first, ...more] = place.get(pathKey(path)) ?? [sql.id('d', 'one')]
    const range = path === undefined ? '' : (resolvePath(ontology, root, path).property?.range ?? '')
    if (aggregate === undefined) return sql`${first}`
    const one = more.length === 0 || aggregate === 'count' ? measured(dialect, range, first!, aggregate) : oneText(dialect, [first!, ...more])
    return aggregate === 'count_distinct' ? sql`count(distinct ${one})` : sql`${sql.raw(aggregate)}(${one})`
  }
  let query = over(ontology, scope.applyTo(values), 'd')
  for (const [at, selection] of plan.select.entries()) query = query.select(shown(selection).as(names[at] ?? '')) as Query
  const groups = isFolded(plan) ? groupedPaths(plan).flatMap((path) => place.get(pathKey(path)) ?? []) : []
  for (const column of groups) query = query.groupBy(column)
  for (const { by, op, value, plan: inner } of plan.having) {
    const range = rangeOf(ontology, root, by)
    query = query.having(inner === undefined ? valued(ontology, { path: [], op, value }, shown(by), range) : beside(ontology, op, shown(by), range, inner))
  }
  const unkeyed = root.key.length === 0 || scope.hasKeyless()
  const records = [
    ...keys.map((_, at) => sql.id('d', `k${at}`)),
    ...(unkeyed ? plan.select.map((each) => byteOrder(dialect, rangeOf(ontology, root, each), shown(each))) : []),
  ]
  const ties = plan.distinct ? plan.select.map(shown) : isFolded(plan) ? groups : records
  // groups that tie run as the order does, as in the first compiler
  const tied = isFolded(plan) && !plan.distinct ? (plan.order_by.at(-1)?.direction ?? 'asc') : 'asc'
  const order = [...plan.order_by.map(({ by, direction }) => ({ of: shown(by) as Expression<unknown>, direction })), ...ties.map((of) => ({ of, direction: tied }))]
  query = order.reduce((sorted, { of, direction }) => nullsFirst(sorted, ontology, of, direction), query)
  return plan.distinct ? query.distinct() : query
}

/** All rows of both sides, each with its side: a group of equal rows that holds the right sides stands. */
function combinedRows(ontology: Ontology, plan: Plan, { op, plan: other }: NonNullable<Plan['set_op']>, names: readonly string[]): Query {
  const side = (of: Plan, number: number): Query => {
    const root = classNamed(ontology, of.from)
    const rows = over(ontology, secondSelect(ontology, of, names), 's')
    const query = of.select.reduce((next, selection, at) => {
      const column = sql.id('s', names[at] ?? '')
      const asText = ontology.dialect === 'postgres' && kindOf(rangeOf(ontology, root, selection)) === 'text'
      const value: AliasableExpression<unknown> = asText ? toText(ontology.dialect, column) : column
      return next.select(value.as(names[at] ?? '')) as Query
    }, rows)
    return query.select(sql.lit(number).as('side')) as unknown as Query
  }
  const own: Plan = { ...plan, set_op: undefined, order_by: [], limit: undefined }
  let query = over(ontology, side(own, 1).unionAll(side(other, 2) as never) as unknown as Query, 'b')
  for (const name of names) query = query.select(sql.id('b', name).as(name)).groupBy(sql.id('b', name)) as Query
  if (op === 'intersect') query = query.having(sql<SqlBool>`min(${sql.id('b', 'side')}) < max(${sql.id('b', 'side')})`)
  if (op === 'except') query = query.having(sql<SqlBool>`max(${sql.id('b', 'side')}) = 1`)
  const order = plan.order_by.map(({ by, direction }) => ({ at: plan.select.findIndex((each) => sameSelection(each, by)), direction }))
  return [...order, ...names.map((_, at) => ({ at, direction: 'asc' as const }))].reduce(
    (sorted, { at, direction }) => nullsFirst(sorted, ontology, sql.id('b', names[at] ?? ''), direction), query,
  )
}

function nullsFirst(query: Query, { dialect }: Ontology, by: Expression<unknown>, direction: 'asc' | 'desc'): Query {
  if (dialect !== 'postgres') return query.orderBy(by, direction)
  return query.orderBy(by, (how) => (direction === 'asc' ? how.asc().nullsFirst() : how.desc().nullsLast()))
}
