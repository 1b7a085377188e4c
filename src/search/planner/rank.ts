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

/** How many words are left out that another reading takes for what they plainly are. */
export const LEFT_OUT = 'left out'
/** Another foreign key would do as well, and nothing in the question chooses. */
export const UNDECIDED = 'undecided'
/** What the grammar says by itself: the reading, what it costs, what it leaves out; a turn is less likely than the way it turned from. */
const PLAIN: Evidence = { reading: 1, cost: -1, [LEFT_OUT]: -1 }
export const believed = (name: string): number => PLAIN[name] ?? (name.startsWith('turn ') ? TURN : 0)
export const plainScore = (evidence: Evidence): number => scoreOf(evidence, PLAIN)

/** With what has come to light since, likeliest first; equals stay as they are. */
export const ranked = <T extends { readonly evidence: Evidence; readonly score: number }>(options: readonly T[]): T[] =>
  options.map((option) => ({ ...option, score: scoreOf(option.evidence) })).toSorted((a, b) => b.score - a.score)

/** Two readings closer than this are a question back, not a choice. */
const CLOSE = 0.05

/** The first of some ranked options with those that are as likely as it. A turn is another way to put the same question. */
export function closeTo<T extends Ranked>(options: readonly T[]): T[] {
  const [best] = options
  const isStraight = ({ evidence }: T) => !Object.keys(evidence).some((name) => name.startsWith('turn '))
  return options.filter((option) => option === best || (best!.score - option.score < CLOSE && isStraight(option)))
}

export const isUndecided = ({ evidence }: Pick<Ranked, 'evidence'>): boolean => evidence[`note ${UNDECIDED}`] !== undefined

/** How likely the first of some ranked options is right. What a person confirmed is as good as certain. */
export function confidenceOf(options: readonly Ranked[]): number {
  const [best] = options
  if (best?.evidence['confirmed'] !== undefined) return CONFIRMED_SURE
  const sure = confidenceIn(MODEL.confidence, standingOf(options))
  return Number((best !== undefined && isUndecided(best) ? Math.min(sure, UNDECIDED_SURE) : sure).toFixed(4))
}
const CONFIRMED_SURE = 0.99
/** Of two ways that nothing chooses between at most one is meant, if any. */
const UNDECIDED_SURE = 0.25
