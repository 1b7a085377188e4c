/** Stage execute: the plan's SQL runs read-only; its rows are the result, its keys are the records the answer may cite. */
import { type ExecutedQuery, LIMITS, type Plan, ServiceError } from '../contracts/index.ts'
import { type Ontology, recordIri } from '../ontology/index.ts'
import type { Cell, Selected } from '../sources/index.ts'
import { type CompiledPlan, compilePlan } from './compiler/compile.ts'
import { classNamed } from './compiler/resolve.ts'
import { secondEvidence, secondRows } from './compiler/second-opinion.ts'
import { foldsAll, readsWhole } from './compiler/shape.ts'
import type { SpannedQuery } from './compiler/spans.ts'
import { type SearchContext, wireCell } from './context.ts'
import { wireText } from './records.ts'
import { type Behind, type EvidenceRow, isTruncated, recordsBehind, recordsBeside, rowKey } from './recompute.ts'
import { type Reading, evidenceRow, readFirst, readingOf, sampleOf } from './sample.ts'

export interface Executed {
  readonly plan: Plan
  readonly compiled: CompiledPlan
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly truncated: boolean
  /**
   * the records behind the rows: their keys and, per record, the selected columns before aggregation. Of groups only those that
   * pass; of a set operation those of the plan's own class behind the rows that stand.
   */
  readonly evidence: readonly EvidenceRow[]
  /** how many they are in all; of those behind a count or an aggregate only the first are among them */
  readonly support: number
  /** what verify holds a count or an aggregate against; asked beside the main query to save the wait */
  readonly again: Again | null
  readonly evidenceTruncated: boolean
  /** of a union with rows of another class: the records of that class (`plan.set_op.plan.from`) behind them, with the same columns */
  readonly evidenceBeside: readonly EvidenceRow[]
  /** how many further rows tie with the last one in what the plan orders by; null when it does not order and cut, or that was not read */
  readonly ties: number | null
  /** where the plan's order was cut; null when all rows are there or the plan has no order */
  readonly cut?: Cut | null
  /** for a why-plan: the records that each given argument may be, by argument */
  readonly given: ReadonlyMap<number, readonly string[]>
  readonly givenKeys: ReadonlyMap<number, readonly (readonly Cell[])[]>
  /** more records are given than may be read: nothing can then be said to be absent */
  readonly givenTruncated: boolean
  readonly queries: readonly ExecutedQuery[]
}

/** Where an order was cut. */
export interface Cut {
  /** what the rows are ordered by, of each row shown */
  readonly keys: readonly (readonly Cell[])[]
  /** further rows that are equal to the last one there */
  readonly ties: number
  /** there may be more of them than were read */
  readonly atLeast: boolean
}

/** By SQL of another shape: the same rows, or the records to make them from. */
export interface Again {
  readonly of: 'rows' | 'records'
  readonly found: Promise<Selected>
}

export async function execute(context: SearchContext, plan: Plan): Promise<Executed> {
  const { ontology, request } = context
  const compiled = compilePlan(ontology, plan)
  const queries: ExecutedQuery[] = []
  const ask = readingOf(context, 'execute')
  const run = async (query: SpannedQuery, purpose: ExecutedQuery['purpose'], maxRows: number): Promise<Selected> => {
    // listed when it is asked: several run at once, and which of them ends first must not show
    const entry = { sql: query.sql, params: query.params.map(wireCell), rows: 0, ms: 0, purpose }
    queries.push(entry)
    const selected = await ask(query, maxRows)
    entry.rows = selected.rows.length
    entry.ms = selected.ms
    return selected
  }

  const read: Reading = (query, maxRows) => run(query, 'evidence', maxRows)
  const { main, ...behind } = await readRows(context, plan, compiled, run(compiled.main, 'main', request.limit), read)
  const cut = await cutOf(plan, compiled, main, read)

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
  return {
    plan,
    compiled,
    columns: compiled.columns,
    rows: main.rows,
    truncated: main.truncated,
    ...behind,
    cut,
    ties: main.truncated ? null : (cut?.ties ?? (compiled.ties === null ? null : 0)),
    given,
    givenKeys,
    givenTruncated,
    queries,
  }
}

