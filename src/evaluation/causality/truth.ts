/** What is true of a log: its statements, each by a pattern of its messages, and which of them cause which. */
import { readFileSync } from 'node:fs'
import { RE2JS } from 're2js'
import { z } from 'zod'
import { ServiceError } from '../../contracts/index.ts'

export const Truth = z.object({
  statements: z.array(z.object({ id: z.string(), regex: z.string() })).min(1),
  edges: z.array(z.object({ cause: z.string(), effect: z.string(), occurrences: z.number().optional() })),
})
export type Truth = z.infer<typeof Truth>

export function readTruth(file: string): Truth {
  let document: unknown
  try {
    document = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new ServiceError('invalid_request', 'the truth file cannot be read as JSON', { cause })
  }
  const read = Truth.safeParse(document)
  if (read.success) return read.data
  const hint = 'it holds {statements: [{id, regex}], edges: [{cause, effect}]}'
  throw new ServiceError('invalid_request', 'the truth file does not say what causes what', { hint, cause: read.error })
}

/** Finds the statement of a message; patterns run in linear time where they can, as they come from outside. */
export function statementFinder({ statements }: Truth): (message: string) => string | null {
  const patterns = statements.map(({ id, regex }) => ({ id, matches: matcherOf(id, regex) }))
  return (message) => patterns.find(({ matches }) => matches(message))?.id ?? null
}

function matcherOf(id: string, regex: string): (message: string) => boolean {
  try {
    const pattern = RE2JS.compile(regex)
    return (message) => pattern.matcher(message).find()
  } catch {
    try {
      const pattern = new RegExp(regex, 'u')
      return (message) => pattern.test(message)
    } catch (cause) {
      throw new ServiceError('invalid_request', `the pattern of statement ${id} is no regular expression`, { cause })
    }
  }
}
