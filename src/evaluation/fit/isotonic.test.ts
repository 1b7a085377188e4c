import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Point, calibrationCurve, isotonic } from './isotonic.ts'

const points = (...values: readonly number[]): Point[] => values.map((value, at) => ({ at, value }))

/** All ways to cut the points into blocks, the mean in each: the best of those that never fall. */
function bruteForce(values: readonly number[]): number {
  let best = Infinity
  for (let cuts = 0; cuts < 2 ** Math.max(0, values.length - 1); cuts += 1) {
    const blocks: number[][] = [[]]
    for (const [at, value] of values.entries()) {
      blocks.at(-1)?.push(value)
      if (at < values.length - 1 && (cuts >> at) % 2 === 1) blocks.push([])
    }
    const levels = blocks.map((block) => block.reduce((sum, value) => sum + value, 0) / block.length)
    if (levels.some((level, at) => at > 0 && level < levels[at - 1]! - 1e-12)) continue
    best = Math.min(best, blocks.reduce((sum, block, at) => sum + block.reduce((own, value) => own + (value - levels[at]!) ** 2, 0), 0))
  }
  return best
}

describe('a fit that never falls', () => {
  it('worked by hand: neighbours that fall are levelled', () => {
    expect(isotonic(points(1, 3, 2, 4, 3.5, 3))).toEqual([1, 2.5, 2.5, 3.5, 3.5, 3.5])
  })

  it.each([
    { name: 'nothing', given: [], expected: [] },
    { name: 'one point', given: points(0), expected: [0] },
    { name: 'one kind only', given: points(1, 1, 1), expected: [1, 1, 1] },
    { name: 'one place', given: [{ at: 2, value: 1 }, { at: 2, value: 0 }], expected: [0.5, 0.5] },
    { name: 'places out of order', given: [{ at: 3, value: 1 }, { at: 1, value: 0 }], expected: [0, 1] },
  ])('$name', ({ given, expected }) => {
    expect(isotonic(given)).toEqual(expected)
  })

  it('is the nearest of all that never fall', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 9 }), (values) => {
        const levels = isotonic(points(...values))
        expect(levels.every((level, at) => at === 0 || level >= levels[at - 1]!)).toBe(true)
        expect(levels.reduce((sum, level, at) => sum + (level - values[at]!) ** 2, 0)).toBeCloseTo(bruteForce(values), 9)
      }),
    )
  })
})

describe('a curve', () => {
  it('goes through the middle of its blocks, each with one outcome more on either side', () => {
    // two wrong ones at 0 and 1, two right ones at 2 and 3: (0 + 1) / (2 + 2) and (2 + 1) / (2 + 2)
    expect(calibrationCurve(points(0, 0, 1, 1))).toEqual([[0.5, 0.25], [2.5, 0.75]])
  })

  it('rises, stays within 0 and 1, and its steps rest on enough outcomes', () => {
    const outcome = fc.record({ at: fc.double({ min: -4, max: 4, noNaN: true }), value: fc.constantFrom(0, 1) })
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (outcomes, least) => {
        const curve = calibrationCurve(outcomes, least)
        for (const [at, [x, y]] of curve.entries()) {
          const [before, level] = curve[at - 1] ?? [-Infinity, 0]
          expect(x > before && y >= level && y > 0 && y < 1).toBe(true)
        }
        expect(curve.length).toBeLessThanOrEqual(Math.max(1, Math.floor(outcomes.length / least)))
      }),
    )
  })
})
