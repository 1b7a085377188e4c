/** Stage execute: the plan's SQL runs read-only; its rows are the result, its keys are the records the answer may cite. */
import { type ExecutedQuery, LIMITS, type Plan, ServiceError } from '../contracts/index.ts'
import { type Ontology, recordIri } from '../ontology/index.ts'
import type { Cell, Selected } from '../sources/index.ts'
import { type CompiledPlan, compilePlan } from './compiler/compile.ts'
import { classNamed } from './compiler/resolve.ts'
import type { SpannedQuery } from './compiler/spans.ts'
import { type SearchContext, remainingMs, wireCell } from './context.ts'
import { wireText } from './records.ts'

export interface Executed {
  readonly plan: Plan
  readonly compiled: CompiledPlan
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly truncated: boolean
  /** the records behind the rows: their keys and, per record, the selected columns before aggregation */
  readonly evidence: readonly { readonly key: readonly Cell[]; readonly values: readonly Cell[] }[]
  readonly evidenceTruncated: boolean
  /** for a why-plan: the records that each given argument may be, by argument */
  readonly given: ReadonlyMap<number, readonly string[]>
  readonly givenKeys: ReadonlyMap<number, readonly (readonly Cell[])[]>
  /** more records are given than may be read: nothing can then be said to be absent */
  readonly givenTruncated: boolean
  readonly queries: readonly ExecutedQuery[]
}

export async function execute(context: SearchContext, plan: Plan): Promise<Executed> {
  const { ontology, request } = context
  const compiled = compilePlan(ontology, plan)
  const queries: ExecutedQuery[] = []
  const run = async (query: SpannedQuery, purpose: ExecutedQuery['purpose'], maxRows: number): Promise<Selected> => {
    const selected = await context.source.select(query, {
      maxRows,
      timeoutMs: remainingMs(context, 'execute'),
      ...(context.signal === undefined ? {} : { signal: context.signal }),
    })
    queries.push({ sql: query.sql, params: query.params.map(wireCell), rows: selected.rows.length, ms: selected.ms, purpose })
    return selected
  }

  const main = await run(compiled.main, 'main', request.limit)
  const folded = plan.select.some(({ aggregate }) => aggregate !== undefined)
  const evidence =
    compiled.evidence === null ? null : await run(compiled.evidence, 'evidence', folded ? LIMITS.evidence_rows : request.limit)

  const given = new Map<number, string[]>()
  let givenTruncated = false
  const givenKeys = new Map<number, readonly (readonly Cell[])[]>()
  for (const { argument, class: className, where } of plan.why?.given ?? []) {
    // never the main query's rows: those are cut at the caller's limit, and a premise must not be
    const rows = await selectKeys(ontology, className, where, run)
    if (rows.truncated) givenTruncated = true
    const cls = classNamed(ontology, className)
    const keys = rows.rows.map((row) => row.slice(0, cls.key.length))
    givenKeys.set(argument, keys)
    given.set(argument, keys.map((key) => recordIri(ontology, cls, key.map(wireText))))
  }
  const width = classNamed(ontology, plan.from).key.length
  return {
    plan,
    compiled,
    columns: compiled.columns,
    rows: main.rows,
    truncated: main.truncated,
    evidence: (evidence?.rows ?? []).map((row) => ({ key: row.slice(0, width), values: row.slice(width) })),
    evidenceTruncated: evidence?.truncated ?? false,
    given,
    givenKeys,
    givenTruncated,
    queries,
  }
}

async function selectKeys(
  ontology: Ontology,
  className: string,
  where: Plan['where'],
  run: (query: SpannedQuery, purpose: ExecutedQuery['purpose'], maxRows: number) => Promise<Selected>,
): Promise<Selected> {
  const keys: Plan = { intent: 'list', from: className, select: [{ aggregate: 'count' }], where, group_by: [], order_by: [], distinct: false }
  const { evidence } = compilePlan(ontology, keys)
  if (evidence === null) throw new ServiceError('invalid_request', `records of ${className} have no key to be named by`, { stage: 'execute' })
  return run(evidence, 'evidence', LIMITS.max_row_limit)
}
