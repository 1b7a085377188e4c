/** The providers a team may name. A key is looked up by the name of its environment variable and never kept. */
import { z } from 'zod'
import { ServiceError, Tier } from '../contracts/index.ts'
import { type ProviderCard, RESIDENCIES } from './model.ts'

export const CatalogueEntry = z.strictObject({
  label: z.string(),
  model: z.string(),
  residency: z.enum(RESIDENCIES),
  max_tier: Tier,
  env_keys: z.array(z.string()),
  package: z.string().optional(),
  base_url_default: z.string().optional(),
})
export type CatalogueEntry = z.infer<typeof CatalogueEntry>
export const ProviderCatalogue = z.strictObject({ default: z.string(), providers: z.record(z.string(), CatalogueEntry) })
export type ProviderCatalogue = z.infer<typeof ProviderCatalogue>

/** Names of environment variables and what they hold. */
export type Env = Readonly<Record<string, string | undefined>>

export function entryOf(catalogue: ProviderCatalogue, id: string): CatalogueEntry {
  const entry = Object.hasOwn(catalogue.providers, id) ? catalogue.providers[id] : undefined
  if (entry !== undefined) return entry
  throw new ServiceError('unknown_provider', 'no provider of that name', { hint: `known: ${Object.keys(catalogue.providers).join(', ')}` })
}

export const cardOf = (id: string, { model, residency, max_tier: maxTier }: CatalogueEntry): ProviderCard => ({ id, model, residency, maxTier })

/** What goes there leaves the regions that a team answers for: rows and derived facts need its consent. */
export const needsConsent = ({ residency }: Pick<ProviderCard, 'residency'>): boolean => residency === 'us-cloud' || residency === 'gcp-region'
