/** Every failure as application/problem+json, whoever noticed it: a schema, the framework, the service, or nobody (a bug). */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { LIMITS, PROBLEMS, ServiceError, problem } from '../../contracts/index.ts'
import type { Fault, Problem, ProblemCode } from '../../contracts/index.ts'
import { writeJson } from '../emit.ts'
import { bugLine } from './log.ts'
import type { Log } from './log.ts'

export const PROBLEM_TYPE = 'application/problem+json'

export const ProblemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    stage: z.string().optional(),
    hint: z.string().optional(),
    errors: z
      .array(z.object({ message: z.string(), path: z.string().optional(), line: z.int().optional(), column: z.int().optional() }))
      .optional(),
    leaving: z.array(z.string()).optional(),
    request_id: z.string(),
  })
  .meta({ id: 'Problem' })

/** The entry that every route lists for whatever is not a success. */
export const PROBLEM_RESPONSE = { description: 'a problem (RFC 9457)', content: { [PROBLEM_TYPE]: { schema: ProblemBody } } }

const FRAMEWORK: Record<string, readonly [ProblemCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'the body is larger than this route takes'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'this route does not take that content type'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_request', 'the body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_request', 'the body is empty'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'the body is not as long as Content-Length says'],
  FST_ERR_BAD_URL: ['invalid_request', 'the path is not a valid URL'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'nothing here by that name'],
}

/** Reads any thrown thing as a failure that a caller may see; null means a bug. */
export function asServiceError(error: unknown): ServiceError | null {
  // a thing above the ceiling and a thing that never was must read alike, whoever noticed; a hint speaks of neither
  if (error instanceof ServiceError && error.code === 'not_found' && error.about.hint === undefined) return nothing()
  if (error instanceof ServiceError) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.flatMap(asFaults)
    const where = error.validationContext === 'querystring' ? 'query' : (error.validationContext ?? 'request')
    const detail = `the ${where} does not fit its schema: ${errors.map(inWords).join('; ')}`
    return new ServiceError('invalid_request', detail, { errors })
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = FRAMEWORK[code]
  return known === undefined ? null : new ServiceError(known[0], known[1], { cause: error })
}

const nothing = (): ServiceError => new ServiceError('not_found', 'nothing here by that name')

/** Answers a request with what went wrong. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log?: Log): FastifyReply {
  const known = asServiceError(error)
  if (known === null) log?.bug(bugLine(error, request.id))
  return sendBody(problem(known ?? error, request.id), reply)
}

/** Answers with a problem that is already written out, as a search ends with one. */
export function sendBody(body: Problem, reply: FastifyReply): FastifyReply {
  if (body.code === 'unauthenticated') void reply.header('www-authenticate', 'Bearer')
  if (body.code === 'too_many_requests') void reply.header('retry-after', String(LIMITS.retry_after_seconds))
  return reply.code(body.status).type(PROBLEM_TYPE).header('cache-control', 'no-store').send(writeJson(body))
}

/** Answers on the bare socket when the request was too slow or too broken for Node to hand it over. */
export function refuseOnSocket(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const told = late
    ? new ServiceError('request_timeout', 'the request did not arrive in time')
    : new ServiceError('invalid_request', 'this is not a request we can read')
  const { status } = PROBLEMS[told.code]
  const body = writeJson(problem(told, requestId))
  socket.end(
    `HTTP/1.1 ${status} ${late ? 'Request Timeout' : 'Bad Request'}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  )
}

interface Issue {
  readonly instancePath: string
  readonly message?: string
  readonly params: Record<string, unknown>
}

function asFaults({ instancePath, message, params }: Issue): Fault[] {
  const path = instancePath.split('/').filter((step) => step !== '').join('.')
  const { keys } = params
  if (Array.isArray(keys) && message?.startsWith('Unrecognized')) {
    return keys.map((key) => ({ path: path === '' ? String(key) : `${path}.${String(key)}`, message: 'unknown field' }))
  }
  return [{ ...(path === '' ? {} : { path }), message: message ?? 'not valid' }]
}

const inWords = ({ path, message }: Fault): string => (path === undefined ? message : `${path}: ${message}`)
