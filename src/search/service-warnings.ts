/**
 * What the service says of a request beside what the run itself says: an answer made again from its plan does not have these,
 * and a stored one may hold no others.
 */
import { TIERS, type Tier } from '../contracts/index.ts'
import { FAILURES, type FailureKind } from '../providers/index.ts'

const FAILED = Object.fromEntries(Object.entries(FAILURES).map(([kind, { said }]) => [kind, said])) as Record<FailureKind, string>

/** Why the plan is not a model's, though one was named. */
const UNPLANNED = {
  ...FAILED,
  no_plan: 'found no plan',
  faulty: 'gave a plan that does not fit the question or the vocabulary',
  refers_back: 'is not told of earlier answers',
} as const

/** Why the words are not all a model's. */
const UNWORDED = { ...FAILED, changed: 'changed what a sentence says', too_long: 'was not asked, since the answer is long' } as const

export const SERVICE_WARNINGS = {
  unworded: (why: keyof typeof UNWORDED): string => `the model ${UNWORDED[why]}: that is said in our own words`,
  unplanned: (why: keyof typeof UNPLANNED): string => `the model ${UNPLANNED[why]}: the plan is the embedded planner's`,
  cleared: (ceiling: Tier): string => `max_tier was lowered to ${ceiling}, which is what the provider is cleared for`,
  lowered: (ceiling: Tier): string => `max_tier was lowered to ${ceiling}, which is what you may see`,
  stale: 'the schema has changed since this answer was given: ask again',
  earlierUnplanned: 'the earlier search made no plan, so nothing can refer to it',
  earlierElsewhere: 'the earlier search asked another source, so it was left aside',
  earlierStale: 'the schema has changed since the earlier search, so it was left aside: ask it again first',
} as const

const { lowered, cleared, unplanned, unworded, ...fixed } = SERVICE_WARNINGS
const whys = Object.keys(UNPLANNED) as (keyof typeof UNPLANNED)[]
const wordings = Object.keys(UNWORDED) as (keyof typeof UNWORDED)[]
const KNOWN: ReadonlySet<string> = new Set([...TIERS.map(lowered), ...TIERS.map(cleared), ...whys.map(unplanned), ...wordings.map(unworded), ...Object.values(fixed)])

/** The warnings of the run itself. One that stands twice is not the service's, which says nothing twice. */
export const withoutServiceWarnings = (warnings: readonly string[]): string[] =>
  warnings.filter((text, at) => !KNOWN.has(text) || warnings.indexOf(text) < at)
