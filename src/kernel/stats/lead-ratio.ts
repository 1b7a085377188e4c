/** Which of two events comes first, and how long after it the other follows. Times are sorted, in milliseconds. */

export interface LeadCounts {
  /** pairs at most a window apart in which a stands before b, after b, or at the very same time */
  readonly before: number
  readonly after: number
  readonly tied: number
}

export const NO_PAIRS: LeadCounts = { before: 0, after: 0, tied: 0 }

/** Counts every pair of occurrences that lie at most `windowMs` apart. */
export function leadCounts(a: readonly number[], b: readonly number[], windowMs: number): LeadCounts {
  let before = 0
  let after = 0
  let tied = 0
  for (const t of a) {
    const here = firstAtLeast(b, t)
    const beyond = firstAbove(b, t)
    after += here - firstAtLeast(b, t - windowMs)
    tied += beyond - here
    before += firstAbove(b, t + windowMs) - beyond
  }
  return { before, after, tied }
}

export const addLeads = (x: LeadCounts, y: LeadCounts): LeadCounts => ({
  before: x.before + y.before,
  after: x.after + y.after,
  tied: x.tied + y.tied,
})

/** The share of pairs in which a leads. Simultaneous pairs say nothing about order, but are pairs: they count against both. */
export function leadRatio({ before, after, tied }: LeadCounts): number {
  const pairs = before + after + tied
  return pairs === 0 ? 0 : before / pairs
}

export interface Following {
  /** indices into a and b */
  readonly a: number
  readonly b: number
  readonly lagMs: number
}

/** For each a, the nearest b strictly after it, if one lies within the window. */
export function nearestFollowers(a: readonly number[], b: readonly number[], windowMs: number): Following[] {
  return a.flatMap((t, i) => {
    const j = firstAbove(b, t)
    const lagMs = (b[j] ?? Infinity) - t
    return lagMs <= windowMs ? [{ a: i, b: j, lagMs }] : []
  })
}

const firstAtLeast = (times: readonly number[], t: number): number => search(times, (x) => x >= t)
const firstAbove = (times: readonly number[], t: number): number => search(times, (x) => x > t)

/** The first index whose time passes a test that all later ones pass too. */
function search(times: readonly number[], passes: (time: number) => boolean): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (passes(times[middle] ?? Infinity)) high = middle
    else low = middle + 1
  }
  return low
}
