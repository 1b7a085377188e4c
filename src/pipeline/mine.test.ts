import { describe, expect, it } from 'vitest'
import { searchedText } from './mine.ts'

const ALL = { eligible: 9, pairs: 20, tests: 72, tooRare: 3, tooFrequent: 2, capped: 0, cappedPairs: 0, cappedThings: 0 }

describe('what was looked at', () => {
  it.each([
    { name: 'all of it', left: {}, told: /too rare$/ },
    { name: 'events left out', left: { capped: 4 }, told: /capped: 4 events left out/ },
    { name: 'pairs and things left out', left: { cappedPairs: 5, cappedThings: 6 }, told: /capped: 5 pairs and 6 things in common left out/ },
  ])('$name: said', ({ left, told }) => {
    expect(searchedText({ ...ALL, ...left })).toMatch(told)
  })
})
