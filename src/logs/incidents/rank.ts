/**
 * Services in the order of suspicion. Evidence of one kind counts by its strongest piece less what the strongest of so many would
 * be by chance (Bonferroni, on the scale of twice a log-likelihood); kinds add up, as each sees another side of the service.
 */
import { compareText } from '../../kernel/term.ts'
import { changes } from './changes.ts'
import type { Day } from './day.ts'
import { NOTABLE } from './deviance.ts'
import type { Evidence } from './evidence.ts'
import { Patterns } from './patterns.ts'
import { sentenceOf, type AnyEvidence } from './sentence.ts'
import { type Segments, segmentsOf } from './segments.ts'
import { Slowness } from './slowness.ts'

export const SETTINGS = ['logs', 'logs+traces', 'all'] as const
export type Setting = (typeof SETTINGS)[number]

export interface Suspect {
  readonly service: string
  readonly score: number
  /** the strongest pieces, in words */
  readonly evidence: readonly string[]
}

const TOLD = 3

export class IncidentRanker {
  readonly #day: Day
  readonly #starts: readonly number[]
  readonly #logs: { patterns: Patterns; slowness: Slowness }
  readonly #traces: { patterns: Patterns; slowness: Slowness }

  /** `starts`: of the incident that is asked about, and of others that are known, so that none is taken for another's quiet time. */
  constructor(day: Day, starts: readonly number[]) {
    this.#day = day
    this.#starts = starts
    const segments: Segments = segmentsOf(starts, day.requests[0]?.startMs ?? 0, (day.requests.at(-1)?.startMs ?? 0) + 1)
    const of = (withSpans: boolean): { patterns: Patterns; slowness: Slowness } => ({
      patterns: new Patterns(day.requests, segments, withSpans), slowness: new Slowness(day.requests, segments, withSpans),
    })
    this.#logs = of(false)
    this.#traces = of(true)
  }

  rank(startMs: number): Readonly<Record<Setting, readonly Suspect[]>> {
    const lines = this.#logs.patterns.at(startMs)
    const between = this.#logs.slowness.at(startMs)
    const spans = this.#traces.patterns.at(startMs)
    const times = this.#traces.slowness.at(startMs)
    const metrics = changes(this.#day.series, startMs, this.#starts)
    const byLines = strongest(lines.evidence, (service) => lines.tested.get(service) ?? 1)
    const bySpans = strongest(spans.evidence, (service) => spans.tested.get(service) ?? 1)
    const slowLines = strongest(between.evidence, (service, kind) => between.tested.get(`${kind} ${service}`) ?? 1)
    const ownTimes = times.evidence.filter(({ kind }) => kind === 'slow')
    const slow = strongest(ownTimes, (service, kind) => times.tested.get(`${kind} ${service}`) ?? 1)
    const links = alongLinks(times.evidence.filter(({ kind }) => kind === 'link'))
    const jumps = strongest(metrics.evidence, (service) => metrics.tested.get(service) ?? 1)
    const patterns = larger(byLines, bySpans)
    return {
      logs: this.#order([byLines, slowLines]),
      'logs+traces': this.#order([patterns, slow, links]),
      all: this.#order([patterns, slow, links, jumps]),
    }
  }

  #order(kinds: readonly Kind[]): Suspect[] {
    return this.#day.services
      .map((service): Suspect => {
        const own = kinds.flatMap((kind) => kind.get(service) ?? []).filter(({ worth }) => worth > 0)
        const told = own.toSorted((x, y) => y.worth - x.worth).flatMap(({ pieces }) => pieces)
        return {
          service, score: own.reduce((sum, { worth }) => sum + worth, 0),
          evidence: told.slice(0, TOLD).map((piece) => sentenceOf(piece, this.#day.texts)),
        }
      })
      .toSorted((x, y) => y.score - x.score || compareText(x.service, y.service))
  }
}

interface Worth {
  readonly worth: number
  readonly pieces: readonly AnyEvidence[]
}
type Kind = ReadonlyMap<string, Worth>

/** By how much the strongest piece of each service exceeds chance. The evidence comes strongest first. */
function strongest(evidence: readonly AnyEvidence[], tested: (service: string, kind: Evidence['kind']) => number): Kind {
  const found = new Map<string, Worth>()
  for (const [service, own] of Map.groupBy(evidence, (each) => each.service)) {
    const best = own[0]
    if (best === undefined) continue
    found.set(service, { worth: best.score - 2 * Math.log(tested(service, best.kind)), pieces: own.slice(0, 2) })
  }
  return found
}

/** What two kinds say of the same behaviour counts once. */
function larger(one: Kind, other: Kind): Kind {
  const both = new Map(one)
  for (const [service, worth] of other) if (worth.worth > (both.get(service)?.worth ?? -Infinity)) both.set(service, worth)
  return both
}

/**
 * A slow link accuses both its ends. The end at fault is the one that explains most slow links, and whose other links are slow
 * too: the sum over its links, times the share of them that are slow.
 */
function alongLinks(evidence: readonly AnyEvidence[]): Kind {
  const found = new Map<string, Worth>()
  for (const [service, own] of Map.groupBy(evidence, (each) => each.service)) {
    const slow = own.filter(({ score }) => score >= NOTABLE)
    const sum = slow.reduce((total, { score }) => total + score, 0) - 2 * Math.log(own.length)
    found.set(service, { worth: (sum * slow.length) / own.length, pieces: own.slice(0, 1) })
  }
  return found
}
