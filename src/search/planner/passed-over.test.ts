import { describe, expect, it } from 'vitest'
import { read, said } from './market.test-support.ts'

const passed = (question: string): string[] =>
  (read(question).options[0]?.reading.elements ?? []).flatMap((element) =>
    element.kind === 'word' && element.passed !== undefined ? [`${element.lower} ${element.passed}`] : [])

describe('words that are passed over', () => {
  it.each([
    ['Show the status value of the orders', ['value weak'], 'Order: status'],
    ['Which customers live in the borough Oslo?', ['borough apposition'], 'Customer: name; where city.name = Oslo'],
    ['How many customers inhabit Oslo?', ['inhabit verb'], 'Customer: count; where city.name = Oslo'],
    ['Show the full name of each customer', ['full weak'], 'Customer: name'],
  ])('%s', (question, words, plan) => {
    expect(passed(question)).toEqual(words)
    expect(said(question)).toBe(plan)
  })

  it.each([
    // nothing on one side
    'Which products exploded?',
    // says how things are
    'Which broken products are there?',
    // restricts, and is nobody's apposition
    'Which garden has products?',
    'Which products cost exactly?',
  ])('refuses: %s', (question) => {
    expect(read(question).options).toEqual([])
  })

  it('a full name is a first and a last one', () => {
    expect(said('List the full names of the drivers')).toBe('Driver: first_name, last_name')
  })
})
