/**
 * Which of several candidates really bring an event about: what one explains is not explained again by another.
 *
 * The event's times are a Poisson process whose rate is a background plus, after each occurrence of a cause, a bump of a
 * log-normal shape (a Hawkes process without self-excitation). Expectation-maximisation shares every occurrence out among
 * background and causes; then causes leave one by one while the likelihood loses too little to keep them. An effect of the
 * same cause, or the cause of a cause, explains the same occurrences with a broader lag and misses those where the middle link
 * is missing: it is the one that leaves.
 */

export interface ParentCandidate {
  /** occurrences of the candidate */
  readonly occurrences: number
  /** for each occurrence of the event, the lags to the candidate's occurrences shortly before it */
  readonly lagsMs: readonly (readonly number[])[]
  /** how much more an occurrence is to be expected at a lag because both name the same thing; 1 where the match is by time */
  readonly lift?: number
  /** where the lags are first looked for */
  readonly bandMs: readonly [from: number, to: number]
}

export interface ParentOptions {
  readonly spanMs: number
  readonly toleranceMs: number
  /** nats that a cause must add to what the others explain */
  readonly minGain: number
}

export interface ParentFit {
  /** index of the candidate */
  readonly candidate: number
  readonly kept: boolean
  /** nats lost without it, given those kept; for one that left, when it left */
  readonly gain: number
  /** index of the kept candidate that takes most of what this one explained; null where kept */
  readonly explainedBy: number | null
}

interface Kernel {
  weight: number
  centre: number
  width: number
}

const ROUNDS = 25
const MIN_WIDTH = 0.15
const MAX_WIDTH = 1.5

export function selectParents(events: number, candidates: readonly ParentCandidate[], options: ParentOptions): ParentFit[] {
  const prepared = candidates.map((candidate) => logged(candidate, options.toleranceMs))
  let kept = candidates.map((_, i) => i)
  const gone = new Map<number, ParentFit>()
  for (;;) {
    const all = fit(events, prepared, kept, options)
    const without = (each: number): Fit => fit(events, prepared, kept.filter((other) => other !== each), options)
    const losses = kept.map((each) => all.logLikelihood - without(each).logLikelihood)
    const least = losses.reduce((best, loss, i) => (loss < (losses[best] ?? Infinity) ? i : best), 0)
    const leaves = kept[least]
    if (leaves === undefined || (losses[least] ?? 0) >= options.minGain) {
      const staying = kept.map((candidate, i): ParentFit => ({ candidate, kept: true, gain: losses[i] ?? 0, explainedBy: null }))
      return [...staying, ...gone.values()].toSorted((x, y) => x.candidate - y.candidate)
    }
    const rest = kept.filter((each) => each !== leaves)
    const explainedBy = heir(all, without(leaves), kept, rest, leaves)
    gone.set(leaves, { candidate: leaves, kept: false, gain: losses[least] ?? 0, explainedBy })
    kept = rest
  }
}

interface Logged {
  readonly occurrences: number
  /** logarithms of the lags, in one array; `starts` says where each event's begin */
  readonly logs: Float64Array
  readonly starts: Uint32Array
  readonly lift: number
  readonly first: Kernel
}

/** Lags become logarithms, moved by the tolerance so that a clock that is off does not make them impossible. */
function logged({ occurrences, lagsMs, bandMs, lift = 1 }: ParentCandidate, toleranceMs: number): Logged {
  const move = toleranceMs + 20
  const logOf = (lag: number): number => Math.log(Math.max(lag, 1 - toleranceMs) + move)
  const [from, to] = [logOf(bandMs[0]), logOf(bandMs[1])]
  const starts = new Uint32Array(lagsMs.length + 1)
  for (const [i, lags] of lagsMs.entries()) starts[i + 1] = (starts[i] ?? 0) + lags.length
  const logs = Float64Array.from(lagsMs.flat(), logOf)
  const inside = logs.filter((log) => log >= from - 0.01 && log <= to + 0.01)
  const centre = inside.length === 0 ? (from + to) / 2 : inside.reduce((sum, log) => sum + log, 0) / inside.length
  const square = inside.reduce((sum, log) => sum + (log - centre) ** 2, 0) / Math.max(1, inside.length)
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.sqrt(square)))
  return { occurrences, logs, starts, lift, first: { weight: inside.length * 0.8, centre, width } }
}

