/** Parts that records play for each other, by the foreign key that gives them. */
import { describe, expect, it } from 'vitest'
import type { OntologyProperty } from '../../ontology/index.ts'
import { market, read, said } from './market.test-support.ts'

/** The market, with a driver who teaches others and a manager for each city: a foreign key within a class, and one each way. */
const peopled = (() => {
  const like = (name: string, range: string): OntologyProperty => {
    const city = market.classes.find((cls) => cls.name === 'Customer')!.properties.find((own) => own.name === 'city')!
    return { ...city, name, label: name, iri: `https://market.example/ontology#${name}`, columns: [`${name}_id`], range, required: false }
  }
  const added: Readonly<Record<string, OntologyProperty[]>> = {
    Driver: [like('mentor', 'Driver'), like('city', 'City')], City: [like('manager', 'Driver')],
  }
  return { ...market, classes: market.classes.map((cls) => ({ ...cls, properties: [...cls.properties, ...(added[cls.name] ?? [])] })) }
})()

describe('a part is played by whoever stands behind its foreign key', () => {
  it.each([
    ['How many destinations are there?', 'City: count; where ^Trip.destination exists'],
    ['Show the code and the destination of each trip', 'Trip: code, destination.name'],
    ['Show the destination of trip T-1', 'City: name; where ^Trip.destination.code = T-1'],
    ['Which cities have no manager?', 'City: name; where manager not_exists'],
    ['Which cities have no driver?', 'City: name; where ^Driver.city not_exists'],
    ['List the mentors', 'Driver: last_name; where ^Driver.mentor exists'],
    ['Show the mentor of Moss', 'Driver: last_name; where ^Driver.mentor.last_name = Moss'],
    ['Which drivers are mentored by Moss?', 'Driver: last_name; where mentor.last_name = Moss'],
  ])('%s', (question, plan) => {
    expect(said(question, { ontology: peopled })).toBe(plan)
  })

  it('a mentor of whom nobody is named to be one is no driver of that name', () => {
    expect(said('How many drivers does Moss mentor?', { ontology: peopled })).toMatch(/^refused/)
  })

  it('what nothing chooses between comes with the other way', () => {
    const [best] = read('Which city has the most trips?').options
    expect(best?.others.map((plan) => plan.group_by)).not.toEqual([])
    expect(JSON.stringify(best?.others)).toContain(JSON.stringify(best?.plan).includes('destination') ? 'origin' : 'destination')
    expect(best?.evidence['note undecided']).toBe(1)
  })

  it('a verb chooses the foreign key that is named for it', () => {
    const started = { ...market, classes: market.classes.map((cls) => cls.name !== 'Trip' ? cls : {
      ...cls, properties: cls.properties.map((own) => own.name === 'origin' ? { ...own, name: 'start_city', label: 'start city' } : own.name === 'destination' ? { ...own, name: 'end_city', label: 'end city' } : own),
    }) }
    const [best] = read('How many trips started in Oslo?', { ontology: started }).options
    expect(JSON.stringify(best?.plan)).toContain('"start_city"')
    expect(JSON.stringify(best?.plan)).not.toContain('"end_city"')
  })
})

it.each(['What share of orders are closed?', 'What fraction of the orders are open?'])('a part of all is asked for: %s', (question) => {
  expect(said(question)).toMatch(/^refused/)
})

describe('what is never guessed', () => {
  it.each([
    ['Which trips go from Oslo to Lima?', /origin\.name = Oslo.*destination\.name = Lima/],
    ['How many orders were placed by Bo Lind or in 2024?', /\(customer\.name = Bo Lind or \(placed_on >= 2024-01-01 and placed_on < 2025-01-01\)\)/],
  ])('%s', (question, plan) => {
    expect(said(question)).toMatch(plan)
  })

  it.each([
    ['alternatives within what is absent', 'Which customers have no orders in 2024 or 2025?'],
    ['what two have in common', 'Which drivers share a last name?'],
    ['a unit that a figure may not have', 'Which trips have a weight above 3 hours?'],
    ['a length of time that no column has', 'How many orders were there per month?'],
    ['another of the same kind', 'How many drivers report to Moss?'],
  ])('%s', (_, question) => {
    expect(said(question)).toMatch(/^refused/)
  })
})
