/** Weighs evidence. The weights are fitted to questions with known answers and stand in one file. */
import type { Evidence } from './evidence.ts'
import { type PlannerModel, type Ranked, confidenceIn, standingOf } from './confidence.ts'
import fitted from './weights.json' with { type: 'json' }

const MODEL = fitted as unknown as PlannerModel
const WEIGHTS = MODEL.ranking
/** A reading that is at least this likely right is answered; below it the question is asked back. */
export const ANSWERED_FROM = MODEL.threshold
/** A turn that no weight was fitted for yet is less likely than the way it turned from. */
const TURN = -0.5
/** What a person has confirmed outweighs everything else; no outcome could teach how much. */
const CONFIRMED = 100

/** Weights other than the committed ones are for whoever fits them. */
export function scoreOf(evidence: Evidence, weights: Evidence = WEIGHTS): number {
  let score = evidence['confirmed'] === undefined ? 0 : CONFIRMED
  for (const [name, amount] of Object.entries(evidence)) score += amount * (weights[name] ?? (name.startsWith('turn ') ? TURN : 0))
  return score
}

/** What the grammar says by itself: the reading, what it costs, and that a turn is less likely than the way it turned from. */
export const believed = (name: string): number => (name === 'reading' ? 1 : name === 'cost' ? -1 : name.startsWith('turn ') ? TURN : 0)
export const plainScore = (evidence: Evidence): number => scoreOf(evidence, { reading: 1, cost: -1 })

/** With what has come to light since, likeliest first; equals stay as they are. */
export const ranked = <T extends { readonly evidence: Evidence; readonly score: number }>(options: readonly T[]): T[] =>
  options.map((option) => ({ ...option, score: scoreOf(option.evidence) })).toSorted((a, b) => b.score - a.score)

/** How likely the first of some ranked options is right. What a person confirmed is as good as certain. */
export function confidenceOf(options: readonly Ranked[]): number {
  const known = options[0]?.evidence['confirmed'] !== undefined
  return known ? CONFIRMED_SURE : Number(confidenceIn(MODEL.confidence, standingOf(options)).toFixed(4))
}
const CONFIRMED_SURE = 0.99
