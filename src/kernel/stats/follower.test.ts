import { describe, expect, it } from 'vitest'
import { followerTest } from './follower.ts'
import { rng } from './rng.ts'

const SPAN = 3_600_000
const options = (seed = 7) => ({ startMs: 0, endMs: SPAN, reachMs: 60_000, repeatMs: 3000, random: rng(seed) })
const drawn = (seed: number, count: number): number[] => {
  const random = rng(seed)
  return Array.from({ length: count }, () => random() * SPAN).toSorted((x, y) => x - y)
}
const test = (a: readonly number[], b: readonly number[], seed = 7) => followerTest([{ a, b }], options(seed))

describe('followerTest', () => {
  it('matches the worked example: six outages, each followed after five seconds', () => {
    const a = [100, 700, 1100, 1900, 2600, 3100].map((s) => s * 1000)
    const found = test(a, a.map((t) => t + 5000))
    expect(found).toMatchObject({ n: 6, followed: 6 })
    // the bin of 5 s ends at 60 / 2^3 and starts at 60 / 2^4: b is met there by 3.75 s of each of its six gaps
    expect(found?.bandMs).toEqual([3750, 7500])
    expect(found?.expected).toBeCloseTo((6 * 6 * 3.75) / 3600, 9)
    expect(found?.bits).toBeCloseTo(6 * Math.log2(6 / (6 * 6 * 3.75 / 3600)), 6)
    expect(found?.p).toBeLessThan(1e-8)
    expect(found?.z).toBeGreaterThan(10)
  })

  it.each([
    { name: 'too few causes', a: [1e5, 2e5], b: drawn(1, 9) },
    { name: 'too few effects', a: drawn(1, 9), b: [1e5] },
    { name: 'nothing', a: [], b: [] },
  ])('$name has no answer', ({ a, b }) => {
    expect(test(a, b)).toBeNull()
  })

  it('has no answer in a span too short to shift within, or below the least gain', () => {
    const a = [1, 2, 3, 4].map((s) => s * 1000)
    expect(followerTest([{ a, b: a }], { ...options(), endMs: 100_000 })).toBeNull()
    expect(followerTest([{ a: drawn(1, 9), b: drawn(2, 9) }], { ...options(), leastGain: 50 })).toBeNull()
  })

  it('is silent on two heartbeats of one period, at whatever phase', () => {
    const beat = (phase: number): number[] => Array.from({ length: 359 }, (_, i) => i * 10_000 + phase)
    for (const phase of [100, 1500, 9000]) expect(test(beat(0), beat(phase))?.p).toBeGreaterThan(0.001)
  })

  it('is silent on two events that are merely busy in the same hour, and not on a cause in that hour', () => {
    const busy = (seed: number): number[] => drawn(seed, 100).filter((t) => t < SPAN / 2)
    const many = Array.from({ length: 20 }, (_, i) => test(busy(i), busy(i + 100))?.p ?? 1)
    expect(many.filter((p) => p < 0.01).length).toBeLessThanOrEqual(1)
    const a = drawn(3, 40).filter((t) => t < SPAN / 2)
    expect(test(a, a.map((t) => t + 900))?.p).toBeLessThan(1e-6)
  })

  it('holds its level on independent events, also when they come in bursts', () => {
    const bursts = (seed: number, count: number): number[] =>
      drawn(seed, count).flatMap((t) => [t, t + 300, t + 900]).toSorted((x, y) => x - y)
    const ps = Array.from({ length: 300 }, (_, i) => test(i % 2 ? bursts(i, 7) : drawn(i, 20), i % 3 ? bursts(i + 999, 6) : drawn(i + 999, 25), i)?.p ?? 1)
    // 15 expected at the level of 5 %, 3 at 1 %
    expect(ps.filter((p) => p < 0.05).length).toBeLessThan(28)
    expect(ps.filter((p) => p < 0.01).length).toBeLessThan(9)
    expect(ps.filter((p) => p < 0.0001)).toEqual([])
  })

  it('matches on the same thing where times alone say little', () => {
    const random = rng(5)
    const groups = Array.from({ length: 30 }, () => {
      const t = random() * (SPAN - 60_000)
      return { a: [t], b: [t + 20_000 + random() * 20_000] }
    })
    expect(followerTest(groups, options())?.p).toBeLessThan(1e-12)
  })

  it('gives the same figures for the same seed', () => {
    expect(test(drawn(1, 30), drawn(2, 30))).toEqual(test(drawn(1, 30), drawn(2, 30)))
  })
})
