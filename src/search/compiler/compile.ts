/**
 * A plan becomes SQL. Only classes and properties of the given ontology can be compiled; the ontology has been cut to the
 * ceiling before, so a column above it cannot be named in any clause. Values are always bound, columns always listed.
 */
import { type AliasableExpression, type Expression, type SelectQueryBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { Filter, Plan, Selection } from '../../contracts/index.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { type ResolvedPath, type Step, classNamed, resolvePath } from './resolve.ts'
import { type AnyTables, type SpannedQuery, compileSpanned, queryBuilder } from './spans.ts'

type Query = SelectQueryBuilder<AnyTables, string, Record<string, unknown>>

export interface CompiledPlan {
  /** selects exactly the answer's columns */
  readonly main: SpannedQuery
  /**
   * selects the key of each record behind the answer, then each selected column before any aggregation, in the same order
   * as the answer; null when the class has no key
   */
  readonly evidence: SpannedQuery | null
  /** the answer's column names */
  readonly columns: readonly string[]
}

export function compilePlan(ontology: Ontology, plan: Plan): CompiledPlan {
  const root = classNamed(ontology, plan.from)
  const columns = columnNames(plan)
  const main = compileOne(ontology, plan, root, (query, joins) => {
    let next = query
    for (const [at, selection] of plan.select.entries()) {
      next = next.select(expressionOf(selection, ontology, root, joins).as(columns[at]!)) as Query
    }
    for (const path of plan.group_by) next = next.groupBy(joins.column(resolvePath(ontology, root, path)))
    return plan.distinct ? next.distinct() : next
  })
  // an aggregate's evidence is the rows it folds, so grouping, order by aggregate and limit do not apply to it
  const folded = plan.select.some((selection) => selection.aggregate !== undefined)
  const evidencePlan: Plan = folded ? { ...plan, order_by: [], limit: undefined } : plan
  const evidence =
    root.key.length === 0
      ? null
      : compileOne(ontology, evidencePlan, root, (query, joins) => {
          let next = root.key.reduce((keyed, key, at) => keyed.select(sql.id('t0', key).as(`key${at}`)) as Query, query)
          for (const [at, { path }] of plan.select.entries()) {
            if (path !== undefined) next = next.select(joins.column(resolvePath(ontology, root, path)).as(`value${at}`)) as Query
          }
          return next
        })
  return { main, evidence, columns }
}

/** Readable and unique: `name`, `site.name`, `count`, `avg(value)`. */
export function columnNames(plan: Plan): string[] {
  const seen = new Map<string, number>()
  return plan.select.map(({ path, aggregate }) => {
    // a step back to the orders of a customer reads as `order`
    const base = (path ?? []).map((part) => (part.startsWith('^') ? part.slice(1).split('.', 1)[0]!.toLowerCase() : part)).join('.')
    const name = aggregate === undefined ? base : base === '' ? aggregate : `${aggregate}(${base})`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name}_${times}`
  })
}

function compileOne(
  ontology: Ontology,
  plan: Plan,
  root: OntologyClass,
  project: (query: Query, joins: Joins) => Query,
): SpannedQuery {
  const joins = new Joins()
  const db = queryBuilder(ontology.dialect)
  let query = project(db.selectFrom(sql<Record<string, unknown>>`${sql.id(root.table)}`.as('t0')) as unknown as Query, joins)
  for (const filter of plan.where) query = query.where(conditionOf(filter, ontology, root, joins, 't0'))
  const folded = plan.select.some((selection) => selection.aggregate !== undefined)
  for (const { by, direction } of plan.order_by) query = query.orderBy(expressionOf(by, ontology, root, joins), direction)
  // ties in key order, so that the same data gives the same answer
  if (!folded && !plan.distinct) for (const key of root.key) query = query.orderBy(sql.id('t0', key))
  if (plan.limit !== undefined) query = query.limit(plan.limit)
  return compileSpanned(ontology.dialect, joins.applyTo(query).toOperationNode())
}

function expressionOf({ path, aggregate }: Selection, ontology: Ontology, root: OntologyClass, joins: Joins): AliasableExpression<unknown> {
  const fn = expressionBuilder<AnyTables, string>().fn
  if (path === undefined) return fn.countAll()
  const column = joins.column(resolvePath(ontology, root, path))
  switch (aggregate) {
    case undefined:
      return column
    case 'count_distinct':
      return fn.count(column).distinct()
    case 'count':
      return fn.count(column)
    case 'sum':
      return fn.sum(column)
    case 'avg':
      return fn.avg(column)
    case 'min':
      return fn.min(column)
    case 'max':
      return fn.max(column)
  }
}

/** A filter that walks to many records asks whether one of them exists, so that it never multiplies rows. */
function conditionOf(filter: Filter, ontology: Ontology, from: OntologyClass, joins: Joins, alias: string): Expression<SqlBool> {
  const eb = expressionBuilder<AnyTables, string>()
  const path = resolvePath(ontology, from, filter.path)
  const many = path.steps.findIndex((step) => step.backward)
  const negative = filter.op === 'not_exists'
  if (many !== -1) {
    const before = joins.aliasAfter(path.steps.slice(0, many), alias)
    const step = path.steps[many]!
    const rest = filter.path.slice(many + 1)
    const inner = new Joins(`${alias}_${many}`)
    const child = inner.root
    let query = queryBuilder(ontology.dialect)
      .selectFrom(sql<Record<string, unknown>>`${sql.id(step.to.table)}`.as(child))
      .select(sql.lit(1).as('found')) as unknown as Query
    for (const [i, column] of step.property.columns.entries()) {
      query = query.where(sql.id(child, column), '=', sql.id(before, step.property.refColumns[i] ?? ''))
    }
    if (rest.length > 0) {
      const innerFilter: Filter = negative ? { ...filter, path: rest, op: 'exists' } : { ...filter, path: rest }
      query = query.where(conditionOf(innerFilter, ontology, step.to, inner, child))
    }
    const found = eb.exists(inner.applyTo(query))
    return negative ? eb.not(found) : found
  }
  if (path.property === null) throw new Error('a filter on a single record needs a property')
  return comparison(filter, joins.column(path, alias))
}

function comparison(filter: Filter, column: Expression<unknown>): Expression<SqlBool> {
  const eb = expressionBuilder<AnyTables, string>()
  const { op, value } = filter
  switch (op) {
    case 'is_null':
    case 'not_exists':
      return eb(column, 'is', null)
    case 'exists':
      return eb(column, 'is not', null)
    case 'in':
      return eb(column, 'in', Array.isArray(value) ? value : [value])
    case 'between': {
      const [low, high] = Array.isArray(value) ? value : []
      return eb.between(column, low, high)
    }
    default:
      return eb(column, op, value ?? null)
  }
}

/** The joins a query needs, each foreign key walked once however often it is used. */
class Joins {
  readonly root: string
  private readonly aliases = new Map<string, { alias: string; from: string; step: Step }>()

  constructor(root = 't0') {
    this.root = root
  }

  column(path: ResolvedPath, from = this.root): AliasableExpression<unknown> {
    if (path.property === null || path.property.kind !== 'data') throw new Error('a path must end on a data property here')
    return sql.id(this.aliasAfter(path.steps, from), path.property.columns[0] ?? '')
  }

  aliasAfter(steps: readonly Step[], from: string): string {
    let alias = from
    for (const step of steps) {
      const key = JSON.stringify([alias, step.backward, step.property.iri])
      const known = this.aliases.get(key)
      const next = known?.alias ?? `${this.root === 't0' ? 't' : `${this.root}_`}${this.aliases.size + 1}`
      if (known === undefined) this.aliases.set(key, { alias: next, from: alias, step })
      alias = next
    }
    return alias
  }

  applyTo(query: Query): Query {
    let next = query
    for (const { alias, from, step } of this.aliases.values()) {
      const table = sql<Record<string, unknown>>`${sql.id(step.to.table)}`.as(alias)
      next = next.leftJoin(table as never, (join) =>
        step.property.columns.reduce((on, column, i) => {
          const ref = step.property.refColumns[i] ?? ''
          return step.backward
            ? on.on(sql.id(alias, column) as never, '=', sql.id(from, ref) as never)
            : on.on(sql.id(alias, ref) as never, '=', sql.id(from, column) as never)
        }, join),
      ) as unknown as Query
    }
    return next
  }
}
