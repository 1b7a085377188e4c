/** wherefore eval sequences: how well strange sequences are told from ordinary ones, on files of one's own. */
import { Command } from 'commander'
import { type Caller, type Detection, type SequencesEvaluation, openProject, runSequencesEvaluation, writePrivately } from '../../runtime/index.ts'
import { emit, writeJson } from '../emit.ts'
import { printJson } from './session.ts'

interface Options {
  readonly train: string
  readonly test: string
  readonly json?: true
  readonly out?: string
}

export const sequencesCommand = (): Command =>
  new Command('sequences')
    .description('learn ordinary sequences from one file and find strange ones in another')
    .requiredOption('--train <file>', 'JSON lines {id, label?, templates[]}, plain or gzip; lines labelled as anomalies are left out')
    .requiredOption('--test <file>', 'the same; its labels are only compared with')
    .option('--out <file>', 'write a verdict line for each test sequence to a file')
    .option('--json', 'print figures and verdicts as one JSON document')
    .addHelpText('after', '\nExample:\n  wherefore eval sequences --train normal.jsonl.gz --test mixed.jsonl.gz --out verdicts.jsonl')
    .action(({ train, test, json, out }: Options) => {
      const caller: Caller = { name: 'local', grant: openProject().grant, roles: ['reader', 'reviewer', 'author', 'admin'] }
      const { figures, verdicts } = emit(runSequencesEvaluation({ train, test }), caller)
      if (out !== undefined) writePrivately(out, verdicts.map((line) => `${writeJson(line)}\n`).join(''))
      if (json === true) printJson({ figures, verdicts })
      else console.log(sequenceFigures(figures))
    })

const figure = (value: number | null): string => (value === null ? '-' : value.toFixed(4)).padStart(10)

export function sequenceFigures(figures: SequencesEvaluation['figures']): string {
  const row = (name: string, { precision, recall, f1, false_alarm_rate, ...counts }: Detection): string =>
    `${name.padEnd(16)}${[precision, recall, f1, false_alarm_rate].map(figure).join('')}` +
    `${`${counts.true_positives} / ${counts.false_positives} / ${counts.false_negatives}`.padStart(18)}`
  const { train, test, calibration, rule } = figures
  return [
    `learned from ${train.sequences} sequences of ${train.templates} templates` +
      `${train.left_out_as_anomalous === 0 ? '' : `, ${train.left_out_as_anomalous} labelled as anomalies left out`}; HMM of ${train.states} states`,
    `tested on ${test.sequences} sequences, ${test.labelled} labelled, ${test.anomalous} of them anomalies; ` +
      `proposed at p <= ${rule.p} and q <= ${rule.q}, or by the rarity floor`,
    '',
    `${''.padEnd(16)}${['precision', 'recall', 'F1', 'alarms'].map((name) => name.padStart(10)).join('')}${'hit/alarm/miss'.padStart(18)}`,
    row('combined', figures.combined),
    ...Object.entries(figures.detectors).map(([name, found]) => row(`  ${name}`, found)),
    '',
    `calibration: KS distance of p from uniform on ordinary sequences ${figure(calibration.ks_distance).trim()}, ` +
      `share at p <= .01 ${figure(calibration.share_p_at_most_01).trim()}`,
    `${figures.indistinguishable} anomalies have the very sequence of an ordinary one: no detector of sequences can find them`,
  ].join('\n')
}
