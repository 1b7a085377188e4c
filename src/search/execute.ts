/** Stage execute: the plan's SQL runs read-only; its rows are the result, its keys are the records the answer may cite. */
import { type ExecutedQuery, LIMITS, type Plan, ServiceError } from '../contracts/index.ts'
import { type Ontology, recordIri } from '../ontology/index.ts'
import type { Cell, Selected } from '../sources/index.ts'
import { type CompiledPlan, compilePlan } from './compiler/compile.ts'
import { UnknownTerm, classNamed, resolvePath } from './compiler/resolve.ts'
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
  readonly queries: readonly ExecutedQuery[]
}

export async function execute(context: SearchContext, plan: Plan): Promise<Executed> {
  const { ontology, request } = context
  const compiled = compileChecked(ontology, plan)
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
  const givenKeys = new Map<number, readonly (readonly Cell[])[]>()
  for (const { argument, class: className, where } of plan.why?.given ?? []) {
    // the first given records are what the main query selected
    const mirrored = className === plan.from && JSON.stringify(where) === JSON.stringify(plan.where)
    const rows = mirrored && evidence !== null ? evidence : await selectKeys(ontology, className, where, run)
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
  const { evidence } = compileChecked(ontology, keys)
  if (evidence === null) throw new ServiceError('invalid_request', `records of ${className} have no key to be named by`, { stage: 'execute' })
  return run(evidence, 'evidence', LIMITS.max_row_limit)
}

/** A term outside the cut vocabulary is refused and listed, whoever wrote the plan. */
export function compileChecked(ontology: Ontology, plan: Plan): CompiledPlan {
  const unknown = unknownTerms(ontology, plan)
  if (unknown.length > 0) {
    throw new ServiceError('invalid_request', 'the plan names terms that are not in the vocabulary', {
      stage: 'plan',
      errors: unknown.map((term) => ({ path: 'plan', message: `unknown term ${term}` })),
      hint: 'GET /api/ontology/vocabulary lists what can be named',
    })
  }
  return compilePlan(ontology, plan)
}

function unknownTerms(ontology: Ontology, plan: Plan): string[] {
  const unknown: string[] = []
  const attempt = (check: () => unknown) => {
    try {
      check()
    } catch (error) {
      if (!(error instanceof UnknownTerm)) throw error
      unknown.push(error.term)
    }
  }
  attempt(() => classNamed(ontology, plan.from))
  if (unknown.length > 0) return unknown
  const root = classNamed(ontology, plan.from)
  const paths = [
    ...plan.select.flatMap(({ path }) => (path === undefined ? [] : [path])),
    ...plan.where.map(({ path }) => path),
    ...plan.group_by,
    ...plan.order_by.flatMap(({ by }) => (by.path === undefined ? [] : [by.path])),
  ]
  for (const path of paths) attempt(() => resolvePath(ontology, root, path))
  return unknown
}
