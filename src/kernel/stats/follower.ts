/**
 * Does b follow a? The information in the lag from each a to the first b behind it, against clocks that are shifted.
 *
 * Each a opens a race that ends with the next a: does b come within it, and at what lag? When b is turned round the clock by a
 * random amount its own rhythm and bursts stay and only its tie to a breaks, so the chance of each lag is known exactly from
 * the gaps of a and b. The statistic is the best band of lags: the log-likelihood ratio of what was counted in it against what
 * chance puts there. Its null comes from shifted clocks, half of them shifted by little, so that two events which merely are
 * busy in the same hour do not count; the far tail of the null is Gumbel's, fitted to the shifts, because no number of shifts
 * reaches the small p that thousands of pairs demand.
 */
import type { Rng } from './rng.ts'
import { firstAbove } from './search.ts'

/** Occurrences of a and b on one entity (or all of them, where no entity is shared); sorted, in milliseconds. */
export interface EventPair {
  readonly a: ArrayLike<number>
  readonly b: ArrayLike<number>
}

export interface FollowerOptions {
  readonly startMs: number
  readonly endMs: number
  /** longest lag that is looked at */
  readonly reachMs: number
  /** clocks may differ by this much: b counts as a follower from so much before a on */
  readonly toleranceMs?: number
  /** what comes again within this time is the same happening: two bursts that meet once must not count as many meetings */
  readonly repeatMs?: number
  readonly random: Rng
  /** nats below which shifting clocks is not worth the while */
  readonly leastGain?: number
  readonly surrogates?: number // 200, half of them near; where a fifth of them shows no sign of a tie, no more are drawn
}

export interface FollowerTest {
  /** races, how many b won in the best band, and how many chance lets it win */
  readonly n: number
  readonly followed: number
  readonly expected: number
  readonly bandMs: readonly [from: number, to: number]
  /** bits of the best band above chance; what shifted clocks reach on average */
  readonly bits: number
  readonly surrogateBits: number
  readonly z: number
  readonly p: number
  /** per lag bin: upper edge, what was counted, what chance gives */
  readonly histogram: readonly { readonly toMs: number; readonly observed: number; readonly expected: number }[]
}

/** Bins double from a 512th of the reach on. */
const BINS = 10
/** Fewer occurrences than this cannot tell a cause from a coincidence. */
const MIN_EVENTS = 4
/** A likelihood ratio has an exponential tail of scale 1 when races are independent; dependence only widens it. */
const MIN_SCALE = 1
/** Where no shifted clock meets, the spread is 0 and z without bound: half a unit is less than one sighting is worth. */
const MIN_SPREAD = 0.5
/** Below this z after a fifth of the shifts, the others would change nothing. */
const PROMISING = 1.5
/** Near shifts reach this many times the longest lag. */
const NEAR = 5

/** Null where it cannot be told: too few events, a span too short to shift within, or less than the least gain. */
export function followerTest(groups: readonly EventPair[], options: FollowerOptions): FollowerTest | null {
  const { startMs, endMs, reachMs, toleranceMs = 0, repeatMs = 0, random, leastGain = 0, surrogates = 200 } = options
  const span = endMs - startMs
  const single = groups.map(({ a, b }) => ({ a: withoutRepeats(a, repeatMs), b: withoutRepeats(b, repeatMs) }))
  const n = single.reduce((sum, group) => sum + group.a.length, 0)
  const others = single.reduce((sum, group) => sum + group.b.length, 0)
  if (n < MIN_EVENTS || others < MIN_EVENTS || span <= 4 * reachMs) return null
  // a race starts the tolerance before its a; lags count from there
  const edges = Float64Array.from({ length: BINS }, (_, bin) => toleranceMs + reachMs / 2 ** (BINS - 1 - bin))
  const races = single
    .filter(({ a, b }) => a.length > 0 && b.length > 0)
    .map((group) => raceOf(group, startMs, span, toleranceMs))
  const expected = new Float64Array(BINS)
  for (const race of races) addExpected(race, edges, expected)
  const counts = new Float64Array(BINS)
  const scan = (shift: number): Band => {
    counts.fill(0)
    for (const race of races) addFollowers(race, shift, edges, counts)
    return bestBand(counts, expected, n)
  }
  const best = scan(0)
  if (best.gain < leastGain) return null
  const histogram = [...counts].map((observed, bin) => ({
    toMs: (edges[bin] ?? 0) - toleranceMs, observed, expected: expected[bin] ?? 0,
  }))
  const near = Math.min(NEAR * reachMs, span / 2)
  const gains: [far: number[], near: number[]] = [[], []]
  const draw = (count: number): void => {
    for (let i = 0; i < count; i += 1) {
      const share = random()
      gains[0].push(scan(reachMs + share * (span - 2 * reachMs)).gain)
      gains[1].push(scan((i % 2 === 0 ? 1 : -1) * (reachMs + share * (near - reachMs))).gain)
    }
  }
  draw(Math.ceil(surrogates / 10))
  const zOf = ({ mean, spread }: Moments): number => (best.gain - mean) / Math.max(spread, MIN_SPREAD)
  if (gains.every((each) => zOf(momentsOf(each)) > PROMISING)) draw(Math.floor((surrogates * 4) / 10))
  const nulls = gains.map(momentsOf)
  return {
    n,
    followed: best.count,
    expected: best.expected,
    bandMs: [best.from === 0 ? -toleranceMs : (edges[best.from - 1] ?? 0) - toleranceMs, (edges[best.to] ?? 0) - toleranceMs],
    bits: best.gain / Math.LN2,
    surrogateBits: Math.max(...nulls.map(({ mean }) => mean)) / Math.LN2,
    z: Math.min(...nulls.map(zOf)),
    p: Math.max(...nulls.map((moments) => gumbelTail(best.gain, moments))),
    histogram,
  }
}

