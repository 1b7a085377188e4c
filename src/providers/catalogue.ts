/** The providers a team may name. A key is looked up by the name of its environment variable and never kept. */
import { z } from 'zod'
import { ServiceError, Tier } from '../contracts/index.ts'

const Provider = z.strictObject({
  label: z.string(),
  model: z.string(),
  residency: z.enum(['us-cloud', 'tenant-region', 'gcp-region', 'air-gapped']),
  max_tier: Tier,
  env_keys: z.array(z.string()),
  package: z.string().optional(),
  base_url_default: z.string().optional(),
})
export const ProviderCatalogue = z.strictObject({ default: z.string(), providers: z.record(z.string(), Provider) })
export type ProviderCatalogue = z.infer<typeof ProviderCatalogue>

export interface ModelProvider {
  readonly id: string
  readonly model: string
  readonly residency: z.infer<typeof Provider>['residency']
  readonly maxTier: Tier
}

export type Readiness = { readonly ready: true; readonly provider: ModelProvider } | { readonly ready: false; readonly reason: string }

/** The provider of that name, or why it cannot be used. Only `embedded` plans here; it needs no model. */
export function providerNamed(catalogue: ProviderCatalogue, id: string, env: Readonly<Record<string, string | undefined>>): Readiness {
  const entry = Object.hasOwn(catalogue.providers, id) ? catalogue.providers[id] : undefined
  if (entry === undefined) {
    throw new ServiceError('unknown_provider', 'no provider of that name', { hint: `known: ${Object.keys(catalogue.providers).join(', ')}` })
  }
  if (id === 'embedded') return { ready: true, provider: { id, model: entry.model, residency: entry.residency, maxTier: entry.max_tier } }
  const missing = entry.env_keys.find((name) => (env[name] ?? '') === '')
  if (missing !== undefined) return { ready: false, reason: `key not set (${missing})` }
  return { ready: false, reason: `SDK not installed (${entry.package ?? id})` }
}

/** The one provider that plans and words a request. */
export function providerFor(
  catalogue: ProviderCatalogue,
  asked: string | { planner: string; synthesizer: string } | undefined,
  env: Readonly<Record<string, string | undefined>>,
): ModelProvider {
  const names = asked === undefined ? [catalogue.default] : typeof asked === 'string' ? [asked] : [asked.planner, asked.synthesizer]
  const [first] = names.map((id) => {
    const state = providerNamed(catalogue, id, env)
    if (!state.ready) {
      throw new ServiceError('provider_not_ready', `the provider ${id} is not ready: ${state.reason}`, { hint: 'name embedded, which needs no model' })
    }
    return state.provider
  })
  return first!
}
