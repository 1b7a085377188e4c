/** Competency questions: what a project must be able to answer, saved with the shape of the right answer, and run as tests. */
import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { Cell, SEARCH_STATUSES } from './search.ts'
import { Tier, UNLABELLED } from './tiers.ts'

const Rows = z.int().min(0).max(LIMITS.max_row_limit)
const ColumnName = z.string().min(1).max(256)

/** What the answer must look like. A field that is left out is not looked at; without `status` the question must be answered. */
export const Expectation = z
  .strictObject({
    status: z.enum(SEARCH_STATUSES).optional(),
    min_rows: Rows.optional(),
    max_rows: Rows.optional(),
    columns: z
      .union([z.int().min(0).max(1000), z.array(ColumnName).min(1).max(1000)])
      .optional()
      .describe('how many columns, or their names in any order; `rows` are then read in the order of the names'),
    contains: z.array(z.string().min(1).max(2000)).max(100).optional().describe('texts that stand in the answer, in any case'),
    rows: z
      .array(z.array(Cell).min(1).max(1000))
      .max(1000)
      .optional()
      .describe('rows among those of the answer; with max_rows, all of them'),
    verified: z.literal(true).optional().describe('there are claims, and none was dropped'),
  })
  .refine(({ min_rows: least = 0, max_rows: most = LIMITS.max_row_limit }) => least <= most, {
    path: ['min_rows'],
    message: 'min_rows is above max_rows',
  })
export type Expectation = z.infer<typeof Expectation>

export const QuestionId = z.string().regex(/^[a-z0-9-]{1,64}$/, 'an id has 1 to 64 characters of a-z, 0-9 and -')

export const CompetencyQuestion = z
  .strictObject({
    id: QuestionId,
    question: z.string().trim().min(1).max(LIMITS.question_chars),
    flavor: z.string().max(64).optional(),
    db_path: z.string().max(4096).optional().describe('the name of a configured source'),
    max_tier: Tier.optional().describe(
      'the ceiling it is asked under, and below which nobody sees it; Internal, or the grant where that is lower',
    ),
    expect: Expectation.default({}),
  })
  .meta({ id: 'CompetencyQuestion' })
export type CompetencyQuestion = z.infer<typeof CompetencyQuestion>

/** What a project may keep. */
export const MAX_QUESTIONS = 1000

export const CompetencyQuestions = z.array(CompetencyQuestion).max(MAX_QUESTIONS)

/** The ceiling of a question that names none: that of a search. */
export const QUESTION_TIER: Tier = 'Internal'

/**
 * A saved question may quote, in its words and in what it expects, whatever its answer may: it is as sensitive as its ceiling.
 * A ceiling that nobody can read counts as the highest.
 */
export function questionTier(question: Readonly<Record<string, unknown>>): Tier {
  const said = question['max_tier']
  if (said === undefined) return QUESTION_TIER
  return Tier.safeParse(said).data ?? UNLABELLED
}

/** One way in which an answer is not what was expected. */
export const Difference = z.object({
  field: z.enum(['status', 'min_rows', 'max_rows', 'columns', 'contains', 'rows', 'verified']),
  message: z.string(),
})
export type Difference = z.infer<typeof Difference>

export const CompetencyResult = z
  .object({
    id: z.string(),
    question: z.string(),
    passed: z.boolean(),
    /** of the search; `error` when it ended without an answer */
    status: z.enum([...SEARCH_STATUSES, 'error']),
    /** of the problem, when it ended without an answer */
    code: z.string().nullable(),
    differences: z.array(Difference),
    rows: z.int(),
    max_tier: Tier,
    run_id: z.string().nullable(),
    ms: z.number(),
  })
  .meta({ id: 'CompetencyResult' })
export type CompetencyResult = z.infer<typeof CompetencyResult>

export const CompetencyReport = z
  .object({ total: z.int(), passed: z.int(), failed: z.int(), ms: z.number(), results: z.array(CompetencyResult) })
  .meta({ id: 'CompetencyReport' })
export type CompetencyReport = z.infer<typeof CompetencyReport>
