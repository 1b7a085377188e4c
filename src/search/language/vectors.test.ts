import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { similarity } from './vectors.ts'

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
