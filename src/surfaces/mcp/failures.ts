/** What goes wrong in a tool, as a tool error with the same problem body that HTTP sends. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { ServiceError, problem } from '../../contracts/index.ts'
import type { Fault, Problem } from '../../contracts/index.ts'
import { writeJson } from '../emit.ts'
import { asServiceError } from '../http/problems.ts'

/** A failure that is already written out, as a search ends with one. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly problem: Problem

  constructor(body: Problem) {
    super(body.code)
    this.problem = body
  }
}

/** What a caller may see of any thrown thing; a bug goes to `onBug` and shows nothing of itself. */
export function problemOf(error: unknown, requestId: string, onBug?: (error: unknown, requestId: string) => void): Problem {
  if (error instanceof Refused) return error.problem
  const known = asServiceError(error)
  if (known === null) onBug?.(error, requestId)
  return problem(known ?? error, requestId)
}

export const toolError = (body: Problem): CallToolResult => ({ ...toolResult(body), isError: true })

/** The value twice, as the protocol asks for: as an object, and as text for clients that read only text. */
export function toolResult(value: unknown): CallToolResult {
  const text = writeJson(value)
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as Record<string, unknown> }
}

/** Arguments that fit their schema, with its defaults; an unknown field is refused by name. */
export function checked<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap(faultsOf)
  const words = errors.map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`))
  throw new ServiceError('invalid_request', `the arguments do not fit their schema: ${words.join('; ')}`, { errors })
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  const at = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...at, key].join('.'), message: 'unknown field' }))
  }
  return [{ ...(at.length === 0 ? {} : { path: at.join('.') }), message: issue.message }]
}
