/** A question set answered by the embedded planner or by a model, each database with an ontology generated from nothing but itself. */
import { type Flavor, LIMITS, type SearchAnswer, SearchRequest, ServiceError, type Tier } from '../contracts/index.ts'
import { type Ontology, buildOntology, cutOntology } from '../ontology/index.ts'
import type { ModelProvider } from '../providers/index.ts'
import { runSearch } from '../search/index.ts'
import { type Catalogue, type Selected, type Source, openSource } from '../sources/index.ts'
import { sameRows } from './compare-rows.ts'
import { type Figures, type Outcome, figuresOf } from './figures.ts'
import { FIELDS, type Question, databaseFile, readQuestions } from './question-set.ts'
import { classesOf, isOrdered, withPlainStrings, withValues } from './sql-text.ts'

export interface EvaluationOptions {
  readonly folder: string
  readonly baseIri: string
  readonly recordBase: string
  /** the text that is asked; `syn_question` is the question reworded with synonyms */
  readonly field?: string
  readonly limit?: number
  readonly clock: { now(): number }
  /** who plans, where that is not the embedded planner; it is shown names within its own tier only */
  readonly planner?: ModelProvider
  /** what was agreed to: names and questions may leave the region */
  readonly confirmResidency?: boolean
  /** for one question */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly progress?: (line: string) => void
  /** a search that failed by a bug counts as not answered, but somebody should hear of it */
  readonly onBug?: (error: unknown) => void
}

/** One line of the result, as the contract names its fields; the SQL holds its values, so that anybody can run it. */
export interface EvaluatedQuestion {
  readonly id: string
  readonly db: string
  readonly status: string
  readonly sql: string
  readonly confidence: number
  readonly ms: number
}

/** A question that is not right, with what it takes to see why. */
export interface Failure extends EvaluatedQuestion {
  readonly question: string
  readonly gold: string
  readonly verdict: string
}

export interface Evaluation {
  /** in the order of questions.jsonl */
  readonly results: readonly EvaluatedQuestion[]
  readonly failures: readonly Failure[]
  readonly figures: Figures
}

/** No rules and no words of a trade: what is measured is the planner alone. */
const SEALED: Flavor = { name: 'generic', label: 'Generic', synonyms: {}, rules: [] }
const GOLD_LIMITS = { maxRows: LIMITS.evidence_rows, timeoutMs: 30_000 } as const
const PROGRESS_EVERY = 100

export async function evaluateQuestions(options: EvaluationOptions): Promise<Evaluation> {
  const { folder, field = 'question', limit, progress } = options
  const asked = FIELDS.find((name) => name === field)
  if (asked === undefined) throw new ServiceError('invalid_request', 'unknown field', { hint: `one of ${FIELDS.join(', ')}` })
  const questions = readQuestions(folder, asked, limit)
  const groups = Map.groupBy(questions, ({ db }) => db)
  // every database is looked for before the first question is asked: a gap is found now, not after an hour
  const files = new Map([...groups.keys()].map((db) => [db, databaseFile(folder, db)]))
  const judged = new Map<Question, Judged>()
  for (const [db, group] of groups) {
    const source = await openSource(files.get(db) ?? '')
    try {
      const catalogue = await source.introspect()
      const { baseIri, recordBase } = options
      const ontology = cutOntology(buildOntology(catalogue, { baseIri, recordBase }), ceilingOf(options))
      for (const question of group) {
        judged.set(question, await judge(options, { source, catalogue, ontology }, question))
        if (judged.size % PROGRESS_EVERY === 0 || judged.size === questions.length) progress?.(tally(judged, questions.length))
      }
    } finally {
      await source.close()
    }
  }
  const all = questions.flatMap((question) => judged.get(question) ?? [])
  return {
    results: all.map(({ line }) => line),
    failures: questions.flatMap((question) => {
      const found = judged.get(question)
      if (found === undefined || found.verdict === 'right') return []
      return [{ ...found.line, question: question.question, gold: question.sql, verdict: found.verdict }]
    }),
    figures: figuresOf(all.map(({ outcome }) => outcome)),
  }
}