interface Fit {
  readonly logLikelihood: number
  /** per event, the share each candidate (in the order asked for) has in it */
  readonly shares: readonly Float64Array[]
}

function fit(events: number, all: readonly Logged[], kept: readonly number[], { spanMs }: ParentOptions): Fit {
  const parents = kept.flatMap((i) => all[i] ?? [])
  const kernels = parents.map(({ first }) => ({ ...first }))
  let background = Math.max(0.5, events - kernels.reduce((sum, kernel) => sum + kernel.weight, 0))
  const shares = parents.map(() => new Float64Array(events))
  const densities = parents.map(({ logs }) => new Float64Array(logs.length))
  let logLikelihood = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    logLikelihood = -background
    for (const [c, parent] of parents.entries()) {
      const kernel = kernels[c]
      const density = densities[c]
      if (kernel === undefined || density === undefined) continue
      logLikelihood -= kernel.weight
      const height = (parent.lift * kernel.weight) / parent.occurrences / (kernel.width * Math.sqrt(2 * Math.PI))
      for (let i = 0; i < parent.logs.length; i += 1) {
        const log = parent.logs[i] ?? 0
        density[i] = height * Math.exp(-0.5 * ((log - kernel.centre) / kernel.width) ** 2 - log)
      }
    }
    const sums = parents.map(() => ({ weight: 0, first: 0, second: 0 }))
    const rates = new Float64Array(events).fill(background / spanMs)
    for (const [c, { starts }] of parents.entries()) addRates(rates, starts, densities[c] ?? rates)
    let idle = 0
    for (const rate of rates) {
      logLikelihood += Math.log(rate)
      idle += background / spanMs / rate
    }
    for (const [c, { starts, logs }] of parents.entries()) {
      const [sum, share, density] = [sums[c], shares[c], densities[c]]
      if (sum === undefined || share === undefined || density === undefined) continue
      for (let e = 0; e < events; e += 1) {
        let own = 0
        for (let i = starts[e] ?? 0; i < (starts[e + 1] ?? 0); i += 1) {
          const part = (density[i] ?? 0) / (rates[e] ?? 1)
          const log = logs[i] ?? 0
          own += part
          sum.weight += part
          sum.first += part * log
          sum.second += part * log * log
        }
        share[e] = own
      }
    }
    background = Math.max(0.5, idle)
    for (const [c, sum] of sums.entries()) {
      const kernel = kernels[c]
      if (kernel === undefined) continue
      kernel.weight = Math.max(sum.weight, 1e-9)
      if (sum.weight < 0.5) continue
      kernel.centre = sum.first / sum.weight
      // two sightings of no spread are added, so that few occurrences do not fit a needle
      const square = sum.second - sum.first * kernel.centre + 2 * 0.4 ** 2
      kernel.width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.sqrt(square / (sum.weight + 2))))
    }
  }
  return { logLikelihood, shares }
}

function addRates(rates: Float64Array, starts: Uint32Array, density: Float64Array): void {
  for (let e = 0; e < rates.length; e += 1) {
    for (let i = starts[e] ?? 0; i < (starts[e + 1] ?? 0); i += 1) rates[e] = (rates[e] ?? 0) + (density[i] ?? 0)
  }
}

/** Who of the rest gained most of what the one that left had. */
function heir(before: Fit, after: Fit, kept: readonly number[], rest: readonly number[], left: number): number | null {
  const lost = before.shares[kept.indexOf(left)]
  let best: number | null = null
  let most = 0
  for (const [i, each] of rest.entries()) {
    const share = after.shares[i]
    const got = share?.reduce((sum, value, e) => sum + value * Math.max(lost?.[e] ?? 0, 0), 0) ?? 0
    const own = share?.reduce((sum, value) => sum + value, 0) ?? 0
    const score = got + own * 1e-6
    if (score > most) [best, most] = [each, score]
  }
  return best
}
