/**
 * The keys that a plan's filters select, by SQL of another shape: nested `in (select ...)`, one table per level, no join, no
 * alias and no `exists`. It shares no code with the first compiler below the resolution of paths, so that an error in one of
 * them shows as a disagreement.
 */
import { type Expression, type SelectQueryBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { Filter, Plan } from '../../contracts/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import { fit } from './fit.ts'
import { type Step, classNamed, resolvePath } from './resolve.ts'
import { type AnyTables, type SpannedQuery, compileSpanned, queryBuilder } from './spans.ts'

type Query = SelectQueryBuilder<AnyTables, string, Record<string, unknown>>

/** null when the shape cannot say it: a composite key on the way, an unknown value at the end of one, or a plan that cuts its rows. */
export function secondOpinion(ontology: Ontology, plan: Plan): SpannedQuery | null {
  const root = classNamed(ontology, plan.from)
  if (plan.limit !== undefined || root.key.length === 0) return null
  // "is null" along a way forward also holds where the way breaks off, which membership in a set cannot say
  if (plan.where.some(({ path, op }) => op === 'is_null' && path.length > 1)) return null
  const condition = allOf(ontology, root, plan.where)
  if (condition === null) return null
  let query = queryBuilder(ontology.dialect).selectFrom(sql<Record<string, unknown>>`${sql.id(root.table)}`.as('r')) as unknown as Query
  for (const [at, key] of root.key.entries()) query = query.select(sql.id(key).as(`key${at}`)) as Query
  for (const each of condition) query = query.where(each)
  return compileSpanned(ontology.dialect, query.toOperationNode())
}

/** Filters on one record; those that begin with the same step back are about one and the same child. */
function allOf(ontology: Ontology, cls: OntologyClass, where: readonly Filter[]): Expression<SqlBool>[] | null {
  const eb = expressionBuilder<AnyTables, string>()
  const out: Expression<SqlBool>[] = []
  const together = new Map<string, { step: Step; filters: Filter[] }>()
  for (const filter of where) {
    const rest = filter.path.slice(1)
    const { steps, property } = resolvePath(ontology, cls, filter.path)
    const step = steps[0]
    if (step === undefined) {
      if (property === null) return null
      out.push(holds(ontology, filter, property))
      continue
    }
    const alone = filter.op === 'not_exists'
    // a way that goes forward first belongs together up to and including its first step back
    const toMany = steps.findIndex(({ backward }) => backward)
    const key = alone || toMany === -1 ? `${out.length} ${together.size} ${filter.path.join(' ')}` : `${filter.path.slice(0, toMany + 1).join(' ')}`
    const group = together.get(key) ?? { step, filters: [] }
    if (rest.length > 0) group.filters.push({ ...filter, path: rest })
    if (alone) {
      const inner = membership(ontology, step, rest.length === 0 ? [] : [{ ...filter, path: rest, op: 'exists' }])
      if (inner === null) return null
      out.push(!step.backward ? eb.or([eb.not(inner), eb(sql.id(step.property.columns[0] ?? ''), 'is', null)]) : eb.not(inner))
      continue
    }
    together.set(key, group)
  }
  for (const { step, filters } of together.values()) {
    const inner = membership(ontology, step, filters)
    if (inner === null) return null
    out.push(inner)
  }
  return out
}

/** own column in (select the column it meets from the table behind the step where ...) */
function membership(ontology: Ontology, step: Step, where: readonly Filter[]): Expression<SqlBool> | null {
  const { columns, refColumns } = step.property
  if (columns.length !== 1 || refColumns.length !== 1) return null
  const [own, theirs] = step.backward ? [refColumns[0]!, columns[0]!] : [columns[0]!, refColumns[0]!]
  const conditions = allOf(ontology, step.to, where)
  if (conditions === null) return null
  const eb = expressionBuilder<AnyTables, string>()
  let inner = queryBuilder(ontology.dialect)
    .selectFrom(sql<Record<string, unknown>>`${sql.id(step.to.table)}`.as('m'))
    .select(sql.id(theirs).as('k'))
    .where(eb(sql.id(theirs), 'is not', null)) as unknown as Query
  for (const each of conditions) inner = inner.where(each)
  return eb(sql.id(own), 'in', inner as never)
}

function holds({ dialect }: Ontology, filter: Filter, { columns, range }: OntologyProperty): Expression<SqlBool> {
  const eb = expressionBuilder<AnyTables, string>()
  const { column: own, filter: { op, value } } = fit(dialect, range, sql.id(columns[0] ?? ''), filter)
  switch (op) {
    case 'is_null':
    case 'not_exists':
      return eb(own, 'is', null)
    case 'exists':
      return eb(own, 'is not', null)
    case 'in': {
      const values = Array.isArray(value) ? value : [value ?? null]
      return eb.or(values.map((each) => eb(own, '=', each)))
    }
    case 'between': {
      const [low, high] = Array.isArray(value) ? value : []
      return eb.and([eb(own, '>=', low ?? null), eb(own, '<=', high ?? null)])
    }
    default:
      return eb(own, op, value ?? null)
  }
}
