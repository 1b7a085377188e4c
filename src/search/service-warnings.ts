/**
 * What the service says of a request beside what the run itself says: an answer made again from its plan does not have these,
 * and a stored one may hold no others.
 */
import { TIERS, type Tier } from '../contracts/index.ts'

export const SERVICE_WARNINGS = {
  lowered: (ceiling: Tier): string => `max_tier was lowered to ${ceiling}, which is what you may see`,
  stale: 'the schema has changed since this answer was given: ask again',
  earlierUnplanned: 'the earlier search made no plan, so nothing can refer to it',
  earlierElsewhere: 'the earlier search asked another source, so it was left aside',
  earlierStale: 'the schema has changed since the earlier search, so it was left aside: ask it again first',
} as const

const { lowered, ...fixed } = SERVICE_WARNINGS
const KNOWN: ReadonlySet<string> = new Set([...TIERS.map(lowered), ...Object.values(fixed)])

/** The warnings of the run itself. One that stands twice is not the service's, which says nothing twice. */
export const withoutServiceWarnings = (warnings: readonly string[]): string[] =>
  warnings.filter((text, at) => !KNOWN.has(text) || warnings.indexOf(text) < at)
