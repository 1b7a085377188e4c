/** Every failure a caller can meet, with the status it becomes. One table: docs/errors.md is printed from it. */
export const PROBLEMS = {
  search_disabled: { status: 404, title: 'Search is switched off' },
  invalid_request: { status: 400, title: 'The request is not valid' },
  unknown_flavor: { status: 400, title: 'No such flavor' },
  unknown_source: { status: 400, title: 'No such source' },
  unknown_provider: { status: 400, title: 'No such provider' },
  source_not_allowed: { status: 403, title: 'This database is not configured' },
  unauthenticated: { status: 401, title: 'A valid token is needed' },
  forbidden_role: { status: 403, title: 'The token lacks the role' },
  forbidden_origin: { status: 403, title: 'Host or Origin refused' },
  not_found: { status: 404, title: 'Nothing here by that name' },
  method_not_allowed: { status: 405, title: 'Wrong method for this path' },
  request_timeout: { status: 408, title: 'The request arrived too slowly' },
  conflict: { status: 409, title: 'Not possible in the present state' },
  residency_unconfirmed: { status: 409, title: 'Data would leave the host without consent' },
  stale: { status: 412, title: 'A newer version exists' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Wrong content type' },
  invalid_rule: { status: 422, title: 'The rule is not valid' },
  unsupported_query: { status: 422, title: 'This query is not supported' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  cancelled: { status: 499, title: 'The client left' },
  internal: { status: 500, title: 'Unexpected failure' },
  provider_failed: { status: 502, title: 'The model provider failed' },
  source_unavailable: { status: 503, title: 'The database cannot be opened' },
  provider_not_ready: { status: 503, title: 'The provider is not ready' },
  shutting_down: { status: 503, title: 'The service is stopping' },
  deadline_exceeded: { status: 504, title: 'Stopped at its deadline' },
  storage_full: { status: 507, title: 'No room left on disk' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** One thing wrong with a text or a body: a place in it and a message. */
export interface Fault {
  readonly message: string
  readonly path?: string
  readonly line?: number
  readonly column?: number
}

export interface About {
  readonly stage?: string
  readonly hint?: string
  readonly errors?: readonly Fault[]
  readonly leaving?: readonly string[]
  /** another process holds the writer lock: the command line has an exit code of its own for that */
  readonly locked?: boolean
  readonly cause?: unknown
}

/** A failure that a caller may see. Its detail never holds a database value, an engine's own text, a path or a secret. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ProblemCode
  readonly about: About

  constructor(code: ProblemCode, detail: string, about: About = {}) {
    super(detail, { cause: about.cause })
    this.code = code
    this.about = about
  }
}

export const shuttingDown = (): ServiceError =>
  new ServiceError('shutting_down', 'the service is stopping', { hint: 'ask again in a moment' })

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ProblemCode
  readonly stage?: string
  readonly hint?: string
  readonly errors?: readonly Fault[]
  readonly leaving?: readonly string[]
  readonly request_id: string
}

/** What a caller may see of a failure (RFC 9457). A bug shows nothing of itself. */
export function problem(error: unknown, requestId: string): Problem {
  const known = error instanceof ServiceError ? error : new ServiceError('internal', 'an unexpected failure; its id is in the log')
  const { stage, hint, errors, leaving } = known.about
  const { status, title } = PROBLEMS[known.code]
  return {
    type: `urn:wherefore:problem:${known.code}`,
    title,
    status,
    detail: known.message,
    code: known.code,
    ...(stage === undefined ? {} : { stage }),
    ...(hint === undefined ? {} : { hint }),
    ...(errors === undefined ? {} : { errors }),
    ...(leaving === undefined ? {} : { leaving }),
    request_id: requestId,
  }
}

/** Exit codes of the command line (one table, as for HTTP). */
export const EXIT = { ok: 0, refused: 1, usage: 2, unavailable: 69, internal: 70, io: 74, locked: 75, deadline: 124 } as const

export function exitCode(error: unknown): number {
  if (!(error instanceof ServiceError)) return EXIT.internal
  switch (error.code) {
    case 'search_disabled':
      return EXIT.usage
    case 'source_unavailable':
    case 'provider_not_ready':
    case 'provider_failed':
      return EXIT.unavailable
    case 'deadline_exceeded':
      return EXIT.deadline
    case 'storage_full':
      return EXIT.io
    case 'internal':
      return EXIT.internal
    case 'conflict':
      return error.about.locked === true ? EXIT.locked : EXIT.refused
    default:
      return EXIT.refused
  }
}
