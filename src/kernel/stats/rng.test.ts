import fc from 'fast-check'
import { expect, it } from 'vitest'
import { integerIn, rng } from './rng.ts'

const draw = (seed: number, n: number): number[] => {
  const random = rng(seed)
  return Array.from({ length: n }, random)
}

it('equal seeds give equal streams, neighbouring seeds different ones', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      expect(draw(seed, 5)).toEqual(draw(seed, 5))
      expect(draw(seed, 5)).not.toEqual(draw(seed + 1, 5))
    }),
  )
})

it.each([0, -1, 7, 2 ** 40, 1.5])('seed %d draws evenly from [0, 1)', (seed) => {
  const numbers = draw(seed, 20_000)
  expect(numbers.every((x) => x >= 0 && x < 1)).toBe(true)
  const tenths = Array.from({ length: 10 }, (_, i) => numbers.filter((x) => Math.floor(x * 10) === i).length)
  // 2,000 expected in each, standard deviation 42
  for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(5 * 42)
})

it('whole numbers stay inside their bounds', () => {
  const random = rng(7)
  const seen = new Set(Array.from({ length: 200 }, () => integerIn(random, 3, 6)))
  expect([...seen].toSorted()).toEqual([3, 4, 5])
})
