/** wherefore.json: what a project is made of. Flags win over the environment, the environment over this file. */
import { z } from 'zod'
import { Tier } from './tiers.ts'

export const SourceConfig = z.strictObject({
  path: z.string(),
  flavor: z.string().optional(),
  max_tier: Tier.default('Restricted'),
})
export type SourceConfig = z.infer<typeof SourceConfig>

export const Config = z.strictObject({
  sources: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), SourceConfig).default({}),
  log_roots: z.array(z.string()).default([]),
  out: z.string().default('output'),
  store: z.string().default('.wherefore/store.db'),
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65535).default(4747),
  base_iri: z.string().default('https://enterprise.example/ontology#'),
  record_base: z.string().default('https://enterprise.example/record/'),
})
export type Config = z.infer<typeof Config>
