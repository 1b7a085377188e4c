/**
 * How surprising a share is against a baseline: the log-likelihood ratio of two binomial shares (G of Woolf 1957; Dunning 1993),
 * divided by how much the same share wanders between quiet stretches anyway (quasi-likelihood, Wedderburn 1974). Shares are better
 * than counts: they do not move when the load does.
 */
import { quantile } from '../../kernel/stats/index.ts'

/** 2 ln of the likelihood ratio; `deviance(10, 10, 0, 10)` is 27.7. */
export function deviance(k1: number, n1: number, k0: number, n0: number): number {
  if (n1 <= 0 || n0 <= 0) return 0
  const g = 2 * (spread(k1, n1) + spread(k0, n0) - spread(k1 + k0, n1 + n0))
  return g > 0 ? g : 0
}

/** Log-likelihood of k of n at its own share. */
const spread = (k: number, n: number): number => xlogx(k) + xlogx(n - k) - xlogx(n)
const xlogx = (x: number): number => (x > 0 ? x * Math.log(x) : 0)

/**
 * A fault makes the usual rarer or the rare more common. A share that moves the other way, towards what was usual already, is a
 * system that comes to rest.
 */
export const isFaultward = (k1: number, n1: number, k0: number, n0: number): boolean => {
  if (n1 <= 0 || n0 <= 0) return false
  const [now, before] = [k1 / n1, k0 / n0]
  return before >= 0.5 ? now < before : now > before
}

/** So many of so many, in one quiet stretch. */
export type Part = readonly [k: number, n: number]

/** Below this a deviation is chance (chi-square of one degree of freedom at p = .001). */
export const NOTABLE = 10.83

/**
 * The stretches that do not stand out against the one that is known to be free of faults: an earlier fault that nobody told of is
 * left out where it shows, and only there. Where that one had no occasion, all count.
 */
export const calmParts = (parts: readonly Part[], [k0, n0]: Part): readonly Part[] =>
  parts.filter(([k, n]) => deviance(k, n, k0, n0) < NOTABLE)

/** The median of a chi-square variable of one degree of freedom, which G is where only chance is at work. */
const MEDIAN_BY_CHANCE = 0.4549

/**
 * How often it came in quiet times: the interquartile mean of the stretches' shares, each weighted by how often it had the
 * occasion. An earlier fault may have outlived its time in some stretches, or this one begun before it was noticed; a median would
 * not see what is rare but happens.
 */
export function usualShare(parts: readonly Part[]): number {
  const shares = parts.filter(([, n]) => n > 0).map(([k, n]) => ({ share: k / n, n })).toSorted((x, y) => x.share - y.share)
  const total = shares.reduce((sum, { n }) => sum + n, 0)
  if (total === 0) return 0
  const [from, to] = [total / 4, (total * 3) / 4]
  let [below, inside] = [0, 0]
  for (const { share, n } of shares) {
    inside += share * Math.max(0, Math.min(to, below + n) - Math.max(from, below))
    below += n
  }
  return inside / (to - from)
}

/** How much more than by chance a share wanders from one quiet stretch to the others; 1 where chance explains it. */
export function dispersion(parts: readonly Part[], usual = usualShare(parts)): number {
  const n = parts.reduce((sum, [, each]) => sum + each, 0)
  const apart = parts.flatMap(([ki, ni]) => (ni === 0 || ni === n ? [] : [deviance(ki, ni, usual * (n - ni), n - ni)]))
  return Math.max(1, (quantile(apart, 0.5) ?? 0) / MEDIAN_BY_CHANCE)
}

/**
 * The same where a share drifts, as durations do while tables grow: each stretch against all before it, which is how an incident is
 * compared with what was before it. The parts come by time.
 */
export function drift(parts: readonly Part[]): number {
  let [k, n] = [0, 0]
  const apart: number[] = []
  for (const [ki, ni] of parts) {
    if (ni === 0) continue
    if (n > 0) apart.push(deviance(ki, ni, k, n))
    k += ki
    n += ni
  }
  return Math.max(1, (quantile(apart, 0.5) ?? 0) / MEDIAN_BY_CHANCE)
}