function withoutRepeats(times: ArrayLike<number>, repeatMs: number): Float64Array {
  const kept = new Float64Array(times.length)
  let count = 0
  for (let i = 0; i < times.length; i += 1) {
    const time = times[i] ?? 0
    if (count === 0 || time - (kept[count - 1] ?? 0) >= repeatMs) kept[count++] = time
  }
  return kept.subarray(0, count)
}

interface Race {
  readonly starts: Float64Array
  /** until the next a */
  readonly lengths: Float64Array
  readonly b: Float64Array
  /** gaps of b, sorted, and their running sums */
  readonly gaps: Float64Array
  readonly sums: Float64Array
  readonly startMs: number
  readonly span: number
}

function raceOf({ a, b }: { a: Float64Array; b: Float64Array }, startMs: number, span: number, toleranceMs: number): Race {
  const gaps = gapsOf(b, span).toSorted()
  const sums = new Float64Array(gaps.length + 1)
  for (let i = 0; i < gaps.length; i += 1) sums[i + 1] = (sums[i] ?? 0) + (gaps[i] ?? 0)
  return { starts: a.map((t) => t - toleranceMs), lengths: gapsOf(a, span), b, gaps, sums, startMs, span }
}

/** From each time to the next, the last one round the clock to the first. */
const gapsOf = (times: ArrayLike<number>, span: number): Float64Array =>
  Float64Array.from(times, (time, i) => (i + 1 < times.length ? (times[i + 1] ?? 0) : (times[0] ?? 0) + span) - time)

/** The chance that the first b after a moment drawn from the whole span comes within the lag. */
function within({ gaps, sums, span }: Race, lag: number): number {
  const shorter = firstAbove(gaps, lag)
  return Math.min(1, ((sums[shorter] ?? 0) + (gaps.length - shorter) * lag) / span)
}

function addExpected(race: Race, edges: Float64Array, into: Float64Array): void {
  const chances = edges.map((edge) => within(race, edge))
  const longest = edges.at(-1) ?? 0
  for (const length of race.lengths) {
    const most = length >= longest ? 1 : within(race, length)
    let before = 0
    for (let bin = 0; bin < BINS; bin += 1) {
      const reached = Math.min(chances[bin] ?? 0, most)
      into[bin] = (into[bin] ?? 0) + reached - before
      before = reached
    }
  }
}

function addFollowers({ starts, lengths, b, startMs, span }: Race, shift: number, edges: Float64Array, into: Float64Array): void {
  for (let i = 0; i < starts.length; i += 1) {
    let from = (starts[i] ?? 0) - shift
    if (from < startMs) from += span
    else if (from >= startMs + span) from -= span
    const j = firstAbove(b, from)
    const lag = (j < b.length ? (b[j] ?? 0) : (b[0] ?? 0) + span) - from
    if (lag > (lengths[i] ?? 0) || lag > (edges[BINS - 1] ?? 0)) continue
    let bin = 0
    while (lag > (edges[bin] ?? 0)) bin += 1
    into[bin] = (into[bin] ?? 0) + 1
  }
}

interface Band {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly expected: number
  /** nats */
  readonly gain: number
}

/** The run of neighbouring bins that holds most above chance, by the likelihood ratio of a binomial. */
function bestBand(counts: Float64Array, expected: Float64Array, n: number): Band {
  let best: Band = { from: 0, to: BINS - 1, count: 0, expected: 0, gain: 0 }
  for (let from = 0; from < BINS; from += 1) {
    if (counts[from] === 0) continue // a band that starts or ends with an empty bin is never the best
    let [count, chance] = [0, 0]
    for (let to = from; to < BINS; to += 1) {
      count += counts[to] ?? 0
      chance += expected[to] ?? 0
      if (counts[to] === 0 || count <= chance) continue
      const rest = n - count
      const gain = count * Math.log(count / chance) + (rest > 0 ? rest * Math.log(rest / Math.max(n - chance, 1e-12)) : 0)
      if (gain > best.gain) best = { from, to, count, expected: chance, gain }
    }
  }
  return best
}

interface Moments {
  readonly mean: number
  readonly spread: number
}

function momentsOf(values: readonly number[]): Moments {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { mean, spread: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)) }
}

/** The chance of a largest value at least this large, by Gumbel's distribution with these moments. */
function gumbelTail(value: number, { mean, spread }: Moments): number {
  const scale = Math.max(MIN_SCALE, (spread * Math.sqrt(6)) / Math.PI)
  return -Math.expm1(-Math.exp(-(value - mean) / scale - 0.5772156649015329))
}
