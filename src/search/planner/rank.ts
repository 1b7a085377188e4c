/** Weighs evidence. The weights are fitted to questions with known answers and stand in one file. */
import type { Evidence } from './evidence.ts'
import weights from './weights.json' with { type: 'json' }

const WEIGHTS: Readonly<Record<string, number>> = weights.ranking
/** A turn that no weight was fitted for yet is less likely than the way it turned from. */
const TURN = -0.5
/** What a person has confirmed outweighs everything else; no outcome could teach how much. */
const CONFIRMED = 100

export function scoreOf(evidence: Evidence): number {
  let score = evidence['confirmed'] === undefined ? 0 : CONFIRMED
  for (const [name, amount] of Object.entries(evidence)) score += amount * (WEIGHTS[name] ?? (name.startsWith('turn ') ? TURN : 0))
  return score
}

/** With what has come to light since, likeliest first; equals stay as they are. */
export const ranked = <T extends { readonly evidence: Evidence; readonly score: number }>(options: readonly T[]): T[] =>
  options.map((option) => ({ ...option, score: scoreOf(option.evidence) })).toSorted((a, b) => b.score - a.score)
