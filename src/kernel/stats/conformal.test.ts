import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankingOf, uniformDistance } from './conformal.ts'
import { rng } from './rng.ts'

const scores = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 60 })

describe('rankingOf', () => {
  const ranking = rankingOf([1, 2, 2, 3])

  it.each([
    { name: 'above all', score: 4, p: 1 / 5 },
    { name: 'the highest', score: 3, p: 2 / 5 },
    { name: 'a tie counts in full', score: 2, p: 4 / 5 },
    { name: 'below all', score: 0, p: 1 },
    { name: 'equal but for the last digits', score: 3 + 1e-12, p: 2 / 5 },
  ])('p of a score: $name', ({ score, p }) => {
    expect(ranking.p(score)).toBeCloseTo(p, 12)
  })

  it('smoothed, chance breaks ties between the two counts', () => {
    expect(ranking.smoothed(2, 0)).toBeCloseTo(1 / 5, 12)
    expect(ranking.smoothed(2, 1)).toBeCloseTo(4 / 5, 12)
  })

  it('without any score everything is ordinary', () => {
    const none = rankingOf([])
    expect([none.p(5), none.tail(5)]).toEqual([1, 1])
  })

  it('the tail goes on falling where ranks cannot', () => {
    const random = rng(7)
    const ordinary = Array.from({ length: 1000 }, () => -Math.log(1 - random()))
    const { p, tail } = rankingOf(ordinary)
    expect(p(30)).toBe(p(20))
    expect(tail(30)).toBeLessThan(tail(20))
    // an exponential tail is known: the chance of more than 15 is e^-15
    expect(Math.log10(tail(15))).toBeCloseTo(Math.log10(Math.exp(-15)), -0.5)
  })

  it('a few that are no ordinary ones do not hide behind each other', () => {
    const random = rng(7)
    const ordinary = Array.from({ length: 300 }, () => -Math.log(1 - random()))
    expect(rankingOf([...ordinary, 40, 41, 42]).tail(40)).toBeLessThan(1e-6)
  })

  it('both ps are probabilities, fall with the score, and the tail is never above the ranks', () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: -5, max: 40 }), (given, score) => {
        const { p, tail } = rankingOf(given)
        for (const each of [p, tail]) {
          expect(each(score)).toBeGreaterThan(0)
          expect(each(score)).toBeLessThanOrEqual(1)
          expect(each(score + 1)).toBeLessThanOrEqual(each(score))
        }
        expect(tail(score)).toBeLessThanOrEqual(p(score))
      }),
    )
  })

  it('p never lies: at most a share a of ordinary scores has p <= a, ties or not', () => {
    fc.assert(
      fc.property(scores, (given) => {
        // each score among the others: the way a held-out score stands among those it is ranked with
        const ps = given.map((score, i) => rankingOf(given.toSpliced(i, 1)).p(score))
        for (const level of [0.1, 0.3, 0.5]) {
          expect(ps.filter((p) => p <= level).length / ps.length).toBeLessThanOrEqual(level + 1e-12)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('smoothed ps of ordinary scores are uniform, however many ties there are', () => {
    const random = rng(3)
    const draw = () => Math.floor(random() ** 3 * 5)
    const { smoothed } = rankingOf(Array.from({ length: 4000 }, draw))
    expect(uniformDistance(Array.from({ length: 2000 }, () => smoothed(draw(), random())))).toBeLessThan(0.05)
  })
})

describe('uniformDistance', () => {
  it.each([
    { name: 'nothing', values: [], is: 0 },
    { name: 'one value in the middle', values: [0.5], is: 0.5 },
    { name: 'evenly spread', values: [0.125, 0.375, 0.625, 0.875], is: 0.125 },
    { name: 'all at the lower end', values: [0, 0, 0], is: 1 },
  ])('$name', ({ values, is }) => {
    expect(uniformDistance(values)).toBeCloseTo(is, 12)
  })
})
