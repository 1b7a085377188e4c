/** A folder with questions.jsonl and the databases its questions are about. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { LIMITS, ServiceError } from '../contracts/index.ts'

const Line = z.looseObject({
  id: z.union([z.string().min(1), z.int().transform(String)]),
  // a folder's name and nothing else: it becomes part of a path
  db: z.string().regex(/^[\p{L}\p{N}_][\p{L}\p{N}_ .-]*$/u).refine((name) => !name.includes('..')),
  sql: z.string().min(1).max(100_000),
})
const Text = z.string().trim().min(1).max(LIMITS.question_chars)

export const FIELDS = ['question', 'syn_question'] as const
export type Field = (typeof FIELDS)[number]

export interface Question {
  readonly id: string
  readonly db: string
  readonly question: string
  /** the true query */
  readonly sql: string
}

export function readQuestions(folder: string, field: Field, limit = Number.POSITIVE_INFINITY): Question[] {
  const file = join(folder, 'questions.jsonl')
  if (!existsSync(file)) {
    const hint = 'one JSON object a line: {id, db, question, sql}'
    throw new ServiceError('invalid_request', 'the folder has no questions.jsonl', { hint })
  }
  const lines = readFileSync(file, 'utf8').split('\n').map((text, at) => ({ text: text.trim(), line: at + 1 }))
  return lines.filter(({ text }) => text !== '').slice(0, limit).map(({ text, line }) => readQuestion(text, line, field))
}

function readQuestion(text: string, line: number, field: Field): Question {
  const parsed = Line.safeParse(jsonOf(text))
  const question = parsed.success ? Text.safeParse(parsed.data[field]) : null
  if (parsed.success && question?.success === true) {
    const { id, db, sql } = parsed.data
    return { id, db, question: question.data, sql }
  }
  const named = parsed.success ? field : parsed.error.issues.map(({ path }) => path.join('.')).find((path) => path !== '')
  const wrong = named ?? 'the line'
  throw new ServiceError('invalid_request', `questions.jsonl cannot be read: ${wrong} is missing or not what it has to be`, {
    errors: [{ message: `${wrong} is missing or not what it has to be`, line }],
    hint: `line ${line}; every line is {id, db, question, sql}`,
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** databases/<db>/<db>.sqlite, else <db>.sqlite, else the only SQLite file of the folder. */
export function databaseFile(folder: string, db: string): string {
  const places = [join(folder, 'databases', db, `${db}.sqlite`), join(folder, `${db}.sqlite`)]
  const found = places.find((place) => existsSync(place))
  if (found !== undefined) return found
  const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite'))
  if (files.length === 1 && !existsSync(join(folder, 'databases'))) return join(folder, files[0]!)
  throw new ServiceError('source_unavailable', `there is no database file for ${db}`, {
    hint: 'put it at databases/<db>/<db>.sqlite or <db>.sqlite',
  })
}
