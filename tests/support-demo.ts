/**
 * The questions that stand beside the demo databases, what their hand-written SQL finds, and how an answer is judged by it.
 * An answer with other rows than it should have is worse than a refusal, so the two are told apart everywhere.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { generateClinicalTrial } from '../examples/clinical-trial/generate.ts'
import { generateNetworkOps } from '../examples/network-ops/generate.ts'
import { type Problem, SEARCH_STATUSES, type SearchAnswer, type SearchOptions, Tier } from '../src/contracts/index.ts'
import { sameRows } from '../src/evaluation/compare-rows.ts'
import type { Cell } from '../src/sources/index.ts'

export const DEMOS = ['network-ops', 'clinical-trial'] as const
export type Demo = (typeof DEMOS)[number]

/** The day after the newest row of both databases: what "the last 7 days" is counted back from. */
export const DEMO_NOW = '2026-03-03T00:00:00Z'

const Status = z.enum(SEARCH_STATUSES)
const DemoQuestion = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  class: z.string(),
  question: z.string(),
  /** several where the contract leaves the choice: a "no" may be ok or empty */
  status: z.union([Status, z.array(Status)]).transform((status) => [status].flat()),
  sql: z.string().nullable(),
  ordered: z.boolean().default(false),
  max_tier: Tier.optional(),
  grant: Tier.default('Restricted'),
  /** the clock it must be asked at */
  now: z.literal(DEMO_NOW).optional(),
  /** the question whose run it refers back to */
  follows: z.string().optional(),
  contains: z.array(z.string()).default([]),
  /** how many readings a question back must offer */
  options: z.int().min(2).optional(),
})
type Written = z.infer<typeof DemoQuestion>
export type DemoQuestion = Written & { readonly demo: Demo }

const read = (demo: Demo): DemoQuestion[] => {
  const file = resolve(import.meta.dirname, '..', 'examples', demo, 'questions.json')
  return z.array(DemoQuestion).parse(JSON.parse(readFileSync(file, 'utf8'))).map((question) => ({ ...question, demo }))
}
export const DEMO_QUESTIONS: readonly DemoQuestion[] = DEMOS.flatMap(read)

/** A few of each database, one of every class that has no other surface to lean on. */
export const sampleOf = (ids: readonly string[]): DemoQuestion[] => DEMO_QUESTIONS.filter(({ id }) => ids.includes(id))

/** Both databases, made anew; the configuration that names them. */
export function makeDemos(folder: string) {
  const files = { 'network-ops': join(folder, 'network-ops.sqlite'), 'clinical-trial': join(folder, 'clinical-trial.sqlite') }
  generateNetworkOps(files['network-ops'])
  generateClinicalTrial(files['clinical-trial'])
  const sources = Object.fromEntries(DEMOS.map((demo) => [demo, { path: files[demo], flavor: demo }]))
  return { files, sources }
}

export const optionsOf = ({ demo, max_tier }: DemoQuestion, context?: string): SearchOptions => ({
  flavor: demo, ...(max_tier && { max_tier }), ...(context !== undefined && { context }),
})

/** Reads a demo database as its owner would. */
export class Truth {
  private readonly dbs: Record<Demo, DatabaseSync>

  constructor(files: Readonly<Record<Demo, string>>) {
    const open = (demo: Demo) => new DatabaseSync(files[demo], { readOnly: true, returnArrays: true })
    this.dbs = { 'network-ops': open('network-ops'), 'clinical-trial': open('clinical-trial') }
  }

  rows({ demo, sql }: DemoQuestion): { readonly columns: string[]; readonly rows: Cell[][] } | null {
    if (sql === null) return null
    const statement = this.dbs[demo].prepare(sql)
    return { columns: statement.columns().map(({ name }) => name), rows: statement.all() as unknown as Cell[][] }
  }

  has(demo: Demo, table: string, key: Readonly<Record<string, unknown>>): boolean {
    const where = Object.keys(key).map((column) => `"${column}" = ?`).join(' AND ')
    return this.dbs[demo].prepare(`SELECT 1 FROM "${table}" WHERE ${where}`).all(...(Object.values(key) as string[])).length === 1
  }

  close(): void {
    for (const db of Object.values(this.dbs)) db.close()
  }
}

/** `wrong`: something untrue was said. `refused`: nothing was said where something should have been. `flawed`: the rest. */
export type Verdict = { readonly kind: 'right' }
  | { readonly kind: 'wrong' | 'refused' | 'flawed'; readonly faults: readonly string[] }

const REFUSALS: readonly string[] = ['blocked', 'ungrounded', 'clarify']

export function judge(question: DemoQuestion, answer: SearchAnswer | Problem, truth: Truth): Verdict {
  if (!('run_id' in answer)) return { kind: 'refused', faults: [`problem ${answer.code}: ${answer.detail}`] }
  const refused = REFUSALS.includes(answer.status)
  const status = question.status.includes(answer.status as never)
    ? [] : [`status ${answer.status} instead of ${question.status.join(' or ')}`]
  const rows = wrongRows(question, answer, truth)
  const text = [...support(question.demo, answer, truth), ...missing(question, answer)]
  if (status.length + rows.length + text.length === 0) return { kind: 'right' }
  const untrue = !refused && (rows.length > 0 || (status.length > 0 && question.status.some((each) => REFUSALS.includes(each))))
  const kind = untrue ? 'wrong' : refused && status.length > 0 ? 'refused' : 'flawed'
  return { kind, faults: kind === 'refused' ? status : [...status, ...rows, ...text] }
}

