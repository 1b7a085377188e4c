import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rng } from '../kernel/stats/index.ts'
import { runsOf, typicalGapMs } from './intervals.ts'

const onThing = (...seconds: number[]) => ({ isNamed: true, occurrences: seconds.map((second) => ({ tsMs: second * 1000 })) })
const lengths = (...groups: Parameters<typeof runsOf>[0]) => runsOf(groups).map((run) => run.length)

describe('the typical gap', () => {
  it.each([
    // the short gaps end at 4 s, the next is 150 times as long; half a break beyond is twice 4 s
    ['retries of an incident', [1, 2, 4, 600, 2, 3, 900], 8000],
    ['heartbeats', [10, 10.2, 9.9, 10.1], 20_400],
    ['few repeats', [2, 600], null],
    ['incidents only', [600, 1200, 900], null],
    ['random times', Array.from({ length: 500 }, (_, i) => -10 * Math.log((i + 0.5) / 500)), null],
    ['no repeats at all', [], null],
  ])('of %s', (_, seconds, expected) => {
    expect(typicalGapMs(seconds.map((each) => each * 1000))).toBe(expected)
  })

  it('never exceeds the window in which mining relates events', () => {
    expect(typicalGapMs([20, 21, 22, 23].map((each) => each * 1000))).toBe(30_000)
    expect(typicalGapMs([40, 41, 42, 43].map((each) => each * 1000))).toBeNull()
  })
})

describe('runs', () => {
  it('join the retries of an incident and keep two incidents apart', () => {
    expect(lengths(onThing(0, 1, 3, 7, 600, 602, 605))).toEqual([4, 3])
  })

  it('are the same where every line is written twice', () => {
    const twice = onThing(...[0, 5, 10, 15, 900, 905, 910].flatMap((second) => [second, second + 0.012]))
    expect(lengths(twice)).toEqual([8, 6])
    // reports in twos stay two, in however many lines
    expect(lengths(...[0, 1000, 2000].map((start) => onThing(...[start, start + 10].flatMap((second) => [second, second + 0.012])))))
      .toEqual([2, 2, 2, 2, 2, 2])
  })

  it('are a thousand lines long at most', () => {
    expect(lengths(onThing(...Array.from({ length: 2300 }, (_, n) => 2 * n)))).toEqual([1000, 1000, 300])
    expect(lengths(onThing(...Array.from({ length: 1500 }, () => 7)))).toEqual([1500])
  })

  it('leave what comes in twos as two: each may have its own cause', () => {
    expect(lengths(...[0, 1000, 2000, 3000].map((start) => onThing(start, start + 10)))).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })

  it('join lines of one second about one thing, but do not creep on, and never about no thing', () => {
    expect(lengths(onThing(0, 0.1, 0.9, 1.05, 1.8, 2.0, 2.06))).toEqual([3, 3, 1])
    expect(lengths({ ...onThing(0, 0.4, 0.9, 0.9), isNamed: false })).toEqual([1, 1, 2])
  })

  it('begin anew where something new happened', () => {
    const times = onThing(0, 2, 4, 6, 8)
    expect(runsOf([times], (_, one) => one.tsMs === 6000).map((run) => run.length)).toEqual([3, 2])
  })

  it('keep a random stream apart, however dense', () => {
    const random = rng(7)
    let at = 0
    const stream = onThing(...Array.from({ length: 400 }, () => (at += -3 * Math.log(1 - random()) + 1)))
    expect(Math.max(...lengths(stream))).toBeLessThan(3)
  })

  it('lose no occurrence, add none, and never overlap', () => {
    const groups = fc.array(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 12 }), { maxLength: 4 })
    fc.assert(
      fc.property(groups, (drawn) => {
        const all = drawn.map((times) => ({ isNamed: true, occurrences: times.toSorted((x, y) => x - y).map((tsMs) => ({ tsMs })) }))
        const runs = runsOf(all)
        expect(runs.flat()).toEqual(all.flatMap(({ occurrences }) => occurrences))
        for (const { occurrences } of all) {
          const own = runs.filter(([first]) => first !== undefined && occurrences.includes(first))
          for (const [i, run] of own.entries()) expect(run[0]!.tsMs).toBeGreaterThan(own[i - 1]?.at(-1)?.tsMs ?? -1)
        }
      }),
      { numRuns: 200 },
    )
  })
})
