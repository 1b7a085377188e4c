/**
 * Which services behave otherwise than before: shares of steps and calls in the window of an incident against its baseline. What a
 * service does otherwise only because a service that it called, or that came before it, did so first is explained away.
 */
import type { Request } from './day.ts'
import { NOTABLE, type Part, calmParts, deviance, dispersion, isFaultward, usualShare } from './deviance.ts'
import type { Evidence } from './evidence.ts'
import { type Observation, observe, splitKey } from './observe.ts'
import { REFERENCE, type Segments } from './segments.ts'
import { Tally, type Trait } from './tally.ts'

export interface PatternEvidence extends Evidence {
  readonly kind: 'step' | 'call'
  readonly context: string
  readonly outcome: string
  /** so many of so many in the window */
  readonly now: readonly [k: number, n: number]
  /** and in the baseline */
  readonly before: readonly [k: number, n: number]
}

/** A deviation explains another that is up to so many times as strong. */
const EXPLAINS = 2

export class Patterns {
  readonly #requests: readonly Request[]
  readonly #segments: Segments
  readonly #withSpans: boolean
  readonly #tallies: Readonly<Record<Observation['kind'], Tally>>

  constructor(requests: readonly Request[], segments: Segments, withSpans: boolean) {
    this.#requests = requests
    this.#segments = segments
    this.#withSpans = withSpans
    this.#tallies = { step: new Tally(segments.count), call: new Tally(segments.count) }
    for (const request of requests) {
      const segment = request.reference ? REFERENCE : segments.at(request.startMs)
      for (const { kind, service, context, outcomes } of observe(request, withSpans)) {
        this.#tallies[kind].add(service, context, outcomes, segment)
      }
    }
  }

  /** Evidence of the incident that starts at this time, strongest first, with how many traits of each service were looked at. */
  at(startMs: number): { readonly evidence: PatternEvidence[]; readonly tested: ReadonlyMap<string, number> } {
    const { window, baseline: quiet, doubtful } = this.#segments.parts(startMs)
    const tested = new Map<string, number>()
    const found: Deviation[] = []
    for (const kind of ['step', 'call'] as const) {
      for (const { trait, seen } of this.#tallies[kind].traits()) {
        const service = kind === 'call' ? (splitKey(trait.outcome)[0] ?? '') : trait.service
        const baseline = sum(seen, quiet) > 0 ? quiet : doubtful
        const partAt = (segment: number): Part => [trait.counts[segment] ?? 0, seen[segment] ?? 0]
        const parts = calmParts(baseline.map(partAt), partAt(REFERENCE))
        const [k1, n1, n0] = [sum(trait.counts, window), sum(seen, window), parts.reduce((total, [, n]) => total + n, 0)]
        if (n1 === 0 || n0 === 0) continue
        tested.set(service, (tested.get(service) ?? 0) + 1)
        const usual = usualShare(parts)
        const k0 = usual * n0
        // a new line of a service that was called is a step of that service already
        if (!isFaultward(k1, n1, k0, n0) || (kind === 'call' && k1 / n1 > k0 / n0)) continue
        const g = deviance(k1, n1, k0, n0)
        if (g < 3) continue
        const wander = dispersion(parts, usual)
        found.push({ kind, service, trait, k1, n1, k0, n0, wander, score: g / wander, explained: 0 })
      }
    }
    this.#explainAway(found, startMs, window)
    return { evidence: found.map(evidenceOf).filter(({ score }) => score > 0).toSorted((x, y) => y.score - x.score), tested }
  }

  /** Takes from each deviation the requests in which another service's came first or inside it. */
  #explainAway(found: readonly Deviation[], startMs: number, window: readonly number[]): void {
    const notable = found.filter(({ score }) => score >= NOTABLE)
    if (new Set(notable.map(({ service }) => service)).size < 2) return
    const byContext = Map.groupBy(notable, ({ kind, trait }) => `${kind} ${trait.service} ${trait.context}`)
    const within = new Set(window)
    for (const request of this.#requests) {
      if (request.reference || request.startMs < startMs || !within.has(this.#segments.at(request.startMs))) continue
      const shown = observe(request, this.#withSpans).flatMap((observation) =>
        (byContext.get(`${observation.kind} ${observation.service} ${observation.context}`) ?? [])
          .filter((deviation) => shows(observation, deviation))
          .map((deviation) => ({ deviation, fromMs: observation.fromMs, toMs: observation.toMs })),
      )
      const later = shown.filter((one) => shown.some((other) => explains(other, one)))
      const explained = new Set(later.map(({ deviation }) => deviation))
      for (const deviation of explained) deviation.explained += shown.filter((each) => each.deviation === deviation).length
    }
    for (const deviation of notable) {
      const { k1, n1, k0, n0, wander, explained } = deviation
      if (explained === 0) continue
      const k = k1 / n1 > k0 / n0 ? Math.max(0, k1 - explained) : k1
      const n = Math.max(k, n1 - explained)
      deviation.score = isFaultward(k, n, k0, n0) ? deviance(k, n, k0, n0) / wander : 0
    }
  }
}

interface Deviation {
  readonly kind: Observation['kind']
  readonly service: string
  readonly trait: Trait
  readonly k1: number
  readonly n1: number
  readonly k0: number
  readonly n0: number
  readonly wander: number
  score: number
  explained: number
}

const sum = (counts: Int32Array, places: readonly number[]): number =>
  places.reduce((total, place) => total + (counts[place] ?? 0), 0)

/** More than usual: it came. Less than usual: it did not. */
const shows = ({ outcomes }: Observation, { trait, k1, n1, k0, n0 }: Deviation): boolean =>
  outcomes.includes(trait.outcome) === k1 / n1 > k0 / n0

export interface Shown {
  readonly deviation: Pick<Deviation, 'service' | 'score'>
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Inside, as the work of a service that was called; or over before the other began. What ended without a further line has no end
 * that is known: it lies inside what was still open when it began.
 */
export function explains(one: Shown, other: Shown): boolean {
  if (one.deviation.service === other.deviation.service || one.deviation.score * EXPLAINS < other.deviation.score) return false
  const ended = one.toMs === Infinity ? one.fromMs : one.toMs
  const inside = one.fromMs >= other.fromMs && ended <= other.toMs && (one.fromMs > other.fromMs || one.toMs < other.toMs)
  return inside || one.toMs < other.fromMs
}

const evidenceOf = ({ kind, service, trait, k1, n1, k0, n0, score }: Deviation): PatternEvidence => ({
  kind, service, score, context: trait.context, outcome: trait.outcome, now: [k1, n1], before: [k0, n0],
})
