import { describe, expect, it } from 'vitest'
import { counted, fill, listed } from './english.ts'

describe('english', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('lists %j as "%s"', (items, text) => {
    expect(listed(items)).toBe(text)
  })

  it('says how many more there are than it lists', () => {
    expect(listed(Array.from({ length: 25 }, (_, i) => `x${i}`))).toMatch(/x19 and 5 more$/)
  })

  it.each([
    [0, 'no alarms'],
    [1, 'one alarm'],
    [2, 'two alarms'],
    [11, '11 alarms'],
  ])('counts %i as "%s"', (count, text) => {
    expect(counted(count, 'alarm')).toBe(text)
  })

  it('fills variables, agrees nouns with numbers, and leaves out what is not known', () => {
    const value = (variable: string) => ({ r: 'crt-07', n: '2' })[variable]
    expect(fill('{r} has {n:open alarm}[ since {t}]', value)).toBe('crt-07 has two open alarms')
    expect(fill('{r}[ with {n:alarm}]', value)).toBe('crt-07 with two alarms')
    expect(fill('{x} stays visible', value)).toBe('{x} stays visible')
  })

  it('text from a record is never read as a template', () => {
    expect(fill('{a} and {b}', (variable) => ({ a: '{b}', b: 'B' })[variable])).toBe('{b} and B')
  })
})
