/** wherefore eval causality: how well causes are found in a log whose causes are known. */
import { Command } from 'commander'
import {
  type Caller, type CausalityEvaluation, type EdgeScores, openProject, runCausalityEvaluation, writePrivately,
} from '../../runtime/index.ts'
import { emit, writeJson } from '../emit.ts'
import { plain } from './print.ts'
import { demandThere, printJson } from './session.ts'
import { readGate, readSeconds } from './toolkit-command.ts'

interface Options {
  readonly logPath: string
  readonly truth: string
  readonly window?: string
  readonly gate: string
  readonly json?: true
  readonly out?: string
}

export const causalityCommand = (): Command =>
  new Command('causality')
    .description('mine a log and compare the causes found with the true ones')
    .requiredOption('--log-path <folder>', 'a log file, or a folder of them')
    .requiredOption('--truth <file>', '{statements: [{id, regex}], edges: [{cause, effect}]}')
    .option('--window <duration>', 'how close in time events count as together, such as 30s')
    .option('--gate <name>', 'sound, or stated to stop after the stated conditions', 'sound')
    .option('--out <file>', 'write one line per edge with every figure of its verdict')
    .option('--json', 'print figures and result lines as one JSON document')
    .addHelpText('after', '\nExample:\n  wherefore eval causality --log-path ./logs --truth truth.json --out edges.jsonl')
    .action(async ({ logPath, truth, window, gate, json, out }: Options) => {
      const caller: Caller = { name: 'local', grant: openProject().grant, roles: ['reader', 'reviewer', 'author', 'admin'] }
      const within = window === undefined ? {} : { windowSeconds: readSeconds(window) }
      const asked = { logPath: demandThere(logPath, '--log-path'), truth: demandThere(truth, '--truth'), gate: readGate(gate), ...within }
      const { figures, results } = emit(await runCausalityEvaluation(asked, caller), caller)
      if (out !== undefined) writePrivately(out, results.map((line) => `${writeJson(line)}\n`).join(''))
      if (json === true) printJson({ figures, results })
      else console.log(plain(causalityFigures(figures)))
    })

export function causalityFigures(figures: CausalityEvaluation['figures']): string {
  const { searched, shuffled } = figures
  const line = (name: string, text: string) => `${name.padEnd(24)}${text}`
  return [
    line('', ['whole gate', 'stated gate'].map((cell) => cell.padStart(12)).join('')),
    ...ROWS.map(([name, of]) => line(name, [figures.sound, figures.stated].map((each) => of(each).padStart(12)).join(''))),
    line('edges on shuffled data', `${shuffled.edges} (${percent(shuffled.share)} of those found)`),
    line('lines', `${figures.lines}, ${figures.templates} templates, ${figures.statements} statements`),
    line('statements not seen', String(figures.unseen_statements)),
    line('events looked at', `${searched.eligible}, ${searched.tooFrequent} not as effects by time; ${searched.tooRare} too rare`),
    line('beyond the budget', `${searched.capped} events, ${searched.cappedPairs} pairs, ${searched.cappedThings} things`),
    line('pairs looked at', `${searched.pairs} of ${searched.tests / 2}`),
  ].join('\n')
}

const percent = (value: number | null): string => (value === null ? '-' : `${(100 * value).toFixed(1)} %`)

const ROWS: readonly (readonly [string, (scores: EdgeScores) => string])[] = [
  ['precision', ({ precision }) => percent(precision)],
  ['recall', ({ recall }) => percent(recall)],
  ['recall, 8 or more times', ({ recall_8 }) => percent(recall_8)],
  ['F1', ({ f1 }) => (f1 === null ? '-' : f1.toFixed(3))],
  ['direction', ({ direction }) => percent(direction)],
  ['edges found', ({ found }) => String(found)],
  ['true edges', ({ true_edges }) => String(true_edges)],
]
