/** /live, /ready, /health for whoever keeps the process running, /metrics for whoever watches it. */
import { z } from 'zod'
import { emitPublic } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'

const Alive = z.object({ status: z.literal('ok') })
const Health = Alive.extend({ search_enabled: z.boolean(), version: z.string() })
const METRICS = 'text/plain; version=0.0.4; charset=utf-8'

export function healthRoutes(app: App, { service }: RouteParts): void {
  app.get('/live', {
    config: { role: 'anyone' },
    schema: { tags: ['operation'], summary: 'The process runs', response: { 200: Alive } },
    handler: async () => emitPublic({ status: 'ok' } as const),
  })
  app.get('/ready', {
    config: { role: 'anyone' },
    schema: { tags: ['operation'], summary: 'The service takes requests', response: { 200: Alive, default: PROBLEM_RESPONSE } },
    handler: async () => emitPublic({ status: service.health().status }),
  })
  app.get('/health', {
    config: { role: 'anyone' },
    schema: { tags: ['operation'], summary: 'Version and switches', response: { 200: Health, default: PROBLEM_RESPONSE } },
    handler: async () => emitPublic(service.health()),
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
