import { describe, expect, it } from 'vitest'
import { selectParents } from './parents.ts'
import { rng } from './rng.ts'

const SPAN = 7_200_000
const OPTIONS = { spanMs: SPAN, toleranceMs: 100, minGain: 6 }

/** Lags from each event back to a candidate's occurrences in the last minute. */
const back = (events: readonly number[], causes: readonly number[]) => ({
  occurrences: causes.length,
  bandMs: [0, 60_000] as const,
  lagsMs: events.map((t) => causes.filter((c) => c < t && t - c < 60_000).map((c) => t - c)),
})

function world(seed: number) {
  const random = rng(seed)
  const lag = (median: number): number => median * Math.exp(0.5 * (random() + random() + random() - 1.5))
  const effects = (causes: readonly number[], median: number): number[] =>
    causes.filter(() => random() < 0.8).map((t) => t + lag(median)).toSorted((x, y) => x - y)
  const roots = Array.from({ length: 30 }, () => random() * SPAN).toSorted((x, y) => x - y)
  return { roots, effects }
}

describe('selectParents', () => {
  it.each([1, 2, 3, 4, 5])('keeps the middle of a chain and drops its start (seed %d)', (seed) => {
    const { roots, effects } = world(seed)
    const middle = effects(roots, 3000)
    const ends = effects(middle, 2000)
    const fits = selectParents(ends.length, [back(ends, roots), back(ends, middle)], OPTIONS)
    expect(fits).toMatchObject([{ kept: false, explainedBy: 1 }, { kept: true, explainedBy: null }])
  })

  it.each([1, 2, 3, 4, 5])('keeps the common cause and drops the sibling (seed %d)', (seed) => {
    const { roots, effects } = world(seed)
    const [sibling, ends] = [effects(roots, 2000), effects(roots, 6000)]
    const fits = selectParents(ends.length, [back(ends, sibling), back(ends, roots)], OPTIONS)
    expect(fits).toMatchObject([{ kept: false, explainedBy: 1 }, { kept: true }])
  })

  it('keeps two causes that each explain their own', () => {
    const [one, two] = [world(1), world(2)]
    const ends = [...one.effects(one.roots, 2000), ...two.effects(two.roots, 5000)].toSorted((x, y) => x - y)
    expect(selectParents(ends.length, [back(ends, one.roots), back(ends, two.roots)], OPTIONS).map((fit) => fit.kept)).toEqual([true, true])
  })

  it('drops what explains nothing, and has nothing to say of nothing', () => {
    const { roots } = world(1)
    const others = world(9).roots
    expect(selectParents(others.length, [back(others, roots)], OPTIONS)).toMatchObject([{ kept: false, explainedBy: null }])
    expect(selectParents(0, [], OPTIONS)).toEqual([])
    expect(selectParents(3, [{ occurrences: 2, bandMs: [0, 9], lagsMs: [[], [], []] }], OPTIONS)).toMatchObject([{ kept: false }])
  })
})
