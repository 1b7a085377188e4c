import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GoldenGranger, grangerCases } from './granger.cases.test-support.ts'
import { binCounts, granger, lagOrder } from './granger.ts'
import { rng } from './rng.ts'

const noise = (seed: number, n: number): number[] => {
  const random = rng(seed)
  return Array.from({ length: n }, () => random() - 0.5)
}

describe('granger', () => {
  it('matches the worked example', () => {
    // y on (1, y') and on (1, y', x') for t = 1..6, fitted below in another way; d1 = 1, d2 = 6 points - 3 weights = 3
    const x = [1, 0, 2, 1, 0, 1, 0]
    const y = [0, 1, 0, 2, 1, 0, 2]
    const own = ols(y.slice(1), y.slice(0, -1).map((v) => [1, v]))
    const both = ols(y.slice(1), y.slice(0, -1).map((v, i) => [1, v, x[i] ?? 0]))
    const test = granger(x, y, 1)
    expect(test?.f).toBeCloseTo((own - both) / (both / 3), 9)
    expect(test).toMatchObject({ order: 1, d1: 1, d2: 3 })
  })

  it('finds that y repeats x two steps later, and not the other way round', () => {
    const x = noise(7, 300)
    const y = noise(8, 300).map((e, t) => 0.8 * (x[t - 2] ?? 0) + 0.3 * e)
    expect(granger(x, y, 3)?.p).toBeLessThan(1e-6)
    expect(granger(y, x, 3)?.p).toBeGreaterThan(0.01)
  })

  it.each([
    { name: 'a constant cause', x: [1, 1, 1, 1, 1, 1, 1, 1], y: [1, 2, 1, 3, 1, 2, 5, 1], order: 1 },
    { name: 'a constant effect', x: [1, 2, 1, 3, 1, 2, 5, 1], y: [0, 0, 0, 0, 0, 0, 0, 0], order: 1 },
    { name: 'too few points', x: [1, 2, 3], y: [3, 2, 1], order: 1 },
    { name: 'no lag at all', x: noise(1, 20), y: noise(2, 20), order: 0 },
    { name: 'nothing', x: [], y: [], order: 1 },
  ])('$name has no answer', ({ x, y, order }) => {
    expect(granger(x, y, order)).toBeNull()
  })

  it('rejects about one in twenty independent pairs at the 5 % level', () => {
    const rejected = Array.from({ length: 400 }, (_, i) => granger(noise(2 * i, 120), noise(2 * i + 1, 120), 2)?.p ?? 1)
    // 20 expected of 400, standard deviation 4.4
    expect(Math.abs(rejected.filter((p) => p < 0.05).length - 20)).toBeLessThan(15)
  })

  it('does not depend on the unit of the cause', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 0, max: 1000 }), (unit, seed) => {
        const x = noise(seed, 40)
        const y = noise(seed + 5000, 40)
        expect(granger(x.map((v) => v * unit), y, 2)?.p).toBeCloseTo(granger(x, y, 2)?.p ?? -1, 6)
      }),
      { numRuns: 40 },
    )
  })
})

describe('against statsmodels (scripts/granger-golden.ts)', () => {
  const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden', 'granger.json'), 'utf8')) as GoldenGranger[]
  it.each(grangerCases().map((each, i) => ({ ...each, expected: golden[i] })))('$name', ({ name, x, y, order, expected }) => {
    expect(expected?.name).toBe(name)
    const found = granger(x, y, order)
    const near = (value: number | undefined, other: number | undefined): number => Math.abs((value ?? NaN) - (other ?? NaN))
    expect(near(found?.f, expected?.f)).toBeLessThan(1e-6 * Math.max(1, expected?.f ?? 0))
    expect(near(found?.p, expected?.p)).toBeLessThan(1e-6 * (expected?.p ?? 0) + 1e-12)
  })
})

describe('lagOrder', () => {
  const moving = (order: number): number[] => {
    const y = noise(order + 20, 600)
    for (let t = order; t < y.length; t += 1) y[t] = (y[t] ?? 0) + 0.8 * (y[t - order] ?? 0)
    return y
  }
  it.each([1, 2, 4])('finds the memory of a series: %d', (order) => {
    expect(lagOrder(moving(order), 6)).toBe(order)
  })
  it.each([{ name: 'noise', y: noise(3, 400) }, { name: 'a constant', y: [1, 1, 1, 1, 1, 1, 1, 1] }, { name: 'nothing', y: [] }])('$name has order 1', ({ y }) => {
    expect(lagOrder(y, 6)).toBe(1)
  })
})

it('binCounts puts each time into its bin and drops none inside the span', () => {
  expect([...binCounts([0, 4, 5, 12], 0, 12, 5)]).toEqual([2, 1, 1])
  expect([...binCounts([-1, 15], 0, 12, 5)]).toEqual([0, 0, 0])
})

function dot(u: readonly number[], v: readonly number[]): number {
  return u.reduce((sum, value, i) => sum + value * (v[i] ?? 0), 0)
}

function without(v: readonly number[], u: readonly number[]): number[] {
  const share = dot(v, u) / dot(u, u)
  return v.map((value, i) => value - share * (u[i] ?? 0))
}

/** An independent fit by Gram-Schmidt: what is left of y after taking out each column. */
function ols(y: readonly number[], rows: readonly (readonly number[])[]): number {
  const basis: number[][] = []
  for (let c = 0; c < (rows[0]?.length ?? 0); c += 1) basis.push(basis.reduce(without, rows.map((row) => row[c] ?? 0)))
  const left = basis.reduce(without, [...y])
  return dot(left, left)
}
