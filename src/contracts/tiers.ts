/** Sensitivity tiers: closed and ordered. Every comparison of tiers in the product goes through this file. */
import { z } from 'zod'
import type { Severity } from './limits.ts'

export const TIERS = ['Public', 'Internal', 'Confidential', 'Restricted'] as const
export const Tier = z.enum(TIERS).meta({ id: 'Tier' })
export type Tier = z.infer<typeof Tier>

/** What nobody has labelled is treated as the most sensitive. */
export const UNLABELLED: Tier = 'Restricted'

export const tierRank = (tier: Tier): number => TIERS.indexOf(tier)
export const tierAt = (rank: number): Tier => TIERS[rank] ?? UNLABELLED
export const within = (tier: Tier, ceiling: Tier): boolean => tierRank(tier) <= tierRank(ceiling)
export const maxTier = (...tiers: readonly Tier[]): Tier => tierAt(Math.max(0, ...tiers.map(tierRank)))
export const minTier = (first: Tier, ...more: readonly Tier[]): Tier =>
  tierAt(Math.min(tierRank(first), ...more.map(tierRank)))
export const isTier = (value: unknown): value is Tier => Tier.safeParse(value).success

/** How sensitive the lines of a severity are, as SERVICE.md maps them. */
export const SEVERITY_TIER: Readonly<Record<Severity, Tier>> = {
  DEBUG: 'Public',
  INFO: 'Public',
  WARN: 'Internal',
  ERROR: 'Confidential',
  CRITICAL: 'Restricted',
}
