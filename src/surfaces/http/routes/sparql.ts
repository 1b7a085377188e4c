/** POST /api/sparql over the subgraph of an answer: as JSON, or in the two POST forms of the SPARQL 1.1 Protocol. */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ServiceError, SparqlRequest } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'

const RESULTS = 'application/sparql-results+json'

/** Protocol clients name the graph in the URL, since their body is the query alone. */
const Target = z.strictObject({ subgraph_id: z.string().max(64).optional(), run_id: z.string().max(64).optional() })

export function sparqlRoutes(app: App, { service }: RouteParts): void {
  app.addContentTypeParser('application/sparql-query', { parseAs: 'string' }, (request, body, done) => {
    done(null, { ...targetOf(request), query: body.toString() })
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    const form = [...new URLSearchParams(body.toString())]
    const fields = Object.fromEntries(form)
    if (Object.keys(fields).length === form.length) return done(null, { ...targetOf(request), ...fields })
    done(new ServiceError('invalid_request', 'a field of the form is given twice'))
  })

  app.post('/api/sparql', {
    config: { role: 'reader', search: true },
    schema: {
      tags: ['search'],
      summary: 'SPARQL SELECT over the subgraph of an answer',
      querystring: Target,
      body: SparqlRequest,
      response: {
        200: { description: 'SPARQL 1.1 Query Results JSON', content: { [RESULTS]: { schema: z.unknown() } } },
        default: PROBLEM_RESPONSE,
      },
    },
    handler: async ({ body, caller }, reply) => {
      const { subgraph_id: subgraphId, run_id: runId, query } = body
      return reply.type(RESULTS).send(emit(await service.sparql({ subgraphId, runId, query }, caller), caller))
    },
  })
}

const targetOf = (request: FastifyRequest): object => {
  const target = Target.safeParse(request.query)
  return target.success ? target.data : {} // a bad one is refused by the query's own schema
}
