/** The rarest template of a sequence: the negative logarithm of the share of ordinary sequences that hold it. */
import type { Detector } from './detector.ts'

export const unseenEvent: Detector = {
  name: 'unseen-event',
  learn(sequences, { size }) {
    const holders = new Float64Array(size + 1)
    for (const sequence of sequences) for (const symbol of new Set(sequence)) holders[symbol]! += 1
    const rarity = holders.map((count) => -Math.log((count + 0.5) / (sequences.length + 1)))
    return (sequence) => sequence.reduce((most, symbol) => Math.max(most, rarity[symbol] ?? 0), 0)
  },
}
