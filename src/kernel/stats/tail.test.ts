import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fTail, incompleteBeta, normalTail } from './tail.ts'

describe('fTail', () => {
  // critical values of printed F tables at the 5 % and 1 % points
  it.each([
    [3.0984, 3, 20, 0.05],
    [4.9646, 1, 10, 0.05],
    [10.0443, 1, 10, 0.01],
    [2.6049, 3, 1000 * 1000, 0.05],
    [161.4476, 1, 1, 0.05],
  ])('F = %d with %d and %d degrees of freedom has a tail of %d', (f, d1, d2, p) => {
    expect(fTail(f, d1, d2)).toBeCloseTo(p, 4)
  })

  it.each([
    { name: 'nothing explained', f: 0, p: 1 },
    { name: 'a perfect fit', f: Infinity, p: 0 },
    { name: 'not a number', f: Number.NaN, p: Number.NaN },
  ])('$name', ({ f, p }) => {
    expect(fTail(f, 2, 10)).toBe(p)
  })

  it('falls as F grows', () => {
    const size = fc.integer({ min: 1, max: 60 })
    const value = fc.double({ min: 0.01, max: 50, noNaN: true })
    fc.assert(fc.property(value, size, size, (f, d1, d2) => fTail(f * 1.5, d1, d2) <= fTail(f, d1, d2)))
  })
})

it('the incomplete beta function of a uniform is its argument, and the two sides mirror each other', () => {
  const size = fc.integer({ min: 1, max: 40 })
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), size, size, (x, a, b) => {
      expect(incompleteBeta(x, 1, 1)).toBeCloseTo(x, 12)
      expect(incompleteBeta(x, a / 2, b / 2) + incompleteBeta(1 - x, b / 2, a / 2)).toBeCloseTo(1, 10)
    }),
  )
})

it('the normal tail matches its table', () => {
  expect(normalTail(0)).toBeCloseTo(0.5, 6)
  expect(normalTail(1.959964)).toBeCloseTo(0.025, 6)
  expect(normalTail(-1.959964)).toBeCloseTo(0.975, 6)
})
