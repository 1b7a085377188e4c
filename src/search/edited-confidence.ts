/**
 * How sure an answer to an edited plan is. No reading was chosen, so there is no runner-up to compare with: what can go wrong is
 * that the plan does not say what its author means, and each thing that it says is one more chance of that. An estimate, not
 * fitted to outcomes.
 */
import type { Plan } from '../contracts/index.ts'

/** That one part of a plan says what is meant. */
const PART = 0.99

export const editedConfidence = (plan: Plan): number => Number((PART ** (1 + partsIn(plan))).toFixed(4))

/** Steps of paths, comparisons, aggregates, a goal and what it is given, at any depth. The class counts as one besides. */
function partsIn(value: unknown, name = ''): number {
  if (name === 'path') return Array.isArray(value) ? value.length : 0
  if (name === 'group_by') return Array.isArray(value) ? value.flat().length : 0
  if (name === 'op' || name === 'aggregate' || name === 'predicate' || name === 'argument') return value === undefined ? 0 : 1
  if (name === 'value' || typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce((sum: number, item: unknown) => sum + partsIn(item), 0)
  return Object.entries(value).reduce((sum, [key, inner]) => sum + partsIn(inner, key), 0)
}
