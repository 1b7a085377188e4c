/** What the planner would have answered on each database, had it learnt from the others only. */
import { type Candidates, type DatabaseCandidates } from './candidates.ts'
import { type FailureClass, failureClass } from './failure-class.ts'
import type { Outcome } from './figures.ts'
import { type Chosen, type FitOptions, chosenBy, fitPlanner } from './fit/fit-planner.ts'
import { foldsOf } from './fit/folds.ts'

export interface Tried {
  readonly asked: Candidates
  readonly fold: number
  /** the reading that ranks first; null when there is none */
  readonly chosen: Chosen | null
  /** confident enough to be given as an answer */
  readonly answered: boolean
}

export interface CrossValidation {
  /** in the order of the databases */
  readonly tried: readonly Tried[]
  /** from where on each fold answers */
  readonly thresholds: readonly number[]
}

/** Any number does; it only deals out the databases. */
export const SEED = 5

/** `taught`: what there is to learn from, of the same databases and perhaps in other words too. */
export function crossValidate(
  databases: readonly DatabaseCandidates[],
  folds: number,
  options: FitOptions = {},
  taught: readonly DatabaseCandidates[] = databases,
): CrossValidation {
  const foldOf = foldsOf(databases.map(({ db }) => db), folds, SEED)
  const models = Array.from({ length: folds }, (_, fold) =>
    fitPlanner(taught.filter(({ db }) => foldOf.get(db) !== fold).flatMap(({ questions }) => questions), options),
  )
  const tried = databases.flatMap(({ db, questions }) => {
    const fold = foldOf.get(db) ?? 0
    const model = models[fold]!
    return questions.map((asked): Tried => {
      const chosen = chosenBy(model, asked.options)
      return { asked, fold, chosen, answered: chosen !== null && !chosen.tied && chosen.confidence >= model.threshold }
    })
  })
  return { tried, thresholds: models.map(({ threshold }) => threshold) }
}

/** As the figures want it: with the threshold, or as if every reading that ranks first were an answer. */
export function outcomeOf({ asked, chosen, answered }: Tried, withThreshold: boolean): Outcome {
  const given = withThreshold ? answered : chosen !== null
  return {
    status: chosen === null ? 'no reading' : given ? 'answered' : 'unsure',
    confidence: chosen?.confidence ?? 0,
    ms: asked.planMs,
    planMs: asked.planMs,
    classes: asked.classes,
    answered: given,
    right: given && chosen?.option.right === true,
    gold: asked.truth,
  }
}

export interface Failure {
  readonly id: string
  readonly db: string
  readonly fold: number
  readonly failure: FailureClass
  /** given as an answer; else it was not sure enough */
  readonly answered: boolean
  readonly question: string
  readonly gold: string
  readonly sql: string
  readonly confidence: number
  /** the place of the first right reading among all of them, from 1; null when none is */
  readonly right_at: number | null
  readonly unplaced: readonly string[]
}

/** Every question with an answer to find that did not find it. */
export const failuresOf = (tried: readonly Tried[]): Failure[] =>
  tried.filter((each) => each.asked.truth === 'rows' && !outcomeOf(each, true).right).map((each): Failure => {
    const { asked: { id, db, question, gold, options, unplaced }, fold, chosen } = each
    const place = options.findIndex(({ right }) => right)
    return {
      id, db, fold, failure: failureOf(each), answered: each.answered, question, gold, sql: chosen?.option.sql ?? '', confidence: chosen?.confidence ?? 0,
      right_at: place < 0 ? null : place + 1, unplaced,
    }
  })

function failureOf({ asked, chosen }: Tried): FailureClass {
  if (chosen === null) return 'no reading'
  if (chosen.option.right) return 'right, but unsure'
  return chosen.option.rows === null ? 'does not run' : failureClass(asked.gold, chosen.option.sql)
}
