import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wilsonLower } from './proportion.ts'

it('matches the worked example', () => {
  // 7 of 10: (0.7 + 0.19208 - 1.96 * sqrt((0.21 + 0.09604) / 10)) / 1.38416
  expect(wilsonLower(7, 10)).toBeCloseTo(0.3968, 4)
})

it.each([
  { name: 'nothing seen', k: 0, n: 0, is: 0 },
  { name: 'never', k: 0, n: 50, is: 0 },
  { name: 'one of one is weak evidence', k: 1, n: 1, is: 0.2065 },
])('$name', ({ k, n, is }) => {
  expect(wilsonLower(k, n)).toBeCloseTo(is, 4)
})

it('stays below the share and rises with more of the same evidence', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
      const k = Math.round(n * share)
      expect(wilsonLower(k, n)).toBeLessThanOrEqual(k / n)
      expect(wilsonLower(10 * k, 10 * n)).toBeGreaterThanOrEqual(wilsonLower(k, n))
    }),
  )
})
