import { describe, expect, it } from 'vitest'
import { market } from './market.test-support.ts'
import { nearestNames } from './nearest.ts'

describe('the names nearest to a word', () => {
  it('are those that mean much the same', () => {
    expect(nearestNames(market, 'clients')).toContain('customer')
    expect(nearestNames(market, 'towns')).toContain('city')
  })

  it('are none where nothing is near', () => {
    expect(nearestNames(market, 'photosynthesis')).toEqual([])
    expect(nearestNames(market, 'qwxzv')).toEqual([])
  })

  it('come from the ontology that is handed in, and from nowhere else', () => {
    const kept = market.classes.filter(({ name }) => name !== 'Customer')
    const cut = { ...market, classes: kept.map((cls) => ({ ...cls, properties: cls.properties.filter(({ range }) => range !== 'Customer') })) }
    expect(nearestNames(cut, 'clients')).not.toContain('customer')
  })

  it('are few, and the same every time', () => {
    const names = nearestNames(market, 'product')
    expect(names.length).toBeLessThanOrEqual(3)
    expect(nearestNames(market, 'product')).toEqual(names)
  })
})
