import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tokenSimilarity } from './similarity.ts'

it('matches the worked example', () => {
  // common subsequence "session closed" has 2 words; 2 * 2 / (2 + 3)
  expect(tokenSimilarity(['session', 'closed'], ['session', 'was', 'closed'])).toBeCloseTo(0.8)
})

it.each([
  { name: 'two empty sequences are equal', a: [], b: [], is: 1 },
  { name: 'nothing in common', a: ['x'], b: ['y'], is: 0 },
  { name: 'one side empty', a: ['x'], b: [], is: 0 },
  { name: 'order matters', a: ['x', 'y'], b: ['y', 'x'], is: 0.5 },
])('$name', ({ a, b, is }) => {
  expect(tokenSimilarity(a, b)).toBe(is)
})

it('is symmetric, at most 1, and 1 for a sequence and itself', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 })
  fc.assert(
    fc.property(words, words, (a, b) => {
      expect(tokenSimilarity(a, b)).toBe(tokenSimilarity(b, a))
      expect(tokenSimilarity(a, b)).toBeLessThanOrEqual(1)
      expect(tokenSimilarity(a, a)).toBe(1)
    }),
  )
})
