import { expect, it } from 'vitest'
import { lemmaOf } from './lemma.ts'
import { usedFor } from './usual-words.ts'
import { areOpposite, fieldsOf } from './wordnet.ts'

it.each([['staff', 'employee'], ['goods', 'product'], ['surname', 'last name']])('%s is used for %s, and the other way round', (one, other) => {
  expect(usedFor(one).map(({ lemma }) => lemma)).toContain(other)
  expect(usedFor(other).map(({ lemma }) => lemma)).toContain(one)
})

it('a word is not used for itself, nor an unknown one for anything', () => {
  expect(usedFor('class').map(({ lemma }) => lemma)).not.toContain('class')
  expect(usedFor(lemmaOf('lamps'))).toEqual([])
})

it('opposites are known both ways', () => {
  expect(areOpposite('mother', 'father')).toBe(true)
  expect(areOpposite('father', 'mother')).toBe(true)
  expect(areOpposite('lamp', 'shelf')).toBe(false)
})

it('words of one field share a letter', () => {
  expect(fieldsOf('town').some((field) => fieldsOf('city').includes(field))).toBe(true)
  expect(fieldsOf('student').some((field) => fieldsOf('college').includes(field))).toBe(false)
  // a top sense has the field of what it is above
  expect(fieldsOf('location')).toEqual(fieldsOf('district'))
})
