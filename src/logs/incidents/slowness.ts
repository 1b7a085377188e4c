/**
 * Which services became slow by themselves: the time of a span without the time of what it called, and the time that a call took
 * on its way beyond the work of the called. A service that only waits for another has no time of its own to show. Without spans,
 * the time between neighbouring lines of a service with nobody's line between them.
 */
import type { Request } from './day.ts'
import { type Part, deviance, drift } from './deviance.ts'
import type { Evidence } from './evidence.ts'
import type { Span } from './read/index.ts'
import { REFERENCE, type Segments } from './segments.ts'

export interface SlowEvidence extends Evidence {
  readonly kind: 'slow' | 'link'
  /** what became slow: an operation, or a caller and the called */
  readonly what: string
  /** longer than this is slow here, in milliseconds */
  readonly limitMs: number
  readonly now: readonly [k: number, n: number]
  readonly before: readonly [k: number, n: number]
}

export interface Duration {
  readonly kind: 'slow' | 'link'
  /** one service, or the two ends of a call */
  readonly services: readonly string[]
  readonly what: string
  readonly ms: number
}

/** Slow is what took longer than nine tenths did before. */
const USUAL_SHARE = 0.9
/** And by half an octave at least: a little slower is no fault. */
const BEYOND = 1
/** Half octaves from a microsecond up: 1.4 times as long is another bucket. */
const BUCKETS = 64
const bucketOf = (ms: number): number => Math.min(BUCKETS - 1, Math.max(0, Math.floor(2 * Math.log2(Math.max(ms, 0.001) * 1000))))
const limitOf = (bucket: number): number => 2 ** (bucket / 2) / 1000

interface Histogram {
  readonly kind: Duration['kind']
  readonly services: readonly string[]
  readonly what: string
  /** bucket counts of one segment after the other */
  readonly counts: Int32Array
}

export class Slowness {
  readonly #segments: Segments
  readonly #histograms = new Map<string, Histogram>()

  constructor(requests: readonly Request[], segments: Segments, withSpans: boolean) {
    this.#segments = segments
    for (const request of requests) {
      const segment = request.reference ? REFERENCE : segments.at(request.startMs)
      for (const duration of withSpans ? spanDurations(request.spans) : lineDurations(request)) this.#add(duration, segment)
    }
  }

  at(startMs: number): { readonly evidence: SlowEvidence[]; readonly tested: ReadonlyMap<string, number> } {
    const { window, baseline: quiet, doubtful } = this.#segments.parts(startMs)
    const baseline = [...quiet, ...doubtful]
    const tested = new Map<string, number>()
    const evidence: SlowEvidence[] = []
    for (const histogram of this.#histograms.values()) {
      const found = this.#judge(histogram, window, baseline)
      if (found === null) continue
      for (const service of histogram.services) {
        const key = `${histogram.kind} ${service}`
        tested.set(key, (tested.get(key) ?? 0) + 1)
        evidence.push({ service, ...found })
      }
    }
    return { evidence: evidence.toSorted((x, y) => y.score - x.score), tested }
  }

  #add({ kind, services, what, ms }: Duration, segment: number): void {
    const key = `${kind} ${services.join(' ')} ${what}`
    let known = this.#histograms.get(key)
    if (known === undefined) {
      known = { kind, services, what, counts: new Int32Array(BUCKETS * this.#segments.count) }
      this.#histograms.set(key, known)
    }
    const place = segment * BUCKETS + bucketOf(ms)
    known.counts[place] = (known.counts[place] ?? 0) + 1
  }

  /** Null where there is nothing to compare. */
  #judge(histogram: Histogram, window: readonly number[], baseline: readonly number[]): Omit<SlowEvidence, 'service'> | null {
    const { kind, what, counts } = histogram
    const before = addUp(counts, baseline)
    const now = addUp(counts, window)
    const [n0, n1] = [total(before), total(now)]
    if (n0 === 0 || n1 === 0) return null
    const limit = limitBucket(before, n0)
    const k1 = above(now, limit)
    const parts = baseline.map((segment): Part => {
      const part = counts.subarray(segment * BUCKETS, (segment + 1) * BUCKETS)
      return [above(part, limit), total(part)]
    })
    const k0 = above(before, limit)
    const slower = k1 / n1 > k0 / n0
    const score = slower ? deviance(k1, n1, k0, n0) / drift(parts) : 0
    return { kind, what, score, limitMs: limitOf(limit), now: [k1, n1], before: [k0, n0] }
  }
}

function addUp(counts: Int32Array, segments: readonly number[]): Int32Array {
  const sum = new Int32Array(BUCKETS)
  for (const segment of segments) {
    for (let i = 0; i < BUCKETS; i += 1) sum[i] = (sum[i] ?? 0) + (counts[segment * BUCKETS + i] ?? 0)
  }
  return sum
}

const total = (counts: Int32Array): number => counts.reduce((sum, count) => sum + count, 0)

function above(counts: Int32Array, limit: number): number {
  let sum = 0
  for (let i = limit; i < BUCKETS; i += 1) sum += counts[i] ?? 0
  return sum
}

/** From this bucket on it is slow. */
function limitBucket(counts: Int32Array, n: number): number {
  let below = 0
  for (let i = 0; i < BUCKETS; i += 1) {
    below += counts[i] ?? 0
    if (below >= USUAL_SHARE * n) return Math.min(BUCKETS, i + 1 + BEYOND)
  }
  return BUCKETS
}

/** Own time of each span; for a span that only calls another service, the time on the way. */
export function spanDurations(spans: readonly Span[]): Duration[] {
  const childrenOf = Map.groupBy(spans, ({ parent }) => parent)
  return spans.map((span): Duration => {
    const children = childrenOf.get(span.id) ?? []
    const ms = Math.max(0, span.endMs - span.startMs - covered(span, children))
    const away = children.find(({ service }) => service !== span.service)
    if (away === undefined) return { kind: 'slow', services: [span.service], what: span.operation, ms }
    return { kind: 'link', services: [span.service, away.service], what: `${span.service} to ${away.service}`, ms }
  })
}

/** How much of the span's time its children fill, counted once where they overlap. `children` come by start. */
export function covered(span: Span, children: readonly Span[]): number {
  let sum = 0
  let until = span.startMs
  for (const { startMs, endMs } of children) {
    const [from, to] = [Math.max(startMs, until), Math.min(endMs, span.endMs)]
    if (to > from) {
      sum += to - from
      until = to
    }
  }
  return sum
}

/** Neighbouring lines of one span of one service: what it did between them it did alone. */
function lineDurations({ lines }: Request): Duration[] {
  return lines.flatMap((line, i): Duration[] => {
    const next = lines[i + 1]
    if (next === undefined || next.service !== line.service || next.span !== line.span) return []
    return [{ kind: 'slow', services: [line.service], what: `${line.event}\u0001${next.event}`, ms: next.tsMs - line.tsMs }]
  })
}
