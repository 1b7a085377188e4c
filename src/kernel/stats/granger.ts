/**
 * Granger causality at one lag order: does the past of x improve the forecast of y that y's own past gives?
 *
 * Two least-squares fits, y on its own lags and y on its own lags and those of x, compared by an F test (Granger 1969).
 * One order, chosen from y alone before x is looked at: taking the best of several turns a 5 % test into a 20 % one.
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
export function granger(x: ArrayLike<number>, y: ArrayLike<number>, order: number): Granger | null {
  const n = Math.min(x.length, y.length)
  const d1 = order
  const d2 = n - order - (2 * order + 1)
  if (order < 1 || d2 < 1) return null
  // columns: 1, lags of y, lags of x, y. One factorisation gives both fits: y's residual before and after the lags of x
  const products = crossProducts([y, x], y, order, n)
  const size = 2 * order + 2
  const total = products[size * size - 1] ?? 0
  const left = residuals(products, size, 1 + order)
  if (left === null) return null
  const [own, both] = left
  const scale = Math.max(Number.MIN_VALUE, total) * 1e-12
  if (own <= scale) return null // y's own past leaves nothing to explain
  const f = both <= scale ? Infinity : Math.max(0, (own - both) / d1 / (both / d2))
  return { f, p: fTail(f, d1, d2), order, d1, d2 }
}

/** The order of y's own memory: that of the autoregression with the lowest BIC (Schwarz 1978), on the points all orders share. */
export function lagOrder(y: ArrayLike<number>, most: number): number {
  let [best, least] = [1, Infinity]
  for (let order = 1; order <= most; order += 1) {
    const tail = from(y, most - order)
    const n = tail.length - order
    if (n < order + 2) break
    const left = residuals(crossProducts([tail], tail, order, tail.length), order + 2, 1 + order)
    if (left === null) continue
    const bic = n * Math.log(Math.max(left[0], 1e-300) / n) + (order + 1) * Math.log(n)
    if (bic < least - 1e-9) [best, least] = [order, bic]
  }
  return best
}

const from = (values: ArrayLike<number>, start: number): Float64Array => Float64Array.from(values).subarray(start)

/**
 * Lower half of the products of all columns, row by row: the constant, the lags of each series, and the target last. The
 * series are centred first: it changes no residual, and far less is lost in the differences.
 */
function crossProducts(series: readonly ArrayLike<number>[], y: ArrayLike<number>, order: number, n: number): Float64Array {
  const size = order * series.length + 2
  const centred = series.map((each) => centre(each, n))
  const target = centre(y, n)
  const products = new Float64Array(size * size)
  const row = new Float64Array(size)
  row[0] = 1
  for (let t = order; t < n; t += 1) {
    let c = 0
    for (const each of centred) for (let k = 1; k <= order; k += 1) row[(c += 1)] = each[t - k] as number
    row[size - 1] = target[t] as number
    for (let i = 0; i < size; i += 1) {
      const value = row[i] as number
      const line = i * size
      for (let j = 0; j <= i; j += 1) products[line + j] = (products[line + j] as number) + value * (row[j] as number)
    }
  }
  return products
}

function centre(values: ArrayLike<number>, n: number): Float64Array {
  let sum = 0
  for (let i = 0; i < n; i += 1) sum += values[i] as number
  const mean = sum / n
  const centred = new Float64Array(n)
  for (let i = 0; i < n; i += 1) centred[i] = (values[i] as number) - mean
  return centred
}

/**
 * Squared residuals of the last column on the first `own` columns, and on all before it (Cholesky: what a pivot has left is
 * the squared distance from the columns before). Null when a column depends on those before it.
 */
function residuals(products: Float64Array, size: number, own: number): [own: number, all: number] | null {
  const lower = new Float64Array(size * size)
  const last = size - 1
  let left = products[size * size - 1] as number
  let ofOwn = left
  for (let j = 0; j < last; j += 1) {
    let pivot = products[j * size + j] as number
    for (let k = 0; k < j; k += 1) pivot -= (lower[j * size + k] as number) ** 2
    if (!(pivot > 1e-10 * (products[j * size + j] as number))) return null
    const root = Math.sqrt(pivot)
    lower[j * size + j] = root
    for (let i = j + 1; i < size; i += 1) {
      let rest = products[i * size + j] as number
      for (let k = 0; k < j; k += 1) rest -= (lower[i * size + k] as number) * (lower[j * size + k] as number)
      lower[i * size + j] = rest / root
    }
    left -= (lower[last * size + j] as number) ** 2
    if (j === own - 1) ofOwn = left
  }
  return [ofOwn, left]
}

/** Counts per bin of the times in [start, end], for a series that `granger` can read. */
export function binCounts(times: ArrayLike<number>, start: number, end: number, binMs: number): Float64Array {
  const counts = new Float64Array(Math.floor((end - start) / binMs) + 1)
  for (let i = 0; i < times.length; i += 1) {
    const bin = Math.floor(((times[i] as number) - start) / binMs)
    if (bin >= 0 && bin < counts.length) counts[bin] = (counts[bin] as number) + 1
  }
  return counts
}
