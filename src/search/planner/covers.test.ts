import { describe, expect, it } from 'vitest'
import { type Reading, readingsOf } from './covers.ts'
import type { Element, WordElement } from './elements.ts'
import { NO_RULES, market, valuesIn } from './market.test-support.ts'
import { mentionsOf } from './mentions.ts'
import { tokenise } from './tokens.ts'
import { vocabularyOf } from './vocabulary.ts'
import { kindsOf } from './word-kinds.ts'

const { index } = vocabularyOf(market, NO_RULES)

function readings(question: string, kindOf?: (at: number) => WordElement['content']): Reading[] {
  const tokens = tokenise(question)
  const mentions = mentionsOf(tokens, index, valuesIn(market, question, tokens), () => null)
  return readingsOf(tokens, mentions, kindOf ?? kindsOf(tokens))
}

/** `customers=Customer`, `in=`, `more than=compare`: the words of each element and what they mean. */
function cut(question: string, { elements }: Reading): string[] {
  const tokens = tokenise(question)
  const meaning = (element: Element): string => {
    switch (element.kind) {
      case 'class': return element.cls.name
      case 'property': return `${element.cls.name}.${element.property.name}`
      case 'value': return `${element.cls.name}.${element.property.name}:${element.value}`
      case 'operation': return element.operation.kind
      case 'word': return element.content === 'none' ? '' : `?${element.content}`
      default: return element.kind
    }
  }
  const words = ({ start, end }: Element) => tokens.slice(start, end).map(({ lower }) => lower).join(' ')
  return elements.map((element) => `${words(element)}=${meaning(element)}`)
}
const best = (question: string): string[] => cut(question, readings(question)[0]!)

describe('a question cut into elements', () => {
  it('each part has one meaning, the likeliest first', () => {
    expect(best('How many customers in Oslo')).toEqual(['how many=count', 'customers=Customer', 'in=', 'oslo=City.name:Oslo'])
    const scores = readings('name and price of products').map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  it.each([
    ['the longest name wins', 'phone number of customers', ['phone number=Customer.phone_number', 'of=', 'customers=Customer']],
    ['the longest value wins', 'trips to New York', ['trips=Trip', 'to=', 'new york=City.name:New York']],
    ['the longest phrase wins', 'most common category', ['most common=most', 'category=Product.category']],
    ['a name is read of the class beside it', 'name of the cities', ['name=City.name', 'of=', 'the=', 'cities=City']],
    ['and of the class that comes next', 'name and age of customers', [
      'name=Customer.name', 'and=', 'age=Customer.age', 'of=', 'customers=Customer',
    ]],
    ['a shared noun belongs to both', 'first and last name', ['first=Driver.first_name', 'and=', 'last name=Driver.last_name']],
    ['a name does not run over a comma', 'phone, number', ['phone=Customer.phone_number', 'number=Order.number']],
    ['a quoted text stands for itself', 'customers "price"', ['customers=Customer', 'price=text']],
    ['an unknown word is kept as such', 'purple customers', ['purple=?other', 'customers=Customer']],
  ])('%s', (_, question, expected) => {
    expect(best(question)).toEqual(expected)
  })

  it('a word that names something is never passed over as a verb', () => {
    const verbs = () => 'verb' as const
    for (const { elements } of readings('customers order lamps', verbs)) {
      const word = elements.find((element) => element.kind === 'word' && element.lower === 'order')
      expect(word === undefined || (word as WordElement).content === 'other').toBe(true)
    }
    // whereas one that names nothing may be
    expect(readings('customers sing', verbs)[0]?.elements.at(-1)).toMatchObject({ kind: 'word', content: 'verb' })
  })

  it('the elements of every reading are the whole question, once', () => {
    const question = 'the name, phone number and city of customers with more than 3 open orders'
    for (const { elements } of readings(question)) {
      const covered = elements.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i))
      expect(covered).toEqual([...tokenise(question).keys()])
    }
  })

  it('keeps a bounded number of readings, and fewer of a long question', () => {
    const name = (times: number) => readings(Array.from({ length: times }, () => 'name').join(' ')).length
    expect(name(1)).toBeGreaterThan(1)
    expect(name(8)).toBeLessThanOrEqual(48)
    expect(name(60)).toBeLessThanOrEqual(8)
  })

  it('nothing is read as nothing', () => {
    expect(readings('').map(({ elements }) => elements)).toEqual([[]])
  })
})
