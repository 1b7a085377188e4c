/**
 * The most surprising step of a sequence under a Markov chain of variable order: what comes next, given the one or two templates
 * before, with shorter contexts standing in where a longer one was hardly seen (Witten and Bell 1991). Beginning and end are
 * symbols too, so a sequence that breaks off is surprising at its end.
 */
import type { Detector } from './detector.ts'

const ORDER = 2

interface Context {
  total: number
  readonly next: Map<number, number>
}

export const markov: Detector = {
  name: 'bigram',
  learn(sequences, { size }) {
    const [end, start] = [size + 1, size + 2]
    const base = size + 3
    const contexts = new Map<number, Context>()
    const walk = (sequence: readonly number[], visit: (keys: readonly number[], symbol: number) => void): void => {
      let [before, last] = [start, start]
      for (let t = 0; t <= sequence.length; t += 1) {
        const symbol = t < sequence.length ? sequence[t]! : end
        // one number for a context of any length: 0, then below base, then above
        visit([0, 1 + last, 1 + base + last * base + before], symbol)
        before = last
        last = symbol
      }
    }
    for (const sequence of sequences) {
      walk(sequence, (keys, symbol) => {
        for (const key of keys) {
          const context = contexts.get(key) ?? { total: 0, next: new Map<number, number>() }
          context.total += 1
          context.next.set(symbol, (context.next.get(symbol) ?? 0) + 1)
          contexts.set(key, context)
        }
      })
    }
    return (sequence) => {
      let most = 0
      walk(sequence, (keys, symbol) => {
        let chance = 1 / base
        for (let order = 0; order <= ORDER; order += 1) {
          const context = contexts.get(keys[order]!)
          if (context === undefined) break
          const kinds = context.next.size
          chance = ((context.next.get(symbol) ?? 0) + kinds * chance) / (context.total + kinds)
        }
        most = Math.max(most, -Math.log(chance))
      })
      return most
    }
  },
}
