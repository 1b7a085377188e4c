/** /api/insights/providers: who may be asked to plan and to word. No key and nothing of one ever leaves. */
import { z } from 'zod'
import { Tier } from '../../../contracts/index.ts'
import { emitPublic } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { untilGone } from '../stream.ts'

const Status = z.object({
  id: z.string(), label: z.string(), model: z.string(),
  residency: z.enum(['us-cloud', 'tenant-region', 'gcp-region', 'air-gapped']),
  max_tier: Tier,
  ready: z.boolean(),
  reason: z.string().nullable().describe('null when it is ready: key not set (NAME), SDK not installed (package), unreachable (host:port)'),
})
const Providers = z.object({ default: z.string(), providers: z.array(Status) }).meta({ id: 'Providers' })
const Tested = z.object({ id: z.string(), model: z.string(), ok: z.boolean(), reason: z.string().nullable(), ms: z.number() }).meta({ id: 'ProviderTest' })

export function providerRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/insights/providers', {
    config: { role: 'reader' },
    schema: { tags: ['insights'], summary: 'The providers, and why one cannot be used', response: { 200: Providers, default: PROBLEM_RESPONSE } },
    handler: async () => {
      const { providers, ...rest } = emitPublic(await service.providers.list())
      return { ...rest, providers: [...providers] }
    },
  })

  // it costs money and leaves the host: nothing that a reader may set off
  app.post('/api/insights/providers/:id/test', {
    config: { role: 'admin' },
    schema: {
      tags: ['insights'], summary: 'Call a provider once, with nothing of the data', params: z.strictObject({ id: z.string().max(64) }),
      body: z.strictObject({}).nullish(), response: { 200: Tested, default: PROBLEM_RESPONSE },
    },
    handler: async ({ params }, reply) => emitPublic(await service.providers.test(params.id, untilGone(reply))),
  })
}
