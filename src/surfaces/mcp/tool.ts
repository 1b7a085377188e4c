/** A tool: what it is called, what it takes, what it hands out; and the one way in which every tool is called. */
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { LIMITS, ServiceError } from '../../contracts/index.ts'
import type { Caller, Service } from '../../runtime/index.ts'
import { writeJson } from '../emit.ts'
import { checkDepth } from '../http/guard.ts'
import { checked, toolResult } from './failures.ts'

/** Who calls, and on whose behalf the work stops. */
export interface Asking {
  readonly service: Service
  readonly caller: Caller
  /** SERVICE_SEARCH, read at each call */
  readonly enabled: () => boolean
  readonly requestId: string
  readonly signal: AbortSignal
  /** tells how far the work is, where the client wants to know */
  readonly progress: (done: number, total: number, message: string) => Promise<void>
}

export interface Tool {
  readonly listed: ListedTool
  call(given: unknown, asking: Asking): Promise<CallToolResult>
}

interface Made<S extends z.ZodType> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: S
  /** what leaves: fields that it does not name are cut off, as over HTTP */
  readonly output: z.ZodType
  /** part of search, which SERVICE_SEARCH switches on */
  readonly search?: true
  readonly bytes?: number
  run(input: z.output<S>, asking: Asking): Promise<unknown>
}

export function tool<S extends z.ZodType>(made: Made<S>): Tool {
  const { name, title, description, input, output, search, bytes = LIMITS.body_bytes, run } = made
  const annotations = { readOnlyHint: true, openWorldHint: false }
  return {
    listed: { name, title, description, inputSchema: inputSchema(input), annotations },
    async call(given, asking) {
      if (search === true && !asking.enabled()) throw searchDisabled()
      checkSize(given, bytes)
      const value = await run(checked(input, given), asking)
      return toolResult(output.parse(JSON.parse(writeJson(value))))
    },
  }
}

const searchDisabled = (): ServiceError =>
  new ServiceError('search_disabled', 'search is switched off on this server', { hint: 'start the server with SERVICE_SEARCH=1' })

/** Over HTTP the body was measured already; over a pipe nobody has. */
function checkSize(given: unknown, bytes: number): void {
  const text = writeJson(given)
  if (Buffer.byteLength(text) > bytes) {
    throw new ServiceError('payload_too_large', 'the arguments are larger than this tool takes')
  }
  checkDepth(text)
}

/** The schema that validates, printed as what a caller may write: fields with a default may be left out. */
function inputSchema(schema: z.ZodType): ListedTool['inputSchema'] {
  const { $schema: _dialect, $ref, $defs = {}, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  // a named schema is printed as a reference to itself; clients look for the properties at the top
  const named = $ref?.replace('#/$defs/', '')
  const others = Object.fromEntries(Object.entries($defs).filter(([name]) => name !== named))
  return { ...rest, ...(named === undefined ? {} : $defs[named]), $defs: others, type: 'object' } as ListedTool['inputSchema']
}
