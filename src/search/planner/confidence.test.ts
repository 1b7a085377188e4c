import { describe, expect, it } from 'vitest'
import { along, confidenceIn, standingOf } from './confidence.ts'

describe('how a reading stands among the others', () => {
  it('is its own evidence, its lead, what it leads by and its share', () => {
    const standing = standingOf([{ evidence: { reading: 3 }, score: 1 }, { evidence: { reading: 9 }, score: 1 - Math.log(3) }])
    expect(standing).toMatchObject({ reading: 3, 'among.alone': 0, 'among.count': Math.log(2), 'among.score': 1 })
    expect(standing['among.margin']).toBeCloseTo(Math.log(3))
    expect(standing['among.share']).toBeCloseTo(3 / 4)
    // 3/4 log(4/3) + 1/4 log(4)
    expect(standing['among.entropy']).toBeCloseTo(0.75 * Math.log(4 / 3) + 0.25 * Math.log(4))
    expect(standing['over.reading']).toBe(-2) // six less is no worse than two less
  })

  it('alone leads by as much as counts; none has no standing', () => {
    expect(standingOf([{ evidence: {}, score: 2 }])).toMatchObject({ 'among.margin': 8, 'among.alone': 1, 'among.share': 1, 'among.count': 0 })
    expect(standingOf([])).toEqual({})
  })
})

describe('confidence', () => {
  const curve = [[-1, 0.2], [1, 0.6], [3, 0.9]] as const

  it.each([[-5, 0.2], [-1, 0.2], [0, 0.4], [1, 0.6], [2, 0.75], [3, 0.9], [50, 0.9]])('at %d the curve is %d high', (at, expected) => {
    expect(along(curve, at)).toBeCloseTo(expected)
  })

  it('is the curve at the log odds; evidence without a weight counts nothing', () => {
    expect(confidenceIn({ bias: -1, weights: { sign: 2 }, curve }, { sign: 1, other: 9 })).toBeCloseTo(0.6)
    expect(confidenceIn({ bias: 0, weights: {}, curve: [] }, {})).toBe(0)
  })
})
