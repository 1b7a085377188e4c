/**
 * The records that a claim about many records cites. A count over a million orders shows a handful of them, so only the first are
 * read, one of each group that is named among them; how many there are in all is counted by the database.
 */
import { type Condition, LIMITS, type Plan } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { Cell, Selected } from '../sources/index.ts'
import { type CompiledPlan, compilePlan, countEvidence } from './compiler/compile.ts'
import { classNamed } from './compiler/resolve.ts'
import type { SpannedQuery } from './compiler/spans.ts'
import { type SearchContext, remainingMs } from './context.ts'
import { type EvidenceRow, rowKey, shownPlaces } from './recompute.ts'

export type Reading = (query: SpannedQuery, maxRows: number) => Promise<Selected>

/** Statements of one stage of a run: they end with its time, and when whoever asked has left. */
export const readingOf = (context: SearchContext, stage: string): Reading => (query, maxRows) =>
  context.source.select(query, {
    maxRows,
    timeoutMs: remainingMs(context, stage),
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  })

export interface Sample {
  readonly evidence: readonly EvidenceRow[]
  /** of all records behind the rows */
  readonly support: number
}

/** More than can be cited, so that the groups of a few rows nearly always have a record among them. */
const FIRST_ROWS = 2000
/** Rows that a sentence names: each should have a record to show. */
const NAMED_ROWS = 20

/** `first` are the first rows of evidence, read with a cap of `FIRST_ROWS`. */
export async function sampleOf(
  { ontology, plan, k }: { ontology: Ontology; plan: Plan; k: number },
  compiled: CompiledPlan & { readonly evidence: SpannedQuery },
  main: Selected,
  first: Selected,
  read: Reading,
): Promise<Sample> {
  const width = classNamed(ontology, plan.from).key.length
  const evidence = first.rows.map((row) => evidenceRow(row, width))
  if (!first.truncated) return { evidence, support: evidence.length }
  const support = counted(plan, main) ?? Number((await read(countEvidence(ontology, plan), 1)).rows[0]?.[0] ?? 0)
  const bare = rowsWithout(plan, main.rows.slice(0, Math.min(k, NAMED_ROWS)), evidence)
  if (bare.length === 0) return { evidence, support }
  const condition = oneOf(plan, bare)
  const near = condition === null ? null : compilePlan(ontology, { ...plan, where: [...plan.where, condition] }).evidence
  const found = near === null ? [] : (await read(near, FIRST_ROWS)).rows.map((row) => evidenceRow(row, width))
  if (rowsWithout(plan, bare, found).length < bare.length) return { evidence: [...evidence, ...found], support }
  // what the rows show does not find their records again: they are looked for among all
  const all = await read(compiled.evidence, LIMITS.evidence_rows)
  return { evidence: all.rows.map((row) => evidenceRow(row, width)), support }
}

export const readFirst = (evidence: SpannedQuery, read: Reading): Promise<Selected> => read(evidence, FIRST_ROWS)

export const evidenceRow = (row: readonly Cell[], width: number): EvidenceRow => ({ key: row.slice(0, width), values: row.slice(width) })

/** How many records there are, where the rows say it themselves. */
function counted(plan: Plan, { rows, truncated }: Selected): number | null {
  const at = plan.select.findIndex(({ path, aggregate }) => aggregate === 'count' && path === undefined)
  if (at === -1 || truncated || plan.limit !== undefined) return null
  return rows.reduce((sum, row) => sum + Number(row[at] ?? 0), 0)
}

/** Rows that show something and have no record here that shows the same. */
function rowsWithout(plan: Plan, rows: readonly (readonly Cell[])[], evidence: readonly EvidenceRow[]): (readonly Cell[])[] {
  const places = shownPlaces(plan)
  if (places.length === 0) return []
  const had = new Set(evidence.map(({ values }) => rowKey(places.map(({ place }) => values[place] ?? null))))
  return rows.filter((row) => !had.has(rowKey(places.map(({ at }) => row[at] ?? null))))
}

/** Records that show what one of the rows shows; null where a value cannot stand in a plan. */
function oneOf(plan: Plan, rows: readonly (readonly Cell[])[]): Condition | null {
  const all = rows.map((row) =>
    shownPlaces(plan).map(({ at }): Condition | null => {
      const cell = row[at] ?? null
      const path = [...(plan.select[at]?.path ?? [])]
      if (cell === null) return { path, op: 'is_null' }
      return typeof cell === 'string' || typeof cell === 'number' ? { path, op: '=', value: cell } : null
    }),
  )
  if (all.some((each) => each.includes(null))) return null
  return { any: all.map((each) => ({ all: each.filter((condition) => condition !== null) })) }
}