/** The rows, and the records behind them. Where all that meet the conditions stand behind them, only the first are read. */
async function readRows(context: SearchContext, plan: Plan, compiled: CompiledPlan, asked: Promise<Selected>, read: Reading) {
  const { ontology, request } = context
  const { evidence: query } = compiled
  if (query !== null && foldsAll(plan)) {
    const firstRead = readFirst(query, read)
    const again: Again = isOfMany(ontology, plan)
      ? { of: 'rows', found: rowsAgain(context, plan, 'execute') }
      : { of: 'records', found: recordsAgain(context, plan, 'execute') }
    const [main, first] = await Promise.all([asked, firstRead])
    const { evidence: sample, support } = await sampleOf({ ontology, plan, k: request.k }, { ...compiled, evidence: query }, main, first, read)
    const evidence = recordsBehind(plan, compiled, main.rows, { evidence: sample, truncated: support > sample.length, bounds: [], other: null })
    return { main, evidence, support, again, evidenceTruncated: support > sample.length, evidenceBeside: [] }
  }
  const [main, behind] = await Promise.all([asked, readBehind(ontology, plan, compiled, request.limit, read)])
  const evidence = query === null ? [] : recordsBehind(plan, compiled, main.rows, behind)
  const beside = recordsBeside(plan, compiled, behind)
  return { main, evidence, support: evidence.length, again: null, evidenceTruncated: isTruncated(behind), evidenceBeside: beside }
}

/** Likely so many records that the database has to fold them again: a large class, and no condition beyond it that selects a few. */
const isOfMany = (ontology: Ontology, { from, where }: Plan): boolean =>
  classNamed(ontology, from).instances > LIMITS.evidence_rows &&
  where.every((each) => 'path' in each && each.path.length === 1 && each.plan === undefined)

/** The rows by SQL of another shape. */
export const rowsAgain = (context: SearchContext, plan: Plan, stage: string): Promise<Selected> =>
  beside(context, secondRows(context.ontology, plan), context.request.limit + 1, stage)

/** The records that are folded, by SQL of another shape. */
export const recordsAgain = (context: SearchContext, plan: Plan, stage: string): Promise<Selected> =>
  beside(context, secondEvidence(context.ontology, plan).query, LIMITS.evidence_rows, stage)

/** It is not listed among the queries of the answer, which rests on none of it. */
function beside(context: SearchContext, query: SpannedQuery, maxRows: number, stage: string): Promise<Selected> {
  const found = readingOf(context, stage)(query, maxRows)
  found.catch(() => undefined) // heard where it is waited for
  return found
}

/** Reads the records behind a plan's rows, `limit` of them where a row is a record. */
export async function readBehind(ontology: Ontology, plan: Plan, compiled: CompiledPlan, limit: number, read: Reading): Promise<Behind> {
  const width = classNamed(ontology, plan.from).key.length
  const [found, bounds, other] = await Promise.all([
    compiled.evidence === null ? null : read(compiled.evidence, readsWhole(plan) ? LIMITS.evidence_rows : limit),
    Promise.all(compiled.bounds.map(async (bound) => (bound === null ? null : ((await read(bound, 1)).rows[0]?.[0] ?? null)))),
    plan.set_op === undefined || compiled.other === null
      ? null
      : readBehind(ontology, plan.set_op.plan, compiled.other, LIMITS.evidence_rows, read),
  ])
  return {
    evidence: (found?.rows ?? []).map((row) => evidenceRow(row, width)),
    // what has no key was not read at all
    truncated: found?.truncated ?? true,
    bounds,
    other,
  }
}

/** What the shown rows are ordered by, and how many that follow are equal to the last of them. */
async function cutOf(plan: Plan, { ties: query }: CompiledPlan, main: Selected, read: Reading): Promise<Cut | null> {
  const shown = main.rows.length
  if (query === null || plan.limit === undefined || shown === 0 || (shown < plan.limit && !main.truncated)) return null
  const { rows, truncated } = await read(query, shown + LIMITS.max_row_limit)
  const keys = rows.map((row) => row.slice(0, plan.order_by.length))
  const last = rowKey(keys[shown - 1] ?? [])
  const further = keys.slice(shown)
  const end = further.findIndex((key) => rowKey(key) !== last)
  return { keys: keys.slice(0, shown), ties: end === -1 ? further.length : end, atLeast: end === -1 && truncated }
}

async function selectKeys(
  ontology: Ontology,
  className: string,
  where: Plan['where'],
  run: (query: SpannedQuery, purpose: ExecutedQuery['purpose'], maxRows: number) => Promise<Selected>,
): Promise<Selected> {
  const keys: Plan = { intent: 'list', from: className, select: [{ aggregate: 'count' }], where, group_by: [], having: [], order_by: [], distinct: false }
  const { evidence } = compilePlan(ontology, keys)
  if (evidence === null) throw new ServiceError('invalid_request', `records of ${className} have no key to be named by`, { stage: 'execute' })
  return run(evidence, 'evidence', LIMITS.max_row_limit)
}
