/** wherefore eval rca: how often the service at fault is found on a recorded day whose faults are known. */
import { Command } from 'commander'
import { type Caller, type Hits, type RcaEvaluation, openProject, runRcaEvaluation, writePrivately } from '../../runtime/index.ts'
import { emit, writeJson } from '../emit.ts'
import { plain } from './print.ts'
import { printJson } from './session.ts'

interface Options {
  readonly data: string
  readonly json?: true
  readonly out?: string
}

export const rcaCommand = (): Command =>
  new Command('rca')
    .description('rank the services of a recorded day for each of its faults and compare with the ones at fault')
    .requiredOption('--data <folder>', 'log.csv, trace.csv, metric.tar (plain, .zst or .gz) and *-fault_list.json; normal.tar if there is one')
    .option('--out <file>', 'write one line per fault: rankings with scores and evidence, and those of the simple rules')
    .option('--json', 'print figures and result lines as one JSON document')
    .addHelpText('after', '\nExample:\n  wherefore eval rca --data ./incidents/2023-01-29 --out cases.jsonl')
    .action(async ({ data, json, out }: Options) => {
      const caller: Caller = { name: 'local', grant: openProject().grant, roles: ['reader', 'reviewer', 'author', 'admin'] }
      const asked = { folder: data, progress: (line: string) => console.error(line) }
      const { figures, results } = emit(await runRcaEvaluation(asked, caller), caller)
      if (out !== undefined) writePrivately(out, results.map((line) => `${writeJson(line)}\n`).join(''))
      if (json === true) printJson({ figures, results })
      else console.log(plain(rcaFigures(figures)))
    })

type Figures = RcaEvaluation['figures']

export function rcaFigures(figures: Figures): string {
  const { rules, read } = figures
  const lines = [
    row('', ['top-1', 'top-3', 'top-5', 'top-1 %']),
    'knowing of no other fault', ...found(figures), 'knowing when the earlier faults began', ...found(figures.knowing_earlier),
  ]
  lines.push('', 'simple rules, knowing of no other fault')
  for (const [name, hits] of Object.entries(rules)) lines.push(row(name, cells(hits)))
  // as in the first table
  lines.push('', ...split('by fault type, top-1', figures.by_fault_type), '', ...split('by hour, top-1', figures.by_hour))
  lines.push('', ...split('by service, top-1', figures.by_service), '')
  lines.push(`read: ${read.lines} lines of ${read.templates} templates, ${read.spans} spans, ${read.series} series; ` +
    `${read.traces} traces, ${read.reference_traces} of them free of faults`)
  for (const [file, reasons] of Object.entries(read.passed_over)) {
    const told = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`)
    if (told.length > 0) lines.push(`passed over in ${file}: ${told.join(', ')}`)
  }
  return [...lines, ...figures.flags.map((flag) => `note: ${flag}`)].join('\n')
}

function found({ settings, best_rule: best }: Figures['knowing_earlier']): string[] {
  return Object.entries(settings).flatMap(([name, hits]) => {
    const rule = best[name as keyof typeof best]
    return [row(`  ${name}`, cells(hits)), ...(rule === undefined ? [] : [row(`    best simple rule (${rule.rule})`, cells(rule))])]
  })
}

const row = (name: string, texts: readonly string[]): string => name.padEnd(34) + texts.map((text) => text.padStart(14)).join('')
const share = (hits: number, of: number): string => `${hits} of ${of}`
const cells = ({ top1, top3, top5, of }: Hits): string[] =>
  [share(top1, of), share(top3, of), share(top5, of), of === 0 ? '-' : ((100 * top1) / of).toFixed(1)]

function split(title: string, parts: Figures['by_hour']): string[] {
  const names = [...new Set(Object.values(parts).flatMap((part) => Object.keys(part)))]
  return [row(title, names), ...Object.entries(parts).map(([key, part]) => row(`  ${key}`, Object.values(part).map(({ top1, of }) => share(top1, of))))]
}
