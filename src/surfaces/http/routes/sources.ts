/** GET /api/sources and /api/flavors: what may be asked about. Names and labels only, no data of any source. */
import { z } from 'zod'
import { Tier } from '../../../contracts/index.ts'
import { emitPublic } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'

const Sources = z.object({ sources: z.array(z.object({ name: z.string(), flavor: z.string().nullable(), max_tier: Tier })) })
const Flavors = z.object({ flavors: z.array(z.object({ name: z.string(), label: z.string(), example: z.string().nullable() })) })

export function sourceRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/sources', {
    config: { role: 'reader' },
    schema: { tags: ['sources'], summary: 'Configured databases', response: { 200: Sources, default: PROBLEM_RESPONSE } },
    handler: async () => emitPublic({ sources: service.sources() }),
  })
  app.get('/api/flavors', {
    config: { role: 'reader' },
    schema: { tags: ['sources'], summary: 'Domains, with an example', response: { 200: Flavors, default: PROBLEM_RESPONSE } },
    handler: async () => emitPublic({ flavors: service.flavors() }),
  })
}
