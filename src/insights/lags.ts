/**
 * How long an effect takes to follow its cause: log-normal, as delays of queues, timers and retries mostly are, from the median and
 * the 95th percentile that mining found; a small even share over the window stands for clocks that are off and whatever else.
 */
export interface Lags {
  readonly mu: number
  readonly sigma: number
  readonly windowMs: number
}

/** The 95th percentile lies this many standard deviations above the median. */
const Z95 = 1.6449
/** Few sightings look narrower than they are. */
const LEAST_SIGMA = 0.2
const EVEN_SHARE = 0.05
/** Lags that reach to the end of the window were cut off there: in truth they spread wider by about this much. */
const CUT_OFF = { from: 0.85, wider: 1.5 } as const

export function lagsFrom(p50Ms: number, p95Ms: number, windowMs: number): Lags {
  const median = Math.max(1, p50Ms)
  const wider = p95Ms >= CUT_OFF.from * windowMs ? CUT_OFF.wider : 1
  const sigma = Math.max(LEAST_SIGMA, (wider * Math.log(Math.max(median, p95Ms) / median)) / Z95)
  return { mu: Math.log(median), sigma, windowMs: Math.max(1, windowMs) }
}

/** Nothing is known but the window: every lag within it fits as well as any other. */
export const anyLag = (windowMs: number): Lags => ({ mu: Number.NaN, sigma: Number.NaN, windowMs: Math.max(1, windowMs) })

const isEven = ({ mu }: Lags): boolean => Number.isNaN(mu)

/** Probability per millisecond. */
export function lagDensity(lags: Lags, ms: number): number {
  const even = ms >= 0 && ms <= lags.windowMs ? 1 / lags.windowMs : 0
  if (isEven(lags)) return even
  const lag = Math.max(1, ms)
  const z = (Math.log(lag) - lags.mu) / lags.sigma
  return (1 - EVEN_SHARE) * Math.exp((-z * z) / 2) / (lag * lags.sigma * Math.sqrt(2 * Math.PI)) + EVEN_SHARE * even
}

/** 1 for the median, less the further away; what is not known fits half. */
export function lagFit(lags: Lags, ms: number): number {
  if (isEven(lags)) return 0.5
  const z = (Math.log(Math.max(1, ms)) - lags.mu) / lags.sigma
  return Math.exp((-z * z) / 2)
}

/** Nineteen of twenty lags lie between these, or null where nothing is known. */
export function usualLags({ mu, sigma, windowMs }: Lags): readonly [from: number, to: number] | null {
  if (Number.isNaN(mu)) return null
  return [Math.floor(Math.exp(mu - 1.96 * sigma)), Math.ceil(Math.max(1, Math.min(windowMs, Math.exp(mu + 1.96 * sigma))))]
}

/** Two steps in a row: the log-normal with the mean and the variance of the sum (Fenton 1960). */
export function lagsInARow(first: Lags, second: Lags): Lags {
  const windowMs = first.windowMs + second.windowMs
  if (isEven(first) || isEven(second)) return anyLag(windowMs)
  const [one, other] = [momentsOf(first), momentsOf(second)]
  const [mean, variance] = [one.mean + other.mean, one.variance + other.variance]
  const spread = Math.log(1 + variance / mean ** 2)
  return { mu: Math.log(mean) - spread / 2, sigma: Math.sqrt(spread), windowMs }
}

function momentsOf({ mu, sigma }: Lags): { mean: number; variance: number } {
  const mean = Math.exp(mu + sigma ** 2 / 2)
  return { mean, variance: (Math.exp(sigma ** 2) - 1) * mean ** 2 }
}
