/** Logistic regression: the log odds of being right as a sum of weighted evidence. */
import type { Evidence } from '../../search/index.ts'
import { minimise } from './minimise.ts'
import { addRow, scoresInto, tableOf, unscaled } from './table.ts'

export interface Example {
  readonly evidence: Evidence
  readonly right: boolean
}

export interface Logistic {
  readonly bias: number
  readonly weights: Readonly<Record<string, number>>
}

/** With one kind of outcome only the log odds are cut off here: nothing is certain because it was never seen to fail. */
const MOST_ODDS = 6

export function fitLogistic(examples: readonly Example[], penalty = 1e-3): Logistic {
  const rightOnes = examples.filter(({ right }) => right).length
  if (rightOnes === 0 || rightOnes === examples.length) {
    return { bias: examples.length === 0 ? 0 : rightOnes === 0 ? -MOST_ODDS : MOST_ODDS, weights: {} }
  }
  const table = tableOf(examples.map(({ evidence }) => evidence))
  const count = examples.length
  const last = table.columns.names.length // the bias: no penalty, no scale
  const scores = new Float64Array(count)
  const loss = (at: Float64Array, gradient: Float64Array): number => {
    scoresInto(scores, table, at)
    let total = 0
    gradient.fill(0)
    for (let i = 0; i < last; i += 1) {
      gradient[i] = penalty * at[i]!
      total += (penalty / 2) * at[i]! * at[i]!
    }
    for (let r = 0; r < count; r += 1) {
      const odds = scores[r]! + at[last]!
      const right = examples[r]!.right ? 1 : 0
      total += logOnePlusExp(right === 1 ? -odds : odds) / count
      const pull = (probability(odds) - right) / count
      addRow(gradient, table, r, pull)
      gradient[last]! += pull
    }
    return total
  }
  const found = minimise(loss, { start: new Float64Array(last + 1) })
  return { bias: found[last]!, weights: unscaled(table.columns, found.subarray(0, last)) }
}

export const probability = (odds: number): number => (odds >= 0 ? 1 / (1 + Math.exp(-odds)) : 1 - 1 / (1 + Math.exp(odds)))

/** log(1 + e^x) without overflow. */
const logOnePlusExp = (x: number): number => (x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x)))
