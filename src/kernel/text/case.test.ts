import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { camelCase, pascalCase, snakeCase, splitIdentifier } from './case.ts'

describe('splitIdentifier', () => {
  it.each([
    ['customer_id', ['customer', 'id']],
    ['customerId', ['customer', 'id']],
    ['Customer ID', ['customer', 'id']],
    ['HTTPServer', ['http', 'server']],
    ['parseHTTP', ['parse', 'http']],
    ['ipv4Address', ['ipv4', 'address']],
    ['line2Text', ['line2', 'text']],
    ['__a--b..', ['a', 'b']],
    ['straßeNummer', ['straße', 'nummer']],
    ['ÉtatCivil', ['état', 'civil']],
    ['顧客_番号', ['顧客', '番号']],
    ['', []],
    ['--', []],
  ])('reads %j as words', (text, words) => {
    expect(splitIdentifier(text)).toEqual(words)
  })

  it('gives the same words for the two spellings of an accented letter', () => {
    expect(splitIdentifier('Etat\u0301Un')).toEqual(splitIdentifier('Eta\u0074\u0301Un'))
    expect(splitIdentifier('e\u0301tat')).toEqual(splitIdentifier('\u00e9tat'))
  })
})

describe('the cases', () => {
  it('name an event after its words', () => {
    expect(pascalCase('bgp peer lost')).toBe('BgpPeerLost')
    expect(pascalCase(['link', 'down'])).toBe('LinkDown')
    expect(camelCase('customer_id')).toBe('customerId')
    expect(snakeCase('customerId')).toBe('customer_id')
  })

  it('lose nothing: each case splits back into the words it was made of', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        for (const spell of [pascalCase, camelCase, snakeCase]) expect(splitIdentifier(spell(words))).toEqual(words)
      }),
    )
  })
})
