/** Whatever the words, a question is read without a fault: the same way each time, whole, and into plans that can be run. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Plan } from '../../contracts/index.ts'
import { faultsOf } from '../check-plan.ts'
import type { Element } from './elements.ts'
import { NO_RULES, STORED_WORDS, market, planFor, read } from './market.test-support.ts'
import { tokenise } from './tokens.ts'
import { vocabularyOf } from './vocabulary.ts'

const numRuns = process.env['WHEREFORE_FULL'] === undefined ? 300 : 5000

const NAMES = market.classes.flatMap((cls) => [cls.label, `${cls.label}s`, ...cls.properties.map(({ label }) => label)])
const OPERATORS = `how many|number of|the number of different|average|total|maximum|minimum|highest|lowest|oldest|youngest
  |cheapest|heaviest|latest|first|most|fewest|most common|top 3|more than 3|at least 2|older than 30|above the average
  |between 1 and 5|3 or more|not|no|without|except|or|both|and|each|per|by|for each|ordered by|sorted by
  |in descending order of|alphabetically|from oldest to youngest|different|contains "be"|starts with A|missing|who|where|when
  |them|all information|several|18 years old|higher`
const GLUE = `the|of|in|with|that|have|their|is|are|which|what|show|list|whose|than|all|only|to|,|.|?|5|2025|in March 2025
  |last week|"Zed"`
const words = (text: string): string[] => text.split('|').map((word) => word.trim())

const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 4, arbitrary: fc.constantFrom(...words(OPERATORS)) },
  { weight: 2, arbitrary: fc.constantFrom(...STORED_WORDS) },
  { weight: 4, arbitrary: fc.constantFrom(...words(GLUE)) },
  { weight: 1, arbitrary: fc.constantFrom('purple', 'sing', 'quickly', '%') },
)
const question = fc.array(piece, { minLength: 1, maxLength: 10 }).map((pieces) => pieces.join(' '))
/** What was asked before, if anything. */
const earlier = fc.option(
  fc.constantFrom<Plan>(
    planFor('customers older than 30'),
    planFor('the 2 customers with the most orders'),
  ),
  { nil: undefined },
)
const { book } = vocabularyOf(market, NO_RULES)

/** Words without a meaning stand only where a pattern is spelled out. */
const isSpelled = (elements: readonly Element[], at: number): boolean => {
  const before = elements[at - 1]
  return before?.kind === 'operation' && before.operation.kind === 'like'
}

describe('any question', () => {
  it('is read into plans without a fault, and every word of it has its place', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(question, earlier, (text, before) => {
        const asking = before === undefined ? {} : { earlier: before }
        const { options, unplaced, best } = read(text, asking)
        expect(read(text, asking)).toEqual({ options, unplaced, best })
        const tokens = tokenise(text)
        for (const { plan, reading: { elements } } of options) {
          expect(faultsOf(market, book, Plan.parse(plan)), JSON.stringify(plan)).toEqual([])
          expect(elements.flatMap(({ start, end }) => tokens.slice(start, end))).toEqual(tokens)
          const lost = elements.filter((element, at) => {
            return element.kind === 'word' && element.content === 'other' && !isSpelled(elements, at)
          })
          expect(lost).toEqual([])
        }
        for (const word of unplaced) expect(text).toContain(word)
      }),
      { seed: 7, numRuns },
    )
  })
})
