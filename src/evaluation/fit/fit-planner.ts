/**
 * All that the planner learns from outcomes: weights that rank readings, how sure to be of the first, and from where on to answer.
 * Confidence and threshold rest on databases that the weights had not seen: the training databases are dealt into inner folds, and
 * each is ranked by what the others taught.
 */
import { type ConfidenceModel, type Evidence, type PlannerModel, believed, closeTo, confidenceIn, dot, isUndecided, scoreOf, standingOf } from '../../search/index.ts'
import type { Candidate, Candidates } from '../candidates.ts'
import { foldsOf } from './folds.ts'
import { calibrationCurve } from './isotonic.ts'
import { type Example, type Logistic, fitLogistic } from './logistic.ts'
import { fitRanker } from './ranker.ts'
import { thresholdFor } from './threshold.ts'

export interface FitOptions {
  /** the least share of right answers among those given; more is refused as it rises */
  readonly precision?: number
  readonly innerFolds?: number
  readonly rankPenalty?: number
  readonly confidencePenalty?: number
  /** evidence that was met in a smaller share of the databases says more of them than of English, and gets no weight */
  readonly leastShare?: number
  readonly seed?: number
}

/** At 0.002 0.4 points more are right first, but confidence tells less (AUROC .788 against .799): one run of five folds. */
const RANK_PENALTY = 0.01
const LEAST_SHARE = 0.3
/** A step of the curve needs so many outcomes. */
const LEAST_BLOCK = 40

export function fitPlanner(questions: readonly Candidates[], options: FitOptions = {}): PlannerModel {
  const { precision = 0.85, innerFolds = 5, rankPenalty = RANK_PENALTY, confidencePenalty = 3e-3, leastShare = LEAST_SHARE, seed = 11 } = options
  // true answers that are empty teach as well: else nothing found would mean nothing right
  const taught = withCommonEvidence(questions.filter(({ truth }) => truth !== 'failed'), leastShare)
  const foldOf = foldsOf(taught.map(({ db }) => db), innerFolds, seed)
  const parts = Array.from({ length: innerFolds }, (_, fold) => taught.filter(({ db }) => foldOf.get(db) === fold))
  const others = <T>(all: readonly (readonly T[])[], fold: number): T[] => all.filter((_, at) => at !== fold).flat()
  const rank = (part: readonly Candidates[]) => fitRanking(part, rankPenalty)
  // as it will be on databases of which nothing is known: by weights that others taught
  const examples = parts.map((part, fold) => {
    const weights = rank(others(parts, fold))
    return part.flatMap((question) => exampleOf(question, weights))
  })
  const judged = examples.flatMap((part, fold) => {
    const model = fitLogistic(others(examples, fold), confidencePenalty)
    return part.map(({ evidence, right, counts }) => ({ at: oddsOf(model, evidence), value: right ? 1 : 0, counts }))
  })
  const confidence = rounded(fitLogistic(examples.flat(), confidencePenalty), calibrationCurve(judged, LEAST_BLOCK))
  const certain = judged.filter(({ counts }) => counts).map(({ at, value }) => ({ confidence: along(confidence, at), right: value === 1 }))
  return { ranking: short(rank(taught)), confidence, threshold: Math.floor(thresholdFor(certain, precision) * 10_000) / 10_000 }
}

/** The weights alone, for evidence that is common already. */
const fitRanking = (questions: readonly Candidates[], penalty: number): Record<string, number> =>
  fitRanker(questions.map(({ options }) => options), { penalty, prior: believed })

/** What ranks first by weights that some questions taught. */
export function firstBy(questions: readonly Candidates[]): (options: readonly Candidate[]) => Candidate | null {
  const taught = withCommonEvidence(questions.filter(({ truth }) => truth !== 'failed'), LEAST_SHARE)
  const weights = fitRanking(taught, RANK_PENALTY)
  return (options) => rankedBy(options, weights)[0]?.option ?? null
}

function withCommonEvidence(questions: readonly Candidates[], leastShare: number): Candidates[] {
  const least = leastShare * new Set(questions.map(({ db }) => db)).size
  const metIn = new Map<string, Set<string>>()
  for (const { db, options } of questions) {
    for (const name of options.flatMap(({ evidence }) => Object.keys(evidence))) {
      const databases = metIn.get(name) ?? new Set()
      metIn.set(name, databases.add(db))
    }
  }
  const isCommon = (name: string) => (metIn.get(name)?.size ?? 0) >= least
  const common = (evidence: Evidence) => Object.fromEntries(Object.entries(evidence).filter(([name]) => isCommon(name)))
  return questions.map((question) => ({
    ...question, options: question.options.map((option) => ({ ...option, evidence: common(option.evidence) })),
  }))
}

/** What was ranked first by these weights, whether it is right, and whether it counts among what may be answered. */
function exampleOf({ options, truth }: Candidates, weights: Evidence): (Example & { readonly counts: boolean })[] {
  const ranked = rankedBy(options, weights)
  const [first] = ranked
  if (first === undefined) return []
  return [{ evidence: standingOf(ranked), right: first.option.right, counts: truth === 'rows' && !isTied(ranked) }]
}

/** Another reading is as likely, or another foreign key would do as well: asked back whatever the confidence. */
const isTied = (ranked: ReturnType<typeof rankedBy>): boolean => closeTo(ranked).length > 1 || isUndecided(ranked[0]!)

const rankedBy = (options: readonly Candidate[], weights: Evidence) =>
  options
    .map((option) => ({ option, evidence: option.evidence, score: scoreOf(option.evidence, weights) }))
    // a tie stays in the order in which the planner found them
    .toSorted((a, b) => b.score - a.score)

export interface Chosen {
  readonly option: Candidate
  readonly confidence: number
  /** another reading is as likely, so that the question is asked back */
  readonly tied: boolean
}

/** What the planner would answer with a model; null when it has no reading. */
export function chosenBy(model: PlannerModel, options: readonly Candidate[]): Chosen | null {
  const ranked = rankedBy(options, model.ranking)
  const [first] = ranked
  if (first === undefined) return null
  return { option: first.option, confidence: confidenceIn(model.confidence, standingOf(ranked)), tied: isTied(ranked) }
}

const oddsOf = ({ bias, weights }: Logistic, evidence: Evidence): number => bias + dot(weights, evidence)

const along = (model: ConfidenceModel, odds: number): number => confidenceIn({ ...model, bias: odds, weights: {} }, {})

const rounded = ({ bias, weights }: Logistic, curve: readonly (readonly [number, number])[]): ConfidenceModel => ({
  bias: shortened(bias), weights: short(weights), curve: curve.map(([at, level]) => [shortened(at), shortened(level)] as const),
})

/** What lies beyond these digits is chance, and differs between machines. */
const short = (weights: Evidence): Record<string, number> =>
  Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, Math.round(weight * 1000) / 1000]))

const shortened = (value: number): number => Math.round(value * 10_000) / 10_000
