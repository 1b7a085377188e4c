import { describe, expect, it } from 'vitest'
import type { Candidate, Candidates, DatabaseCandidates } from '../candidates.ts'
import { crossValidate, failuresOf, outcomeOf } from '../cross-validate.ts'
import { riskCoverage, tenths } from '../risk-coverage.ts'
import { chosenBy, fitPlanner } from './fit-planner.ts'
import { foldsOf } from './folds.ts'

const option = (right: boolean, evidence: Candidate['evidence']): Candidate => ({ sql: `select ${right}`, right, rows: 1, evidence })

/** Forty databases of five questions: the reading with a sign is right; where there is none, chance decides, and doubt says so. */
const databases: DatabaseCandidates[] = Array.from({ length: 40 }, (_, d) => ({
  db: `shop-${d}`,
  index: { ms: 1, values: 10 },
  questions: Array.from({ length: 5 }, (_, q): Candidates => {
    const doubtful = q >= 3
    const options = doubtful
      ? [option((d + q) % 2 === 0, { reading: 1, doubt: 1 })]
      : [option(false, { reading: 1.4 }), option(true, { reading: 1, sign: 1 })]
    return {
      id: `${d}-${q}`, db: `shop-${d}`, question: 'Which lamps?', gold: 'select true', classes: ['no join'], truth: 'rows', planMs: 1, unplaced: [],
      options: q === 2 && d % 10 === 0 ? [] : options,
    }
  }),
}))
const questions = databases.flatMap((database) => database.questions)

describe('all that the planner learns', () => {
  const model = fitPlanner(questions, { precision: 0.99 })

  it('puts the reading with the sign first, is sure of it, and unsure where there is doubt', () => {
    expect(model.ranking['sign']).toBeGreaterThan(0.4)
    const sure = chosenBy(model, questions[0]!.options)
    const unsure = chosenBy(model, questions[4]!.options)
    expect(sure?.option.right).toBe(true)
    expect(sure?.confidence).toBeGreaterThan(0.95)
    expect(unsure?.confidence).toBeCloseTo(0.5, 1)
    expect(model.threshold).toBeGreaterThan(unsure?.confidence ?? 1)
    expect(model.threshold).toBeLessThanOrEqual(sure?.confidence ?? 0)
  })

  it('is the same every time, in few digits, and does without evidence that few databases know', () => {
    expect(JSON.stringify(fitPlanner(questions, { precision: 0.99 }))).toBe(JSON.stringify(model))
    expect(Object.values(model.ranking).every((weight) => weight === Number(weight.toFixed(4)))).toBe(true)
    const rare = questions.map((asked, at) => (at === 0 ? { ...asked, options: [option(true, { lonely: 1 }), ...asked.options] } : asked))
    expect(fitPlanner(rare).ranking).not.toHaveProperty('lonely')
  })

  it('of nothing is nothing: no reading is chosen, and none would be answered', () => {
    const none = fitPlanner([])
    expect(none).toMatchObject({ ranking: {}, threshold: 1 })
    expect(chosenBy(none, [])).toBeNull()
    expect(chosenBy(none, questions[0]!.options)?.confidence).toBeLessThan(1)
  })
})

describe('cross-validation', () => {
  const { tried, thresholds } = crossValidate(databases, 4, { precision: 0.99 })

  it('deals the databases out evenly and asks every question once', () => {
    const dealt = foldsOf(databases.map(({ db }) => db), 4, 5)
    expect([0, 1, 2, 3].map((fold) => [...dealt.values()].filter((each) => each === fold).length)).toEqual([10, 10, 10, 10])
    expect(tried.map(({ asked }) => asked.id)).toEqual(questions.map(({ id }) => id))
    expect(thresholds).toHaveLength(4)
  })

  it('answers what is sure, and says why the rest is not right', () => {
    const answered = tried.filter((each) => outcomeOf(each, true).answered)
    expect(answered.every(({ chosen }) => chosen?.option.right === true)).toBe(true)
    expect(answered).toHaveLength(116)
    const counted = Map.groupBy(failuresOf(tried), ({ failure }) => failure)
    expect([...counted].map(([name, all]) => [name, all.length])).toEqual(
      expect.arrayContaining([['no reading', 4], ['right, but unsure', 40], ['other columns', 40]]),
    )
    expect(failuresOf(tried).some((failure) => failure.answered)).toBe(false)
  })

  it('the surest come first, and the share that is right never counts what was not read', () => {
    const points = riskCoverage(tried)
    expect(points[0]?.precision).toBe(1)
    expect(points.at(-1)).toMatchObject({ coverage: 196 / 200, precision: 156 / 196, accuracy: 156 / 200 })
    expect(tenths(points).length).toBeLessThanOrEqual(11)
  })
})
