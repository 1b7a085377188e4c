/**
 * Granger causality at one lag order: does the past of x improve the forecast of y that y's own past gives?
 *
 * Two least-squares fits, y on its own lags and y on its own lags and those of x, compared by an F test (Granger 1969).
 * One order, chosen before looking: taking the best of several turns a 5 % test into a 20 % one.
 */
import { fTail } from './tail.ts'

export interface Granger {
  readonly f: number
  readonly p: number
  readonly order: number
  readonly d1: number
  readonly d2: number
}

/** Null where the question has no answer: too few points, or a series whose lags are not independent (a constant one). */
export function granger(x: readonly number[], y: readonly number[], order: number): Granger | null {
  const n = Math.min(x.length, y.length)
  const d1 = order
  const d2 = n - order - (2 * order + 1)
  if (order < 1 || d2 < 1) return null
  const rows = lagged([y, x], order, n)
  const own = residuals(y, rows, 1 + order, order)
  const both = residuals(y, rows, 1 + 2 * order, order)
  if (own === null || both === null) return null
  const scale = Math.max(1, own) * 1e-12
  if (own <= scale) return null // y's own past leaves nothing to explain
  const f = both <= scale ? Infinity : Math.max(0, (own - both) / d1 / (both / d2))
  return { f, p: fTail(f, d1, d2), order, d1, d2 }
}

interface Rows {
  readonly width: number
  readonly count: number
  readonly values: Float64Array
}

/** One row per point in time: a constant, then the lags of each series in turn. */
function lagged(series: readonly (readonly number[])[], order: number, n: number): Rows {
  const width = 1 + order * series.length
  const values = new Float64Array((n - order) * width)
  for (let t = order; t < n; t += 1) {
    let at = (t - order) * width
    values[at] = 1
    for (const each of series) for (let k = 1; k <= order; k += 1) values[(at += 1)] = each[t - k] ?? 0
  }
  return { width, count: n - order, values }
}

/** The sum of squared residuals of y on the first columns of the rows; null when the fit is not unique. */
function residuals(y: readonly number[], { width, count, values }: Rows, columns: number, order: number): number | null {
  const products = Array.from({ length: columns }, () => Array.from({ length: columns }, () => 0))
  const target = Array.from({ length: columns }, () => 0)
  for (let r = 0; r < count; r += 1) {
    for (let i = 0; i < columns; i += 1) {
      const value = values[r * width + i] ?? 0
      if (value === 0) continue // counts are mostly zero
      target[i] = (target[i] ?? 0) + value * (y[r + order] ?? 0)
      const line = products[i] ?? []
      for (let j = 0; j <= i; j += 1) line[j] = (line[j] ?? 0) + value * (values[r * width + j] ?? 0)
    }
  }
  const weights = solve(products, target)
  if (weights === null) return null
  let sum = 0
  for (let r = 0; r < count; r += 1) {
    let forecast = 0
    for (let i = 0; i < columns; i += 1) forecast += (values[r * width + i] ?? 0) * (weights[i] ?? 0)
    sum += ((y[r + order] ?? 0) - forecast) ** 2
  }
  return sum
}

const at = (m: readonly (readonly number[])[], i: number, j: number): number => m[i]?.[j] ?? 0

/** Solves A w = b for a symmetric positive definite A given by its lower half (Cholesky); null when A is singular. */
function solve(a: readonly (readonly number[])[], b: readonly number[]): number[] | null {
  const size = b.length
  const lower: number[][] = []
  for (let i = 0; i < size; i += 1) {
    const line: number[] = []
    lower.push(line)
    for (let j = 0; j <= i; j += 1) {
      let rest = at(a, i, j)
      for (let k = 0; k < j; k += 1) rest -= at(lower, i, k) * at(lower, j, k)
      if (i !== j) line.push(rest / at(lower, j, j))
      else if (rest <= 1e-10 * at(a, i, i) || rest <= 0) return null
      else line.push(Math.sqrt(rest))
    }
  }
  const forward: number[] = []
  for (let i = 0; i < size; i += 1) {
    const known = forward.reduce((sum, value, k) => sum + at(lower, i, k) * value, 0)
    forward.push(((b[i] ?? 0) - known) / at(lower, i, i))
  }
  const weights = Array.from({ length: size }, () => 0)
  for (let i = size - 1; i >= 0; i -= 1) {
    let known = 0
    for (let k = i + 1; k < size; k += 1) known += at(lower, k, i) * (weights[k] ?? 0)
    weights[i] = ((forward[i] ?? 0) - known) / at(lower, i, i)
  }
  return weights
}

/** Counts per bin of the times in [start, end], for a series that `granger` can read. */
export function binCounts(times: readonly number[], start: number, end: number, binMs: number): number[] {
  const counts = Array.from({ length: Math.floor((end - start) / binMs) + 1 }, () => 0)
  for (const time of times) {
    const bin = Math.floor((time - start) / binMs)
    if (bin >= 0 && bin < counts.length) counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts
}
