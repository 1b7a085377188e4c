/** wherefore.json: what a project is made of. Flags win over the environment, the environment over this file. */
import { z } from 'zod'
import { Tier } from './tiers.ts'

/** `30d`: a whole number of days. */
export const Days = z.string().regex(/^[1-9]\d{0,4}d$/, 'a number of days, such as 30d')

/** A server's address, or the name of the environment variable that holds it: then no password stands in a file. */
export const SourceUrl = z
  .string()
  .regex(/^(env:[A-Za-z_][A-Za-z0-9_]*|(postgres|postgresql|mysql|mariadb):\/\/\S+)$/, {
    message: 'a postgres:// or mysql:// address, or env:NAME for one that stands in an environment variable',
  })

export const SourceName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'a source name has 1 to 64 characters of A-Z, a-z, 0-9, _ and -, and begins with a letter or digit')

export const SourceConfig = z
  .strictObject({
    /** a SQLite file */
    path: z.string().min(1).optional(),
    url: SourceUrl.optional(),
    flavor: z.string().optional(),
    max_tier: Tier.default('Restricted'),
    /** asks this source although its role could do more than read; the reason for it should stand in your runbook */
    allow_dangerous_role: z.boolean().optional(),
  })
  .refine(({ path, url }) => (path === undefined) !== (url === undefined), {
    message: 'a source has a path or a url, and not both',
  })
export type SourceConfig = z.infer<typeof SourceConfig>

/** What a project says differently about a provider of the catalogue. Keys stay in the environment. */
const ProviderConfig = z.strictObject({
  model: z.string().optional(),
  base_url: z.url().optional(),
  residency: z.enum(['us-cloud', 'tenant-region', 'gcp-region', 'air-gapped']).optional(),
  max_tier: Tier.optional(),
})

export const Config = z.strictObject({
  sources: z.record(SourceName, SourceConfig).default({}),
  /** flavors of the project; one of the same name wins over a bundled one */
  flavors_dir: z.string().min(1).default('flavors'),
  log_roots: z.array(z.string()).default([]),
  out: z.string().min(1).default('output'),
  store: z.string().min(1).default('.wherefore/store.db'),
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65535).default(4747),
  /** how old runs, samples and log events may grow before `wherefore prune` removes them */
  retention: Days.default('90d'),
  /** requests per second and token; 0 is no limit */
  rate_limit: z.number().min(0).max(1_000_000).default(50),
  /** by id of the catalogue; `default` names the provider that answers when a request names none */
  providers: z
    .strictObject({ default: z.string().optional(), catalogue: z.record(z.string(), ProviderConfig).default({}) })
    .default({ catalogue: {} }),
  base_iri: z.string().default('https://enterprise.example/ontology#'),
  record_base: z.string().default('https://enterprise.example/record/'),
})
export type Config = z.infer<typeof Config>

/** Where a source is: its file, its address, or the variable that holds the address. */
export const placeOf = ({ path, url }: SourceConfig): string => path ?? url ?? ''

/** An address without what only its owner should read. */
export function maskedUrl(url: string): string {
  if (url.startsWith('env:')) return url
  return url
    .replace(/^([a-z]+:\/\/[^/@:?#]*):.*@(?=[^@]*$)/i, '$1:***@')
    .replace(/([?&](?:password|passwd|pwd|sslpassword|sslkey|token|secret)=)[^&#]*/gi, '$1***')
}

export const hasSecret = (url: string): boolean => maskedUrl(url) !== url
