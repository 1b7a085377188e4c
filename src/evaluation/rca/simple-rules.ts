/** What a person would try first, as the measure of anything cleverer: one number for each service, the largest is the culprit. */
import { quantile } from '../../kernel/stats/index.ts'
import { compareText } from '../../kernel/term.ts'
import { type Day, type Request, type Series, type Setting, WINDOW_MS, isQuiet } from '../../logs/index.ts'

export const RULES = ['errors', 'latency', 'nsigma', 'baro'] as const
export type Rule = (typeof RULES)[number]

/** What each rule needs to see. */
export const RULES_OF: Readonly<Record<Setting, readonly Rule[]>> = { logs: ['errors'], 'logs+traces': ['errors', 'latency'], all: RULES }

export function rankByRules(day: Day, startMs: number, starts: readonly number[]): Record<Rule, string[]> {
  const now = day.requests.filter(({ startMs: at, reference }) => !reference && at >= startMs && at < startMs + WINDOW_MS)
  const before = day.requests.filter(({ startMs: at, reference }) => reference || isQuiet(at, startMs, starts))
  const order = (scores: ReadonlyMap<string, number>): string[] =>
    day.services.toSorted((x, y) => (scores.get(y) ?? -Infinity) - (scores.get(x) ?? -Infinity) || compareText(x, y))
  return {
    errors: order(errorRise(now, before)),
    latency: order(latencyRise(now, before)),
    nsigma: order(largestZ(day.series, startMs, starts, meanAndDeviation)),
    baro: order(largestZ(day.series, startMs, starts, medianAndRange)),
  }
}

/** Error lines for each request, above those before. */
function errorRise(now: readonly Request[], before: readonly Request[]): Map<string, number> {
  const rate = (requests: readonly Request[]): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const { lines } of requests) for (const { service, error } of lines) if (error) counts.set(service, (counts.get(service) ?? 0) + 1 / requests.length)
    return counts
  }
  const [after, usual] = [rate(now), rate(before)]
  return new Map([...new Set([...after.keys(), ...usual.keys()])].map((service) => [service, (after.get(service) ?? 0) - (usual.get(service) ?? 0)]))
}

/** Mean duration of a service's spans, above that before, in standard deviations of before. */
function latencyRise(now: readonly Request[], before: readonly Request[]): Map<string, number> {
  const durations = (requests: readonly Request[]): Map<string, number[]> => {
    const found = new Map<string, number[]>()
    for (const { spans } of requests) {
      for (const { service, startMs, endMs } of spans) {
        const own = found.get(service)
        if (own === undefined) found.set(service, [endMs - startMs])
        else own.push(endMs - startMs)
      }
    }
    return found
  }
  const usual = durations(before)
  return new Map([...durations(now)].map(([service, own]) => {
    const [mean, deviation] = meanAndDeviation(usual.get(service) ?? [])
    return [service, deviation > 0 ? (meanAndDeviation(own)[0] - mean) / deviation : 0]
  }))
}

type Usual = (values: readonly number[]) => readonly [centre: number, spread: number]

/** The largest distance of any measurement of the window from the centre of those before, in spreads. */
function largestZ(series: readonly Series[], startMs: number, starts: readonly number[], usual: Usual): Map<string, number> {
  const largest = new Map<string, number>()
  for (const { service, times, values } of series) {
    const [centre, spread] = usual(values.filter((_, i) => isQuiet(times[i] ?? 0, startMs, starts)))
    if (!(spread > 0)) continue
    for (const [i, at] of times.entries()) {
      if (at < startMs || at >= startMs + WINDOW_MS) continue
      const z = Math.abs((values[i] ?? 0) - centre) / spread
      if (z > (largest.get(service) ?? 0)) largest.set(service, z)
    }
  }
  return largest
}

const meanAndDeviation: Usual = (values) => {
  if (values.length === 0) return [0, 0]
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return [mean, Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)]
}

const medianAndRange: Usual = (values) => {
  if (values.length === 0) return [0, 0]
  return [quantile(values, 0.5) ?? 0, (quantile(values, 0.75) ?? 0) - (quantile(values, 0.25) ?? 0)]
}
