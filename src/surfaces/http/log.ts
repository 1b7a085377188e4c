/** Structured log lines with a closed set of fields: no body, no query, no value of a record can get into them. */
import { pino } from 'pino'

export interface RequestLine {
  readonly request_id: string
  readonly method: string
  /** the pattern of the route, never the path that was asked for */
  readonly route: string
  readonly status: number
  readonly ms: number
}

export interface BugLine {
  readonly request_id: string
  readonly error: string
  readonly frames: readonly string[]
}

export interface Log {
  request(line: RequestLine): void
  bug(line: BugLine): void
}

/** Lines of JSON on standard error, which leaves standard output to results. */
export function createLog(destination: { write(line: string): void } = pino.destination({ dest: 2, sync: true })): Log {
  const logger = pino({ base: null }, destination)
  return {
    request: ({ request_id, method, route, status, ms }) => logger.info({ request_id, method, route, status, ms }, 'request'),
    bug: ({ request_id, error, frames }) => logger.error({ request_id, error, frames }, 'bug'),
  }
}

/** Where a bug happened, without its message: an engine's message may quote a value. */
export function bugLine(error: unknown, requestId: string): BugLine {
  if (!(error instanceof Error)) return { request_id: requestId, error: typeof error, frames: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)).map((line) => line.trim())
  return { request_id: requestId, error: error.name, frames }
}
