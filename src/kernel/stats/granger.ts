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
 * series are centred first: it changes no residual, and far less is lost in the differences. The product of two lags is that
 * of the lags before them with one point added and one taken away, so only the first of each diagonal is summed.
 */
function crossProducts(series: readonly ArrayLike<number>[], y: ArrayLike<number>, order: number, n: number): Float64Array {
  const size = order * series.length + 2
  const products = new Float64Array(size * size)
  const columns = [...series.map((each) => centre(each, n)), centre(y, n)]
  const last = columns.length - 1
  products[0] = n - order
  for (let u = 0; u <= last; u += 1) {
    const of = columns[u] as Float64Array
    const [fromI, toI] = u === last ? [0, 0] : [1, order]
    for (let i = fromI; i <= toI; i += 1) {
      const row = (u === last ? size - 1 : u * order + i) * size
      products[row] = sumOf(of, order - i, n - i)
      for (let v = 0; v <= u; v += 1) {
        const other = columns[v] as Float64Array
        const [fromJ, toJ] = v === last ? [0, 0] : [1, u === v ? i : order]
        for (let j = fromJ; j <= toJ; j += 1) {
          const column = v === last ? size - 1 : v * order + j
          if (i > 1 && j > 1) {
            const before = products[(u * order + i - 1) * size + v * order + j - 1] as number
            const added = (of[order - i] as number) * (other[order - j] as number)
            products[row + column] = before + added - (of[n - i] as number) * (other[n - j] as number)
          } else products[row + column] = dot(of, order - i, other, order - j, n - order)
        }
      }
    }
  }
  return products
}

function sumOf(values: Float64Array, start: number, end: number): number {
  let sum = 0
  for (let t = start; t < end; t += 1) sum += values[t] as number
  return sum
}

function dot(u: Float64Array, fromU: number, v: Float64Array, fromV: number, length: number): number {
  let sum = 0
  for (let t = 0; t < length; t += 1) sum += (u[fromU + t] as number) * (v[fromV + t] as number)
  return sum
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
