import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commonValues, distinctOf, emptySketch, mainKind, mergeSketch, SKETCH_SIZE, sketchValues } from './sketch.ts'
import type { SlotSketch } from './sketch.ts'

const of = (values: readonly string[]): SlotSketch => {
  const sketch = emptySketch()
  for (const value of values) sketchValues(sketch, value, value.length > 2 ? 'name' : 'number', 1)
  return sketch
}

describe('slot sketches', () => {
  it('count few values exactly', () => {
    const sketch = of(['ab1', '7', 'ab1', 'x'])
    expect([sketch.n, distinctOf(sketch), mainKind(sketch)]).toEqual([4, 3, 'number'])
    expect(commonValues(sketch)).toEqual([['ab1', 2], ['7', 1], ['x', 1]])
  })

  it('estimate how many different values there were, within a third', () => {
    for (const n of [100, 1000, 50_000]) {
      const distinct = distinctOf(of(Array.from({ length: n }, (_, i) => `v${i}`)))
      expect(distinct / n).toBeGreaterThan(0.67)
      expect(distinct / n).toBeLessThan(1.33)
    }
  })

  it('are the same however the values are split and in whatever order, with exact counts', () => {
    const value = fc.integer({ min: 0, max: 300 }).map((i) => `v${i}`)
    fc.assert(
      fc.property(fc.array(value, { maxLength: 400 }), fc.array(fc.nat(3), { minLength: 400, maxLength: 400 }), (values, homes) => {
        const shards = [0, 1, 2, 3].map((shard) => of(values.filter((_, i) => homes[i] === shard)))
        const merged = emptySketch()
        for (const shard of shards.toReversed()) mergeSketch(merged, shard)
        const whole = of(values)
        expect(merged).toEqual(whole)
        expect(whole.values.length).toBeLessThanOrEqual(SKETCH_SIZE)
        for (const { text, count } of whole.values) expect(count).toBe(values.filter((each) => each === text).length)
      }),
      { numRuns: 30 },
    )
  })
})
