/**
 * Weights that put a right reading first: a log-linear model over the readings of each question. The likelihood of a question is
 * the probability of all its right readings together; questions without one teach nothing, nor do those with no wrong one.
 */
import type { Evidence } from '../../search/index.ts'
import { minimise } from './minimise.ts'
import { addRow, scoresInto, tableOf, unscaled } from './table.ts'

export interface Choice {
  readonly evidence: Evidence
  readonly right: boolean
}

export interface RankerOptions {
  /** what is believed before anything was seen; 0 where nothing is said */
  readonly prior?: (name: string) => number
  /** pulls every weight towards what was believed before */
  readonly penalty?: number
  readonly iterations?: number
}

export function fitRanker(questions: readonly (readonly Choice[])[], options: RankerOptions = {}): Record<string, number> {
  const { prior = () => 0, penalty = 1e-3, iterations = 100 } = options
  const told = questions.filter((choices) => choices.some(({ right }) => right) && choices.some(({ right }) => !right))
  const rows = told.flat()
  const table = tableOf(rows.map(({ evidence }) => evidence))
  const right = Uint8Array.from(rows, (row) => (row.right ? 1 : 0))
  let end = 0
  const ends = told.map((choices) => (end += choices.length))
  const { names, scales } = table.columns
  const start = Float64Array.from(names, (name, at) => prior(name) * scales[at]!)
  const scores = new Float64Array(rows.length)
  const share = new Float64Array(rows.length)
  const loss = (weights: Float64Array, gradient: Float64Array): number => {
    scoresInto(scores, table, weights)
    let total = 0
    for (let i = 0; i < weights.length; i += 1) {
      const off = weights[i]! - start[i]!
      gradient[i] = penalty * off
      total += (penalty / 2) * off * off
    }
    let from = 0
    for (const to of ends) {
      let top = -Infinity
      for (let r = from; r < to; r += 1) top = Math.max(top, scores[r]!)
      let [all, good] = [0, 0]
      for (let r = from; r < to; r += 1) {
        const weight = Math.exp(scores[r]! - top)
        share[r] = weight
        all += weight
        if (right[r] === 1) good += weight
      }
      // a right reading so far behind that its weight is no number yet still pulls
      const goodSafe = Math.max(good, Number.MIN_VALUE)
      total += (Math.log(all) - Math.log(goodSafe)) / told.length
      for (let r = from; r < to; r += 1) {
        const pull = share[r]! / all - (right[r] === 1 ? share[r]! / goodSafe : 0)
        if (pull !== 0) addRow(gradient, table, r, pull / told.length)
      }
      from = to
    }
    return total
  }
  if (told.length === 0) return {}
  const weights = minimise(loss, { start, iterations })
  return unscaled(table.columns, weights)
}
