import { describe, expect, it } from 'vitest'
import type { Flavor } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import { NO_RULES, market } from './market.test-support.ts'
import { type Form, termIndex, termKey } from './term-index.ts'

const nothing = (): boolean => false
const formsOf = (ontology: Ontology, flavor: Flavor = NO_RULES, askable: (predicate: string) => boolean = nothing): Form[] =>
  [...termIndex(ontology, flavor, askable).values()].flat()
/** What a phrase means, each with its weight: `p Customer.age` is a property, `c City ` a class. */
const meanings = (phrase: string, forms = formsOf(market)): Record<string, number> =>
  Object.fromEntries(
    forms
      .filter(({ words, before, after }) => words.join(' ') === phrase && before === undefined && after === undefined)
      .map(({ term, weight }) => [termKey(term).trim(), Number(weight.toFixed(2))]),
  )

const property = (name: string, range = 'string'): OntologyProperty => ({
  name, iri: name, label: name, synonyms: [], tier: 'Internal', kind: 'data', columns: [name], range: `${XSD}${range}`,
  refColumns: [], required: false, functional: true, inferred: null,
})
const table = (name: string, properties: readonly OntologyProperty[], label = name): OntologyClass => ({
  name, iri: name, label, synonyms: [], table: name, key: ['id'], labelProperty: null, tier: 'Internal', instances: 0, properties,
})
const schema = (...classes: readonly OntologyClass[]): Ontology => ({ ...market, relationships: [], classes })

describe('the forms in which a term is said', () => {
  it('a name as a whole weighs most, and belongs to all who bear it', () => {
    expect(meanings('population')).toEqual({ 'p City.population': 1 })
    expect(meanings('name')).toMatchObject({
      'p City.name': 1, 'p Customer.name': 1, 'p Order.number': 0.85, 'p Driver.last_name': 0.2,
    })
    expect(meanings('customer')).toEqual({ 'c Customer': 1 })
  })

  it('two words that a name writes as one are two words as well', () => {
    expect(meanings('lamp colour', formsOf(schema(table('Shop', [property('lampcolour')]))))).toEqual({ 'p Shop.lampcolour': 1 })
  })

  it('a full name is half a first and half a last one, where the words stand side by side', () => {
    const halves = formsOf(market).filter(({ before, after }) => before !== undefined || after !== undefined)
    expect(halves.map(({ words, term, before, after }) => [...words, termKey(term), before, after])).toEqual([
      ['name', 'p Driver.last_name', undefined, 'full'], ['full', 'p Driver.first_name', 'name', undefined],
    ])
  })

  it.each([
    ['a class in the singular, whatever its table is called', 'order', 'c Order', 1],
    ['a property with its class', 'customer age', 'p Customer.age', 1],
    ['a part that heads the name', 'number', 'p Customer.phone_number', 0.2],
    ['a part that does not', 'phone', 'p Customer.phone_number', 0.42],
    ['the other way round', 'rate of tax', 'p Product.tax_rate', 0.97],
    ['what names a record is its name', 'order name', 'p Order.number', 0.9],
    ['the only moment of a class is its date', 'date', 'p Order.placed_on', 0.7],
    ['the role of a foreign key is the record behind it', 'destination', 'c City Trip.destination', 0.9],
    ['the column of a foreign key is the key behind it', 'origin id', 'p City.id', 0.95],
  ])('%s', (_, phrase, term, weight) => {
    expect(meanings(phrase)[term]).toBe(weight)
  })

  it('a foreign key called like its class is no role', () => {
    expect(formsOf(market).filter(({ term }) => term.kind === 'class' && term.via === 'Customer.city')).toEqual([])
  })

  it('a name without the class that it begins with', () => {
    const forms = formsOf(schema(table('Lamp', [property('lamp_colour')])))
    expect(meanings('colour', forms)).toEqual({ 'p Lamp.lamp_colour': 0.97 })
    expect(meanings('lamp colour', forms)).toEqual({ 'p Lamp.lamp_colour': 1 })
  })

  it.each([
    ['a short form is written out', 'qty', 'quantity'],
    ['a date of birth too', 'dob', 'birth date'],
    ['an initial before a name', 'f_name', 'first name'],
    ['glued to an ending, by its own class', 'lampid', 'lamp id'],
    ['glued to an ending, by the beginning of its class', 'lid', 'lamp id'],
    ['glued to an ending, by another class', 'deskname', 'desk name'],
    ['words that merely end so stay whole', 'timid', 'timid'],
    ['articles are left out', 'number_of_the_bulb', 'number bulb'],
  ])('%s: %s', (_, name, phrase) => {
    const forms = formsOf(schema(table('Lamp', [property(name)]), table('Desk', [])))
    expect(meanings(phrase, forms)[`p Lamp.${name}`]).toBe(1)
  })

  it('usual tails: an email is an email address, and the prefix of a table is no part of its name', () => {
    const forms = formsOf(schema(table('RefLamp', [property('email')], 'ref lamp')))
    expect(meanings('email address', forms)).toMatchObject({ 'p RefLamp.email': 0.95 })
    expect(meanings('lamp', forms)).toEqual({ 'c RefLamp': 0.97 })
  })

  it('synonyms of the flavor and phrases of its rules, if they can be derived', () => {
    const flavor: Flavor = {
      ...NO_RULES,
      synonyms: { Customer: ['client'], 'Customer.age': ['years of life'] },
      rules: [{ id: 'late', body: 'late(O) :- Order(O).', phrases: ['is late'] } as Flavor['rules'][number]],
    }
    const forms = formsOf(market, flavor, (predicate) => predicate === 'late')
    expect(meanings('client', forms)).toEqual({ 'c Customer': 1 })
    expect(meanings('year life', forms)).toEqual({ 'p Customer.age': 1 })
    expect(meanings('is late', forms)).toEqual({ 'r late': 1.5 })
    expect(meanings('is late', formsOf(market, flavor))).toEqual({})
  })

  it('what the ceiling has cut away has no form', () => {
    const ageless = (cls: OntologyClass) => ({ ...cls, properties: cls.properties.filter(({ name }) => name !== 'age') })
    const cut = { ...market, classes: market.classes.map(ageless) }
    expect(formsOf(cut).filter(({ words }) => words.includes('age'))).toEqual([])
    const without = { ...market, classes: market.classes.filter(({ name }) => name !== 'City') }
    const words = new Set(formsOf(without).flatMap((form) => [...form.words]))
    expect(['city', 'origin', 'destination', 'population'].filter((word) => words.has(word))).toEqual([])
  })

  it('a function word alone says nothing, whatever a column is called', () => {
    expect(meanings('to', formsOf(schema(table('Lamp', [property('to')]))))).toEqual({})
  })
})
