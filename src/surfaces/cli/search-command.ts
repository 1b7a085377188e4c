/** wherefore search "<question>": the answer with its records, the SQL that ran, and what it rests on. */
import { randomUUID } from 'node:crypto'
import { Command } from 'commander'
import { EXIT, type Plan, type ProblemCode, type SearchAnswer, ServiceError } from '../../contracts/index.ts'
import { bundledNote, parseRequest } from '../../runtime/index.ts'
import { emitSearch } from '../emit.ts'
import { answerText } from './print.ts'
import { printJson, withService } from './session.ts'

interface Options {
  readonly flavor?: string
  readonly provider?: string
  readonly db?: string
  readonly maxTier?: string
  readonly materialize?: true
  readonly k?: string
  readonly limit?: string
  readonly context?: string
  readonly choose?: string
  /** --no-clarify: commander turns the name round */
  readonly clarify: boolean
  readonly confirmResidency?: true
  readonly timeoutMs?: string
  /** --no-fallback */
  readonly fallback: boolean
  readonly json?: true
}

export const searchCommand = (): Command =>
  new Command('search')
    .description('answer a question in plain language over a database (needs SERVICE_SEARCH=1)')
    .argument('<question>')
    .option('--flavor <name>', 'domain rules and words, such as network-ops')
    .option('--provider <name>', 'who plans: embedded needs no model')
    .option('--db <path>', 'a SQLite file, or the name of a configured source')
    .option('--max-tier <tier>', 'the highest tier the answer may use: Public, Internal, Confidential, Restricted')
    .option('--materialize', 'build the RDF subgraph of the result')
    .option('--k <n>', 'records cited per claim')
    .option('--limit <n>', 'rows of the answer (200)')
    .option('--choose <n>', 'when the question is asked back: the reading of that number')
    .option('--no-clarify', 'take the likeliest reading instead of asking back')
    .option('--context <run>', 'the run that words such as "those" refer to; each search prints its own')
    .option('--confirm-residency', 'agree that what the provider needs goes to a public cloud; without it the list of that is printed')
    .option('--timeout-ms <n>', 'how long the search may take (5000; a model may need 60000)')
    .option('--no-fallback', 'fail where a model fails, instead of letting the embedded planner answer')
    .option('--json', 'print the whole answer as JSON')
    .addHelpText('after', '\nExample:\n  SERVICE_SEARCH=1 wherefore search "How many alarms are open?" --flavor network-ops')
    .action((question: string, options: Options) =>
      withService(async ({ service, project, caller }) => {
        const request = parseRequest({
          question,
          clarify: options.clarify,
          limit: options.limit === undefined ? undefined : Number(options.limit),
          flavor: options.flavor,
          providers: options.provider,
          confirm_residency: options.confirmResidency,
          timeout_ms: options.timeoutMs === undefined ? undefined : Number(options.timeoutMs),
          fallback: options.fallback,
          db_path: options.db,
          max_tier: options.maxTier,
          materialize: options.materialize,
          k: options.k === undefined ? undefined : Number(options.k),
          context: options.context,
        })
        const note = options.db === undefined && options.json !== true ? bundledNote(project) : null
        if (note !== null) console.error(note)
        const ask = (asked: typeof request) =>
          drained(service.search(asked, caller, { requestId: randomUUID(), anyPath: true }), options.json === true)
        const first = await ask(request)
        const chosen = options.choose === undefined ? undefined : chosenPlan(first, options.choose)
        const answer = chosen === undefined ? first : await ask({ ...request, plan: chosen })
        const out = emitSearch({ event: 'answer', data: answer }, request.max_tier).data
        if (options.json === true) printJson(out)
        else console.log(answerText(out))
        process.exitCode = answer.status === 'ok' || answer.status === 'empty' ? EXIT.ok : EXIT.refused
      }, { keepRuns: true }),
    )

/** The plan of a reading that was offered; nothing when the question was not asked back. */
function chosenPlan({ clarification }: SearchAnswer, choose: string): Plan | undefined {
  const options = clarification?.options ?? []
  const option = options[Number(choose) - 1]
  if (options.length > 0 && option === undefined) {
    throw new ServiceError('invalid_request', `there is no reading ${choose}`, { hint: `1 to ${options.length}` })
  }
  return option?.plan
}

async function drained(events: ReturnType<Parameters<Parameters<typeof withService>[0]>[0]['service']['search']>, quiet: boolean): Promise<SearchAnswer> {
  for await (const { event, data } of events) {
    if (event === 'run' && !quiet) console.error(`run        ${data.run_id}`)
    if (event === 'stage' && !quiet) console.error(`${data.stage.padEnd(10)} ${data.status.padEnd(8)} ${data.ms} ms`)
    if (event === 'answer') return data
    if (event === 'error') {
      const { code, detail, stage, hint, errors, leaving } = data
      throw new ServiceError(code as ProblemCode, detail, { ...(stage && { stage }), ...(hint && { hint }), ...(errors && { errors }), ...(leaving && { leaving }) })
    }
  }
  throw new ServiceError('internal', 'the search ended without an answer')
}
