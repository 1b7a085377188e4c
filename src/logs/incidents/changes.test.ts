import { describe, expect, it } from 'vitest'
import { changes, jumpOf, tailShare } from './changes.ts'
import type { Series } from './read/index.ts'

const MINUTE = 60_000
const series = (service: string, values: readonly number[]): Series =>
  ({ service, metric: 'cpu', byPod: true, times: values.map((_, i) => i * MINUTE), values: [...values] })
const calm = Array.from({ length: 30 }, (_, i) => 10 + (i % 5))

describe('a jump', () => {
  it('is the distance from the median in interquartile ranges, worked by hand', () => {
    // 10 to 14 in turn: median 12, quartiles 11 and 13, a range of 2 for a normal spread of 2 / 1.349
    const jump = jumpOf(series('a', [...calm, 32, 12, 12]), 30 * MINUTE, [])
    expect(jump).toMatchObject({ usual: 12, value: 32 })
    expect(jump?.z).toBeCloseTo((20 * 1.349) / 2, 10)
  })

  it.each([
    ['nothing in the window', calm],
    ['too little before', [...calm.slice(0, 4), 99]],
  ])('is not told with %s', (_, values) => expect(jumpOf(series('a', values), (values.length === 5 ? 4 : 30) * MINUTE, [])).toBeNull())

  it('of a metric that never moved counts by a twentieth of its value, and at zero without end', () => {
    expect(jumpOf(series('a', [...calm.map(() => 100), 110]), 30 * MINUTE, [])?.z).toBeCloseTo((10 / 5) * 1.349, 10)
    expect(jumpOf(series('a', [...calm.map(() => 0), 1]), 30 * MINUTE, [])?.z).toBe(1e6)
  })

  it('ranks the service that jumped first, and is nothing where nobody did', () => {
    const others = ['b', 'c', 'd'].map((name) => series(name, [...calm, 11, 12, 13]))
    expect(changes([...others, series('a', [...calm, 480, 490, 480])], 30 * MINUTE, []).evidence[0]).toMatchObject({ service: 'a', value: 490 })
    expect(changes(others, 30 * MINUTE, []).evidence.every(({ score }) => score === 0)).toBe(true)
  })
})

describe('the tail', () => {
  it.each([
    [[1, 2, 3, 4], 5, 1 / 5],
    [[1, 2, 3, 4], 2.5, 3 / 5],
    [[], 3, 1],
    [[0, 0], 3, 1 / 3],
  ])('of %j beyond %d', (quiet, z, share) => expect(tailShare(quiet, z)).toBeLessThanOrEqual(share + 1e-12))

  it('falls with z without end', () => {
    const quiet = Array.from({ length: 100 }, (_, i) => 1 + i / 25)
    expect(tailShare(quiet, 100)).toBeLessThan(tailShare(quiet, 10))
    expect(tailShare(quiet, 10)).toBeLessThan(1 / 101)
  })
})
