import fc from 'fast-check'
import { expect, it } from 'vitest'
import { spellBound, spellingOf } from './dates-of-values.ts'

it.each([
  [['2014', 1999], 'year'],
  [['2014-03'], 'month'],
  [['2014-03-05', '1999-12-31'], 'day'],
  [['20140305'], 'compact'],
  [['2014-03-05 14:30:00', '2014-03-05 14:30'], 'moment'],
  [['2014-03-05T14:30:00'], 'moment-t'],
  [['2014-03-05T14:30:00Z', '2014-03-05T14:30:00.125Z'], 'moment-z'],
  [['2014-03-05', '2014'], null],
  [['05/03/2014'], null],
  [['March 2014'], null],
  [['2014-13-05'], null],
  [[], null],
] as const)('the values %j are spelt as %s', (values, spelling) => {
  expect(spellingOf(values)).toBe(spelling)
})

it.each([
  ['2014-01-01', 'year', '2014'],
  ['2014-03-01', 'year', null],
  ['2014-03-01', 'month', '2014-03'],
  ['2014-03-05', 'month', null],
  ['2014-03-05', 'day', '2014-03-05'],
  ['2014-03-05T14:30:00Z', 'day', null],
  ['2014-03-05', 'compact', '20140305'],
  ['2014-03-05', 'moment', '2014-03-05 00:00:00'],
  ['2014-03-05T14:30:00Z', 'moment', '2014-03-05 14:30:00'],
  ['2014-03-05T14:30:00Z', 'moment-t', '2014-03-05T14:30:00'],
  ['2014-03-05', 'moment-z', '2014-03-05T00:00:00Z'],
] as const)('the bound %s in a column of %ss is %s', (bound, spelling, spelt) => {
  expect(spellBound(bound, spelling)).toBe(spelt)
})

it('a spelt bound parts the values of its column as the moments are parted', () => {
  const seconds = fc.integer({ min: Date.UTC(1900, 0) / 1000, max: Date.UTC(2100, 0) / 1000 })
  fc.assert(
    fc.property(seconds, seconds, fc.constantFrom('moment', 'moment-t', 'moment-z'), (value, bound, spelling) => {
      const iso = (at: number) => new Date(at * 1000).toISOString().replace('.000Z', 'Z')
      const [stored, cut] = [spellBound(iso(value), spelling) ?? '', spellBound(iso(bound), spelling) ?? '']
      expect(spellingOf([stored])).toBe(spelling)
      expect(stored >= cut).toBe(value >= bound)
    }),
  )
})
