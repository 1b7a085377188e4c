/** The rows of a plan as a select: what it shows, of which records, in which groups and order. Sub-plans are made here too. */
import { type AliasableExpression, type Expression, expressionBuilder, sql } from 'kysely'
import type { Plan, Selection } from '../../contracts/index.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { CAPABILITIES } from '../../sources/index.ts'
import { Conditions } from './conditions.ts'
import { byteOrder, measured, oneText, spelled, toText } from './fit.ts'
import { classNamed, resolvePath } from './resolve.ts'
import { type Query, Scope, type Statement } from './scope.ts'
import { groupedPaths, isFolded, kindOf, rangeOf, sameSelection } from './shape.ts'
import type { AnyTables } from './spans.ts'

/** `names` are the columns' names; a nested plan is put in order only where it is cut. */
export function rowsOf(statement: Statement, plan: Plan, names: readonly string[], nested: boolean): Query {
  const { ontology } = statement
  const root = classNamed(ontology, plan.from)
  const scope = new Scope(statement)
  const together = plan.set_op
  let query = statement.from(root, scope.root)
  for (const [at, selection] of plan.select.entries()) {
    const expression = plan.distinct ? inOneSpelling(selection, ontology, root, scope) : expressionOf(selection, ontology, root, scope)
    const shown = together === undefined ? expression : united(ontology, root, selection, expression)
    query = query.select(shown.as(names[at] ?? '')) as Query
  }
  if (isFolded(plan)) query = folded(query, plan, root, scope)
  if (plan.distinct) query = query.distinct()
  if (together === undefined && (!nested || plan.limit !== undefined)) query = inOrder(query, plan, root, scope)
  query = scope.applyTo(filtered(query, plan, root, scope))
  if (together !== undefined) {
    const other = member(statement, together.plan, names)
    query = query[together.op](other as never) as Query
    if (!nested || plan.limit !== undefined) {
      const places = plan.order_by.map(({ by, direction }) => ({ at: plan.select.findIndex((each) => sameSelection(each, by)), direction }))
      const rest = names.map((_, at) => ({ at, direction: 'asc' as const }))
      for (const { at, direction } of uniqueBy([...places, ...rest], ({ at: place }) => place)) {
        query = ordered(query, ontology, sql.id(names[at] ?? ''), direction)
      }
    }
  }
  return plan.limit === undefined ? query : query.limit(plan.limit)
}

const conditions = new Conditions(rowsOf)

/** The plan's conditions. A record that must be there and is joined anyway is simply joined for good. */
export function filtered(query: Query, plan: Plan, root: OntologyClass, scope: Scope): Query {
  const { ontology } = scope.statement
  const where = plan.where.filter((condition) => {
    if (!('path' in condition) || condition.op !== 'exists' || condition.where !== undefined) return true
    const { property, steps } = resolvePath(ontology, root, condition.path)
    return property !== null || !scope.require(steps)
  })
  return conditions.of(where, root, scope).reduce((next, condition) => next.where(condition), query)
}

function folded(query: Query, plan: Plan, root: OntologyClass, scope: Scope): Query {
  const { ontology } = scope.statement
  let next = query
  for (const column of groupColumns(plan, ontology, root, scope)) next = next.groupBy(column)
  for (const having of plan.having) {
    const range = rangeOf(ontology, root, having.by)
    next = next.having(conditions.compared(having, range, expressionOf(having.by, ontology, root, scope), scope.statement))
  }
  return next
}

/** A path that ends on a class groups by its key. */
function groupColumns(plan: Plan, ontology: Ontology, root: OntologyClass, scope: Scope): AliasableExpression<unknown>[] {
  return groupedPaths(plan).flatMap((path) => {
    const resolved = resolvePath(ontology, root, path)
    return resolved.property === null ? scope.record(resolved) : [spelled(ontology.dialect, resolved.property.range, scope.column(resolved))]
  })
}

