import fc from 'fast-check'
import { expect, it } from 'vitest'
import { posOf } from './part-of-speech.ts'

it('each word of a question has a class', () => {
  const words = ['Which', 'customers', 'have', 'never', 'written', 'a', 'long', 'review', 'since', '2024']
  expect(posOf(words)).toEqual(['other', 'noun', 'verb', 'adv', 'verb', 'other', 'adj', 'noun', 'other', 'num'])
})

it.each([
  [[], []],
  [['crt-07'], ['noun']],
  [['New York', 'customers'], ['noun', 'noun']],
  [["don't", 'write'], ['verb', 'verb']],
  [['', 'customers'], ['other', 'noun']],
] as const)('%j is %j', (words, classes) => {
  expect(posOf(words)).toEqual(classes)
})

it('the class of a word depends on its own sentence alone', () => {
  const question = ['list', 'the', 'open', 'alarms', 'of', 'zzqxed', 'routers']
  const before = posOf(question)
  for (let i = 0; i < 50; i += 1) posOf([`zzqx${i}`, 'opens', 'alarms', 'routers'])
  expect(posOf(question)).toEqual(before)
})

it('any words come back with as many classes', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 12 }), (words) => {
      expect(posOf(words)).toHaveLength(words.length)
    }),
  )
})
