/**
 * Where fitting begins. Symbols that follow and precede the same symbols belong to one state more often than not, so their
 * bigram profiles are clustered (k-means++) and each cluster becomes a state. Chance picks the centres: another draw,
 * another start.
 */
import type { Packed } from './hmm-data.ts'
import type { Hmm } from './hmm.ts'
import type { Rng } from './rng.ts'

const ROUNDS = 10
/** Symbols with a profile of their own; those that are rarer share one, as every pair of symbols is counted. */
const MAX_PROFILES = 256
/** Mixed into every start: a probability that begins at 0 stays there. */
const SPREAD = 0.2

/** A model with one state per cluster of symbols. */
export function profileStart(packed: Packed, states: number, random: Rng): Hmm {
  const { symbols: m } = packed
  const counts = countsOf(packed)
  const { kindOf, kinds } = kindsOf(counts)
  const { bigrams, first, weights } = bigramsOf(packed, kindOf, kinds)
  const profiles = Array.from({ length: kinds }, (_, kind) => profileOf(bigrams, kinds, kind))
  const own = clusters(profiles, weights, states, random)
  const start = new Float64Array(states)
  const transition = new Float64Array(states * states)
  const emission = new Float64Array(m * states)
  for (let s = 0; s < m; s += 1) emission[s * states + own[kindOf[s]!]!]! += counts[s]!
  for (let kind = 0; kind < kinds; kind += 1) {
    start[own[kind]!]! += first[kind]!
    for (let next = 0; next < kinds; next += 1) transition[own[kind]! * states + own[next]!]! += bigrams[kind * kinds + next]!
  }
  const noise = (): number => 0.5 + random()
  return {
    states, symbols: m, start: spread(start, 1, states, noise), transition: spread(transition, states, states, noise),
    emission: turned(spread(turned(emission, m, states), states, m, noise), states, m),
  }
}

/** Any model, all equally likely: exponential draws, normalised. */
export function randomStart(symbols: number, states: number, random: Rng): Hmm {
  const rows = (count: number, width: number): Float64Array => {
    const values = Float64Array.from({ length: count * width }, () => -Math.log(1 - random()))
    return normalise(values, count, width)
  }
  return {
    states, symbols, start: rows(1, states), transition: rows(states, states), emission: turned(rows(states, symbols), states, symbols),
  }
}

function countsOf({ data, offsets, weights, symbols }: Packed): Float64Array {
  const counts = new Float64Array(symbols)
  for (let s = 0; s < weights.length; s += 1) for (let t = offsets[s]!; t < offsets[s + 1]!; t += 1) counts[data[t]!]! += weights[s]!
  return counts
}

/** Few symbols are a kind each, in their order; of many the most frequent ones are, and the last kind is all others. */
function kindsOf(counts: Float64Array): { readonly kindOf: Uint32Array; readonly kinds: number } {
  const symbols = counts.length
  if (symbols <= MAX_PROFILES) return { kindOf: Uint32Array.from(counts.keys()), kinds: symbols }
  const kindOf = new Uint32Array(symbols).fill(MAX_PROFILES - 1)
  const frequent = [...counts.keys()].toSorted((x, y) => counts[y]! - counts[x]! || x - y).slice(0, MAX_PROFILES - 1)
  for (const [kind, symbol] of frequent.entries()) kindOf[symbol] = kind
  return { kindOf, kinds: MAX_PROFILES }
}

function bigramsOf({ data, offsets, weights: times }: Packed, kindOf: Uint32Array, kinds: number) {
  const [bigrams, first, weights] = [new Float64Array(kinds * kinds), new Float64Array(kinds), new Float64Array(kinds)]
  const kindAt = (t: number): number => kindOf[data[t]!]!
  for (let s = 0; s < times.length; s += 1) {
    const [from, to, weight] = [offsets[s]!, offsets[s + 1]!, times[s]!]
    if (from < to) first[kindAt(from)]! += weight
    for (let t = from; t < to; t += 1) {
      weights[kindAt(t)]! += weight
      if (t + 1 < to) bigrams[kindAt(t) * kinds + kindAt(t + 1)]! += weight
    }
  }
  return { bigrams, first, weights }
}

/** What follows a symbol, then what precedes it, each as shares. */
function profileOf(bigrams: Float64Array, m: number, symbol: number): Float64Array {
  const profile = new Float64Array(2 * m)
  for (let other = 0; other < m; other += 1) {
    profile[other] = bigrams[symbol * m + other]!
    profile[m + other] = bigrams[other * m + symbol]!
  }
  return normalise(profile, 2, m)
}

/** k-means with weights; the centres are drawn far apart (Arthur and Vassilvitskii 2007). The cluster of each symbol. */
function clusters(points: readonly Float64Array[], weights: Float64Array, k: number, random: Rng): Uint32Array {
  const centres: Float64Array[] = []
  while (centres.length < k) {
    const costs = points.map((point, i) => weights[i]! * (centres.length === 0 ? 1 : nearest(point, centres).distance))
    centres.push(Float64Array.from(points[drawn(costs, random)]!))
  }
  let own = new Uint32Array(points.length)
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = Uint32Array.from(points, (point) => nearest(point, centres).index)
    if (round > 0 && next.every((index, i) => index === own[i])) break
    own = next
    for (const [c, centre] of centres.entries()) {
      let mass = 0
      const sum = new Float64Array(centre.length)
      for (const [i, point] of points.entries()) {
        if (own[i] !== c) continue
        mass += weights[i]!
        for (let d = 0; d < sum.length; d += 1) sum[d]! += weights[i]! * point[d]!
      }
      if (mass > 0) centres[c] = sum.map((value) => value / mass)
    }
  }
  return own
}

function nearest(point: Float64Array, centres: readonly Float64Array[]): { index: number; distance: number } {
  let best = { index: 0, distance: Infinity }
  for (const [index, centre] of centres.entries()) {
    let distance = 0
    for (let d = 0; d < point.length; d += 1) distance += (point[d]! - centre[d]!) ** 2
    if (distance < best.distance) best = { index, distance }
  }
  return best
}

/** An index with chance in proportion to its cost. */
function drawn(costs: readonly number[], random: Rng): number {
  let left = random() * costs.reduce((sum, cost) => sum + cost, 0)
  for (const [i, cost] of costs.entries()) {
    left -= cost
    if (left < 0) return i
  }
  return 0
}

function spread(values: Float64Array, rows: number, width: number, noise: () => number): Float64Array {
  const base = normalise(values, rows, width)
  return normalise(base.map((value) => (1 - SPREAD) * value + (SPREAD / width) * noise()), rows, width)
}

function normalise(values: Float64Array, rows: number, width: number): Float64Array {
  for (let i = 0; i < rows; i += 1) {
    const row = values.subarray(i * width, (i + 1) * width)
    const sum = row.reduce((total, value) => total + value, 0)
    for (let j = 0; j < width; j += 1) row[j] = sum > 0 ? row[j]! / sum : 1 / width
  }
  return values
}

/** rows x width becomes width x rows. */
function turned(values: Float64Array, rows: number, width: number): Float64Array {
  const out = new Float64Array(values.length)
  for (let i = 0; i < rows; i += 1) for (let j = 0; j < width; j += 1) out[j * rows + i] = values[i * width + j]!
  return out
}
