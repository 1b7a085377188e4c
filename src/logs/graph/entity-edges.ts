/**
 * Which things go together: edges between two entities (`node=crt-07`, `nf=amf-3`) that are named in the same windows of time far
 * more often than chance, and which of the two is named first. They show what belongs to what; causes are between events.
 */
import { MINING } from '../../contracts/index.ts'
import {
  falseDiscoveryQ, firstFollowers, fisherExact, leadCounts, leadRatio, pmi, quantile, wilsonLower, windowCounts,
} from '../../kernel/stats/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { LogEdge, LogEvent } from '../candidate.ts'
import { rounded } from '../tally.ts'
import { MIN_OCCURRENCES, MIN_TOGETHER, windowsOf } from './candidate-pairs.ts'
import { meetings } from './meetings.ts'

/** Things that are looked at, the most often named first, and pairs of them. */
const MAX_ENTITIES = 5000
const MAX_PAIRS = 20_000
const PAIRS_BUDGET = 5_000_000

interface Named {
  readonly entity: string
  readonly times: readonly number[]
}

/** Of the events that are kept one by one, with their things spelled out; strongest first. */
export function entityEdges(events: readonly LogEvent[], { windowMs }: { readonly windowMs: number }): LogEdge[] {
  const named = namedOften(events)
  const startMs = named.reduce((least, { times }) => Math.min(least, times[0] ?? least), Infinity)
  const endMs = named.reduce((most, { times }) => Math.max(most, times.at(-1) ?? most), -Infinity)
  const units = named.map(({ times }, i) => [i, windowsOf({ times }, startMs, windowMs)] as const)
  const { found } = meetings(units, named.length, { least: MIN_TOGETHER, most: MAX_PAIRS, budget: PAIRS_BUDGET })
  const pairs = found.flatMap(({ a, b }) => {
    const [one, other] = [named[a], named[b]]
    return one === undefined || other === undefined ? [] : [pairOf(one, other, { windowMs, spanMs: endMs - startMs })]
  })
  const qs = falseDiscoveryQ(pairs.map(({ p }) => p), { tests: (named.length * (named.length - 1)) / 2 })
  return pairs
    .flatMap((pair, i) => {
      const q = qs[i] ?? 1
      return pair.bits >= MINING.gate_pmi && q <= MINING.false_discovery_q ? [edgeOf(pair, q)] : []
    })
    .toSorted((x, y) => x.p - y.p || y.pmi - x.pmi || compareText(x.src, y.src) || compareText(x.dst, y.dst))
}

function namedOften(events: readonly LogEvent[]): Named[] {
  const times = new Map<string, number[]>()
  for (const { tsMs, entities } of events) {
    for (const entity of entities) {
      const own = times.get(entity)
      if (own === undefined) times.set(entity, [tsMs])
      else own.push(tsMs)
    }
  }
  return [...times]
    .filter(([, own]) => own.length >= MIN_OCCURRENCES)
    .toSorted(([x, ofX], [y, ofY]) => ofY.length - ofX.length || compareText(x, y))
    .slice(0, MAX_ENTITIES)
    .map(([entity, own]) => ({ entity, times: own.toSorted((x, y) => x - y) }))
}

interface Pair {
  readonly src: Named
  readonly dst: Named
  readonly together: number
  readonly windows: number
  readonly bits: number
  readonly lead: { readonly before: number; readonly after: number; readonly tied: number }
  readonly lags: readonly number[]
  readonly p: number
}

/** The one that is named first more often leads; of two that always share their line the first in code-unit order. */
function pairOf(one: Named, other: Named, { windowMs, spanMs }: { readonly windowMs: number; readonly spanMs: number }): Pair {
  const either = leadCounts(one.times, other.times, windowMs)
  const turned = either.before === either.after ? compareText(one.entity, other.entity) > 0 : either.after > either.before
  const [src, dst] = turned ? [other, one] : [one, other]
  const lead = turned ? { before: either.after, after: either.before, tied: either.tied } : either
  // names in the same line are together, too: the window opens a moment before
  const counts = windowCounts([{ a: src.times, b: dst.times }], { windowMs, spanMs: Math.max(spanMs, windowMs), toleranceMs: 1 })
  const { together, a, b, total } = counts
  const onlyB = Math.max(0, Math.round(b) - together)
  const neither = Math.max(0, Math.round(total) - a - onlyB)
  return {
    src, dst, together, windows: a, bits: pmi(counts), lead,
    lags: firstFollowers(src.times, dst.times, windowMs, 1).map(({ lagMs }) => Math.max(0, lagMs)),
    p: fisherExact({ both: together, onlyA: a - together, onlyB, neither }),
  }
}

function edgeOf({ src, dst, windows, bits, lead, lags, p }: Pair, q: number): LogEdge {
  const { before, after, tied } = lead
  const ratio = leadRatio(lead)
  const [p50, p95] = [quantile(lags, 0.5), quantile(lags, 0.95)]
  return {
    src: src.entity,
    dst: dst.entity,
    srcKind: 'entity',
    dstKind: 'entity',
    pmi: rounded(bits),
    cooccurrenceCount: before + after + tied,
    temporalLeadRatio: rounded(ratio),
    directed: ratio > MINING.gate_temporal_lead_ratio,
    lagMsP50: p50 === null ? null : rounded(p50),
    lagMsP95: p95 === null ? null : rounded(p95),
    grangerP: null,
    teZ: null,
    n: windows,
    p: rounded(p),
    q: rounded(q),
    leadLower: rounded(wilsonLower(before, before + after)),
    statedVerdict: 'LOG_RELATIONSHIP',
    verdict: 'LOG_RELATIONSHIP',
    failedConditions: [],
    sharedEntity: null,
    explainedBy: null,
  }
}
