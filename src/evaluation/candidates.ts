/** What the planner could have answered: every reading of a question, run, and marked right or wrong by what it returns. */
import { performance } from 'node:perf_hooks'
import { type Flavor, LIMITS } from '../contracts/index.ts'
import { type Ontology, buildOntology } from '../ontology/index.ts'
import { type Evidence, type Option, type Surroundings, compilePlan, makeReady, readingsFor } from '../search/index.ts'
import { type Selected, type Source, type SqlQuery, openSource } from '../sources/index.ts'
import { sameRows } from './compare-rows.ts'
import type { Question } from './question-set.ts'
import { type QueryClass, classesOf, isOrdered, withPlainStrings, withValues } from './sql-text.ts'

export interface Candidate {
  /** with its values in it: anybody can run it */
  readonly sql: string
  readonly right: boolean
  /** how many rows it returns; null when it does not run, or not in time */
  readonly rows: number | null
  readonly evidence: Evidence
}

export interface Candidates {
  readonly id: string
  readonly db: string
  readonly question: string
  readonly gold: string
  readonly classes: readonly QueryClass[]
  /** the true query: `empty` returns no rows, `failed` does not run or returns more than can be compared */
  readonly truth: 'rows' | 'empty' | 'failed'
  /** the whole of planning, its indexes being ready */
  readonly planMs: number
  /** words that found no place, where there is no reading */
  readonly unplaced: readonly string[]
  /** best first, as the planner ranks them */
  readonly options: readonly Candidate[]
}

export interface DatabaseCandidates {
  readonly db: string
  /** what the first question would wait for, and how many text values can be found after it */
  readonly index: { readonly ms: number; readonly values: number }
  readonly questions: readonly Candidates[]
}

/** Readings beyond are hardly ever the right ones; with the rest they show what a better ranking could reach. */
export const MOST_OPTIONS = 30
/** No rules and no words of a trade: what is measured is the planner alone. */
const SEALED: Flavor = { name: 'generic', label: 'Generic', synonyms: {}, rules: [] }
const NAMES = { baseIri: 'http://localhost/ontology#', recordBase: 'http://localhost/record/' } as const
/** No question of a set asks for "today"; a fixed day keeps the candidates the same every day. */
const TODAY = new Date('2026-01-01T00:00:00Z')
const INDEX_MS = 120_000
const GOLD = { maxRows: LIMITS.evidence_rows, timeoutMs: 30_000 } as const
/** A reading may take this long, or this many times what the true query took. */
const STATEMENT_MS = 1_000
const SLOWER = 4
/** After so many readings that took too long the others of that question are not tried: they share what makes it slow. */
const MOST_SLOW = 3

/** All questions of one database, asked of an ontology generated from nothing but that database. */
export async function candidatesOf(file: string, questions: readonly Question[]): Promise<DatabaseCandidates> {
  // one reader: the databases of a set lie side by side on the cores already
  const source = await openSource(file, { processes: 1 })
  try {
    const catalogue = await source.introspect()
    const ontology = buildOntology(catalogue, NAMES)
    const surroundings = { ontology, flavor: SEALED, source, today: TODAY }
    const since = performance.now()
    const values = await makeReady(surroundings, { timeoutMs: INDEX_MS })
    const index = { ms: rounded(performance.now() - since), values }
    const asked: Candidates[] = []
    for (const question of questions) {
      const sql = withPlainStrings(question.sql, catalogue).replace(/[;\s]+$/, '')
      const truth = await ran(source, { sql, params: [] }, GOLD)
      asked.push(await candidatesFor(surroundings, { ...question, sql }, truth))
    }
    return { db: questions[0]?.db ?? '', index, questions: asked }
  } finally {
    await source.close()
  }
}

async function candidatesFor(surroundings: Surroundings, asked: Question, truth: Selected | null): Promise<Candidates> {
  const { id, db, question, sql: gold } = asked
  const since = performance.now()
  const { options, unplaced } = await readingsFor(question, surroundings, { timeoutMs: INDEX_MS })
  const planMs = rounded(performance.now() - since)
  const judged = new Map<string, Verdict>()
  const candidates: Candidate[] = []
  let slow = 0
  for (const option of options.slice(0, MOST_OPTIONS)) {
    const query = compiled(surroundings.ontology, option)
    const sql = query === null ? '' : withValues(query)
    const before = judged.get(sql)
    const isTried = before === undefined && query !== null && slow < MOST_SLOW
    const verdict = isTried ? await judge(surroundings.source, query, asked, truth) : (before ?? FAILED)
    if (isTried && verdict.rows === null) slow += 1
    judged.set(sql, verdict)
    candidates.push({ sql, ...verdict, evidence: option.evidence })
  }
  return {
    id, db, question, gold, classes: classesOf(gold), planMs, unplaced: options.length === 0 ? unplaced : [], options: candidates,
    truth: truth === null ? 'failed' : truth.rows.length === 0 ? 'empty' : 'rows',
  }
}

type Verdict = Pick<Candidate, 'right' | 'rows'>
const FAILED: Verdict = { right: false, rows: null }

async function judge(source: Source, query: SqlQuery, { sql }: Question, truth: Selected | null): Promise<Verdict> {
  if (truth === null) return FAILED
  // a row more than the truth has is enough to tell them apart
  const limits = { maxRows: truth.rows.length + 1, timeoutMs: Math.max(STATEMENT_MS, Math.ceil(SLOWER * truth.ms)) }
  const found = await ran(source, query, limits)
  if (found === null) return FAILED
  return { right: !found.truncated && sameRows(truth, found, isOrdered(sql)), rows: found.rows.length }
}

/** A plan that does not compile is a wrong answer like any other; it must not end the evaluation. */
function compiled(ontology: Ontology, { plan }: Option): SqlQuery | null {
  try {
    const { sql, params } = compilePlan(ontology, plan).main
    return { sql, params: params.map((value) => (typeof value === 'boolean' ? Number(value) : value)) }
  } catch {
    return null
  }
}

async function ran(source: Source, query: SqlQuery, limits: { maxRows: number; timeoutMs: number }): Promise<Selected | null> {
  try {
    const found = await source.select(query, limits)
    return found.truncated && limits === GOLD ? null : found
  } catch {
    return null
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100
