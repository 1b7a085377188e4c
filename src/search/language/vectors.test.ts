import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { phraseSimilarity, similarity } from './vectors.ts'

const words = readFileSync(new URL('./data/vectors.txt', import.meta.url), 'utf8').trimEnd().split('\n')
const aWord = fc.constantFrom(...words.slice(0, 5000))

// cosines of the original vectors, worked out in floating point
it.each([
  ['car', 'vehicle', 0.8631],
  ['city', 'town', 0.8264],
  ['salary', 'wage', 0.6801],
  ['doctor', 'physician', 0.7673],
  ['banana', 'parliament', 0.038],
])('%s and %s are as near as in the original vectors', (a, b, cosine) => {
  expect(Math.abs((similarity(a, b) ?? Number.NaN) - cosine)).toBeLessThan(0.01)
})

it.each([
  ['a word that nobody knows', 'zzqx', 'car'],
  ['a figure', '2014', 'car'],
  ['an empty word', '', 'car'],
  ['a word that is not in lower case', 'Car', 'car'],
])('%s has no similarity', (_, a, b) => {
  expect(similarity(a, b)).toBeNull()
  expect(similarity(b, a)).toBeNull()
})

it('a word of a kind is nearer than one of another kind', () => {
  const near = (a: string, b: string) => similarity(a, b) ?? Number.NaN
  expect(near('teacher', 'instructor')).toBeGreaterThan(near('teacher', 'invoice'))
  expect(near('height', 'width')).toBeGreaterThan(near('height', 'email'))
})

it('a phrase hardly changes with the little words in it', () => {
  expect(phraseSimilarity(['date', 'of', 'birth'], ['birth', 'date'])).toBeGreaterThan(0.95)
  expect(phraseSimilarity(['the', 'salary'], ['salary'])).toBeGreaterThan(0.99)
})

it('an unknown word agrees with itself and takes away from the rest', () => {
  expect(phraseSimilarity(['zzqx', 'name'], ['zzqx', 'name'])).toBeCloseTo(1, 9)
  expect(phraseSimilarity(['zzqx', 'name'], ['xqzz', 'name'])).toBeLessThan(0.75)
  expect(phraseSimilarity(['zzqx'], ['name'])).toBeNull()
  expect(phraseSimilarity([], ['name'])).toBeNull()
})

it('similarity is symmetrical, at most 1, and 1 with itself', () => {
  fc.assert(
    fc.property(aWord, aWord, (a, b) => {
      const there = similarity(a, b) ?? Number.NaN
      expect(there).toBe(similarity(b, a))
      expect(Math.abs(there)).toBeLessThanOrEqual(1)
      expect(similarity(a, a)).toBe(1)
    }),
  )
})

it('the similarity of phrases does not depend on the order of their words', () => {
  fc.assert(
    fc.property(fc.array(aWord, { minLength: 1, maxLength: 4 }), fc.array(aWord, { minLength: 1, maxLength: 4 }), (a, b) => {
      const there = phraseSimilarity(a, b) ?? Number.NaN
      expect(phraseSimilarity(b.toReversed(), a.toReversed())).toBeCloseTo(there, 9)
    }),
  )
})
