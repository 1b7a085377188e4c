import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fisherExact } from './fisher-exact.ts'

describe('fisherExact', () => {
  it('matches the lady tasting tea (Fisher 1935): 3 of 4 cups right', () => {
    expect(fisherExact({ both: 3, onlyA: 1, onlyB: 1, neither: 3 })).toBeCloseTo(17 / 70, 12)
  })

  it.each([
    { name: 'an empty table', table: { both: 0, onlyA: 0, onlyB: 0, neither: 0 }, p: 1 },
    { name: 'never together', table: { both: 0, onlyA: 5, onlyB: 5, neither: 5 }, p: 1 },
    { name: 'all four cups', table: { both: 4, onlyA: 0, onlyB: 0, neither: 4 }, p: 1 / 70 },
  ])('$name', ({ table, p }) => {
    expect(fisherExact(table)).toBeCloseTo(p, 12)
  })

  it('does not care which of the two is called a, and falls when more are together', () => {
    const count = fc.integer({ min: 0, max: 30 })
    fc.assert(
      fc.property(count, count, count, count, (both, onlyA, onlyB, neither) => {
        const p = fisherExact({ both, onlyA, onlyB, neither })
        expect(fisherExact({ both, onlyA: onlyB, onlyB: onlyA, neither })).toBeCloseTo(p, 9)
        if (onlyA > 0 && onlyB > 0) {
          expect(fisherExact({ both: both + 1, onlyA: onlyA - 1, onlyB: onlyB - 1, neither: neither + 1 })).toBeLessThanOrEqual(p + 1e-9)
        }
      }),
    )
  })
})
