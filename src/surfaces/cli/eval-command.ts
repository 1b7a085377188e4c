/** wherefore eval: how good the results are on data of one's own. */
import { Command } from 'commander'
import { ServiceError } from '../../contracts/index.ts'
import {
  type Caller, type Figures, type Share, openProject, runQuestionsEvaluation, writePrivately,
} from '../../runtime/index.ts'
import { emit, writeJson } from '../emit.ts'
import { causalityCommand } from './eval-causality-command.ts'
import { rcaCommand } from './eval-rca-command.ts'
import { sequencesCommand } from './eval-sequences-command.ts'
import { templatesCommand } from './eval-templates-command.ts'
import { plain, problemText } from './print.ts'
import { printJson } from './session.ts'

interface Options {
  readonly data: string
  readonly provider: string
  readonly confirmResidency?: true
  readonly timeoutMs?: string
  readonly field: string
  readonly limit?: string
  readonly json?: true
  readonly out?: string
  readonly failures?: string
}

export const evalCommand = (): Command =>
  new Command('eval')
    .description('measure how good the answers and the mining of logs are; works without SERVICE_SEARCH')
    .addCommand(questionsCommand())
    .addCommand(templatesCommand())
    .addCommand(causalityCommand())
    .addCommand(sequencesCommand())
    .addCommand(rcaCommand())

const questionsCommand = (): Command =>
  new Command('questions')
    .description('answer a set of questions and compare what the queries return with what the true ones return')
    .requiredOption('--data <folder>', 'questions.jsonl {id, db, question, sql} and databases/<db>/<db>.sqlite, or <db>.sqlite')
    .option('--provider <name>', 'who plans: embedded needs no model', 'embedded')
    .option('--confirm-residency', 'agree that questions and names of tables and columns go to a provider in a public cloud')
    .option('--timeout-ms <n>', 'for one question (5000; a model may need 60000)')
    .option('--field <name>', 'question, or syn_question for the reworded text', 'question')
    .option('--limit <n>', 'only the first n questions')
    .option('--out <file>', 'write the result lines to a file instead of printing them')
    .option('--failures <file>', 'write every question that is not right, with its true query')
    .option('--json', 'print figures and result lines as one JSON document')
    .addHelpText('after', '\nExample:\n  wherefore eval questions --data ./my-questions --limit 100 --out results.jsonl\n  OPENAI_API_KEY=... wherefore eval questions --data ./my-questions --provider openai --confirm-residency --timeout-ms 60000')
    .action(async ({ data, provider, field, limit, json, out, failures, confirmResidency, timeoutMs }: Options) => {
      const project = openProject()
      const caller: Caller = { name: 'local', grant: project.grant, roles: ['reader', 'reviewer', 'author', 'admin'] }
      const asked = {
        folder: data, provider, field, confirmResidency: confirmResidency === true,
        ...(limit === undefined ? {} : { limit: readLimit(limit) }), ...(timeoutMs === undefined ? {} : { timeoutMs: readLimit(timeoutMs) }),
      }
      const told = {
        progress: (line: string) => console.error(line),
        onBug: (error: unknown) => console.error(problemText(error)),
      }
      const labelled = await runQuestionsEvaluation(project, { ...asked, ...told }, caller)
      const { results, figures, failures: missed } = emit(labelled, caller)
      if (out !== undefined) writePrivately(out, linesOf(results))
      if (failures !== undefined) writePrivately(failures, linesOf(missed))
      if (json === true) printJson({ figures, results })
      else console.log(`${out === undefined ? `${plain(linesOf(results))}\n` : ''}${figuresText(figures)}`)
    })

const linesOf = (lines: readonly unknown[]): string => lines.map((line) => `${writeJson(line)}\n`).join('')

function readLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new ServiceError('invalid_request', 'a limit is a whole number above 0')
}

const percent = (value: number | null): string => (value === null ? '-' : `${(100 * value).toFixed(1)} %`)
const share = ({ right, questions, accuracy }: Share): string => `${percent(accuracy).padStart(7)}  ${right} of ${questions}`

export function figuresText(figures: Figures): string {
  const line = (name: string, text: string) => `${name.padEnd(24)}${text}`
  return [
    line('execution accuracy', share(figures.execution_accuracy)),
    ...Object.entries(figures.by_class).map(([name, found]) => line(`  ${name}`, share(found))),
    line('empty gold, apart', share(figures.empty_gold)),
    line('with empty gold', share(figures.with_empty_gold)),
    line('precision at answered', share(figures.precision_at_answered)),
    line('share refused', percent(figures.share_refused).padStart(7)),
    line('calibration error', String(figures.calibration_error ?? '-').padStart(7)),
    line('AUROC of confidence', String(figures.auroc ?? '-').padStart(7)),
    line('ms p50 / p95', `${figures.ms.p50} / ${figures.ms.p95}`),
    line('planning ms p50 / p95', `${figures.plan_ms.p50} / ${figures.plan_ms.p95}`),
    line('statuses', Object.entries(figures.statuses).map(([name, count]) => `${name} ${count}`).join(', ')),
    line('questions', String(figures.questions)),
    ...(figures.gold_failed === 0 ? [] : [line('gold does not run', `${figures.gold_failed}, counted nowhere`)]),
  ].join('\n')
}
