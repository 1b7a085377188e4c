import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyLag, lagDensity, lagFit, lagsFrom, lagsInARow, usualLags } from './lags.ts'

const sum = (lags: ReturnType<typeof lagsFrom>, to: number, step: number): number => {
  let total = 0
  for (let ms = step / 2; ms < to; ms += step) total += lagDensity(lags, ms) * step
  return total
}

describe('lags', () => {
  it('a worked example: median 2 s, 95 % within 6 s', () => {
    const lags = lagsFrom(2000, 6000, 30_000)
    expect(lags.sigma).toBeCloseTo(Math.log(3) / 1.6449, 6)
    expect(lagFit(lags, 2000)).toBe(1)
    expect(lagFit(lags, 6000)).toBeCloseTo(Math.exp(-(1.6449 ** 2) / 2), 6)
    expect(usualLags(lags)).toEqual([540, 7406])
  })

  it.each([
    ['no lag at all', lagsFrom(0, 0, 30_000)],
    ['a percentile below the median', lagsFrom(5000, 1000, 30_000)],
    ['a window of nothing', lagsFrom(10, 20, 0)],
    ['nothing known', anyLag(30_000)],
    ['nothing known of one of two', lagsInARow(anyLag(1000), lagsFrom(10, 20, 1000))],
  ])('%s gives finite densities', (_, lags) => {
    for (const ms of [-5, 0, 1, 1000, 1e9]) {
      expect(Number.isFinite(lagDensity(lags, ms))).toBe(true)
      expect(lagFit(lags, ms)).toBeGreaterThanOrEqual(0)
      expect(lagFit(lags, ms)).toBeLessThanOrEqual(1)
    }
  })

  it('are a probability: over all times they add up to one', () => {
    for (const lags of [lagsFrom(300, 900, 30_000), lagsFrom(5000, 9000, 30_000), anyLag(30_000)]) {
      expect(sum(lags, 120_000, 5)).toBeCloseTo(1, 2)
    }
  })

  it('spread wider where the window cut them off', () => {
    expect(lagsFrom(15_000, 28_000, 30_000).sigma).toBeGreaterThan(lagsFrom(15_000, 28_000, 60_000).sigma)
  })

  it('in a row take as long as both, whatever the order', () => {
    const median = fc.integer({ min: 50, max: 20_000 })
    fc.assert(fc.property(median, median, fc.double({ min: 1.2, max: 3, noNaN: true }), (x, y, wide) => {
      const [first, second] = [lagsFrom(x, x * wide, 1e6), lagsFrom(y, y * wide, 1e6)]
      const both = lagsInARow(first, second)
      expect(both.mu).toBeCloseTo(lagsInARow(second, first).mu, 9)
      expect(Math.exp(both.mu)).toBeGreaterThan(Math.max(x, y))
      expect(both.sigma).toBeLessThanOrEqual(Math.max(first.sigma, second.sigma) + 1e-9)
    }))
  })
})
