/**
 * Learns from past decisions which candidates a reviewer tends to approve. It follows them only where cross-validation says that
 * they tell more than chance and more than the score; otherwise the queue keeps its plain order. Candidates that the caller may not see are not handed in.
 */
import { DETECTION_STRATEGIES, type Ranking, SEVERITIES } from '../contracts/index.ts'
import { type Auc, aucOf, fitRidgeLogistic, oddsOf } from '../kernel/stats/index.ts'
import { compareText } from '../kernel/term.ts'
import { hashHalves } from '../kernel/text/index.ts'
import type { Brief } from './brief.ts'

export const LEAST_DECISIONS = 20
const FOLDS = 5
/** More would only repeat what five hundred say, and cost more than a reviewer should wait. */
const MOST_DECISIONS = 500
const PENALTY = 2
const SERVICE_BUCKETS = 12
/** 95 %, one-sided */
const Z = 1.645

export interface Ranker {
  /** two rankers of the same decisions have the same */
  readonly key?: string
  readonly ranking: Ranking
  /** decisions it was trained on, oldest first: as many as a later page needs to be ordered like the first */
  readonly trainedOn: number
  /** higher is likelier to be approved; null where it does not beat chance */
  readonly odds: ((brief: Brief) => number) | null
}

/**
 * Decisions that stand, in the order they were taken. An event that an edge brought along was not decided on; one whose edge is above
 * the ceiling counts, since the caller is told of no edge.
 */
export const decisionsOf = (briefs: readonly Brief[], isSeen: (pid: string) => boolean = () => true): Brief[] =>
  briefs
    .filter(({ status, via }) => status === 'REJECTED' || (status === 'APPROVED' && (via === null || !isSeen(via))))
    .toSorted((x, y) => compareText(x.reviewedAt, y.reviewedAt) || compareText(x.pid, y.pid))

/** Trained anew when there are half as many more, not after every decision: the order should not tremble while one works through it. */
export function trainingSize(decisions: number): number {
  let size = LEAST_DECISIONS
  if (decisions < size) return decisions
  for (let next = size; next <= decisions; next = Math.ceil(next * 1.5)) size = next
  return size
}

/**
 * The size of the training that is followed. A new one is followed a tenth later than it could be, so that it can be made ready
 * between calls; which one is followed depends on the decisions alone, never on how far that has come.
 */
export function followedSize(decisions: number): number {
  const newest = trainingSize(decisions)
  const isRipe = newest <= LEAST_DECISIONS || decisions >= newest + Math.ceil(newest / 10)
  return isRipe ? newest : trainingSize(newest - 1)
}

export function rankerOf(decisions: readonly Brief[], trainedOn: number): Ranker {
  const training = trainingOf(decisions, trainedOn)
  for (;;) {
    const { done, value } = training.next()
    if (done === true) return value
  }
}

/** The same in steps of some milliseconds. */
export function* trainingOf(decisions: readonly Brief[], trainedOn: number): Generator<undefined, Ranker> {
  const taken = decisions.slice(0, trainedOn).slice(-MOST_DECISIONS)
  const labels = taken.map(({ status }) => status === 'APPROVED')
  const told = (auc: number | null, baseline: number | null, used: boolean, reason: string): Ranking =>
    ({ decisions: decisions.length, auc: rounded(auc), baseline_auc: rounded(baseline), used, reason })
  const baseline = aucOf(taken.map(({ score }) => score), labels)?.auc ?? null
  if (taken.length < LEAST_DECISIONS) {
    return { trainedOn, odds: null, ranking: told(null, null, false, `fewer than ${LEAST_DECISIONS} decisions`) }
  }
  const positives = labels.filter(Boolean).length
  if (Math.min(positives, labels.length - positives) < FOLDS) {
    return { trainedOn, odds: null, ranking: told(null, baseline, false, 'nearly all decisions are alike') }
  }
  const rows = taken.map(featuresOf)
  const { raw, weights } = fitted(rows, labels)
  yield
  const crossed = yield* crossValidated(rows, labels, weights)
  if (crossed === null || crossed.auc - Z * crossed.standardError <= 0.5) {
    return { trainedOn, odds: null, ranking: told(crossed?.auc ?? null, baseline, false, 'past decisions do not tell more than chance') }
  }
  if (baseline !== null && crossed.auc <= baseline) {
    return { trainedOn, odds: null, ranking: told(crossed.auc, baseline, false, 'past decisions do not tell more than the score') }
  }
  const known = new WeakMap<Brief, number>()
  const odds = (brief: Brief): number => {
    const found = known.get(brief)
    if (found !== undefined) return found
    const made = oddsOf(raw, featuresOf(brief))
    known.set(brief, made)
    return made
  }
  return {
    trainedOn,
    odds,
    ranking: told(crossed.auc, baseline, true, 'learned from past decisions'),
  }
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 1e4) / 1e4)

