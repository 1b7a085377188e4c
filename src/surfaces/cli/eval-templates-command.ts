/** wherefore eval templates: how well lines are put into templates, on labelled logs. */
import { Command } from 'commander'
import {
  type Caller, type TemplateScores, type TemplatesEvaluation, openProject, runTemplatesEvaluation, writePrivately,
} from '../../runtime/index.ts'
import { emit, writeJson } from '../emit.ts'
import { plain } from './print.ts'
import { printJson } from './session.ts'

interface Options {
  readonly data: string
  readonly json?: true
  readonly out?: string
  readonly python?: string
}

export const templatesCommand = (): Command =>
  new Command('templates')
    .description('mine labelled logs by their content and compare the templates with the true ones')
    .requiredOption('--data <folder>', 'sub-folders with *_2k.log_structured.csv (LineId, Content, EventId, EventTemplate)')
    .option('--out <file>', 'write one line per log line: {set, line_id, template_id, template}')
    .option('--python <file>', 'a Python that has Drain3: its figures stand beside ours')
    .option('--json', 'print figures and result lines as one JSON document')
    .addHelpText('after', '\nExample:\n  wherefore eval templates --data ./labelled-logs --out templates.jsonl')
    .action(({ data, json, out, python }: Options) => {
      const caller: Caller = { name: 'local', grant: openProject().grant, roles: ['reader', 'reviewer', 'author', 'admin'] }
      const asked = { folder: data, ...(python === undefined ? {} : { python }) }
      const { results, figures } = emit(runTemplatesEvaluation(asked, caller), caller)
      if (out !== undefined) writePrivately(out, results.map((line) => `${writeJson(line)}\n`).join(''))
      if (json === true) printJson({ figures, results })
      else console.log(plain(templateFigures(figures)))
    })

export function templateFigures({ sets, mean, leave_one_out: held, peers }: TemplatesEvaluation['figures']): string {
  const lines = [row('set', ['GA', 'FGA', 'PA', 'FTA', 'templates', 'true'])]
  for (const each of sets) lines.push(row(each.set, [...scores(each), String(each.templates), String(each.true_templates)]))
  lines.push(row('mean', scores(mean)))
  if (held.sets.length > 0) {
    lines.push('', 'leave one set out: every setting chosen on the other sets')
    for (const each of held.sets) {
      const { similarity, mergeHitFloor, settledLines } = each.setting
      const setting = `similarity ${similarity}, hits ${mergeHitFloor}, settled at ${settledLines}`
      lines.push(`${row(each.set, scores(each))}   ${setting}`)
    }
    lines.push(row('mean', scores(held.mean)))
  }
  for (const peer of peers) {
    lines.push('', `${peer.name}, in the same run`)
    for (const each of peer.sets) lines.push(row(each.set, [...scores(each), String(each.templates), String(each.true_templates)]))
    lines.push(row('mean', scores(peer.mean)), row('ours over its', ratios(mean, peer.mean)))
  }
  return lines.join('\n')
}

const row = (name: string, cells: readonly string[]): string => name.padEnd(16) + cells.map((cell) => cell.padStart(10)).join('')
const scores = ({ ga, fga, pa, fta }: TemplateScores): string[] => [ga, fga, pa, fta].map((value) => value.toFixed(3))
const ratios = (ours: TemplateScores, its: TemplateScores): string[] =>
  [ours.ga / its.ga, ours.fga / its.fga, ours.pa / its.pa, ours.fta / its.fta].map((value) => value.toFixed(2))