/** The order of the plan, then one that leaves no ties, so that the same data gives the same answer. */
export function inOrder(query: Query, plan: Plan, root: OntologyClass, scope: Scope): Query {
  const { ontology } = scope.statement
  let next = query
  for (const { by, direction } of plan.order_by) next = ordered(next, ontology, inOneSpelling(by, ontology, root, scope), direction)
  if (plan.distinct) {
    for (const shown of plan.select) {
      if (!plan.order_by.some(({ by }) => sameSelection(by, shown))) next = ordered(next, ontology, inOneSpelling(shown, ontology, root, scope), 'asc')
    }
    return next
  }
  // groups and values taken once have no key; without an order each engine brings them in its own. Ties run as the order does
  const ties = plan.order_by.at(-1)?.direction ?? 'asc'
  if (isFolded(plan)) return groupColumns(plan, ontology, root, scope).reduce<Query>((sorted, column) => ordered(sorted, ontology, column, ties), next)
  for (const key of root.key) next = next.orderBy(sql.id(scope.root, key))
  for (const key of scope.manyKeys()) next = ordered(next, ontology, key, 'asc')
  if (root.key.length > 0 && !scope.hasKeyless()) return next
  // rows of records without a key are told apart by what they show; left to itself the engine would order them by any column
  for (const shown of plan.select) {
    next = ordered(next, ontology, byteOrder(ontology.dialect, rangeOf(ontology, root, shown), expressionOf(shown, ontology, root, scope)), 'asc')
  }
  return next
}

/** NULL comes before everything else, also where PostgreSQL would put it last. */
export function ordered(query: Query, { dialect }: Ontology, by: Expression<unknown>, direction: 'asc' | 'desc'): Query {
  if (!CAPABILITIES[dialect].nullsLast) return query.orderBy(by, direction)
  return query.orderBy(by, (how) => (direction === 'asc' ? how.asc().nullsFirst() : how.desc().nullsLast()))
}

export function expressionOf(selection: Selection, ontology: Ontology, root: OntologyClass, scope: Scope): AliasableExpression<unknown> {
  const { path, aggregate } = selection
  if (path === undefined) return folding('count', sql`*`)
  const resolved = resolvePath(ontology, root, path)
  if (resolved.property === null) {
    return aggregate === 'count_distinct'
      ? folding('count_distinct', oneText(ontology.dialect, scope.record(resolved)))
      : folding('count', scope.presence(resolved.steps))
  }
  const column = scope.column(resolved)
  return aggregate === undefined ? column : folding(aggregate, measured(ontology.dialect, resolved.property.range, column, aggregate))
}

const inOneSpelling = (selection: Selection, ontology: Ontology, root: OntologyClass, scope: Scope): AliasableExpression<unknown> =>
  spelled(ontology.dialect, rangeOf(ontology, root, selection), expressionOf(selection, ontology, root, scope))

export function folding(aggregate: NonNullable<Selection['aggregate']>, of: Expression<unknown>): AliasableExpression<unknown> {
  const fn = expressionBuilder<AnyTables, string>().fn
  if (aggregate === 'count_distinct') return fn.agg('count', [of as never]).distinct()
  return fn.agg(aggregate, [of as never])
}

/** A column of rows that are put together with others: PostgreSQL takes an enum and a text for different types. */
function united(ontology: Ontology, root: OntologyClass, selection: Selection, expression: AliasableExpression<unknown>): AliasableExpression<unknown> {
  const { dialect } = ontology
  const range = rangeOf(ontology, root, selection)
  return dialect === 'postgres' && kindOf(range) === 'text' ? toText(dialect, expression) : spelled(dialect, range, expression)
}

/** The second side of a set operation; one that is cut or put together itself cannot stand there as it is. */
function member(statement: Statement, plan: Plan, names: readonly string[]): Query {
  const rows = rowsOf(statement, plan, names, true)
  const { ontology } = statement
  const root = classNamed(ontology, plan.from)
  const texts = ontology.dialect === 'postgres' && plan.select.some((selection) => kindOf(rangeOf(ontology, root, selection)) === 'text')
  if (plan.limit === undefined && plan.set_op === undefined && !texts) return rows
  const alias = statement.nextAlias()
  return plan.select.reduce(
    (query, selection, at) => query.select(united(ontology, root, selection, sql.id(alias, names[at] ?? '')).as(names[at] ?? '')) as Query,
    statement.over(rows, alias),
  )
}

function uniqueBy<T>(items: readonly T[], key: (item: T) => unknown): T[] {
  const seen = new Map<unknown, T>()
  for (const item of items) if (!seen.has(key(item))) seen.set(key(item), item)
  return [...seen.values()]
}
