import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberOf, straySigns, textOf, tokenise } from './tokens.ts'

const lowers = (question: string): string[] => tokenise(question).map(({ lower }) => lower)

describe('a question as tokens', () => {
  it('knows where each word stands, its base form and its sentence', () => {
    const tokens = tokenise('Which customers, if any, left? Show two.')
    expect(tokens.map(({ lower }) => lower)).toEqual(['which', 'customers', 'if', 'any', 'left', 'show', 'two'])
    expect(tokens[1]).toEqual({
      text: 'customers', lower: 'customers', lemma: 'customer', from: 6, to: 15, quoted: false, opens: false, paused: false,
    })
    expect(tokens.filter(({ opens }) => opens).map(({ text }) => text)).toEqual(['Which', 'Show'])
    expect(tokens.filter(({ paused }) => paused).map(({ text }) => text)).toEqual(['if', 'left'])
  })

  it('the point of a short form ends no sentence', () => {
    expect(tokenise('guests with an M.Sc. degree. Show all').filter(({ opens }) => opens).map(({ text }) => text)).toEqual(['guests', 'Show'])
  })

  it.each([
    ['double quotes keep a text whole', 'name "New York" now', ['name', 'new york', 'now']],
    ['single quotes too', "name 'New York' now", ['name', 'new york', 'now']],
    ['curly quotes too', 'name “New York” and ‘Lima’', ['name', 'new york', 'and', 'lima']],
    ['an apostrophe opens no quotation', "a customer's or driver's", ['a', 'customer', 's', 'or', 'driver', 's']],
    ['a quote that never closes is no quotation', 'name "New York', ['name', 'new', 'york']],
    ['a contraction is its negation', "they don't, isn’t, can't", ['they', 'not', 'not', 'not']],
    ['a pair of pronouns is one', 'his or her name, he or she', ['his', 'name', 'he']],
    ['a contraction in quotes is a text', '"don\'t"', ["don't"]],
    ['identifiers stay one word', 'ab-07 ge-0/0/1 a@b.c x_y v1.2', ['ab-07', 'ge-0/0/1', 'a@b.c', 'x_y', 'v1.2']],
    ['numbers stay one word', '-5 3.5 1,000,000 1,000.5', ['-5', '3.5', '1,000,000', '1,000.5']],
    ['a number at the end of a sentence loses its full stop', 'above 20.', ['above', '20']],
    ['nothing', '', []],
    ['punctuation alone', '?! ... -- ()', []],
  ])('%s', (_, question, expected) => {
    expect(lowers(question)).toEqual(expected)
  })

  it('quotes a text as it is written, without a base form', () => {
    const [token] = tokenise('"Two Orders"')
    expect(token).toMatchObject({ text: 'Two Orders', lower: 'two orders', lemma: 'two orders', quoted: true })
  })

  it('keeps every letter and digit, in order', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (question) => {
        const tokens = tokenise(question)
        for (const [at, { from, to }] of tokens.entries()) expect(from >= (tokens[at - 1]?.to ?? 0) && to > from).toBe(true)
        const outside = tokens.reduceRight((text, { from, to }) => text.slice(0, from) + text.slice(to), question)
        expect(outside).not.toMatch(/[\p{L}\p{N}]/u)
      }),
    )
  })
})

describe('signs that may change what is asked', () => {
  it.each([
    ['punctuation does not', 'Is it, in short (yes): "so"?', []],
    ['a comparison does', 'price > 5', ['>']],
    ['a share does, once', '5 % or 6 %', ['%']],
    ['within a quoted text they are text', 'name "a > b"', []],
  ])('%s', (_, question, expected) => {
    expect(straySigns(question, tokenise(question))).toEqual(expected)
  })
})

describe('what tokens say', () => {
  it.each([
    ['7', 7], ['-5', -5], ['3.25', 3.25], ['1,200', 1200], ['three', 3], ['twelve', 12], ['once', 1], ['twice', 2],
    ['zero', null], ['thirteen', null], ['"7"', null], ['A-17', null],
  ])('%s is the number %s', (text, expected) => {
    expect(numberOf(tokenise(text)[0]!)).toBe(expected)
  })

  it('the words of a stretch as they were written', () => {
    const question = 'in  New   York, "San  Juan"'
    const tokens = tokenise(question)
    expect(textOf(question, tokens, 1, 3)).toBe('New   York')
    expect(textOf(question, tokens, 3, 4)).toBe('San  Juan')
  })
})
