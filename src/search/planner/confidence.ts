/**
 * How likely the first reading is right: a logistic regression over its own evidence and over how it stands among the others, then
 * a curve that was fitted to outcomes on databases the regression had not seen. Pure; the numbers are in weights.json.
 */
import type { Evidence } from './evidence.ts'

export interface Ranked {
  readonly evidence: Evidence
  readonly score: number
}

export interface ConfidenceModel {
  readonly bias: number
  readonly weights: Evidence
  /** [log odds, probability], both rising; straight between them, flat outside */
  readonly curve: readonly (readonly [at: number, probability: number])[]
}

/** All that was learnt: the weights of a reading's evidence, how sure to be of the first, and from where on to answer. */
export interface PlannerModel {
  readonly ranking: Evidence
  readonly confidence: ConfidenceModel
  readonly threshold: number
}

/** A lead that is larger says no more than this one. */
const CLEAR = 8
/** So much more of something than the second has says all that it can. */
const MUCH = 2

/** What there is to know of the first of some ranked readings: its own evidence, how far ahead it is, and by what. */
export function standingOf(ranked: readonly Ranked[]): Evidence {
  const [first, second] = ranked
  if (first === undefined) return {}
  const weights = ranked.map(({ score }) => Math.exp(score - first.score))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return {
    ...first.evidence,
    ...(second === undefined ? {} : lead(first.evidence, second.evidence)),
    'among.margin': second === undefined ? CLEAR : Math.min(CLEAR, first.score - second.score),
    'among.alone': second === undefined ? 1 : 0,
    'among.share': 1 / total,
    'among.entropy': entropyOf(weights.map((weight) => weight / total)),
    'among.count': Math.log(ranked.length),
    'among.score': first.score,
  }
}

/** What the first has more of than the second, or less. Words of the question go with both of them alike. */
function lead(first: Evidence, second: Evidence): Evidence {
  const names = new Set([...Object.keys(first), ...Object.keys(second)].filter((name) => !name.includes(' & ')))
  const differences = [...names].map((name) => [`over.${name}`, (first[name] ?? 0) - (second[name] ?? 0)] as const)
  return Object.fromEntries(differences.filter(([, by]) => by !== 0).map(([name, by]) => [name, Math.max(-MUCH, Math.min(MUCH, by))]))
}

/** 0 when one takes all; the more even, the larger. */
const entropyOf = (shares: readonly number[]): number =>
  shares.reduce((sum, share) => (share === 0 ? sum : sum - share * Math.log(share)), 0)

export function confidenceIn({ bias, weights, curve }: ConfidenceModel, evidence: Evidence): number {
  return along(curve, bias + dot(weights, evidence))
}

/** Evidence without a weight counts nothing. */
export function dot(weights: Evidence, evidence: Evidence): number {
  let sum = 0
  for (const [name, amount] of Object.entries(evidence)) sum += amount * (weights[name] ?? 0)
  return sum
}

/** The height of a rising line of straight pieces. */
export function along(curve: ConfidenceModel['curve'], at: number): number {
  const after = curve.findIndex(([x]) => x > at)
  if (after === 0) return curve[0]![1]
  if (after < 0) return curve.at(-1)?.[1] ?? 0
  const [[x0, y0], [x1, y1]] = [curve[after - 1]!, curve[after]!]
  return y0 + ((at - x0) / (x1 - x0)) * (y1 - y0)
}
