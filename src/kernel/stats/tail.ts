/** Tail probabilities: the F distribution by the incomplete beta function, and the normal distribution. */

/** The chance of an F statistic at least this large with d1 and d2 degrees of freedom. */
export function fTail(f: number, d1: number, d2: number): number {
  if (Number.isNaN(f) || d1 <= 0 || d2 <= 0) return Number.NaN
  if (f <= 0) return 1
  return f === Infinity ? 0 : incompleteBeta(d2 / (d2 + d1 * f), d2 / 2, d1 / 2)
}

/** The chance of a standard normal value at least this large (Abramowitz and Stegun 26.2.17, error below 7.5e-8). */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  const t = 1 / (1 + 0.2316419 * z)
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series
}

/** The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction (DLMF 8.17.22). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // the fraction converges fast on this side of the mean; the other side is its mirror
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a
  const tiny = 1e-300
  const nonZero = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= 500; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / nonZero(1 + even * d)
    c = nonZero(1 + even / c)
    fraction *= c * d
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / nonZero(1 + odd * d)
    c = nonZero(1 + odd / c)
    fraction *= c * d
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return Math.min(1, front * fraction)
}

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012,
  9.9843695780195716e-6, 1.5056327351493116e-7,
] as const

/** Logarithm of the gamma function for x >= 0.5 (Lanczos, g = 7, nine terms). */
export function logGamma(x: number): number {
  const shifted = x - 1
  const t = shifted + 7.5
  const series = LANCZOS.reduce((sum, term, i) => sum + term / (shifted + i + 1), 0.99999999999980993)
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(series)
}
