/** wherefore eval sequences: how well strange sequences are told from ordinary ones, on files of one's own. */
import { Command } from 'commander'
import { ServiceError } from '../../contracts/index.ts'
import {
  type Caller, type Detection, type SequencesCrossValidated, type SequencesEvaluation, openProject, runSequencesCrossValidation,
  runSequencesEvaluation, writePrivately,
} from '../../runtime/index.ts'
import { emit, writeJson } from '../emit.ts'
import { printJson } from './session.ts'

interface Options {
  readonly train: string
  readonly test?: string
  readonly folds?: string
  readonly json?: true
  readonly out?: string
}

export const sequencesCommand = (): Command =>
  new Command('sequences')
    .description('learn ordinary sequences from one file and find strange ones in another')
    .requiredOption('--train <file>', 'JSON lines {id, label?, templates[]}, plain or gzip; lines labelled as anomalies are left out')
    .option('--test <file>', 'the same; its labels are only compared with')
    .option('--folds <n>', 'instead of --test: every n-th line of the training file is tested by what the others teach, in turn')
    .option('--out <file>', 'write a verdict line for each test sequence to a file')
    .option('--json', 'print figures and verdicts as one JSON document')
    .addHelpText('after', '\nExample:\n  wherefore eval sequences --train normal.jsonl.gz --test mixed.jsonl.gz --out verdicts.jsonl')
    .action(({ train, test, folds, json, out }: Options) => {
      const caller: Caller = { name: 'local', grant: openProject().grant, roles: ['reader', 'reviewer', 'author', 'admin'] }
      if (folds !== undefined && test === undefined) {
        const figures = emit(runSequencesCrossValidation({ file: train, folds: readFolds(folds) }), caller)
        if (json === true) printJson({ figures })
        else console.log(crossValidated(figures))
        return
      }
      if (test === undefined || folds !== undefined) {
        throw new ServiceError('invalid_request', 'name a file to test on, or a number of folds', { hint: '--test FILE, or --folds 5' })
      }
      const { figures, verdicts } = emit(runSequencesEvaluation({ train, test }), caller)
      if (out !== undefined) writePrivately(out, verdicts.map((line) => `${writeJson(line)}\n`).join(''))
      if (json === true) printJson({ figures, verdicts })
      else console.log(sequenceFigures(figures))
    })

function readFolds(text: string): number {
  if (/^([2-9]|[1-9]\d)$/.test(text)) return Number(text)
  throw new ServiceError('invalid_request', 'folds are a whole number from 2 to 99')
}

const figure = (value: number | null): string => (value === null ? '-' : value.toFixed(4)).padStart(10)

type Compared = Pick<SequencesEvaluation['figures'], 'combined' | 'detectors' | 'never_seen'>

function table({ combined, detectors, never_seen: never }: Compared): string[] {
  const row = (name: string, { precision, recall, f1, false_alarm_rate: alarms, ...counts }: Detection): string =>
    name.padEnd(26) + [precision, recall, f1, alarms].map(figure).join('') +
    `${counts.true_positives} / ${counts.false_positives} / ${counts.false_negatives}`.padStart(18)
  return [
    `${''.padEnd(26)}${['precision', 'recall', 'F1', 'alarms'].map((name) => name.padStart(10)).join('')}${'hit/alarm/miss'.padStart(18)}`,
    row('combined', combined),
    ...Object.entries(detectors).map(([name, found]) => row(`  ${name}`, found)),
    ...Object.entries(never).map(([name, found]) => row(`  ${name} never seen`, found)),
  ]
}

const hopeless = (count: number): string => `${count} anomalies have the very sequence of an ordinary one: no detector of sequences can tell them apart`

export function sequenceFigures(figures: SequencesEvaluation['figures']): string {
  const { train, test, calibration, rule } = figures
  return [
    `learned from ${train.sequences} sequences of ${train.templates} templates` +
      `${train.left_out_as_anomalous === 0 ? '' : `, ${train.left_out_as_anomalous} labelled as anomalies left out`}; HMM of ${train.states} states`,
    `tested on ${test.sequences} sequences, ${test.labelled} labelled, ${test.anomalous} of them anomalies; ` +
      `proposed at p <= ${rule.p} and q <= ${rule.q}, or by the rarity floor`,
    '',
    ...table(figures),
    '',
    `calibration: KS distance of p from uniform on ordinary sequences ${figure(calibration.ks_distance).trim()}, ` +
      `share at p <= .01 ${figure(calibration.share_p_at_most_01).trim()}`,
    hopeless(figures.indistinguishable),
  ].join('\n')
}

const crossValidated = (figures: SequencesCrossValidated): string =>
  [
    `${figures.folds} folds, each tested by what the others teach`, '', ...table(figures), '',
    `calibration: KS distance of p from uniform on ordinary sequences, by fold: ${figures.ks_distances.map((each) => each.toFixed(3)).join(', ')}`,
    hopeless(figures.indistinguishable),
  ].join('\n')
