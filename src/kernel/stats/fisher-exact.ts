/** Fisher's exact test of a table of two by two, one-sided: are both together more often than the margins alone would have it? */
import { logGamma } from './tail.ts'

export interface TwoByTwo {
  readonly both: number
  readonly onlyA: number
  readonly onlyB: number
  readonly neither: number
}

/** The chance of at least this many together, given how often each occurs (the hypergeometric tail). */
export function fisherExact({ both, onlyA, onlyB, neither }: TwoByTwo): number {
  const most = Math.min(both + onlyA, both + onlyB)
  const [a, b, n] = [both + onlyA, both + onlyB, both + onlyA + onlyB + neither]
  let sum = 0
  for (let k = both; k <= most; k += 1) {
    if (n - a - b + k < 0) continue
    sum += Math.exp(logChoose(a, k) + logChoose(n - a, b - k) - logChoose(n, b))
  }
  return Math.min(1, sum)
}

const logChoose = (n: number, k: number): number => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)
