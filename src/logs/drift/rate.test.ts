import { describe, expect, it } from 'vitest'
import { rng } from '../../kernel/stats/index.ts'
import { binned, habitOf, habitOfEarliest, rateChange } from './rate.ts'

const series = (bins: number, rate: number, seed: number): Float64Array => {
  const random = rng(seed)
  // a Poisson draw by multiplication (Knuth)
  const draw = () => {
    let [count, product] = [0, random()]
    for (; product > Math.exp(-rate); product *= random()) count += 1
    return count
  }
  return Float64Array.from({ length: bins }, draw)
}

describe('binned', () => {
  it('counts each time in its bin, those outside in none or the last', () => {
    expect([...binned([0, 5, 10, 19, 25, -3], 0, 10, 2)]).toEqual([2, 3])
  })
})

describe('rateChange', () => {
  it('finds a doubled rate and the bin in which it begins', () => {
    const change = rateChange(habitOf(series(60, 10, 1)), Float64Array.from([...series(30, 10, 2), ...series(30, 25, 3)]))
    expect(change.p).toBeLessThan(1e-6)
    expect(change.since).toBeGreaterThanOrEqual(28)
    expect(change.since).toBeLessThanOrEqual(32)
  })

  it.each([
    { name: 'nothing before and nothing now', before: [0, 0], now: [0, 0] },
    { name: 'no bins', before: [], now: [] },
    { name: 'the same', before: [3, 3, 3], now: [3, 3, 3] },
  ])('$name is no change', ({ before, now }) => {
    expect(rateChange(habitOf(Float64Array.from(before)), Float64Array.from(now)).p).toBeCloseTo(1, 6)
  })

  it('calls few equal rates changed', () => {
    const ps = Array.from({ length: 200 }, (_, i) => rateChange(habitOf(series(20, 4, 2 * i)), series(20, 4, 2 * i + 1)).p)
    expect(ps.filter((p) => p <= 0.05).length).toBeLessThanOrEqual(20)
  })

  it('a burst is no news where bursts are the rule', () => {
    const bursts = Float64Array.from([0, 0, 40, 0, 0, 0, 0, 38, 0, 0])
    expect(rateChange(habitOf(bursts), Float64Array.from([0, 0, 0, 45, 0, 41])).p).toBeGreaterThan(0.05)
  })
})

describe('habitOfEarliest', () => {
  it('takes how often from all lines, and how evenly from those that were kept', () => {
    const even = Array.from({ length: 300 }, (_, i) => i * 1000)
    expect(habitOfEarliest(even, 6000, 20)).toEqual({ perBin: 300, bins: 20, burst: 1 })
    expect(habitOfEarliest(even.map((time) => Math.floor(time / 100_000) * 100_000), 6000, 20).burst).toBeGreaterThan(10)
    expect(habitOfEarliest([5, 5, 5], 9, 3)).toMatchObject({ perBin: 3, bins: 3 })
  })
})
