/** How much can be answered at which risk: the questions one after another, the surest first. */
import type { Tried } from './cross-validate.ts'

export interface RiskPoint {
  /** the share of all questions that is answered */
  readonly coverage: number
  /** the share of those that is right */
  readonly precision: number
  /** the share of all questions that is answered right */
  readonly accuracy: number
  /** of the last one that is answered */
  readonly confidence: number
}

/** One point after each confidence; questions without a reading are never answered. */
export function riskCoverage(tried: readonly Tried[]): RiskPoint[] {
  const scored = tried.filter(({ asked }) => asked.truth === 'rows')
  const chosen = scored.flatMap(({ chosen: first }) => (first === null ? [] : [first]))
  const steps = [...Map.groupBy(chosen, ({ confidence }) => confidence)].toSorted(([a], [b]) => b - a)
  let [answered, right] = [0, 0]
  return steps.map(([confidence, group]) => {
    answered += group.length
    right += group.filter(({ option }) => option.right).length
    return { coverage: answered / scored.length, precision: right / answered, accuracy: right / scored.length, confidence }
  })
}

/** The points nearest after every tenth of the questions, and the last one. */
export function tenths(points: readonly RiskPoint[]): RiskPoint[] {
  const marks = Array.from({ length: 10 }, (_, at) => (at + 1) / 10)
  const found = marks.flatMap((mark) => points.find(({ coverage }) => coverage >= mark) ?? [])
  return [...new Set([...found, ...points.slice(-1)])]
}
