/**
 * Which measurements of a service jumped: the largest robust z in the window (distance from the median in interquartile ranges,
 * as BARO has it), set against how large it gets in quiet times over all services, so that a nervous metric needs a larger
 * jump. Where it is larger than anything seen, the tail goes on as a power of z (Hill 1975).
 */
import { quantile } from '../../kernel/stats/index.ts'
import type { Evidence } from './evidence.ts'
import type { Series } from './read/index.ts'
import { WINDOW_MS, isQuiet } from './segments.ts'

export interface ChangeEvidence extends Evidence {
  readonly kind: 'metric'
  readonly metric: string
  /** the value in the window that lies farthest from the usual, and the usual */
  readonly value: number
  readonly usual: number
  readonly z: number
}

/** Fewer measurements before the incident say nothing of what is usual. */
const MIN_BEFORE = 5
/** Quiet measurements that are looked back upon: a shift of load over the day is no fault. */
const LOOK_BACK = 60
/** A metric that never moved has no interquartile range; a step of a twentieth of its value counts as one. */
const LEAST_RANGE = 0.05
const NORMAL_IQR = 1.349
/** Less is no jump, however quiet the others are. */
const LEAST_Z = 3

interface Jump {
  readonly series: Series
  readonly z: number
  readonly value: number
  readonly usual: number
  /** z of earlier windows of the same length */
  readonly quiet: readonly number[]
}

export interface Changes {
  readonly evidence: ChangeEvidence[]
  /** how many metrics of each service were looked at */
  readonly tested: ReadonlyMap<string, number>
}

export function changes(series: readonly Series[], startMs: number, starts: readonly number[]): Changes {
  const jumps = series.flatMap((each) => jumpOf(each, startMs, starts) ?? [])
  const tested = new Map<string, number>()
  for (const { series: { service } } of jumps) tested.set(service, (tested.get(service) ?? 0) + 1)
  const evidence = [...Map.groupBy(jumps, ({ series: { metric } }) => metric).values()].flatMap((same) => {
    const quiet = same.flatMap((each) => each.quiet).toSorted((x, y) => x - y)
    return same.map(({ series: { service, metric }, z, value, usual }): ChangeEvidence => ({
      kind: 'metric', service, metric, value, usual, z, score: z < LEAST_Z ? 0 : -2 * Math.log(tailShare(quiet, z)),
    }))
  })
  return { evidence: evidence.toSorted((x, y) => y.score - x.score), tested }
}

export function jumpOf(series: Series, startMs: number, starts: readonly number[]): Jump | null {
  const { times, values } = series
  const before: number[] = []
  const window: number[] = []
  for (const [i, at] of times.entries()) {
    if (at >= startMs && at < startMs + WINDOW_MS) window.push(values[i] ?? 0)
    else if (isQuiet(at, startMs, starts)) before.push(values[i] ?? 0)
  }
  const base = before.slice(-LOOK_BACK)
  if (window.length === 0 || base.length < MIN_BEFORE) return null
  const usual = quantile(base, 0.5) ?? 0
  const range = (quantile(base, 0.75) ?? 0) - (quantile(base, 0.25) ?? 0)
  const scale = Math.max(range, LEAST_RANGE * Math.abs(usual), Number.MIN_VALUE) / NORMAL_IQR
  const zOf = (value: number): number => Math.abs(value - usual) / scale
  const value = window.reduce((far, each) => (zOf(each) > zOf(far) ? each : far))
  const windows = Math.max(1, base.length - window.length + 1)
  const quiet = Array.from({ length: windows }, (_, i) => Math.max(...base.slice(i, i + window.length).map(zOf)))
  // where all that was measured is zero, any other value is infinitely far
  return { series, z: Math.min(zOf(value), 1e6), value, usual, quiet: quiet.map((z) => Math.min(z, 1e6)) }
}

/** The share of quiet windows whose z is at least this large. */
export function tailShare(quiet: readonly number[], z: number): number {
  const n = quiet.length
  const largest = quiet.at(-1) ?? 0
  if (z <= largest || largest <= 0) return (1 + quiet.reduce((sum, each) => sum + (each >= z ? 1 : 0), 0)) / (n + 1)
  const tail = quiet.slice(Math.floor(n * 0.95)).filter((each) => each > 0)
  const least = tail[0] ?? largest
  const spread = tail.reduce((sum, each) => sum + Math.log(each / least), 0)
  const index = spread > 0 ? Math.min(3, tail.length / spread) : 1
  return (largest / z) ** index / (n + 1)
}
