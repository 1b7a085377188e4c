import { describe, expect, it } from 'vitest'
import { type Candidate, fragmentsOf, rankSuggestions } from './completions.ts'

const cls = (text: string): Candidate => ({ text, kind: 'class' })
const property = (text: string): Candidate => ({ text, kind: 'property' })
const value = (text: string): Candidate => ({ text, kind: 'value' })
const texts = (question: string, candidates: readonly Candidate[], limit = 8) =>
  rankSuggestions(question, candidates, limit).map(({ text }) => text)
const inserts = (question: string, candidates: readonly Candidate[]) =>
  rankSuggestions(question, candidates, 8).map(({ insert }) => insert)

describe('what of a question is completed', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['?', []],
    ['cust', ['cust']],
    ['Show  Core rou', ['show core rou', 'core rou', 'rou']],
    ['a b c d e f', ['b c d e f', 'c d e f', 'd e f', 'e f', 'f']],
    ['maintenance ', ['maintenance ']],
    ['alarms of crt-0', ['alarms of crt-0', 'of crt-0', 'crt-0']],
    ['which alarms?', []],
    ['Open? clo', ['clo']],
    ['customers in "New Y', ['new y']],
    ['customers in "', []],
    ['customers in "Oslo" w', ['w']],
    ['customers in “Os', ['os']],
  ])('%j', (question, expected) => {
    expect(fragmentsOf(question).map(({ text }) => text)).toEqual(expected)
  })
})

describe('the order of suggestions', () => {
  it('begins with the whole, then a word, then what stands inside; then kind, then name', () => {
    const terms = [property('smart'), cls('work of art'), cls('cart'), property('article'), cls('artist')]
    const all = [value('art'), ...terms, value('Art Deco')]
    expect(texts('art', all)).toEqual(['artist', 'article', 'Art Deco', 'work of art', 'cart', 'smart'])
  })

  it('does not depend on the order of what it is given', () => {
    const all = [cls('service'), cls('site'), property('severity'), property('state'), value('sensor'), value('Sa'), value('sa')]
    expect(rankSuggestions('s', all.toReversed(), 5)).toEqual(rankSuggestions('s', all, 5))
  })

  it('prefers what completes more of the words', () => {
    expect(texts('list service l', [cls('link'), cls('service level agreement')])).toEqual(['service level agreement', 'link'])
  })

  it('offers a completion once, and never what is there already', () => {
    expect(texts('nam', [property('name'), property('name'), cls('name')])).toEqual(['name'])
    expect(texts('name', [property('name')])).toEqual([])
    expect(texts('name', [property('names')])).toEqual(['names'])
  })

  it('is as long as asked', () => {
    expect(texts('s', [cls('s1'), cls('s2'), cls('s3')], 2)).toEqual(['s1', 's2'])
  })

  it('finds neither one letter nor a function word inside a term', () => {
    expect(texts('a', [cls('name')])).toEqual([])
    expect(texts('is', [cls('list')])).toEqual([])
    expect(texts('li', [cls('reliability')])).toEqual(['reliability'])
  })

  it('takes signs of a pattern for what they are', () => {
    expect(texts('10%', [value('10% off'), value('100')])).toEqual(['10% off'])
    expect(texts('a_', [value('ab'), value('a_b')])).toEqual(['a_b'])
    expect(texts('a.*', [value('abc')])).toEqual([])
  })
})

describe('what is inserted', () => {
  it('is the question with its last words completed', () => {
    expect(inserts('Which open al', [cls('alarm')])).toEqual(['Which open alarm'])
    expect(inserts('Which open al', [cls('Alarm')])).toEqual(['Which open alarm'])
    expect(inserts('Al', [cls('Alarm')])).toEqual(['Alarm'])
    expect(inserts('Which v', [cls('VLAN')])).toEqual(['Which VLAN'])
    expect(inserts('Which core rou', [value('Core Router')])).toEqual(['Which Core Router'])
  })

  it('puts a value into quotation marks where the planner would not read it otherwise', () => {
    expect(inserts('in o', [value('one two three four five six seven eight nine')])).toEqual(['in "one two three four five six seven eight nine"'])
    expect(inserts('in us', [value('US$')])).toEqual(['in "US$"'])
    expect(inserts('in f', [value('5" disk'), value('Five" disk')])).toEqual(['in “Five" disk”'])
    expect(inserts('in crt', [value('crt-07')])).toEqual(['in crt-07'])
  })

  it('closes an open quotation mark, and offers values alone there', () => {
    expect(inserts('in "new y', [value('New York'), cls('new year')])).toEqual(['in "New York"'])
  })
})
