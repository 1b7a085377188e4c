import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FORMS } from './forms.test-support.ts'
import { lemmaOf } from './lemma.ts'

/** WordNet has these plurals as words of their own, or the other class is the more usual one. */
const MISSED = ['savings', 'oxen']
const AMBIGUOUS = ['leaves', 'lives']

it('of 390 forms written by hand all but two lead to their base form', () => {
  const wrong = FORMS.filter(({ form, pos, lemma }) => lemmaOf(form, pos) !== lemma).map(({ form }) => form)
  expect(FORMS.length).toBeGreaterThan(300)
  expect(wrong.toSorted()).toEqual(MISSED.toSorted())
})

it('the class is only needed where a form has two readings', () => {
  const wrong = FORMS.filter(({ form, lemma }) => lemmaOf(form) !== lemma).map(({ form }) => form)
  expect(wrong.toSorted()).toEqual([...MISSED, ...AMBIGUOUS].toSorted())
})

it.each([
  ['leaves', 'noun', 'leaf'],
  ['leaves', 'verb', 'leave'],
  ['saw', 'noun', 'saw'],
  ['saw', 'verb', 'see'],
  ['building', 'noun', 'building'],
  ['building', 'verb', 'build'],
  ['closer', 'adj', 'close'],
  ['better', 'adv', 'good'],
] as const)('%s as a %s is %s', (form, pos, lemma) => {
  expect(lemmaOf(form, pos)).toBe(lemma)
})

it.each([
  ['Customers', 'customer'],
  ["customer's", 'customer'],
  ['customers’', 'customer'],
  ["doesn't", 'do'],
  ['crt-07', 'crt-07'],
  ['status', 'status'],
  ['dns', 'dns'],
  ['zzqxes', 'zzqx'],
  ['number', 'number'],
  ['teacher', 'teacher'],
  ['during', 'during'],
  ['speed', 'speed'],
  ['string', 'string'],
  ['modest', 'modest'],
  ['constructor', 'constructor'],
  ['', ''],
])('the base form of %j is %j', (word, lemma) => {
  expect(lemmaOf(word)).toBe(lemma)
})

it('a base form of the table stays as it is', () => {
  const lemmas = FORMS.filter(({ lemma }) => ![...MISSED, ...AMBIGUOUS, 'found'].includes(lemma))
  for (const { lemma, pos } of lemmas) expect(lemmaOf(lemma, pos)).toBe(lemma)
})

const aText = fc.string({ unit: 'grapheme', maxLength: 20 })

it('any text has a base form in lower case', () => {
  fc.assert(
    fc.property(aText, fc.constantFrom('noun', 'verb', 'adj', 'adv', undefined), (word, pos) => {
      expect(lemmaOf(word, pos)).toBe(lemmaOf(word.toLowerCase(), pos))
    }),
  )
})
