import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formOf, hashOf, normalise } from './normalise.ts'

describe('a normalised text', () => {
  it.each([
    ['Acme Retail', 'acme retail'],
    ['  ACME__Retail - Nord ', 'acme retail nord'],
    ['crt-07', 'crt 07'],
    ["O'Reilly & Sons, Inc.", 'o reilly sons inc'],
    ['Zürich', 'zurich'],
    ['Zu\u0308rich', 'zurich'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ﬁne ①', 'fine 1'],
    ['C#', 'c#'],
    ['C++', 'c++'],
    ['が', 'か\u3099'], // another syllable than か
    ['---', '---'],
    ['?', '?'],
    [' ', ' '],
    ['', ''],
  ])('of %j is %j', (text, norm) => expect(normalise(text)).toBe(norm))

  it('is normal already', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => normalise(normalise(text)) === normalise(text)))
  })

  it('does not depend on case or on the kind of gap', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,5}( [a-z0-9]{1,5}){0,3}$/), fc.constantFrom('_', '-', '  ', ', ', '/'), (text, gap) =>
        normalise(text.toUpperCase().replaceAll(' ', gap)) === text,
      ),
    )
  })
})

it.each([
  ['open alarms', 'open alarm'],
  ['cities', 'city'],
  ['07', '07'],
  ['crt 07', 'crt 07'],
  ['gas', 'gas'],
])('the form of %j is %j', (norm, form) => expect(formOf(norm)).toBe(form))

it('the hash of a part is the hash of the text that it is', () => {
  expect(hashOf('one two', 4, 7)).toBe(hashOf('two'))
  expect(hashOf('two')).not.toBe(hashOf('owt'))
})
