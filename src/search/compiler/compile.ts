/**
 * A plan becomes SQL. Only classes and properties of the given ontology can be compiled; the ontology has been cut to the
 * ceiling before, so a column above it cannot be named in any clause. Values are always bound, columns always listed.
 */
import { sql } from 'kysely'
import type { Path, Plan } from '../../contracts/index.ts'
import type { Ontology } from '../../ontology/index.ts'
import { classNamed, resolvePath } from './resolve.ts'
import { filtered, folding, inOrder, ordered, rowsOf } from './rows.ts'
import { type Query, Scope, Statement } from './scope.ts'
import { isFolded, pathKey, readPaths, readsWhole, sameSelection, uniquePaths } from './shape.ts'
import { type SpannedQuery, compileSpanned } from './spans.ts'

export interface CompiledPlan {
  /** selects exactly the answer's columns */
  readonly main: SpannedQuery
  /**
   * selects the key of each record behind the answer, then the value of each selected path before any aggregation and what
   * else `read` names; in the order of the answer where its rows are records. null when the class has no key. Of a set
   * operation these are the records of the first plan; `other` has those of the second.
   */
  readonly evidence: SpannedQuery | null
  /** where the values behind a path (see `pathKey`) stand in a row of evidence, after its key */
  readonly read: ReadonlyMap<string, readonly number[]>
  /** the answer's column names */
  readonly columns: readonly string[]
  /** selects what the rows are ordered by, of all rows and in their order; null unless the plan orders and cuts them */
  readonly ties: SpannedQuery | null
  /** for each `having`: selects the value that its plan gives */
  readonly bounds: readonly (SpannedQuery | null)[]
  /** the second plan of a set operation */
  readonly other: CompiledPlan | null
}

export function compilePlan(ontology: Ontology, plan: Plan): CompiledPlan {
  const columns = columnNames(plan)
  const compiled = (query: (statement: Statement) => Query): SpannedQuery =>
    compileSpanned(ontology.dialect, query(new Statement(ontology)).toOperationNode())
  const { evidence, read } = compileEvidence(ontology, plan)
  return {
    main: compiled((statement) => rowsOf(statement, plan, columns, false)),
    evidence,
    read,
    columns,
    ties: plan.limit === undefined || plan.order_by.length === 0 ? null : compiled((statement) => orderKeys(statement, plan)),
    bounds: plan.having.map(({ plan: inner }) => (inner === undefined ? null : compiled((statement) => rowsOf(statement, inner, ['value'], true)))),
    other: plan.set_op === undefined ? null : compilePlan(ontology, plan.set_op.plan),
  }
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

/** Selects how many rows of evidence there are. */
export function countEvidence(ontology: Ontology, plan: Plan): SpannedQuery {
  const { query, scope } = evidenceOf(ontology, plan, false)
  const alias = scope.statement.nextAlias()
  const count = scope.statement.over(query, alias).select(folding('count', sql`*`).as('count')) as Query
  return compileSpanned(ontology.dialect, count.toOperationNode())
}

function compileEvidence(ontology: Ontology, plan: Plan): Pick<CompiledPlan, 'evidence' | 'read'> {
  const { query, read, root } = evidenceOf(ontology, plan, true)
  return { evidence: root.key.length === 0 ? null : compileSpanned(ontology.dialect, query.toOperationNode()), read }
}

function evidenceOf(ontology: Ontology, plan: Plan, sorted: boolean) {
  const root = classNamed(ontology, plan.from)
  const folded = isFolded(plan)
  const scope = new Scope(new Statement(ontology))
  const columnsOf = (path: Path) => {
    const resolved = resolvePath(ontology, root, path)
    return resolved.property === null ? scope.record(resolved) : [scope.column(resolved)]
  }
  const read = new Map<string, number[]>()
  let query = root.key.reduce((keyed, key, at) => keyed.select(sql.id(scope.root, key).as(`key${at}`)) as Query, scope.statement.from(root, scope.root))
  let width = 0
  const add = (path: Path, from: number, to?: number) => {
    for (const column of columnsOf(path).slice(from, to)) {
      query = query.select(column.as(`value${width}`)) as Query
      read.set(pathKey(path), [...(read.get(pathKey(path)) ?? []), width])
      width += 1
    }
  }
  // the selected paths come first, one column each, so that rows of records are the rows of the answer
  for (const { path } of plan.select) if (path !== undefined) add(path, 0, 1)
  for (const path of folded ? uniquePaths(readPaths(plan)) : []) add(path, read.has(pathKey(path)) ? 1 : 0)
  // order and limit come after rows that are made of several records
  const cut: Plan = readsWhole(plan) ? { ...plan, select: [], group_by: [], having: [], order_by: [], distinct: false, limit: undefined } : plan
  query = scope.applyTo(filtered(sorted ? inOrder(query, cut, root, scope) : query, plan, root, scope))
  return { query: cut.limit === undefined ? query : query.limit(cut.limit), read, root, scope }
}

/** What the rows are ordered by, of every row: those that tie with the last one shown follow it. */
function orderKeys(statement: Statement, plan: Plan): Query {
  const by = plan.order_by.map((each) => each.by)
  const names = by.map((_, at) => `key${at}`)
  if (plan.set_op !== undefined || plan.distinct) {
    const alias = statement.nextAlias()
    const shown = plan.select.map((_, at) => `value${at}`)
    const rows = statement.over(rowsOf(statement, { ...plan, order_by: [], limit: undefined }, shown, true), alias)
    return plan.order_by.reduce((query, { by: one, direction }, at) => {
      const column = sql.id(alias, shown[plan.select.findIndex((each) => sameSelection(each, one))] ?? '')
      return ordered(query.select(column.as(names[at] ?? '')) as Query, statement.ontology, column, direction)
    }, rows)
  }
  // what the plan shows stays, for it may multiply the rows
  return rowsOf(statement, { ...plan, select: [...by, ...plan.select], limit: undefined }, [...names, ...plan.select.map((_, at) => `value${at}`)], false)
}
