/** A cross-validated evaluation as figures, and the figures as text. */
import type { DatabaseCandidates } from './candidates.ts'
import { type CrossValidation, type Tried, failuresOf, outcomeOf } from './cross-validate.ts'
import { FAILURE_CLASSES, type FailureClass } from './failure-class.ts'
import { type Figures, type Share, figuresOf } from './figures.ts'
import { type RiskPoint, riskCoverage, tenths } from './risk-coverage.ts'
import { CLASSES, type QueryClass } from './sql-text.ts'

/** Questions whose first reading is not right, and how many of those were given as an answer all the same. */
export interface Failed {
  readonly questions: number
  readonly answered: number
}

export interface QuestionReport {
  readonly databases: number
  readonly folds: number
  readonly thresholds: readonly number[]
  /** what is less sure than the threshold is not answered */
  readonly answered: Figures
  /** as if every reading that ranks first were an answer: what ranking reaches, and whether confidence tells right from wrong */
  readonly first: Figures
  readonly precision_by_class: Readonly<Record<QueryClass, Share>>
  /** questions with a right reading among the first thirty */
  readonly oracle: Share
  /** of the questions with a right reading: how many had it first as the planner found them, before anything was learnt here */
  readonly as_found: Share
  readonly index: { readonly values: number; readonly seconds_per_million: number | null }
  readonly risk_coverage: readonly RiskPoint[]
  readonly failures: Readonly<Record<FailureClass, Failed>>
}

export function reportOf(databases: readonly DatabaseCandidates[], { tried, thresholds }: CrossValidation): QuestionReport {
  const scored = tried.filter(({ asked }) => asked.truth === 'rows')
  const failures = Map.groupBy(failuresOf(tried), ({ failure }) => failure)
  return {
    databases: databases.length,
    folds: thresholds.length,
    thresholds,
    answered: figuresOf(tried.map((each) => outcomeOf(each, true))),
    first: figuresOf(tried.map((each) => outcomeOf(each, false))),
    precision_by_class: Object.fromEntries(CLASSES.map((name) => [name, precisionOf(scored, name)])) as Record<QueryClass, Share>,
    oracle: share(scored, ({ asked }) => asked.options.some(({ right }) => right)),
    as_found: share(scored, ({ asked }) => asked.options[0]?.right === true),
    index: indexOf(databases),
    risk_coverage: tenths(riskCoverage(tried)),
    failures: Object.fromEntries(
      FAILURE_CLASSES.map((name) => {
        const own = failures.get(name) ?? []
        return [name, { questions: own.length, answered: own.filter(({ answered }) => answered).length }]
      }),
    ) as Record<FailureClass, Failed>,
  }
}

const precisionOf = (scored: readonly Tried[], name: QueryClass): Share =>
  share(scored.filter(({ asked, answered }) => answered && asked.classes.includes(name)), ({ chosen }) => chosen?.option.right === true)

function share<T>(all: readonly T[], isRight: (one: T) => boolean): Share {
  const right = all.filter(isRight).length
  return { questions: all.length, right, accuracy: all.length === 0 ? null : right / all.length }
}

/** The time that many small indexes take is mostly starting: only what holds at least this many values tells of a million. */
const TELLING_VALUES = 10_000

function indexOf(databases: readonly DatabaseCandidates[]): QuestionReport['index'] {
  const telling = databases.map(({ index }) => index).filter(({ values }) => values >= TELLING_VALUES)
  const [ms, values] = [telling.reduce((sum, index) => sum + index.ms, 0), telling.reduce((sum, index) => sum + index.values, 0)]
  const all = databases.reduce((sum, { index }) => sum + index.values, 0)
  return { values: all, seconds_per_million: values === 0 ? null : Math.round((ms / values) * 10_000) / 10 }
}

const percent = (value: number | null): string => (value === null ? '-' : `${(100 * value).toFixed(1)} %`)
const shareText = ({ right, questions, accuracy }: Share): string => `${percent(accuracy).padStart(7)}  ${right} of ${questions}`
const line = (name: string, text: string): string => `${name.padEnd(34)}${text}`

export function reportText(report: QuestionReport): string {
  const { answered, first, precision_by_class: precision, index } = report
  return [
    `${answered.questions} questions, ${report.databases} databases, ${report.folds} folds of databases, out of fold`,
    line('execution accuracy', shareText(answered.execution_accuracy)),
    line('precision at answered', shareText(answered.precision_at_answered)),
    line('refused', percent(answered.share_refused).padStart(7)),
    ...CLASSES.map((name) => line(`  ${name}`, `${shareText(answered.by_class[name]).padEnd(26)}precision ${shareText(precision[name])}`)),
    line('without threshold', shareText(first.execution_accuracy)),
    line('  precision', shareText(first.precision_at_answered)),
    line('  by the committed weights', shareText(report.as_found)),
    line('right among the first thirty', shareText(report.oracle)),
    line('empty gold, apart', shareText(answered.empty_gold)),
    line('calibration error', `${figure(answered.calibration_error)} answered, ${figure(first.calibration_error)} all first readings`),
    line('AUROC of confidence', `${figure(answered.auroc)} answered, ${figure(first.auroc)} all first readings`),
    line('thresholds of the folds', report.thresholds.map((each) => each.toFixed(3)).join(' ')),
    line('planning ms p50 / p95', `${answered.plan_ms.p50.toFixed(1)} / ${answered.plan_ms.p95.toFixed(1)}`),
    line('index', `${index.values} text values, ${index.seconds_per_million ?? '-'} s per million`),
    ...(answered.gold_failed === 0 ? [] : [line('gold does not run', `${answered.gold_failed}, counted nowhere`)]),
    '',
    'answered   right of them   right of all   confidence from',
    ...report.risk_coverage.map(({ coverage, precision: right, accuracy, confidence }) =>
      `${percent(coverage).padStart(8)}${percent(right).padStart(16)}${percent(accuracy).padStart(15)}${confidence.toFixed(3).padStart(18)}`),
    '',
    line('not right', 'questions   answered'),
    ...FAILURE_CLASSES.map((name) => {
      const { questions, answered: given } = report.failures[name]
      return line(`  ${name}`, `${String(questions).padStart(9)}${String(given).padStart(11)}`)
    }),
  ].join('\n')
}

const figure = (value: number | null): string => value?.toFixed(4) ?? '-'
