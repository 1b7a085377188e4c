import { describe, expect, it } from 'vitest'
import { read } from './market.test-support.ts'
import { formOf, patternOf } from './pattern.ts'

const both = (question: string) => {
  const { options: [first] } = read(question)
  return { pattern: patternOf(first!.reading), form: formOf(first!.plan, first!.reading) }
}

describe('a question and its plan without their names', () => {
  it('are the same for two questions of one form about different things', () => {
    expect(both('names of customers in Oslo')).toEqual(both('names of customers in Bergen'))
    expect(both('count the customers')).toEqual(both('count the orders'))
  })

  it('differ where the form differs', () => {
    expect(both('count the customers').pattern).not.toBe(both('names of customers').pattern)
    expect(both('names of customers').form).not.toBe(both('names of customers in Oslo').form)
  })

  it('hold neither a name nor a value', () => {
    const { pattern, form } = both('names of customers in Oslo')
    expect(`${pattern} ${form}`).not.toMatch(/customer|oslo|name"/i)
  })

  it('a form that a person confirmed comes first, though another reading looks likelier', () => {
    const question = 'names of customers and orders'
    const { options } = read(question)
    const last = options.at(-1)!
    expect(options.length).toBeGreaterThan(1)
    const [pattern, form] = [patternOf(last.reading), formOf(last.plan, last.reading)]
    const confirmed = read(question, { confirmed: (a, b) => a === pattern && b === form }).options
    expect(confirmed[0]?.plan).toEqual(last.plan)
  })
})
