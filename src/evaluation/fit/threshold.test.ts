import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Judged, thresholdFor } from './threshold.ts'

const judged = (...all: readonly (readonly [number, boolean])[]): Judged[] => all.map(([confidence, right]) => ({ confidence, right }))

describe('the threshold', () => {
  it('worked by hand: it goes down as long as enough are right, past a gap too', () => {
    const all = judged([0.9, true], [0.8, false], [0.7, true], [0.6, true], [0.5, false])
    // right so far: 1/1, 1/2, 2/3, 3/4, 3/5
    expect(thresholdFor(all, 0.75)).toBe(0.6)
    expect(thresholdFor(all, 0.8)).toBe(0.9)
    expect(thresholdFor(all, 0.6)).toBe(0.5)
  })

  it.each([
    { name: 'nothing to go by', all: [], expected: 1 },
    { name: 'nothing right', all: judged([0.9, false]), expected: 1 },
    { name: 'all right', all: judged([0.9, true], [0.2, true]), expected: 0.2 },
    { name: 'equal ones go together', all: judged([0.9, true], [0.9, false], [0.9, true]), expected: 1 },
  ])('$name', ({ all, expected }) => {
    expect(thresholdFor(all, 0.9)).toBe(expected)
  })

  it('keeps what it promises', () => {
    const one = fc.tuple(fc.integer({ min: 0, max: 9 }).map((tenths) => tenths / 10), fc.boolean())
    fc.assert(
      fc.property(fc.array(one), fc.double({ min: 0.1, max: 1, noNaN: true }), (all, precision) => {
        const threshold = thresholdFor(judged(...all), precision)
        const given = all.filter(([confidence]) => confidence >= threshold)
        return given.filter(([, right]) => right).length >= precision * given.length
      }),
    )
  })
})
