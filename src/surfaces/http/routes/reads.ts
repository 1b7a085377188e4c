/** What all reads share: the ceiling a caller may set below their own grant. */
import { Tier, minTier } from '../../../contracts/index.ts'
import type { Caller } from '../../../runtime/index.ts'

export const Ceiling = { max_tier: Tier.optional().describe('see no more than this tier; the default is the grant') }

/** The same caller, seeing no further than they ask to. A wish above the grant changes nothing. */
export const lowered = (caller: Caller, wish: Tier | undefined): Caller =>
  wish === undefined ? caller : { ...caller, grant: minTier(caller.grant, wish) }
