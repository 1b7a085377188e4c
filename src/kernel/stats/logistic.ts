/**
 * Ridge logistic regression by Newton's method (iteratively reweighted least squares; Hastie, Tibshirani, Friedman, The Elements
 * of Statistical Learning, 4.4.1), and the area under the ROC curve with its standard error (Hanley and McNeil 1982).
 * No chance: the same rows give the same weights.
 */

export interface LogisticModel {
  /** the last one is the intercept, which is not penalised */
  readonly weights: Float64Array
}

const ROUNDS = 25
/** Each step squares what is left: after one this small, less than a ten-thousand-millionth is. */
const SMALL_STEP = 1e-5

export interface RidgeOptions {
  /** the ridge on each weight */
  readonly penalty?: number
  /** weights to begin with */
  readonly start?: Float64Array
}

/** `rows` all have the same length. */
export function fitRidgeLogistic(rows: readonly Float64Array[], labels: readonly boolean[], { penalty = 1, start }: RidgeOptions = {}): LogisticModel {
  const width = (rows[0]?.length ?? 0) + 1
  const weights = start === undefined ? new Float64Array(width) : Float64Array.from(start)
  if (rows.length === 0) return { weights }
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = new Float64Array(width)
    const hessian = new Float64Array(width * width)
    for (const [r, row] of rows.entries()) {
      const p = logistic(oddsOf(weights, row))
      const pull = (labels[r] === true ? 1 : 0) - p
      const weight = Math.max(p * (1 - p), 1e-9)
      for (let i = 0; i < width; i += 1) {
        const x = i === width - 1 ? 1 : row[i]!
        if (x === 0) continue
        gradient[i]! += pull * x
        const [weighted, at, to] = [weight * x, i * width, Math.min(i, width - 2)]
        for (let j = 0; j <= to; j += 1) hessian[at + j]! += weighted * row[j]!
        if (i === width - 1) hessian[at + i]! += weighted
      }
    }
    for (let i = 0; i < width; i += 1) {
      if (i < width - 1) gradient[i]! -= penalty * weights[i]!
      hessian[i * width + i]! += i < width - 1 ? penalty : 1e-6
    }
    const step = solved(hessian, gradient, width)
    let largest = 0
    for (let i = 0; i < width; i += 1) {
      weights[i]! += step[i]!
      largest = Math.max(largest, Math.abs(step[i]!))
    }
    if (largest < SMALL_STEP) break
  }
  return { weights }
}

/** Log odds: orders rows exactly as their probabilities do. */
export function oddsOf(weights: Float64Array, row: Float64Array): number {
  let odds = weights[weights.length - 1]!
  for (let i = 0; i < row.length; i += 1) odds += weights[i]! * row[i]!
  return odds
}

export const logistic = (odds: number): number => (odds >= 0 ? 1 / (1 + Math.exp(-odds)) : 1 - 1 / (1 + Math.exp(odds)))

/** Cholesky of the lower triangle, in place, then both substitutions. */
function solved(lower: Float64Array, right: Float64Array, n: number): Float64Array {
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = lower[i * n + j]!
      for (let k = 0; k < j; k += 1) sum -= lower[i * n + k]! * lower[j * n + k]!
      lower[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[j * n + j]!
    }
  }
  const x = Float64Array.from(right)
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k < i; k += 1) x[i]! -= lower[i * n + k]! * x[k]!
    x[i]! /= lower[i * n + i]!
  }
  for (let i = n - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < n; k += 1) x[i]! -= lower[k * n + i]! * x[k]!
    x[i]! /= lower[i * n + i]!
  }
  return x
}

export interface Auc {
  /** the chance that a random positive scores above a random negative, a tie counting half */
  readonly auc: number
  readonly standardError: number
}

/** null where one of the two outcomes never occurs. */
export function aucOf(scores: readonly number[], labels: readonly boolean[]): Auc | null {
  const positives = labels.filter(Boolean).length
  const negatives = labels.length - positives
  if (positives === 0 || negatives === 0) return null
  const order = scores.map((_, i) => i).toSorted((x, y) => scores[x]! - scores[y]!)
  let ranks = 0
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && scores[order[to]!] === scores[order[from]!]) to += 1
    const mean = (from + 1 + to) / 2
    for (let at = from; at < to; at += 1) if (labels[order[at]!] === true) ranks += mean
    from = to
  }
  const auc = (ranks - (positives * (positives + 1)) / 2) / (positives * negatives)
  const [q1, q2] = [auc / (2 - auc), (2 * auc * auc) / (1 + auc)]
  const variance = (auc * (1 - auc) + (positives - 1) * (q1 - auc * auc) + (negatives - 1) * (q2 - auc * auc)) / (positives * negatives)
  return { auc, standardError: Math.sqrt(Math.max(0, variance)) }
}
