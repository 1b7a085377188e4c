import { describe, expect, it } from 'vitest'
import { NO_RULES, market, read, said } from './market.test-support.ts'
import { sayingsOf } from './sayings.ts'
import { tokenise } from './tokens.ts'
import { vocabularyOf } from './vocabulary.ts'

const { index } = vocabularyOf(market, NO_RULES)

/** What each word of a question may stand for but itself. */
const others = (question: string): string[] =>
  sayingsOf(tokenise(question), index).flat().filter(({ link }) => link !== 'whole').map(({ words, link }) => `${words.join(' ')} by ${link}`)

describe('other words for the words of names', () => {
  it.each([
    ['list the clients', ['customer by usual']],
    ['list the towns', ['city by usual']],
    ['show the surname', ['last name by usual']],
    ['show the family name', ['last name by usual']],
    ['list the municipalities', ['city by kind']],
    ['list the merchandise', ['product by usual']],
    ['list the custoemrs', ['customer by spelling']],
    ['list the prodcuts', ['product by spelling']],
    // what is named here stands for itself, and so does what operates
    ['list the customers', []],
    ['how many', []],
    // people who exclude each other are used alike in any text
    ['list the pilots', []],
    // a name in capitals is no common word
    ['of Client', []],
    ['"clients"', []],
  ])('%s', (question, expected) => {
    for (const each of expected) expect(others(question)).toContain(each)
    if (expected.length === 0) expect(others(question)).toEqual([])
  })

  it.each([
    ['How many clients are in Oslo?', 'Customer: count; where city.name = Oslo'],
    ['What are the surnames of the drivers?', 'Driver: last_name'],
    ['Show the cost of each article', 'Product: price'],
    ['Show the pirce of each prodcut', 'Product: price'],
    ['Show the taxrate of each product', 'Product: tax_rate'],
  ])('%s', (question, expected) => {
    expect(said(question)).toBe(expected)
  })

  it('a real name wins, and a weak link is named as one', () => {
    const [best] = read('Show the names of the clients').options
    const links = best!.reading.elements.flatMap((element) => (element.kind === 'class' ? [element.link] : []))
    expect(links).toEqual(['usual'])
  })
})
