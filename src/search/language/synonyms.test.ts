import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { degreesOf } from './degrees.ts'
import { broaderOf, narrowerOf, relatedOf, synonymsOf } from './synonyms.ts'
import type { WeighedWord } from './synonyms.ts'

const words = (found: readonly WeighedWord[]) => found.map(({ lemma }) => lemma)
const weightIn = (found: readonly WeighedWord[], lemma: string) => found.find((each) => each.lemma === lemma)?.weight ?? 0

it.each([
  ['car', 'automobile'],
  ['buy', 'purchase'],
  ['movie', 'film'],
  ['country', 'nation'],
  ['salary', 'wage'],
  ['begin', 'start'],
  ['big', 'large'],
  ['zip code', 'postcode'],
  ['teacher', 'instructor'],
])('%s and %s mean the same', (one, other) => {
  expect(words(synonymsOf(one))).toContain(other)
  expect(words(synonymsOf(other))).toContain(one)
})

it.each([
  ['car', 'vehicle'],
  ['employee', 'worker'],
  ['dog', 'animal'],
  ['stadium', 'structure'],
])('a %s is a kind of %s, which is no synonym', (narrow, broad) => {
  expect(words(broaderOf(narrow))).toContain(broad)
  expect(words(narrowerOf(broad))).toContain(narrow)
  expect(words(synonymsOf(narrow))).not.toContain(broad)
})

it.each([
  ['write', 'writer'],
  ['enrol', 'enrolment'],
  ['teach', 'teacher'],
  ['pay', 'payment'],
  ['manage', 'manager'],
  ['old', 'age'],
  ['long', 'length'],
  ['heavy', 'weight'],
  ['expensive', 'price'],
  ['cheap', 'cost'],
  ['tall', 'height'],
  ['fast', 'speed'],
])('%s and %s are related', (one, other) => {
  expect(words(relatedOf(one))).toContain(other)
  expect(words(relatedOf(other))).toContain(one)
})

it('a rare meaning weighs less than the usual one', () => {
  expect(weightIn(synonymsOf('car'), 'automobile')).toBe(1)
  expect(weightIn(synonymsOf('car'), 'railcar')).toBeLessThan(0.5)
  expect(weightIn(synonymsOf('buy'), 'steal')).toBeLessThan(0.1)
})

it('the class of a word narrows what it can mean', () => {
  expect(words(synonymsOf('film', 'verb'))).toContain('shoot')
  expect(words(synonymsOf('film', 'noun'))).not.toContain('shoot')
  expect(words(relatedOf('old', 'verb'))).toEqual([])
})

it.each(['zzqx', '', '__proto__', 'constructor;', 'Car', '2014', ',', '9'])('%j has no other words', (word) => {
  for (const find of [synonymsOf, broaderOf, narrowerOf, relatedOf]) expect(find(word)).toEqual([])
})

it('an adjective knows which end of its quantity it means', () => {
  expect(degreesOf('cheap')[0]).toMatchObject({ end: 'less', nouns: expect.arrayContaining(['price', 'cost']) })
  expect(degreesOf('old')[0]).toMatchObject({ end: 'more', nouns: ['age'] })
  expect(degreesOf('old').find(({ nouns }) => nouns.includes('birth date'))?.end).toBe('less')
  expect(degreesOf('green')).toEqual([])
})

const lemmas = readFileSync(new URL('./data/wordnet.txt', import.meta.url), 'utf8').split('\n\n')[0]!.split('\n')
  .map((line) => line.slice(1).split(/[,;]/)[0]!.replace(/\d$/, ''))

it('synonyms are symmetrical, broader and narrower words are each other’s inverse, and none is the word itself', () => {
  fc.assert(
    fc.property(fc.constantFrom(...lemmas), (lemma) => {
      for (const [there, back] of [[synonymsOf, synonymsOf], [broaderOf, narrowerOf], [narrowerOf, broaderOf]] as const) {
        for (const { lemma: other, weight } of there(lemma).slice(0, 20)) {
          expect(other).not.toBe(lemma)
          expect(weight).toBeGreaterThan(0)
          expect(weight).toBeLessThanOrEqual(1)
          expect(weightIn(back(other), lemma)).toBeCloseTo(weight, 9)
        }
      }
    }),
  )
})

it('the best words come first, and the table is small', () => {
  const found = synonymsOf('job')
  expect(found).toEqual(found.toSorted((x, y) => y.weight - x.weight || (x.lemma < y.lemma ? -1 : 1)))
  expect(readFileSync(new URL('./data/wordnet.txt', import.meta.url)).length).toBeLessThan(1_000_000)
})
