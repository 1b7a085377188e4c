/** wherefore cq: the questions that a project must be able to answer, kept with the shape of their answers and run as tests. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import {
  type CompetencyQuestion, CompetencyQuestions, type CompetencyReport, EXIT, type Fault, ServiceError,
} from '../../contracts/index.ts'
import { questionId, writePrivately } from '../../runtime/index.ts'
import { emit } from '../emit.ts'
import { EXPECT_OPTIONS, type ExpectOptions, expectationOf, expectationText } from './cq-expectation.ts'
import { plain, table } from './print.ts'
import { type Local, printJson, readTier, withService } from './session.ts'

const NONE = 'no question is saved yet; wherefore cq add "<question>" saves one'

export function cqCommand(): Command {
  const cq = new Command('cq').description('competency questions: what this project must be able to answer, run as tests')
  addList(cq)
  addAdd(cq)
  addRemove(cq)
  addRun(cq)
  addImport(cq)
  addExport(cq)
  return cq
}

function addList(cq: Command): void {
  cq.command('list')
    .description('the saved questions and what is expected of their answers')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore cq list')
    .action(({ json }: { json?: true }) =>
      withService(async (local) => {
        const questions = questionsOf(local)
        if (json === true) return printJson({ questions })
        if (questions.length === 0) return console.error(`note: ${NONE}`)
        const rows = questions.map(({ id, question, expect }) => [id, question, expectationText(expect)])
        console.log(table(['id', 'question', 'expected'], rows))
      }),
    )
}

interface AddOptions extends ExpectOptions {
  readonly id?: string
  readonly flavor?: string
  readonly db?: string
  readonly maxTier?: string
  readonly json?: true
}

function addAdd(cq: Command): void {
  const add = cq
    .command('add <question>')
    .description('save a question; without an expectation it must only be answered')
    .option('--id <id>', 'a-z, 0-9 and -; by default made from the words of the question')
    .option('--flavor <name>', 'domain rules and words, such as network-ops')
    .option('--db <name>', 'the name of a configured source')
    .option('--max-tier <tier>', 'the ceiling it is asked under, and below which nobody sees it (Internal)')
  for (const [flags, help, read] of EXPECT_OPTIONS) {
    if (read === undefined) add.option(flags, help)
    else add.option(flags, help, read)
  }
  add
    .option('--json', 'print the question as it was saved')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  wherefore cq add "How many alarms are open?" --flavor network-ops --expect-rows 1 --expect-contains "alarms"\n' +
        '  wherefore cq add "Which sites have no device?" --expect-max-rows 0\n' +
        `  wherefore cq add "List the vendors" --expect-row '["Acme"]' --expect-columns 1 --expect-verified`,
    )
    .action((question: string, options: AddOptions) =>
      withService(async (local) => {
        const saved = questionsOf(local)
        const ids = new Set(saved.map(({ id }) => id))
        const id = options.id ?? questionId(question, ids)
        if (ids.has(id)) {
          const hint = `choose another --id, or: wherefore cq remove ${plain(id)}`
          throw new ServiceError('conflict', 'this id is taken', { hint })
        }
        const [added] = readQuestions([
          {
            id,
            question,
            expect: expectationOf(options),
            ...(options.flavor === undefined ? {} : { flavor: options.flavor }),
            ...(options.db === undefined ? {} : { db_path: options.db }),
            ...(options.maxTier === undefined ? {} : { max_tier: readTier(options.maxTier) }),
          },
        ])
        if (added === undefined) throw new Error('one question was read')
        const kept = save(local, [...saved, added]).find((each) => each.id === id)
        if (options.json === true) printJson(kept)
        else console.log(`saved as ${id}`)
      }),
    )
}

function addRemove(cq: Command): void {
  cq.command('remove <id>')
    .description('forget a question')
    .addHelpText('after', '\nExample:\n  wherefore cq remove how-many-alarms-are-open')
    .action((id: string) =>
      withService(async (local) => {
        const saved = questionsOf(local)
        const rest = saved.filter((question) => question.id !== id)
        if (rest.length === saved.length) {
          throw new ServiceError('not_found', 'no question by that id', { hint: 'wherefore cq list shows the ids' })
        }
        save(local, rest)
        console.log(`removed ${id}`)
      }),
    )
}

function addRun(cq: Command): void {
  cq.command('run')
    .description('ask every question and compare (needs SERVICE_SEARCH=1); ends with 1 when one fails')
    .argument('[ids...]', 'only these')
    .option('--max-tier <tier>', 'ask under no higher ceiling than this')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  SERVICE_SEARCH=1 wherefore cq run\n  SERVICE_SEARCH=1 wherefore cq run how-many-alarms-are-open --json',
    )
    .action((ids: string[], { maxTier, json }: { maxTier?: string; json?: true }) =>
      withService(async ({ service, caller }) => {
        const asked = {
          requestId: randomUUID(),
          ...(ids.length === 0 ? {} : { ids }),
          ...(maxTier === undefined ? {} : { maxTier: readTier(maxTier) }),
          onResult: ({ id, passed, ms }: { id: string; passed: boolean; ms: number }) =>
            console.error(`${passed ? 'passed' : 'FAILED'}  ${plain(id)}  ${ms} ms`),
        }
        const report = emit(await service.competency.run(asked, caller), caller)
        if (json === true) printJson(report)
        else console.log(reportText(report))
        process.exitCode = report.failed === 0 ? EXIT.ok : EXIT.refused
      }),
    )
}

function addImport(cq: Command): void {
  cq.command('import <file>')
    .description('take over questions from a JSON file (- reads standard input); one of the same id is replaced, the others stay')
    .option('--replace', 'keep no other question')
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', '\nExample:\n  wherefore cq import questions.json')
    .action((file: string, { replace, json }: { replace?: true; json?: true }) =>
      withService(async (local) => {
        const read = readFile(file)
        const saved = questionsOf(local)
        const known = new Set(saved.map(({ id }) => id))
        // in place, so that a file imported twice changes nothing
        const byId = new Map(read.map((question) => [question.id, question]))
        const staying = saved.filter(({ id }) => byId.has(id) || replace !== true)
        const kept = staying.map((question) => byId.get(question.id) ?? question)
        save(local, [...kept, ...read.filter(({ id }) => !known.has(id))])
        const replaced = read.filter(({ id }) => known.has(id)).length
        const counts = { added: read.length - replaced, replaced, removed: replace === true ? saved.length - replaced : 0 }
        if (json === true) printJson(counts)
        else console.log(`${counts.added} added, ${counts.replaced} replaced, ${counts.removed} removed`)
      }),
    )
}

function addExport(cq: Command): void {
  cq.command('export')
    .description('print the questions as a JSON file that import takes')
    .option('--out <file>', 'write to a file instead of the screen')
    .addHelpText('after', '\nExample:\n  wherefore cq export --out questions.json')
    .action(({ out }: { out?: string }) =>
      withService(async (local) => {
        const questions = questionsOf(local)
        // the ceiling says who may read the file: nothing in it is more sensitive
        const text = `${JSON.stringify({ max_tier: local.caller.grant, questions }, null, 2)}\n`
        if (out === undefined) return void process.stdout.write(text)
        writePrivately(out, text)
        console.error(`${questions.length} questions written`)
      }),
    )
}

const questionsOf = ({ service, caller }: Local): readonly CompetencyQuestion[] =>
  emit(service.competency.list(caller), caller).questions

const save = ({ service, caller }: Local, questions: readonly CompetencyQuestion[]): readonly CompetencyQuestion[] =>
  emit(service.competency.set(questions, caller), caller).questions

export function reportText({ results, total, passed, failed, ms }: CompetencyReport): string {
  if (total === 0) return NONE
  const rows = results.map((result) => {
    const said = result.differences.map(({ field, message }) => `${field}: ${message}`).join('; ')
    return [result.passed ? 'passed' : 'FAILED', result.id, result.status, String(result.rows), String(result.ms), said]
  })
  const shown = table(['', 'id', 'status', 'rows', 'ms', 'what differs'], rows)
  return `${shown}\n\n${passed} of ${total} passed, ${failed} failed, ${ms} ms`
}

function readFile(file: string): CompetencyQuestion[] {
  const text = readFileSync(file === '-' ? 0 : file, 'utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ServiceError('invalid_request', 'the file is not JSON', { hint: 'wherefore cq export prints one that is' })
  }
  const list = typeof value === 'object' && value !== null && 'questions' in value ? value.questions : value
  return readQuestions(list)
}

function readQuestions(list: unknown): CompetencyQuestion[] {
  const read = CompetencyQuestions.safeParse(list)
  if (read.success) return read.data
  const errors = read.error.issues.map(({ path, message }): Fault => ({ path: path.join('.'), message }))
  throw new ServiceError('invalid_request', 'a question does not fit its schema; nothing was saved', { errors })
}
