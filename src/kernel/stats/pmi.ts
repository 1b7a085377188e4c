/**
 * Pointwise mutual information over windows, in bits: how much more often b comes within a window of a than in any window.
 *
 * Each a opens a window, unless one that an earlier a opened is still open: a message repeated a hundred times in one slice of
 * time is one sighting, or a retry loop would look like evidence. How many windows hold b by chance is known exactly from the
 * gaps between the occurrences of b: it is the share of all moments at which a window could open and find it.
 */
import { firstAbove } from './search.ts'

export interface PmiCounts {
  /** windows that hold both, windows of a, windows that hold b by chance, and windows in all */
  readonly together: number
  readonly a: number
  readonly b: number
  readonly total: number
}

/** log2( p(a,b) / (p(a) p(b)) ): 0 is chance, 1 twice as often; minus infinity for things never seen together. */
export const pmi = ({ together, a, b, total }: PmiCounts): number =>
  together === 0 ? -Infinity : Math.log2((together * total) / (a * b))

/** Counts for a and b, apart by group where they share things: only windows of the same group are compared. */
export function windowCounts(
  groups: readonly { readonly a: ArrayLike<number>; readonly b: ArrayLike<number> }[],
  { windowMs, spanMs, toleranceMs = 0 }: { readonly windowMs: number; readonly spanMs: number; readonly toleranceMs?: number },
): PmiCounts {
  let [together, opened, chance] = [0, 0, 0]
  for (const { a, b } of groups) {
    const share = a.length === 0 ? 0 : coverage(b, windowMs + toleranceMs, spanMs)
    let open = -Infinity
    for (let i = 0; i < a.length; i += 1) {
      const time = (a[i] ?? 0) - toleranceMs
      if (time < open) continue
      open = time + windowMs
      opened += 1
      chance += share
      if ((b[firstAbove(b, time)] ?? Infinity) <= open + toleranceMs) together += 1
    }
  }
  const total = spanMs / windowMs
  return { together, a: opened, b: opened === 0 ? 0 : (chance / opened) * total, total }
}

/** The share of moments after which the next of these times comes within the window; after the last comes the first again. */
export function coverage(times: ArrayLike<number>, windowMs: number, spanMs: number): number {
  let sum = 0
  for (let i = 0; i < times.length; i += 1) {
    const next = i + 1 < times.length ? (times[i + 1] ?? 0) : (times[0] ?? 0) + spanMs
    sum += Math.min(windowMs, next - (times[i] ?? 0))
  }
  return spanMs <= 0 ? 1 : Math.min(1, sum / spanMs)
}
