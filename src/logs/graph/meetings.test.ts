import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meetings } from './meetings.ts'

const UNITS = [[0, [1, 2, 3, 4]], [1, [1, 2, 3]], [2, [3, 4]], [3, [9]]] as const

describe('meetings', () => {
  it('counts the units that two share', () => {
    const { found, left, leftUnits } = meetings(UNITS, 4, { least: 1, most: 10 })
    expect(found.map(({ a, b, together }) => [a, b, together])).toEqual([[0, 1, 3], [0, 2, 2], [1, 2, 1]])
    expect([left, leftUnits]).toEqual([0, 0])
  })

  it.each([
    { name: 'too few together', options: { least: 2, most: 10 }, pairs: ['0 1', '0 2'], left: 0, leftUnits: 0 },
    { name: 'more pairs than may be looked at', options: { least: 1, most: 1 }, pairs: ['0 1'], left: 2, leftUnits: 0 },
    { name: 'units that hold too many', options: { least: 1, most: 10, budget: 3 }, pairs: ['0 1', '0 2'], left: 0, leftUnits: 1 },
    { name: 'pairs that are of no use', options: { least: 1, most: 10, except: (a: number) => a === 0 }, pairs: ['1 2'], left: 0, leftUnits: 0 },
  ])('$name: left out and counted', ({ options, pairs, left, leftUnits }) => {
    const result = meetings(UNITS, 4, options)
    expect(result.found.map(({ a, b }) => `${a} ${b}`).toSorted()).toEqual(pairs)
    expect(result).toMatchObject({ left, leftUnits })
  })

  it('gives every pair or counts it, and the closest stay', () => {
    const sets = fc.array(fc.uniqueArray(fc.nat(8), { maxLength: 9 }), { maxLength: 12 })
    fc.assert(fc.property(sets, fc.integer({ min: 1, max: 5 }), (own, most) => {
      const units = own.map((each, i) => [i, each] as const)
      const all = meetings(units, own.length, { least: 1, most: Infinity }).found
      const { found, left } = meetings(units, own.length, { least: 1, most })
      expect(found.length + left).toBe(all.length)
      const best = all.map(({ closeness }) => closeness).toSorted((x, y) => y - x).slice(0, most)
      expect(found.map(({ closeness }) => closeness).toSorted((x, y) => y - x)).toEqual(best)
    }))
  })

  it('holds more pairs than a map could', () => {
    const units = Array.from({ length: 6000 }, (_, i) => [i, [0]] as const)
    expect(meetings(units, 6000, { least: 1, most: 1000 })).toMatchObject({ left: (6000 * 5999) / 2 - 1000 })
  }, 60_000)
})
