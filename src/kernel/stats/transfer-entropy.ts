/**
 * Transfer entropy between two kinds of event, at event level: how many bits the occurrence of a gives about when b comes next.
 *
 * Each a has a nearest later b, at some lag inside the window or none. The distribution of that lag is compared with what it
 * is when b is shifted round the clock by a random amount: a shift keeps b's own rhythm and bursts, and breaks only its tie
 * to a. Six outages in an afternoon are enough for this, where a regression over hundreds of empty bins has no power.
 */
import { nearestFollowers } from './lead-ratio.ts'
import type { Rng } from './rng.ts'

/** Occurrences of a and b on one entity (or all of them, where no entity is shared); sorted, in milliseconds. */
export interface EventPair {
  readonly a: readonly number[]
  readonly b: readonly number[]
}

export interface TransferEntropyOptions {
  readonly startMs: number
  readonly endMs: number
  readonly windowMs: number
  readonly random: Rng
  readonly surrogates?: number // 200: the mean and spread of a null need no more, its far tail would
}

export interface TransferEntropy {
  readonly bits: number
  readonly surrogateBits: number
  /** standard deviations above the shifted clocks; negative when b avoids a */
  readonly z: number
  readonly followed: number
  readonly expected: number
}

const LAG_BINS = 6
/** Below this many occurrences a coincidence and a cause look the same. */
const MIN_EVENTS = 5
/** Where no shifted clock ever meets, the spread is 0 and z without bound: half a bit is less than one sighting is worth. */
const MIN_SPREAD = 0.5

/** Null where it cannot be told: too few events, or a span too short to shift within. */
export function transferEntropy(groups: readonly EventPair[], options: TransferEntropyOptions): TransferEntropy | null {
  const { startMs, endMs, windowMs, random, surrogates = 200 } = options
  const span = endMs - startMs
  const count = (side: 'a' | 'b'): number => groups.reduce((sum, group) => sum + group[side].length, 0)
  if (count('a') < MIN_EVENTS || count('b') < MIN_EVENTS || span <= 4 * windowMs) return null

  const observed = lagHistogram(groups, windowMs)
  const shifted = Array.from({ length: surrogates }, () => {
    const by = windowMs + random() * (span - 2 * windowMs)
    return lagHistogram(groups.map(({ a, b }) => ({ a, b: rotate(b, startMs, span, by) })), windowMs)
  })
  // half a sighting in each bin: a lag that no surrogate showed is rare, not impossible
  const pooled = observed.map((_, bin) => 0.5 + shifted.reduce((sum, histogram) => sum + (histogram[bin] ?? 0), 0))
  const all = pooled.reduce((sum, value) => sum + value, 0)
  const chance = pooled.map((value) => value / all)

  const bits = information(observed, chance)
  const nulls = shifted.map((histogram) => information(histogram, chance))
  const mean = nulls.reduce((sum, value) => sum + value, 0) / nulls.length
  const spread = Math.sqrt(nulls.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (nulls.length - 1))
  const followed = count('a') - (observed[LAG_BINS] ?? 0)
  const expected = count('a') * (1 - (chance[LAG_BINS] ?? 0))
  const z = (bits - mean) / Math.max(spread, MIN_SPREAD)
  return { bits, surrogateBits: mean, z: followed > expected ? z : -Math.abs(z), followed, expected }
}

/** How often the nearest follower comes at each lag; bins halve towards zero, the last counts those without a follower. */
function lagHistogram(groups: readonly EventPair[], windowMs: number): number[] {
  const bins = Array.from({ length: LAG_BINS + 1 }, () => 0)
  for (const { a, b } of groups) {
    const following = nearestFollowers(a, b, windowMs)
    for (const { lagMs } of following) {
      const bin = Math.min(LAG_BINS - 1, Math.floor(Math.log2(windowMs / lagMs)))
      bins[bin] = (bins[bin] ?? 0) + 1
    }
    bins[LAG_BINS] = (bins[LAG_BINS] ?? 0) + a.length - following.length
  }
  return bins
}

/** Bits by which the histogram departs from chance: n times the Kullback-Leibler divergence. */
function information(histogram: readonly number[], chance: readonly number[]): number {
  const n = histogram.reduce((sum, value) => sum + value, 0)
  return histogram.reduce((sum, value, bin) => (value === 0 ? sum : sum + value * Math.log2(value / n / (chance[bin] ?? 1))), 0)
}

/** All times moved by the same amount, those past the end coming in again at the start; stays sorted. */
function rotate(times: readonly number[], start: number, span: number, by: number): number[] {
  const moved = times.map((time) => time + by)
  const wraps = moved.findIndex((time) => time > start + span)
  if (wraps < 0) return moved
  return [...moved.slice(wraps).map((time) => time - span), ...moved.slice(0, wraps)]
}
