/** /api/sparql over the subgraph of an answer: as JSON, or in the three query forms of the SPARQL 1.1 Protocol. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ServiceError, SparqlRequest } from '../../../contracts/index.ts'
import type { SparqlFormat } from '../../../runtime/index.ts'
import { emit } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { untilGone } from '../stream.ts'

/** How each format is called, the name we answer with first. On equal terms the earlier format wins. */
const MEDIA_TYPES: Readonly<Record<SparqlFormat, readonly [string, ...string[]]>> = {
  json: ['application/sparql-results+json', 'application/json'],
  csv: ['text/csv'],
  tsv: ['text/tab-separated-values'],
  xml: ['application/sparql-results+xml', 'application/xml'],
}
const FORMATS = Object.keys(MEDIA_TYPES) as SparqlFormat[]

/** Protocol clients name the graph in the URL, since their body is the query alone. */
const Target = z.strictObject({ subgraph_id: z.string().max(64).optional(), run_id: z.string().max(64).optional() })
const InUrl = z.strictObject({ ...Target.shape, query: SparqlRequest.shape.query })
const oneTarget = ({ subgraph_id: id, run_id: run }: z.infer<typeof Target>): boolean =>
  (id === undefined) !== (run === undefined)

/** What the protocol calls the dataset of a query; here that is the subgraph, and nothing else can be named. */
const DATASET = ['default-graph-uri', 'named-graph-uri']

const RESPONSE = {
  200: {
    description: 'SPARQL 1.1 Query Results as JSON, CSV, TSV or XML, by Accept',
    content: Object.fromEntries(FORMATS.map((format) => [MEDIA_TYPES[format][0], { schema: z.unknown() }])),
  },
  default: PROBLEM_RESPONSE,
}

export function sparqlRoutes(app: App, { service }: RouteParts): void {
  app.addContentTypeParser('application/sparql-query', { parseAs: 'string' }, (_request, body, done) => {
    done(null, { query: body.toString() })
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    const form = [...new URLSearchParams(body.toString())]
    const fields = Object.fromEntries(form)
    if (namesDataset(fields)) return done(noDataset())
    if (Object.keys(fields).length === form.length) return done(null, fields)
    done(new ServiceError('invalid_request', 'a field of the form is given twice'))
  })

  const answer = async ({ caller, headers }: FastifyRequest, reply: FastifyReply, asked: z.infer<typeof SparqlRequest>) => {
    const { subgraph_id: subgraphId, run_id: runId, query } = asked
    const format = formatFor(headers.accept)
    const results = emit(await service.sparql({ subgraphId, runId, query, format }, caller, { signal: untilGone(reply) }), caller)
    return reply.header('vary', 'accept').type(`${MEDIA_TYPES[format][0]}; charset=utf-8`).send(results)
  }

  app.get('/api/sparql', {
    config: { role: 'reader', search: true },
    preValidation: async ({ query }) => refuseDataset(query),
    schema: {
      tags: ['search'],
      summary: 'SPARQL SELECT or ASK over the subgraph of an answer, with the query in the URL',
      querystring: InUrl.refine(oneTarget, { message: 'name exactly one of subgraph_id and run_id' }),
      response: RESPONSE,
    },
    handler: async (request, reply) => answer(request, reply, request.query),
  })

  app.post('/api/sparql', {
    config: { role: 'reader', search: true },
    preValidation: async (request) => {
      refuseDataset(request.query)
      request.body = withTarget(request.body, request.query) as typeof request.body
    },
    schema: {
      tags: ['search'],
      summary: 'SPARQL SELECT or ASK over the subgraph of an answer',
      querystring: Target,
      body: SparqlRequest,
      response: RESPONSE,
    },
    handler: async (request, reply) => answer(request, reply, request.body),
  })
}

/** The body with what the URL says about the graph. Which of two that disagree was meant, nobody can tell. */
function withTarget(body: unknown, url: unknown): unknown {
  const target = Target.safeParse(url)
  if (!target.success || typeof body !== 'object' || body === null) return body // refused by their own schemas
  const twice = Object.keys(target.data).find((name) => Object.hasOwn(body, name))
  if (twice !== undefined) throw new ServiceError('invalid_request', `${twice} is given in the URL and in the body`)
  return { ...body, ...target.data }
}

/**
 * The format that an Accept header likes best (RFC 9110, 12.5.1). Where it likes none of ours we answer in JSON all the same,
 * which the RFC allows: a client that reads it is served, and one that cannot has lost nothing.
 */
function formatFor(accept: string | undefined): SparqlFormat {
  if (accept === undefined || accept.trim() === '') return 'json'
  const ranges = accept.split(',').map(readRange)
  const likings = FORMATS.map((format) => ({ format, q: Math.max(...MEDIA_TYPES[format].map((name) => quality(name, ranges))) }))
  const best = likings.reduce((a, b) => (b.q > a.q ? b : a))
  return best.q > 0 ? best.format : 'json'
}

interface Range {
  readonly name: string
  readonly q: number
}

function readRange(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { name, q: weight === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 }
}

/** The most specific range that covers a media type decides. */
function quality(name: string, ranges: readonly Range[]): number {
  const covering = [name, `${name.split('/')[0]}/*`, '*/*']
  return covering.flatMap((cover) => ranges.find((range) => range.name === cover) ?? []).at(0)?.q ?? 0
}

const namesDataset = (fields: unknown): boolean =>
  typeof fields === 'object' && fields !== null && DATASET.some((name) => Object.hasOwn(fields, name))

const noDataset = (): ServiceError =>
  new ServiceError('unsupported_query', 'a query sees its own subgraph only', { hint: `leave out ${DATASET.join(' and ')}` })

function refuseDataset(fields: unknown): void {
  if (namesDataset(fields)) throw noDataset()
}
