/** docs/evaluation/questions.md: the parts between markers are printed from figures, the rest is written by hand. */
import type { Ablation } from './ablation.ts'
import { FAILURE_CLASSES } from './failure-class.ts'
import type { QuestionReport } from './question-report.ts'
import { CLASSES } from './sql-text.ts'

export interface Documented {
  readonly date: string
  readonly command: string
  readonly plain: QuestionReport
  readonly reworded: QuestionReport
  readonly ablations: readonly Ablation[]
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`; a part that the page does not mark is not printed. */
export function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const [from, to] = [text.indexOf(open), text.indexOf(close)]
    return from < 0 || to < from ? text : `${text.slice(0, from + open.length)}\n${part}\n${text.slice(to)}`
  }, page)
}

export const partsOf = ({ date, command, plain, reworded, ablations }: Documented): Record<string, string> => ({
  figures: [
    `${date}, \`${command}\`: ${plain.databases} databases in ${plain.folds} folds, ${plain.answered.execution_accuracy.questions} questions`,
    `with an answer to find, nothing learnt from the databases reported on.`,
    '',
    ...table(['what', 'goal', 'questions', 'reworded'], [
      ['execution accuracy, answered', '50, then 65, then 80 % (reworded 40)', share(plain.answered.execution_accuracy.accuracy), share(reworded.answered.execution_accuracy.accuracy)],
      ['precision at answered', '85, then 90, then 95 %', share(plain.answered.precision_at_answered.accuracy), share(reworded.answered.precision_at_answered.accuracy)],
      ['refused', '', share(plain.answered.share_refused), share(reworded.answered.share_refused)],
      ['execution accuracy without threshold', '', share(plain.first.execution_accuracy.accuracy), share(reworded.first.execution_accuracy.accuracy)],
      ['precision without threshold', '', share(plain.first.precision_at_answered.accuracy), share(reworded.first.precision_at_answered.accuracy)],
      ['first by the committed weights, which have seen every database', '', share(plain.as_found.accuracy), share(reworded.as_found.accuracy)],
      ['right among the first thirty readings', '', share(plain.oracle.accuracy), share(reworded.oracle.accuracy)],
      ['calibration error, answered', '<= .05', plainFigure(plain.answered.calibration_error), plainFigure(reworded.answered.calibration_error)],
      ['calibration error, all first readings', '<= .05', plainFigure(plain.first.calibration_error), plainFigure(reworded.first.calibration_error)],
      ['AUROC, all first readings', '>= .80', plainFigure(plain.first.auroc), plainFigure(reworded.first.auroc)],
      ['AUROC, answered', '', plainFigure(plain.answered.auroc), plainFigure(reworded.answered.auroc)],
      ['planning p50 / p95', '<= 50 ms', times(plain), times(reworded)],
      ['index, per million text values', '<= 60 s', `${plain.index.seconds_per_million ?? '-'} s`, ''],
      ['empty true answer, apart: answered right', '', share(plain.answered.empty_gold.accuracy), share(reworded.answered.empty_gold.accuracy)],
    ]),
  ].join('\n'),
  classes: table(
    ['class', 'questions', 'accuracy', 'precision', 'accuracy without threshold', 'reworded, without threshold'],
    CLASSES.map((name) => [
      name, String(plain.answered.by_class[name].questions), share(plain.answered.by_class[name].accuracy),
      share(plain.precision_by_class[name].accuracy), share(plain.first.by_class[name].accuracy), share(reworded.first.by_class[name].accuracy),
    ]),
  ).join('\n'),
  'risk-coverage': table(
    ['answered', 'right of them', 'right of all', 'confidence from'],
    plain.risk_coverage.map(({ coverage, precision, accuracy, confidence }) => [share(coverage), share(precision), share(accuracy), confidence.toFixed(3)]),
  ).join('\n'),
  failures: table(
    ['class', 'questions', 'of them answered', 'reworded', 'of them answered'],
    FAILURE_CLASSES.map((name) => [
      name, ...[plain, reworded].flatMap(({ failures }) => [String(failures[name].questions), String(failures[name].answered)]),
    ]),
  ).join('\n'),
  ablation: table(
    ['without', 'accuracy without threshold', 'precision'],
    ablations.map(({ without, accuracy, precision }) => [without, share(accuracy), share(precision)]),
  ).join('\n'),
})

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)

const share = (value: number | null): string => (value === null ? '-' : `${(100 * value).toFixed(1)} %`)
const plainFigure = (value: number | null): string => value?.toFixed(3) ?? '-'
const times = ({ answered: { plan_ms: { p50, p95 } } }: QuestionReport): string => `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`
