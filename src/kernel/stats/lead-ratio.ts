/** Which of two events comes first, and how long after it the other follows. Times are sorted, in milliseconds. */
import { firstAbove, firstAtLeast } from './search.ts'

export interface LeadCounts {
  /** pairs at most a window apart in which a stands before b, after b, or too close to tell */
  readonly before: number
  readonly after: number
  readonly tied: number
}

export const NO_PAIRS: LeadCounts = { before: 0, after: 0, tied: 0 }

/**
 * Counts pairs of occurrences that are each other's nearest and lie at most `windowMs` apart: a neighbour's neighbour is
 * nobody's partner, so that repeating one side adds no pairs. Clocks may differ by the tolerance: closer pairs have no order.
 */
export function leadCounts(a: ArrayLike<number>, b: ArrayLike<number>, windowMs: number, toleranceMs = 0): LeadCounts {
  const counts = { before: 0, after: 0, tied: 0 }
  for (let i = 0; i < a.length; i += 1) {
    const time = a[i] ?? 0
    const partner = nearest(b, time)
    const lag = partner - time
    if (!(Math.abs(lag) <= windowMs) || Math.abs(nearest(a, partner) - partner) < Math.abs(lag)) continue
    if (Math.abs(lag) <= toleranceMs) counts.tied += 1
    else if (lag > 0) counts.before += 1
    else counts.after += 1
  }
  return counts
}

/** The time nearest to this one; of two equally near the later. NaN of none. */
function nearest(times: ArrayLike<number>, time: number): number {
  const j = firstAtLeast(times, time)
  const [later, earlier] = [times[j] ?? NaN, j > 0 ? (times[j - 1] ?? NaN) : NaN]
  if (Number.isNaN(earlier)) return later
  return Number.isNaN(later) || time - earlier < later - time ? earlier : later
}

export const addLeads = (x: LeadCounts, y: LeadCounts): LeadCounts => ({
  before: x.before + y.before,
  after: x.after + y.after,
  tied: x.tied + y.tied,
})

/** The share in which a leads of the pairs that have an order; 0 where none has. */
export function leadRatio({ before, after }: LeadCounts): number {
  return before === 0 ? 0 : before / (before + after)
}

export interface Following {
  /** indices into a and b */
  readonly a: number
  readonly b: number
  readonly lagMs: number
}

/** For each a, the first b after it (from the tolerance before it on), if one comes within the window and before the next a. */
export function firstFollowers(a: ArrayLike<number>, b: ArrayLike<number>, windowMs: number, toleranceMs = 0): Following[] {
  const found: Following[] = []
  for (let i = 0; i < a.length; i += 1) {
    const time = a[i] ?? 0
    const j = firstAbove(b, time - toleranceMs)
    const lagMs = (b[j] ?? Infinity) - time
    if (lagMs <= windowMs && (b[j] ?? 0) - toleranceMs <= (a[i + 1] ?? Infinity)) found.push({ a: i, b: j, lagMs })
  }
  return found
}
