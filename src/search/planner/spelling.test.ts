import { expect, it } from 'vitest'
import { meantBy, slipsBetween } from './spelling.ts'

const words = ['customer', 'product', 'shelf', 'lamp', 'price', 'prize'].map((word) => [word, `${word}s`] as const)

it.each([
  ['two letters swapped', 'custoemrs', 'customer'],
  ['a letter left out', 'prodct', 'product'],
  ['a letter too many', 'shellf', 'shelf'],
  ['a word of English is no slip', 'shell', null],
  ['two words that are as near', 'prixe', null],
  ['too short', 'lmp', null],
  ['two slips in a short word', 'shalg', null],
  ['another beginning', 'bustomer', null],
])('%s', (_, word, expected) => {
  expect(meantBy(word, words)).toBe(expected)
})

it.each([['lamp', 'lamp', 0], ['lamp', 'lapm', 1], ['lamp', 'lam', 1], ['lamp', 'ramps', 2], ['lamp', 'lampshade', 3]])('%s %s', (a, b, slips) => {
  expect(slipsBetween(a, b, 2)).toBe(slips)
})
