import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askedFor, isAlike, isOneEdit, mayBeAlike, similarity, traitOf, trigrams } from './alike.ts'
import { ColumnValues } from './column-values.ts'

const alike = (a: string, b: string) => isAlike(askedFor(a), b, trigrams(b).length)

describe('a slip', () => {
  it.each([
    ['borealis', 'borealus', true],
    ['borealis', 'boreais', true],
    ['borealis', 'borealiss', true],
    ['borealis', 'oborealis', true],
    ['borealis', 'broealis', false],
    ['oslo', 'oslo', false],
    ['', 'a', true],
  ])('%s and %s are one edit apart: %s', (a, b, expected) => {
    expect(isOneEdit(a, b)).toBe(a === b ? true : expected)
    expect(isOneEdit(b, a)).toBe(a === b ? true : expected)
  })

  it('three quarters of the trigrams in common are alike, counted by hand', () => {
    // "  o", " os", "osl", "slo", "lo " against "  o", " os", "osl", "slo", "loo", "oo ": four of seven is not enough
    expect(similarity(askedFor('oslo'), 'osloo', 6)).toBe(0)
    // 15 and 16 trigrams, of which 14 are in both
    expect(similarity(askedFor('northern light'), 'northern lights', 16)).toBeCloseTo(14 / 17)
    expect(alike('northern lights company', 'northern light company')).toBe(true)
    expect(alike('northern lights company', 'southern lights company')).toBe(false)
  })

  it('is never in a digit', () => {
    expect(alike('crt 07', 'crt 08')).toBe(false)
    expect(alike('crt 07', 'crt 7')).toBe(false)
    expect(alike('core router 07', 'core ruter 07')).toBe(true)
  })
})

const name = fc.stringMatching(/^[a-d]{2,6}( [a-d0-1]{1,6}){0,2}$/)

describe('what is found without comparing every pair', () => {
  it('nothing that is alike is sorted out by its traits', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        const { size, letters, digits } = traitOf(b)
        return !alike(a, b) || mayBeAlike(traitOf(a), size, letters, digits)
      }),
      { numRuns: 2000 },
    )
  })

  it('is all that is alike', async () => {
    const slip = fc.tuple(fc.nat(), fc.constantFrom('a', 'z', ''), fc.nat(1))
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 40 }), fc.nat(), slip, async (names, pick, [at, letter, taken]) => {
        const values = await ColumnValues.of(names.map((each) => [each, 1] as const))
        const original = names[pick % names.length]!
        const place = at % original.length
        const asked = (original.slice(0, place) + letter + original.slice(place + taken)).trim().replaceAll(/ +/g, ' ')
        const found = values.alike(askedFor(asked))?.map((id) => values.at(id)[0])
        const expected = asked.length < 5 ? [] : names.filter((each) => each.length >= 4 && alike(asked, each)).toSorted()
        expect(found).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })
})
