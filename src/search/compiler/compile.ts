/**
 * A plan becomes SQL. Only classes and properties of the given ontology can be compiled; the ontology has been cut to the
 * ceiling before, so a column above it cannot be named in any clause. Values are always bound, columns always listed.
 */
import { type AliasableExpression, type Expression, type SelectQueryBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { Filter, Plan, Selection } from '../../contracts/index.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { CAPABILITIES } from '../../sources/index.ts'
import { fit, measured } from './fit.ts'
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
  const folded = plan.select.some((selection) => selection.aggregate !== undefined)
  const main = compileOne(ontology, plan, root, !folded && !plan.distinct, (query, joins) => {
    let next = query
    for (const [at, selection] of plan.select.entries()) {
      next = next.select(expressionOf(selection, ontology, root, joins).as(columns[at]!)) as Query
    }
    for (const path of plan.group_by) next = next.groupBy(joins.column(resolvePath(ontology, root, path)))
    return plan.distinct ? next.distinct() : next
  })
  // an aggregate's evidence is the rows it folds, so grouping, order by aggregate and limit do not apply to it
  const evidencePlan: Plan = folded ? { ...plan, order_by: [], limit: undefined } : plan
  const evidence =
    root.key.length === 0
      ? null
      : compileOne(ontology, evidencePlan, root, true, (query, joins) => {
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
  byKey: boolean,
  project: (query: Query, joins: Joins) => Query,
): SpannedQuery {
  const aliases = new Aliases()
  const joins = new Joins(aliases.next(), aliases)
  const db = queryBuilder(ontology.dialect)
  let query = project(db.selectFrom(sql<Record<string, unknown>>`${sql.id(root.table)}`.as('t0')) as unknown as Query, joins)
  for (const condition of conditionsOf(plan.where, ontology, root, joins)) query = query.where(condition)
  for (const { by, direction } of plan.order_by) query = ordered(query, ontology, expressionOf(by, ontology, root, joins), direction)
  // ties in key order, so that the same data gives the same answer
  if (byKey) for (const key of root.key) query = query.orderBy(sql.id('t0', key))
  // groups and values taken once have no key; without an order each engine brings them in its own
  else {
    const paths = plan.distinct ? plan.select.flatMap(({ path, aggregate }) => (path === undefined || aggregate !== undefined ? [] : [path])) : plan.group_by
    for (const path of paths) query = ordered(query, ontology, joins.column(resolvePath(ontology, root, path)), 'asc')
  }
  if (plan.limit !== undefined) query = query.limit(plan.limit)
  return compileSpanned(ontology.dialect, joins.applyTo(query).toOperationNode())
}

/** NULL comes before everything else, also where PostgreSQL would put it last. */
function ordered(query: Query, { dialect }: Ontology, by: Expression<unknown>, direction: 'asc' | 'desc'): Query {
  if (!CAPABILITIES[dialect].nullsLast) return query.orderBy(by, direction)
  return query.orderBy(by, (how) => (direction === 'asc' ? how.asc().nullsFirst() : how.desc().nullsLast()))
}

function expressionOf({ path, aggregate }: Selection, ontology: Ontology, root: OntologyClass, joins: Joins): AliasableExpression<unknown> {
  const fn = expressionBuilder<AnyTables, string>().fn
  if (path === undefined) return fn.countAll()
  const resolved = resolvePath(ontology, root, path)
  const column = joins.column(resolved)
  const measure = measured(ontology.dialect, resolved.property?.range ?? '', column, aggregate ?? '') as typeof column
  switch (aggregate) {
    case undefined:
      return column
    case 'count_distinct':
      return fn.count(column).distinct()
    case 'count':
      return fn.count(column)
    case 'sum':
      return fn.sum(measure)
    case 'avg':
      return fn.avg(measure)
    case 'min':
      return fn.min(measure)
    case 'max':
      return fn.max(measure)
  }
}

/**
 * Filters as conditions on one scope. A filter that walks to many records asks whether one of them exists, so that it never
 * multiplies rows; filters that share such a way speak of the same record ("an open critical alarm" is one alarm).
 */
function conditionsOf(where: readonly Filter[], ontology: Ontology, from: OntologyClass, joins: Joins): Expression<SqlBool>[] {
  const eb = expressionBuilder<AnyTables, string>()
  const conditions: Expression<SqlBool>[] = []
  const shared = new Map<string, { before: readonly Step[]; step: Step; rest: Filter[] }>()
  for (const filter of where) {
    const path = resolvePath(ontology, from, filter.path)
    const many = path.steps.findIndex((step) => step.backward)
    const step = path.steps[many]
    if (step === undefined) {
      conditions.push(conditionOf(filter, path, ontology, joins))
      continue
    }
    const before = path.steps.slice(0, many)
    const rest = filter.path.slice(many + 1)
    if (filter.op === 'not_exists') {
      const inner: Filter[] = rest.length === 0 ? [] : [{ ...filter, path: rest, op: 'exists' }]
      conditions.push(eb.not(someRecord(before, step, inner, ontology, joins)))
      continue
    }
    const key = filter.path.slice(0, many + 1).join(' ')
    const group = shared.get(key) ?? { before, step, rest: [] }
    if (rest.length > 0) group.rest.push({ ...filter, path: rest })
    shared.set(key, group)
  }
  for (const { before, step, rest } of shared.values()) conditions.push(someRecord(before, step, rest, ontology, joins))
  return conditions
}

/** exists (a child record whose foreign key points here and that passes the filters) */
function someRecord(before: readonly Step[], step: Step, where: readonly Filter[], ontology: Ontology, joins: Joins): Expression<SqlBool> {
  const eb = expressionBuilder<AnyTables, string>()
  const parent = joins.aliasAfter(before)
  const inner = joins.nested()
  let query = queryBuilder(ontology.dialect)
    .selectFrom(sql<Record<string, unknown>>`${sql.id(step.to.table)}`.as(inner.root))
    .select(sql.lit(1).as('found')) as unknown as Query
  for (const [i, column] of step.property.columns.entries()) {
    query = query.where(sql.id(inner.root, column), '=', sql.id(parent, step.property.refColumns[i] ?? ''))
  }
  for (const condition of conditionsOf(where, ontology, step.to, inner)) query = query.where(condition)
  return eb.exists(inner.applyTo(query))
}

/** A condition on a single record: on a property of it, or, where the path ends on a class, on its being there. */
function conditionOf(filter: Filter, path: ResolvedPath, { dialect }: Ontology, joins: Joins): Expression<SqlBool> {
  if (path.property !== null) {
    const fitted = fit(dialect, path.property.range, joins.column(path), filter)
    return comparison(fitted.filter, fitted.column)
  }
  const eb = expressionBuilder<AnyTables, string>()
  const key = path.cls.key[0]
  if (key === undefined || (filter.op !== 'exists' && filter.op !== 'not_exists')) throw new Error('a filter on a class asks whether it exists')
  return eb(sql.id(joins.aliasAfter(path.steps), key), filter.op === 'exists' ? 'is not' : 'is', null)
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

/** Table aliases, one sequence for the whole statement: an inner query can never take the name of an outer table. */
class Aliases {
  private count = 0
  next(): string {
    this.count += 1
    return `t${this.count - 1}`
  }
}

/** The joins of one scope, each foreign key walked once however often it is used. */
class Joins {
  readonly root: string
  private readonly names: Aliases
  private readonly joined = new Map<string, { alias: string; from: string; step: Step }>()

  constructor(root: string, names: Aliases) {
    this.root = root
    this.names = names
  }

  nested(): Joins {
    return new Joins(this.names.next(), this.names)
  }

  column(path: ResolvedPath): AliasableExpression<unknown> {
    if (path.property === null || path.property.kind !== 'data') throw new Error('a path must end on a data property here')
    return sql.id(this.aliasAfter(path.steps), path.property.columns[0] ?? '')
  }

  aliasAfter(steps: readonly Step[]): string {
    let alias = this.root
    for (const step of steps) {
      const key = JSON.stringify([alias, step.backward, step.property.iri])
      const known = this.joined.get(key)
      const next = known?.alias ?? this.names.next()
      if (known === undefined) this.joined.set(key, { alias: next, from: alias, step })
      alias = next
    }
    return alias
  }

  applyTo(query: Query): Query {
    let next = query
    for (const { alias, from, step } of this.joined.values()) {
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
