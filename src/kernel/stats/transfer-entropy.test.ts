import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rng } from './rng.ts'
import { transferEntropy } from './transfer-entropy.ts'

const HOUR = 3_600_000
const about = (seed = 7) => ({ startMs: 0, endMs: 2 * HOUR, windowMs: 30_000, random: rng(seed) })
const scattered = (seed: number, n: number): number[] => {
  const random = rng(seed)
  return Array.from({ length: n }, () => Math.floor(random() * 2 * HOUR)).toSorted((x, y) => x - y)
}

describe('transferEntropy', () => {
  it('matches the worked example', () => {
    // 8 causes, each followed by its effect 2 s later: all eight lags fall into the bin of 1.875 s to 3.75 s,
    // so the information is 8 * log2(1 / chance of that bin), and nothing is left over for the other bins
    const a = scattered(3, 8)
    const te = transferEntropy([{ a, b: a.map((t) => t + 2000) }], about())
    expect(te?.followed).toBe(8)
    expect(te?.expected).toBeLessThan(1)
    expect(te?.bits).toBeGreaterThan(8 * Math.log2(1 / (1 / 8)))
    expect(te?.z).toBeGreaterThan(5)
  })

  it('says nothing for the reverse direction', () => {
    const a = scattered(3, 8)
    const b = a.map((t) => t + 2000)
    expect(transferEntropy([{ a: b, b: a }], about())?.z).toBeLessThan(2)
  })

  it.each([
    { name: 'four events are too few', a: scattered(1, 4), b: scattered(2, 40), endMs: 2 * HOUR },
    { name: 'a span of four windows is too short to shift in', a: scattered(1, 9), b: scattered(2, 9), endMs: 120_000 },
    { name: 'nothing', a: [], b: [], endMs: 2 * HOUR },
  ])('$name: no answer', ({ a, b, endMs }) => {
    expect(transferEntropy([{ a, b }], { ...about(), endMs })).toBeNull()
  })

  it('stays finite when no shifted clock ever meets', () => {
    const a = Array.from({ length: 6 }, (_, i) => i * 1e9)
    const te = transferEntropy([{ a, b: a.map((t) => t + 5) }], { startMs: 0, endMs: 6e9, windowMs: 1000, random: rng(7) })
    expect(te?.z).toBeLessThan(1e4)
    expect(te?.z).toBeGreaterThan(2)
  })

  it('is negative where b keeps away from a', () => {
    const a = scattered(5, 60)
    const b = scattered(6, 300).filter((t) => !a.some((cause) => t > cause && t <= cause + 30_000))
    const te = transferEntropy([{ a, b }], about())
    expect(te?.followed).toBe(0)
    expect(te?.z).toBeLessThan(-2)
  })

  it('rarely sees a tie between events that have none', () => {
    const seen = Array.from({ length: 120 }, (_, i) => {
      const te = transferEntropy([{ a: scattered(2 * i, 30), b: scattered(2 * i + 1, 30) }], { ...about(i), surrogates: 100 })
      return te?.z ?? 0
    })
    expect(seen.filter((z) => z > 2).length).toBeLessThanOrEqual(12)
  })

  it('gives the same figure for the same seed, and for the same story told later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (later) => {
        const a = scattered(3, 8)
        const b = a.map((t) => t + 2000)
        const here = transferEntropy([{ a, b }], about())
        const move = (times: number[]): number[] => times.map((t) => t + later)
        const there = transferEntropy([{ a: move(a), b: move(b) }], { ...about(), startMs: later, endMs: later + 2 * HOUR })
        expect(there?.z).toBeCloseTo(here?.z ?? 0, 6)
      }),
      { numRuns: 20 },
    )
  })
})