const tally = (judged: ReadonlyMap<Question, Judged>, of: number): string =>
  `${judged.size} of ${of} questions, ${[...judged.values()].filter(({ outcome }) => outcome.right).length} right`

const ceilingOf = ({ planner }: EvaluationOptions): Tier => planner?.maxTier ?? 'Restricted'

interface Database {
  readonly source: Source
  readonly catalogue: Catalogue
  readonly ontology: Ontology
}

interface Judged {
  readonly line: EvaluatedQuestion
  readonly outcome: Outcome
  readonly verdict: string
}

async function judge(options: EvaluationOptions, database: Database, question: Question): Promise<Judged> {
  const { source, catalogue } = database
  const started = options.clock.now()
  const answer = await ask(options, database, question)
  const ms = Math.round((options.clock.now() - started) * 100) / 100
  const sql = answer === null ? '' : ranSql(answer)
  const status = answer?.status ?? 'failed'
  const answered = status === 'ok' || status === 'empty'
  const truth = await tried(options, source, withPlainStrings(question.sql, catalogue))
  const found = answered && truth !== null ? await tried(options, source, sql) : null
  const right = truth !== null && found !== null && sameRows(truth, found, isOrdered(question.sql))
  const gold = truth === null ? 'failed' : truth.rows.length === 0 ? 'empty' : 'rows'
  const confidence = answer?.confidence ?? 0
  return {
    line: { id: question.id, db: question.db, status, sql, confidence, ms },
    outcome: {
      status, confidence, ms, planMs: answer?.timings_ms['plan'] ?? ms, classes: classesOf(question.sql), answered, right, gold,
    },
    verdict: right ? 'right' : truth === null ? 'the true query does not run' : answered ? 'wrong' : 'not answered',
  }
}

/** The main query with its values in it: what is printed is what is scored. */
function ranSql({ executed_queries: queries }: SearchAnswer): string {
  const main = queries.find(({ purpose }) => purpose === 'main')
  if (main === undefined) return ''
  return withValues({ sql: main.sql, params: main.params.map((value) => (typeof value === 'boolean' ? Number(value) : value)) })
}

/** The answer, or null when the search failed: that is an outcome like any other and must not end the evaluation. */
async function ask(options: EvaluationOptions, database: Database, { id, question }: Question): Promise<SearchAnswer | null> {
  const { clock, signal, planner, confirmResidency = false, timeoutMs } = options
  const { source, ontology } = database
  signal?.throwIfAborted()
  const ceiling = ceilingOf(options)
  const request = SearchRequest.parse({
    question, flavor: SEALED.name, max_tier: ceiling, limit: LIMITS.max_row_limit, confirm_residency: confirmResidency,
    ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
  })
  const context = {
    runId: id, request, source, flavor: SEALED, ceiling, ontology, granted: ontology, clock, startedAt: clock.now(), today: new Date(),
    ...(signal === undefined ? {} : { signal }), ...(planner === undefined ? {} : { models: { planner } }),
  } as const
  const about = { requestId: id, subgraphId: () => '', onBug: (error: unknown) => options.onBug?.(error) }
  for await (const event of runSearch({ ...context, warnings: [] }, about)) {
    if (event.event === 'answer') return event.data
  }
  return null
}

/** The rows of one query, or null when it does not run or brings more than can be compared. */
async function tried({ signal }: EvaluationOptions, source: Source, sql: string): Promise<Selected | null> {
  try {
    const limits = { ...GOLD_LIMITS, ...(signal === undefined ? {} : { signal }) }
    const selected = await source.select({ sql: sql.replace(/[;\s]+$/, ''), params: [] }, limits)
    return selected.truncated ? null : selected
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'cancelled') throw error
    return null
  }
}
