import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Smooth, minimise } from './minimise.ts'

/** a (x - 1)^2 + b (y + 2)^2 */
const bowl = (a: number, b: number): Smooth => (at, gradient) => {
  const [x, y] = [at[0]! - 1, at[1]! + 2]
  gradient[0] = 2 * a * x
  gradient[1] = 2 * b * y
  return a * x * x + b * y * y
}

/** Rosenbrock's valley, which is bent: its floor leads to (1, 1). */
const valley: Smooth = (at, gradient) => {
  const [x, y] = [at[0]!, at[1]!]
  gradient[0] = -2 * (1 - x) - 400 * x * (y - x * x)
  gradient[1] = 200 * (y - x * x)
  return (1 - x) ** 2 + 100 * (y - x * x) ** 2
}

describe('the lowest point', () => {
  it('of a bowl and of a bent valley is found', () => {
    expect([...minimise(bowl(3, 50), { start: new Float64Array(2) })].map((each) => each.toFixed(4))).toEqual(['1.0000', '-2.0000'])
    const found = minimise(valley, { start: Float64Array.of(-1.2, 1), iterations: 200 })
    expect([...found].map((each) => each.toFixed(3))).toEqual(['1.000', '1.000'])
  })

  it('of nothing is nothing, and a flat place is left as it is', () => {
    expect(minimise(() => 7, { start: new Float64Array(0) })).toHaveLength(0)
    expect([...minimise(bowl(1, 1), { start: Float64Array.of(1, -2) })]).toEqual([1, -2])
  })

  it('is never higher than the start, and no higher after more steps', () => {
    const start = fc.tuple(fc.double({ min: -3, max: 3, noNaN: true }), fc.double({ min: -3, max: 3, noNaN: true }))
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 30 }), (from, iterations) => {
        const height = (at: Float64Array) => valley(at, new Float64Array(2))
        const few = height(minimise(valley, { start: Float64Array.from(from), iterations }))
        const more = height(minimise(valley, { start: Float64Array.from(from), iterations: iterations + 5 }))
        return few <= height(Float64Array.from(from)) && more <= few
      }),
    )
  })
})
