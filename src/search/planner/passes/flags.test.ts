import { expect, it } from 'vitest'
import { market, said } from '../market.test-support.ts'

/** The market with customers that are, or are not, insured. */
const insured = {
  ...market,
  classes: market.classes.map((cls) => {
    const age = cls.properties.find(({ name }) => name === 'age')
    if (cls.name !== 'Customer' || age === undefined) return cls
    return { ...cls, properties: [...cls.properties, { ...age, name: 'insured', label: 'insured', iri: `${cls.iri}.insured`, columns: ['insured'], yes: 1 }] }
  }),
}

it.each([
  ['before its noun', 'How many insured customers are there?', 'Customer: count; where insured = 1'],
  ['before its noun, shown by something else', 'names of insured customers', 'Customer: name; where insured = 1'],
  ['as a predicate', 'Which customers are insured?', 'Customer: name; where insured = 1'],
  ['denied', 'Which customers are not insured?', 'Customer: name; where insured != 1'],
])('a column of yes and no says how something is: %s', (_, question, plan) => {
  expect(said(question, { ontology: insured })).toBe(plan)
})