function wrongRows(question: DemoQuestion, { status, results }: SearchAnswer, truth: Truth): string[] {
  const gold = truth.rows(question)
  if (gold === null || REFUSALS.includes(status)) return []
  return sameRows(gold, { columns: results.columns, rows: results.rows }, question.ordered)
    ? [] : ['other rows than the gold query']
}

/** Every claim verified, every mark a citation, every citation a record. */
function support(demo: Demo, answer: SearchAnswer, truth: Truth): string[] {
  if (REFUSALS.includes(answer.status))
    return answer.claims.length + answer.results.rows.length === 0 ? [] : ['a refusal that says something']
  const known = new Set(answer.citations.map(({ n }) => n))
  const marks = [...answer.answer.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n))
  return [
    ...(answer.claims.length === 0 ? ['no claim'] : []),
    ...answer.claims.filter(({ verified }) => !verified).map(({ id }) => `claim ${id} is not verified`),
    ...[...marks, ...answer.claims.flatMap(({ citations }) => citations)]
      .filter((n) => !known.has(n)).map((n) => `no citation for [${n}]`),
    ...answer.citations.filter(({ source_table, key }) => !truth.has(demo, source_table, key))
      .map(({ n }) => `citation [${n}] is no record`),
    ...answer.warnings.filter((warning) => warning.includes('dropped')),
  ]
}

function missing({ contains, options }: DemoQuestion, { answer, clarification }: SearchAnswer): string[] {
  const offered = clarification?.options.length ?? 0
  return [
    ...contains.filter((text) => !answer.includes(text)).map((text) => `the answer does not say "${text}"`),
    ...(options !== undefined && offered !== options ? [`${offered} readings offered instead of ${options}`] : []),
  ]
}

/** What somebody needs who has to find out why. */
export function failureText(question: DemoQuestion, answer: SearchAnswer | Problem, verdict: Verdict, truth: Truth): string {
  if (verdict.kind === 'right') return ''
  const shown = (rows: readonly (readonly unknown[])[]) =>
    `${rows.length} rows ${JSON.stringify(rows.slice(0, 12))}${rows.length > 12 ? ' ...' : ''}`
  const gold = truth.rows(question)
  const lines = [
    `${question.demo}/${question.id} (${question.class}) ${verdict.kind}: ${question.question}`,
    ...verdict.faults.map((fault) => `  - ${fault}`),
    `  expected: ${question.status.join(' or ')}${gold === null ? '' : `, ${shown(gold.rows)}`}`,
  ]
  if (!('run_id' in answer)) return lines.join('\n')
  return [
    ...lines,
    `  got: ${answer.status}, ${shown(answer.results.rows)}`,
    `  SQL: ${answer.executed_query || '(none)'} ${JSON.stringify(answer.executed_queries[0]?.params ?? [])}`,
    `  text: ${answer.answer.slice(0, 400)}`,
  ].join('\n')
}

/** Counts by class, and a file with every failure, wrong answers first. */
export class Tally {
  private readonly seen: { readonly question: DemoQuestion; readonly kind: Verdict['kind']; readonly text: string }[] = []

  add(question: DemoQuestion, verdict: Verdict, text: string): void {
    this.seen.push({ question, kind: verdict.kind, text })
  }

  table(): string {
    const line = (name: string, among: typeof this.seen) => {
      const count = (kind: Verdict['kind']) => among.filter((each) => each.kind === kind).length
      const rest = (['wrong', 'refused', 'flawed'] as const)
        .filter((kind) => count(kind) > 0).map((kind) => `${count(kind)} ${kind}`)
      return `  ${name.padEnd(14)} ${count('right')} of ${among.length}${rest.length === 0 ? '' : `  (${rest.join(', ')})`}`
    }
    const classes = [...new Set(this.seen.map(({ question }) => question.class))]
    return [...classes.map((name) => line(name, this.seen.filter(({ question }) => question.class === name))),
      line('all', this.seen)].join('\n')
  }

  /** Where the failures lie, or null when there is none. */
  write(): string | null {
    const failed = (['wrong', 'refused', 'flawed'] as const).flatMap((kind) => this.seen.filter((each) => each.kind === kind))
    const file = process.env['WHEREFORE_DEMO_FAILURES']
      ?? (failed.length === 0 ? null : join(mkdtempSync(join(tmpdir(), 'wherefore-demo-')), 'failures.md'))
    if (file !== null) writeFileSync(file, `${this.table()}\n\n${failed.map(({ text }) => text).join('\n\n')}\n`)
    return failed.length === 0 ? null : file
  }
}

/** An answer without what differs between any two runs: ids and times. */
export const timeless = (answer: SearchAnswer): unknown =>
  JSON.parse(
    JSON.stringify({ ...answer, run_id: '', subgraph: { ...answer.subgraph, id: null } }, (key, value: unknown) =>
      key === 'ms' || key.endsWith('_ms') ? 0 : value,
    ),
  )
