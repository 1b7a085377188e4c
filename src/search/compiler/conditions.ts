/**
 * Conditions as SQL over one scope. A filter that walks to many records asks whether one of them exists, so that it never
 * multiplies rows; filters of one list that share such a way speak of the same record ("an open critical alarm" is one alarm).
 */
import { type AliasableExpression, type Expression, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { Condition, Filter, Plan } from '../../contracts/index.ts'
import type { OntologyClass } from '../../ontology/index.ts'
import { fit, toText } from './fit.ts'
import { type ResolvedPath, type Step, classNamed, resolvePath } from './resolve.ts'
import { type Query, Scope, type Statement, linksOf } from './scope.ts'
import { kindOf, rangeOf } from './shape.ts'
import type { AnyTables } from './spans.ts'

/** How a sub-plan becomes rows; given, because rows are made of conditions in turn. */
export type RowsOf = (statement: Statement, plan: Plan, names: readonly string[], nested: boolean) => Query

type Where = readonly Condition[]

export class Conditions {
  private readonly rowsOf: RowsOf
  constructor(rowsOf: RowsOf) {
    this.rowsOf = rowsOf
  }

  /** Conditions whose paths begin at `cls`, which lies `before` steps away from the scope's root. */
  of(where: Where, cls: OntologyClass, scope: Scope, before: readonly Step[] = []): Expression<SqlBool>[] {
    const eb = expressionBuilder<AnyTables, string>()
    const out: Expression<SqlBool>[] = []
    const shared = new Map<string, { way: readonly Step[]; step: Step; rest: Filter[] }>()
    for (const condition of where) {
      if ('any' in condition) {
        out.push(eb.or(condition.any.map((each) => eb.and(this.of([each], cls, scope, before)))))
        continue
      }
      if ('all' in condition) {
        out.push(eb.and(this.of(condition.all, cls, scope, before)))
        continue
      }
      const path = resolvePath(scope.statement.ontology, cls, condition.path)
      const negated = condition.op === 'not_exists'
      if (condition.where !== undefined) {
        const { where: conditions } = condition
        const found = this.someRecord(scope, before, path.steps, (inner, way) => this.of(conditions, path.cls, inner, way))
        out.push(negated ? eb.not(found) : found)
        continue
      }
      const many = path.steps.findIndex(({ backward }) => backward)
      const step = path.steps[many]
      if (step === undefined) {
        out.push(this.single(condition, { ...path, steps: [...before, ...path.steps] }, scope))
        continue
      }
      const way = [...before, ...path.steps.slice(0, many)]
      const rest = condition.path.slice(many + 1)
      if (negated) {
        const inside: Where = rest.length === 0 ? [] : [{ ...condition, path: rest, op: 'exists' }]
        out.push(eb.not(this.someRecord(scope, way, [step], (inner) => this.of(inside, step.to, inner))))
        continue
      }
      const key = JSON.stringify(condition.path.slice(0, many + 1))
      const group = shared.get(key) ?? { way, step, rest: [] }
      if (rest.length > 0) group.rest.push({ ...condition, path: rest })
      shared.set(key, group)
    }
    for (const { way, step, rest } of shared.values()) {
      out.push(this.someRecord(scope, way, [step], (inner) => this.of(rest, step.to, inner)))
    }
    return out
  }

  /** exists (a record at the end of the steps, which begin `before` steps away, that meets the conditions) */
  private someRecord(
    scope: Scope,
    before: readonly Step[],
    steps: readonly Step[],
    conditions: (inner: Scope, way: readonly Step[]) => Expression<SqlBool>[],
  ): Expression<SqlBool> {
    const [first, ...rest] = steps
    if (first === undefined) throw new Error('a way to a record has a step')
    const near = scope.aliasAfter(before)
    const inner = new Scope(scope.statement)
    inner.aliasAfter(rest)
    inner.require(rest)
    let query = scope.statement.from(first.to, inner.root).select(sql.lit(1).as('found')) as unknown as Query
    for (const [own, theirs] of linksOf(first)) query = query.where(sql.id(inner.root, theirs), '=', sql.id(near, own))
    for (const condition of conditions(inner, rest)) query = query.where(condition)
    return expressionBuilder<AnyTables, string>().exists(inner.applyTo(query))
  }

  /** A condition on a single record: on a property of it, or, where the path ends on a class, on its being there. */
  private single(filter: Filter, path: ResolvedPath, scope: Scope): Expression<SqlBool> {
    if (path.property !== null) return this.compared(filter, path.property.range, scope.column(path), scope.statement)
    const eb = expressionBuilder<AnyTables, string>()
    return eb(scope.presence(path.steps), filter.op === 'exists' ? 'is not' : 'is', null)
  }

  /** `column`, which holds values of `range`, against a value or what a plan selects. */
  compared(filter: Pick<Filter, 'op' | 'value' | 'plan'>, range: string, column: Expression<unknown>, statement: Statement): Expression<SqlBool> {
    const { plan, op } = filter
    const { dialect } = statement.ontology
    if (plan === undefined) {
      const fitted = fit(dialect, range, column, { path: [], op, value: filter.value })
      return comparison(fitted.filter, fitted.column)
    }
    const eb = expressionBuilder<AnyTables, string>()
    const other = plan.select[0] ?? {}
    const kind = kindOf(range)
    const asText = kind !== kindOf(rangeOf(statement.ontology, classNamed(statement.ontology, plan.from), other)) || (kind === 'text' && dialect === 'postgres')
    const own = asText ? toText(dialect, column) : column
    const listed = op === 'in' || op === 'not_in'
    let rows = this.rowsOf(statement, plan, ['value'], true)
    // MySQL takes no limit directly inside "in"; NULL in a list would exclude everything
    if (asText || op === 'not_in' || (listed && (plan.limit !== undefined || plan.set_op !== undefined))) {
      const alias = statement.nextAlias()
      const value = sql.id(alias, 'value')
      const shown: AliasableExpression<unknown> = asText ? toText(dialect, value) : value
      rows = statement.over(rows, alias).select(shown.as('value')) as unknown as Query
      if (op === 'not_in') rows = rows.where(value, 'is not', null)
    }
    // an unknown value is in no list and out of none, also of an empty one
    if (op === 'not_in') return eb.and([eb(column, 'is not', null), eb(own, 'not in', rows as never)])
    if (op === 'in') return eb(own, 'in', rows as never)
    return eb(own, op as '=', rows as never)
  }
}

function comparison({ op, value }: Filter, column: Expression<unknown>): Expression<SqlBool> {
  const eb = expressionBuilder<AnyTables, string>()
  switch (op) {
    case 'is_null':
    case 'not_exists':
      return eb(column, 'is', null)
    case 'exists':
      return eb(column, 'is not', null)
    case 'in':
      return eb(column, 'in', Array.isArray(value) ? value : [value])
    case 'not_in':
      return eb(column, 'not in', Array.isArray(value) ? value : [value])
    case 'between': {
      const [low, high] = Array.isArray(value) ? value : []
      return eb.between(column, low, high)
    }
    case 'not_like':
      return eb(column, 'not like', value ?? null)
    default:
      return eb(column, op, value ?? null)
  }
}