/** Each decision is judged by a model that has not seen it. Folds go round within each outcome, so that none lacks one. */
function* crossValidated(rows: readonly Float64Array[], labels: readonly boolean[], start: Float64Array): Generator<undefined, Auc | null> {
  const seen = { true: 0, false: 0 }
  const folds = labels.map((label) => (label ? (seen.true += 1) : (seen.false += 1)) % FOLDS)
  const scores = Array.from<number>({ length: rows.length })
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const inside = (_: unknown, i: number) => folds[i] !== fold
    const { raw } = fitted(rows.filter(inside), labels.filter(inside), start)
    for (const [i, row] of rows.entries()) if (folds[i] === fold) scores[i] = oddsOf(raw, row)
    yield
  }
  return aucOf(scores, labels)
}

/** `start` only saves steps: the least is at one place, wherever one begins. `raw` are the same weights for rows that are not scaled. */
function fitted(rows: readonly Float64Array[], labels: readonly boolean[], start?: Float64Array) {
  const width = rows[0]?.length ?? 0
  const mean = new Float64Array(width)
  const spread = new Float64Array(width)
  for (const row of rows) for (let i = 0; i < width; i += 1) mean[i]! += row[i]! / rows.length
  for (const row of rows) for (let i = 0; i < width; i += 1) spread[i]! += (row[i]! - mean[i]!) ** 2 / rows.length
  // a column that never changed tells nothing, and must not tell more of a candidate where it does
  const factor = spread.map((each) => (each < 1e-12 ? 0 : 1 / Math.sqrt(each)))
  const scaled = rows.map((row) => row.map((value, i) => (value - mean[i]!) * factor[i]!))
  const { weights } = fitRidgeLogistic(scaled, labels, { penalty: PENALTY, ...(start === undefined ? {} : { start }) })
  const raw = Float64Array.from(weights)
  for (let i = 0; i < width; i += 1) {
    raw[i]! *= factor[i]!
    raw[width]! -= raw[i]! * mean[i]!
  }
  return { raw, weights }
}

const KINDS = ['LOG_EVENT', 'LOG_ENTITY', 'LOG_RELATIONSHIP', 'LOG_CAUSAL_EDGE'] as const

const features = new WeakMap<Brief, Float64Array>()

function featuresOf(brief: Brief): Float64Array {
  const known = features.get(brief) ?? readFeatures(brief)
  features.set(brief, known)
  return known
}

function readFeatures(brief: Brief): Float64Array {
  const log = (value: number | null) => (value === null ? 0 : Math.log10(1 + Math.max(0, value)))
  const buckets = Array.from({ length: SERVICE_BUCKETS }, () => 0)
  for (const service of brief.services) buckets[hashHalves(service)[1] % SERVICE_BUCKETS] = 1
  return Float64Array.from([
    ...KINDS.map((kind) => Number(brief.kind === kind)),
    ...DETECTION_STRATEGIES.slice(4).map((strategy) => Number(brief.strategy === strategy)),
    ...SEVERITIES.map((severity) => Number(brief.severity === severity)),
    Math.log(Math.max(brief.confidence, 1e-3)),
    Math.log(Math.max(brief.consequence, 1e-3)),
    log(brief.lagMs), Number(brief.lagMs === null),
    log(brief.n),
    brief.q === null ? 0 : Math.min(12, -Math.log10(Math.max(brief.q, 1e-12))),
    log(brief.hits),
    Math.log10(1 + brief.text.length),
    Number(/[<#]/.test(brief.text)),
    ...buckets,
  ])
}
