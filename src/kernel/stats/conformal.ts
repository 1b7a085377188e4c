/**
 * How unusual a score is among scores of the ordinary: conformal p-values (Vovk, Gammerman and Shafer 2005). They need no model
 * of the scores, only that an ordinary case is as likely to stand in any place of the ranking as any other.
 */
import { firstAtLeast } from './search.ts'

export interface Ranking {
  readonly size: number
  /** (1 + how many score at least as high) / (1 + all): never below 1 / (1 + all), never too small for an ordinary case */
  readonly p: (score: number) => number
  /** ties broken by chance in [0, 1), which makes the p of ordinary cases uniform */
  readonly smoothed: (score: number, chance: number) => number
  /**
   * as `p`, and beyond the highest ordinary scores by an exponential tail: a ranking alone cannot tell a score just above the
   * others from one far above them
   */
  readonly tail: (score: number) => number
}

/** Scores that differ by less are equal: the same sum in another order must not look like another score. */
const SAME = 1e-9
/** Nothing is impossible. */
const LEAST = 1e-300
/** With this many ordinary scores above, ranks speak for themselves. */
const ENOUGH_ABOVE = 10
/** Levels between which the steepness of the tail is read; the steepest fall is believed least. */
const LEVELS = [0.5, 0.75, 0.9, 0.97] as const
/** The share of the highest scores that may be no ordinary ones at all: the tail is not read from them. */
const CONTAMINATED = 0.02

/** The ranking of ordinary scores. `smallest`: the least unit in which a tail may fall by a factor e. */
export function rankingOf(scores: readonly number[], { smallest = 1e-6 }: { readonly smallest?: number } = {}): Ranking {
  const sorted = Float64Array.from(scores).toSorted()
  const size = sorted.length
  const atLeast = (score: number): number => size - firstAtLeast(sorted, score - SAME)
  const above = (score: number): number => size - firstAtLeast(sorted, score + SAME)
  const p = (score: number): number => (1 + atLeast(score)) / (1 + size)
  const scale = tailScale(sorted, smallest)
  // the highest score that enough ordinary ones reach: the tail begins here
  const trusted = Math.max(Math.min(ENOUGH_ABOVE, Math.ceil(size / 10)), Math.floor(size * CONTAMINATED))
  const from = size === 0 ? 0 : sorted[Math.max(0, size - trusted)]!
  return {
    size,
    p,
    smoothed: (score, chance) => (above(score) + chance * (1 + atLeast(score) - above(score))) / (1 + size),
    tail: (score) => {
      const ranked = p(score)
      return size === 0 || score <= from ? ranked : Math.min(ranked, Math.max(LEAST, p(from) * Math.exp(-(score - from) / scale)))
    },
  }
}

/** What an exponential tail falls by e over, read between quantiles. */
function tailScale(sorted: Float64Array, smallest: number): number {
  const size = sorted.length
  let scale = smallest
  for (const [i, low] of LEVELS.entries()) {
    for (const high of LEVELS.slice(i + 1)) {
      if ((1 - high) * size < 1) continue
      const fall = quantileOf(sorted, high) - quantileOf(sorted, low)
      scale = Math.max(scale, fall / Math.log((1 - low) / (1 - high)))
    }
  }
  return scale
}

const quantileOf = (sorted: Float64Array, level: number): number => sorted[Math.min(sorted.length - 1, Math.floor(level * sorted.length))]!

/** Kolmogorov and Smirnov's distance between values in [0, 1] and the uniform distribution; 0 for none. */
export function uniformDistance(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y)
  return sorted.reduce((worst, value, i) => Math.max(worst, value - i / sorted.length, (i + 1) / sorted.length - value), 0)
}
