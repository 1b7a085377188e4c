import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quantile } from './quantile.ts'

it.each([
  { values: [1, 2, 3, 4], q: 0.5, is: 2.5 },
  { values: [4, 1, 3, 2], q: 0.25, is: 1.75 },
  { values: [5], q: 0.95, is: 5 },
  { values: [1, 2], q: 0, is: 1 },
  { values: [1, 2], q: 1, is: 2 },
  { values: [1, 2], q: 7, is: 2 },
  { values: [], q: 0.5, is: null },
])('quantile $q of $values is $is', ({ values, q, is }) => {
  expect(quantile(values, q)).toBe(is)
})

it('lies between the extremes and grows with q', () => {
  const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 })
  fc.assert(
    fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (values, q) => {
      const at = quantile(values, q) ?? Number.NaN
      expect(at).toBeGreaterThanOrEqual(Math.min(...values))
      expect(at).toBeLessThanOrEqual(Math.max(...values))
      expect(quantile(values, 1)).toBeGreaterThanOrEqual(at)
    }),
  )
})
