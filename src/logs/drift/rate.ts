/** Whether a template comes more or less often than it did: counts in equal bins of time, before and now. */
import { normalTail } from '../../kernel/stats/index.ts'

export interface RateChange {
  /** per bin */
  readonly before: number
  readonly now: number
  readonly p: number
  /** the bin of today in which the change begins (Page and Hinkley), or null when it was there from the start */
  readonly since: number | null
}

/** How many times in each of `bins` bins of `binMs` from `startMs`. */
export function binned(times: readonly number[], startMs: number, binMs: number, bins: number): Float64Array {
  const counts = new Float64Array(bins)
  for (const time of times) {
    const bin = Math.min(bins - 1, Math.floor((time - startMs) / binMs))
    if (bin >= 0) counts[bin]! += 1
  }
  return counts
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/**
 * Two-sided, by the normal approximation. Lines come in bursts: the variance is that of the bins before, and never less than
 * the mean (Poisson).
 */
export function rateChange(before: Float64Array, now: Float64Array): RateChange {
  const [was, is] = [mean(before), mean(now)]
  const pooled = (was * before.length + is * now.length) / Math.max(1, before.length + now.length)
  const variance = before.length < 2 ? 0 : before.reduce((sum, value) => sum + (value - was) ** 2, 0) / (before.length - 1)
  const burst = was === 0 ? 1 : Math.max(1, variance / was)
  const spread = Math.sqrt(burst * pooled * (1 / Math.max(1, before.length) + 1 / Math.max(1, now.length)))
  const p = spread === 0 ? 1 : Math.min(1, 2 * normalTail(Math.abs(is - was) / spread))
  return { before: was, now: is, p, since: changePoint(now, was, is > was ? 1 : -1) }
}

/** Where the sum of the differences to the mean of before, less a tolerance, stands lowest before it climbs highest. */
function changePoint(now: Float64Array, was: number, direction: 1 | -1): number | null {
  const tolerance = was / 4
  let [sum, low, lowAt, climb, since] = [0, 0, 0, 0, 0]
  for (const [bin, value] of now.entries()) {
    sum += direction * (value - was) - tolerance
    if (sum - low > climb) [climb, since] = [sum - low, lowAt]
    if (sum < low) [low, lowAt] = [sum, bin + 1]
  }
  return since === 0 ? null : since
}
