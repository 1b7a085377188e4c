/** /live, /ready, /health for whoever keeps the process running, /metrics for whoever watches it. */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Fault, ServiceError } from '../../../contracts/index.ts'
import { emitPublic } from '../../emit.ts'
import { bearer, localCaller } from '../identity.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'

const Alive = z.object({ status: z.literal('ok') })
const State = z.object({
  name: z.string(),
  state: z.enum(['ready', 'unavailable', 'untried']),
  dialect: z.string().nullable().optional().describe('for an admin'),
})
const Ready = Alive.extend({ sources: z.array(State) })
const Health = Ready.extend({ search_enabled: z.boolean(), version: z.string() })
const METRICS = 'text/plain; version=0.0.4; charset=utf-8'

export function healthRoutes(app: App, { service, tokens, localGrant }: RouteParts): void {
  /** These routes ask for no token, but an admin who sends one is told more. */
  const isAdmin = ({ headers }: FastifyRequest): boolean => {
    try {
      return (tokens === undefined ? localCaller(localGrant) : bearer(headers.authorization, tokens)).roles.includes('admin')
    } catch {
      return false
    }
  }

  /** The state of each source, or a problem that names those that cannot be opened. */
  async function ready(detailed: boolean): Promise<z.infer<typeof State>[]> {
    const states = await service.sources.readiness()
    const errors = states
      .filter(({ state }) => state !== 'ready')
      .map(({ name, detail, hint }): Fault => ({
        path: `sources.${name}`,
        message: detailed && detail !== null ? [detail, hint].filter((part) => part !== null).join('; ') : 'unavailable',
      }))
    if (errors.length > 0) {
      const some = `${errors.length} of ${states.length} sources`
      const hint = 'wherefore doctor says what is wrong'
      throw new ServiceError('source_unavailable', `${some} cannot be opened`, { errors, hint })
    }
    return states.map(({ name, state, dialect }) => (detailed ? { name, state, dialect } : { name, state }))
  }

  app.get('/live', {
    config: { role: 'anyone' },
    schema: { tags: ['operation'], summary: 'The process runs', response: { 200: Alive } },
    handler: async () => emitPublic({ status: 'ok' } as const),
  })
  app.get('/ready', {
    config: { role: 'anyone' },
    schema: { tags: ['operation'], summary: 'Every source can be asked', response: { 200: Ready, default: PROBLEM_RESPONSE } },
    handler: async () => emitPublic({ status: service.health().status, sources: await ready(false) }),
  })
  app.get('/health', {
    config: { role: 'anyone' },
    schema: {
      tags: ['operation'], summary: 'The same with version and switches, and with reasons for an admin',
      response: { 200: Health, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => emitPublic({ ...service.health(), sources: await ready(isAdmin(request)) }),
  })
  app.get('/metrics', {
    config: { role: 'admin' },
    schema: {
      tags: ['operation'],
      summary: 'Prometheus text',
      response: { 200: { description: 'metrics', content: { 'text/plain': { schema: z.string() } } }, default: PROBLEM_RESPONSE },
    },
    handler: async (_request, reply) => reply.type(METRICS).send(emitPublic(await service.metrics())),
  })
}
