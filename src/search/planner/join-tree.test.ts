import { describe, expect, it } from 'vitest'
import { Ways, rootFor } from './join-tree.ts'
import { market } from './market.test-support.ts'

const ways = new Ways(market)
const path = (from: string, to: string, forward = false): string | null => ways.between(from, to, forward)?.path.join(' ') ?? null
const withoutLinks = new Ways({ ...market, relationships: [] })

describe('the cheapest way between two classes', () => {
  it.each([
    ['to itself', 'City', 'City', ''],
    ['along a foreign key', 'Customer', 'City', 'city'],
    ['against one', 'City', 'Customer', '^Customer.city'],
    ['along several', 'Order', 'City', 'customer city'],
    ['through a table that connects', 'Order', 'Product', '^Line.order product'],
    ['of several as short, the first by name', 'Trip', 'City', 'destination'],
  ])('%s', (_, from, to, expected) => {
    expect(path(from, to)).toBe(expected)
  })

  it('forward takes only steps to one record', () => {
    expect(path('Line', 'City', true)).toBe('order customer city')
    expect(path('City', 'Line', true)).toBeNull()
  })

  it('says when another way is as short, also further on', () => {
    expect(ways.between('Trip', 'City')?.ambiguous).toBe(true)
    expect(ways.between('Trip', 'Customer')?.ambiguous).toBe(true)
    expect(ways.between('Order', 'City')?.ambiguous).toBe(false)
  })

  it('the ways that differ in a foreign key between the same classes', () => {
    expect(ways.twins('Trip', ['destination'])).toEqual([['origin']])
    expect(ways.twins('City', ['^Trip.origin', 'driver'])).toEqual([['^Trip.destination', 'driver']])
    expect(ways.twins('Order', ['customer', 'city'])).toEqual([])
    expect(ways.twins('Order', ['nowhere'])).toEqual([])
  })

  it('through what both merely share only where nothing else leads there, and around a class on request', () => {
    const shared = ways.between('Trip', 'Customer')!
    expect(shared.path.some((step) => step.startsWith('^'))).toBe(true)
    expect(shared.cost).toBeGreaterThan(ways.between('Trip', 'City')!.cost + ways.between('City', 'Customer')!.cost)
    expect(ways.without('City').between('Trip', 'Customer')).toBeNull()
    expect(ways.without('Line').between('Order', 'Product')).toBeNull()
  })

  it('two foreign keys to parts of one key are no roles, and cost more', () => {
    const parted = new Ways({ ...market, classes: market.classes.map((cls) => (cls.name === 'City' ? { ...cls, key: ['id', 'name'] } : cls)) })
    expect(parted.twins('Trip', ['destination'])).toEqual([])
    expect(parted.between('Trip', 'City')!.cost).toBeGreaterThan(ways.between('Trip', 'City')!.cost)
  })

  it('a table that does nothing but connect is the cheaper way', () => {
    expect(ways.between('Order', 'Product')!.cost).toBeLessThan(withoutLinks.between('Order', 'Product')!.cost)
  })

  it('a guessed foreign key is the dearer way', () => {
    const guessed = new Ways({
      ...market,
      classes: market.classes.map((cls) => ({
        ...cls, properties: cls.properties.map((own) => (own.name === 'destination' ? { ...own, inferred: 'by name' } : own)),
      })),
    })
    expect(guessed.between('Trip', 'City')).toMatchObject({ path: ['origin'], ambiguous: false })
  })
})

describe('the class whose rows the answer is made of', () => {
  it.each([
    ['the one that is wanted, where it reaches the others', 'Order', ['Order', 'Customer'], 'Order', true],
    ['else the one that does', 'Customer', ['Customer', 'Order'], 'Order', true],
    ['else one that nobody named', 'Order', ['Order', 'Product'], 'Line', true],
    ['where none does, the wanted one with rows for many', 'Driver', ['Driver', 'Customer'], 'Driver', false],
  ])('%s', (_, wanted, terminals, root, plain) => {
    expect(rootFor(ways, wanted, terminals)).toMatchObject({ root, plain })
  })

  it('none where the classes do not hang together', () => {
    const apart = new Ways({ ...market, classes: market.classes.filter(({ name }) => name === 'City' || name === 'Product') })
    expect(rootFor(apart, 'City', ['City', 'Product'])).toBeNull()
  })
})
