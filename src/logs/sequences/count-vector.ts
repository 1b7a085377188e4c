/**
 * Bag novelty: how often each template occurs, whatever the order. A sequence is strange when few ordinary ones have counts
 * like its own: the negative logarithm of a kernel density over the counts that were learned.
 */
import { integerIn } from '../../kernel/stats/index.ts'
import type { Detector } from './detector.ts'

/** Counts are compared by their logarithm to base 2: the third repetition says less than the first. */
const BANDWIDTH = 0.25
/** Different bags that are kept; of more, a sample stands for all. */
const MAX_BAGS = 1000
/** Far from everything is not infinitely strange. */
const FARTHEST = 40

interface Bag {
  readonly symbols: readonly number[]
  readonly levels: readonly number[]
  weight: number
}

export const countVector: Detector = {
  name: 'count-vector',
  learn(sequences, { random }) {
    const bags = new Map<string, Bag>()
    for (const sequence of sequences) {
      const key = bagKey(sequence)
      const known = bags.get(key)
      if (known === undefined) bags.set(key, bagOf(sequence))
      else known.weight += 1
    }
    const kept = sampled([...bags.values()], MAX_BAGS, random)
    const total = kept.reduce((sum, bag) => sum + bag.weight, 0)
    const answers = new Map<string, number>()
    return (sequence) => {
      const key = bagKey(sequence)
      const answer = answers.get(key) ?? strangeness(bagOf(sequence), kept, total)
      answers.set(key, answer)
      return answer
    }
  },
}

function strangeness(bag: Bag, kept: readonly Bag[], total: number): number {
  let density = Math.exp(-FARTHEST)
  for (const other of kept) density += (other.weight / total) * Math.exp(-distance(bag, other) / BANDWIDTH)
  return -Math.log(density)
}

const bagKey = (sequence: readonly number[]): string => sequence.toSorted((x, y) => x - y).join(' ')

function bagOf(sequence: readonly number[]): Bag {
  const counts = new Map<number, number>()
  for (const symbol of sequence) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  const symbols = [...counts.keys()].toSorted((x, y) => x - y)
  return { symbols, levels: symbols.map((symbol) => Math.log2(1 + (counts.get(symbol) ?? 0))), weight: 1 }
}

/** The sum of the differences, both lists walked once. */
function distance(x: Bag, y: Bag): number {
  let sum = 0
  let j = 0
  for (let i = 0; i < x.symbols.length; i += 1) {
    while (j < y.symbols.length && y.symbols[j]! < x.symbols[i]!) sum += y.levels[j++]!
    sum += y.symbols[j] === x.symbols[i] ? Math.abs(x.levels[i]! - y.levels[j++]!) : x.levels[i]!
  }
  while (j < y.symbols.length) sum += y.levels[j++]!
  return sum
}

/** Some of the bags by chance (reservoir, Vitter 1985), in their order. */
function sampled(bags: readonly Bag[], most: number, random: () => number): readonly Bag[] {
  if (bags.length <= most) return bags
  const places = Array.from({ length: most }, (_, i) => i)
  for (let i = most; i < bags.length; i += 1) {
    const place = integerIn(random, 0, i + 1)
    if (place < most) places[place] = i
  }
  return places.toSorted((x, y) => x - y).map((i) => bags[i]!)
}
