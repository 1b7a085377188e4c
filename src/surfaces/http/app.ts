/**
 * The HTTP skin: request -> id, headers -> Host, Origin -> caller, role -> flag -> schema -> route -> emit -> schema -> reply.
 * Whatever goes wrong on the way leaves as a problem.
 */
import swagger from '@fastify/swagger'
import { fastify } from 'fastify'
import type { FastifyReply, FastifySerializerCompiler } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject, validatorCompiler } from 'fastify-type-provider-zod'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { LIMITS, ServiceError, shuttingDown } from '../../contracts/index.ts'
import { writeJson } from '../emit.ts'
import { checkDepth, checkHost, checkOrigin } from './guard.ts'
import { bearer, demandRole, localCaller } from './identity.ts'
import type { App, Parts, RouteParts } from './parts.ts'
import { refuseOnSocket, sendProblem } from './problems.ts'
import { competencyRoutes } from './routes/competency-questions.ts'
import { consoleRoutes } from './routes/console.ts'
import { explainRoutes } from './routes/explain.ts'
import { fileRoutes } from './routes/files.ts'
import { healthRoutes } from './routes/health.ts'
import { insightRoutes } from './routes/insights.ts'
import { logDiscoveryRoutes } from './routes/log-discovery.ts'
import { materialisedRoutes } from './routes/materialised.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { metadataRoutes } from './routes/metadata.ts'
import { ontologyRoutes } from './routes/ontology.ts'
import { pipelineRoutes } from './routes/pipeline.ts'
import { providerRoutes } from './routes/providers.ts'
import { ruleRoutes } from './routes/rules.ts'
import { searchRunRoutes } from './routes/search-runs.ts'
import { searchRoutes } from './routes/search.ts'
import { sessionRoutes } from './routes/session.ts'
import { sourceRoutes } from './routes/sources.ts'
import { sparqlRoutes } from './routes/sparql.ts'
import { suggestRoutes } from './routes/suggest.ts'

const ROUTES = [
  searchRoutes, searchRunRoutes, sparqlRoutes, ontologyRoutes, logDiscoveryRoutes, insightRoutes, explainRoutes, materialisedRoutes,
  sessionRoutes, ruleRoutes, sourceRoutes, metadataRoutes, fileRoutes, pipelineRoutes, suggestRoutes, competencyRoutes, healthRoutes,
  consoleRoutes, providerRoutes, mcpRoutes,
] as const

const HEADERS = {
  'content-security-policy': "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

const BODY_MS = 30_000 // a body that takes longer than this is not a caller we know

export function buildApp(parts: Parts): App {
  const { service, config, tokens, enabled, clock, ids, log } = parts
  const app: App = fastify({
    logger: false, // the framework's own lines are free text; ours have a closed set of fields
    genReqId: () => ids(),
    requestIdHeader: false,
    bodyLimit: LIMITS.body_bytes,
    requestTimeout: BODY_MS,
    return503OnClosing: false, // answered below, as a problem
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      addHeaders(reply, request.id)
      void sendProblem(error, request, reply, log)
    },
    clientErrorHandler: (error, socket) => refuseOnSocket(error, socket, ids()),
  }).withTypeProvider<ZodTypeProvider>()

  app.server.headersTimeout = BODY_MS // while it is the longer one, Node takes it for the time of the body
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(writeBySchema)
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, log))
  acceptJsonOnly(app)

  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort(shuttingDown()))

  const arrived = new WeakMap<object, number>()
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request, reply) => {
    arrived.set(request, clock.now())
    addHeaders(reply, request.id)
    checkHost(request.headers.host, config.host)
    checkOrigin(request.method, request.headers.origin, request.headers.host)
    if (stopping.signal.aborted) throw shuttingDown()
    const { role, search } = request.routeOptions.config
    if (role === undefined || role === 'anyone') return
    request.caller = tokens === undefined ? localCaller(parts.localGrant) : bearer(request.headers.authorization, tokens)
    demandRole(request.caller, role)
    if (search === true && !enabled()) throw searchDisabled()
  })
  app.addHook('onResponse', async (request, reply) => {
    const now = clock.now()
    const ms = now - (arrived.get(request) ?? now)
    const line = { method: request.method, route: request.routeOptions.url ?? '(none)', status: reply.statusCode }
    service.countRequest({ ...line, seconds: ms / 1000 })
    log?.request({ request_id: request.id, ...line, ms })
  })

  refuseUnknownPaths(app)
  describeApi(app, service.health().version)
  const routeParts: RouteParts = { ...parts, stopping: stopping.signal }
  for (const routes of ROUTES) void app.register(async (scope) => routes(scope.withTypeProvider<ZodTypeProvider>(), routeParts))
  return app
}

const searchDisabled = (): ServiceError =>
  new ServiceError('search_disabled', 'search is switched off on this server', { hint: 'start the server with SERVICE_SEARCH=1' })

function addHeaders(reply: FastifyReply, requestId: string): void {
  void reply.headers(HEADERS).header('x-request-id', requestId).header('cache-control', 'no-store')
}

/** JSON with a bounded depth is the only body anyone may send, unless a route adds another kind for itself. */
function acceptJsonOnly(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    try {
      checkDepth(text)
    } catch (error) {
      done(error as Error)
      return
    }
    if (text === '') return done(null, undefined)
    void parse(request, text, (error, value: unknown) =>
      error === null ? done(null, value) : done(new ServiceError('invalid_request', 'the body is not valid JSON')),
    )
  })
}

/** An answer leaves as its schema says: fields that the schema does not name are cut off, a misfit is a bug. */
const writeBySchema: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  return (data) => writeJson(schema.parse(JSON.parse(writeJson(data))))
}

/** An unknown path is not_found; a known path under another method says which methods it has. */
function refuseUnknownPaths(app: App): void {
  const known: { readonly method: string; readonly path: RegExp }[] = []
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.role === undefined) throw new Error(`route ${url} does not say who may call it`)
    const path = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z_]+/g, '[^/]+')}$`)
    for (const each of [method].flat()) known.push({ method: each, path })
  })
  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = request.url.split('?')
    const methods = [...new Set(known.filter((route) => route.path.test(path)).map(({ method }) => method))].toSorted()
    if (methods.length === 0) throw new ServiceError('not_found', 'there is no such path', { hint: 'GET /openapi.json lists them' })
    void reply.header('allow', methods.join(', '))
    throw new ServiceError('method_not_allowed', `this path takes ${methods.join(', ')}`)
  })
}

/** GET /openapi.json: printed from the schemas that validate. */
function describeApi(app: App, version: string): void {
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Wherefore',
        version,
        description: 'Questions over a relational database and root causes from logs, with answers that cite their records.',
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
  void app.register(async (scope) => {
    scope.get('/openapi.json', { config: { role: 'anyone' }, schema: { hide: true } }, async () => app.swagger())
  })
}
