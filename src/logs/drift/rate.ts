/** Whether a template comes more or less often than it did: counts in equal bins of time, before and now. */
import { normalTail } from '../../kernel/stats/index.ts'

const EARLIEST_BINS = 20

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

/** How a template used to come. */
export interface Habit {
  readonly perBin: number
  readonly bins: number
  /** the variance over the mean, 1 at least (Poisson): lines come in bursts */
  readonly burst: number
}

export function habitOf(counts: Float64Array): Habit {
  const perBin = mean(counts)
  const variance = counts.length < 2 ? 0 : counts.reduce((sum, value) => sum + (value - perBin) ** 2, 0) / (counts.length - 1)
  return { perBin, bins: counts.length, burst: perBin === 0 ? 1 : Math.max(1, variance / perBin) }
}

/** Of more lines than were kept: how many there were says how often, the earliest ones say how evenly. */
export function habitOfEarliest(earliest: readonly number[], lines: number, bins: number): Habit {
  const [from, to] = earliest.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [Infinity, -Infinity])
  const { burst } = habitOf(binned(earliest, from, Math.max(1, (to - from) / EARLIEST_BINS), EARLIEST_BINS))
  return { perBin: lines / Math.max(1, bins), bins, burst }
}

/**
 * Two-sided, by the normal approximation. The spread is that of the bins before.
 */
export function rateChange({ perBin: was, bins, burst }: Habit, now: Float64Array): RateChange {
  const is = mean(now)
  const pooled = (was * bins + is * now.length) / Math.max(1, bins + now.length)
  const spread = Math.sqrt(burst * pooled * (1 / Math.max(1, bins) + 1 / Math.max(1, now.length)))
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
