/** wherefore review list | show | approve | reject | defer | edit | merge | undo | bulk: the review queue from the keyboard. */
import { Command } from 'commander'
import {
  BulkRequest, DETECTION_STRATEGIES, EXIT, PROPOSAL_STATES, PROPOSAL_TYPES, ProposalEdits, QUEUE_SORTS, REVIEW_ACTIONS, ServiceError, type BulkOutcome,
} from '../../contracts/index.ts'
import type { CandidateQuery } from '../../runtime/index.ts'
import { emit } from '../emit.ts'
import { candidateText } from './evidence-text.ts'
import { inline, plain, table } from './print.ts'
import { type Local, printJson, withService } from './session.ts'

interface EditOptions {
  readonly name?: string
  readonly label?: string
  readonly severity?: string
  readonly window?: string
  readonly demote?: true
}

interface DecisionOptions extends EditOptions {
  readonly note?: string
  readonly version?: string
  readonly json?: true
}

export function reviewCommand(): Command {
  const review = new Command('review').description('look at mined candidates and decide on them')
  addList(review)
  addShow(review)
  addApprove(review)
  for (const action of ['reject', 'defer', 'undo'] as const) {
    decision(review.command(`${action} <pid>`))
      .description(action === 'undo' ? 'take back the last decision or edit, and what it added to the session' : `${action} a candidate`)
      .addHelpText('after', `\nExample:\n  wherefore review ${action} 5f0c1b9e-... --note "seen it before"`)
      .action((pid: string, options: DecisionOptions) => decided(options, ({ service, caller }, whole) => emit(service.decide(whole(pid), action, about(options), caller), caller)))
  }
  addEdit(review)
  addMerge(review)
  addBulk(review)
  return review.addHelpText(
    'after',
    '\nExamples:\n  wherefore review list --kind LOG_CAUSAL_EDGE --sort learned\n  wherefore review list --group\n  wherefore review show <pid>\n' +
      '  wherefore review approve <pid> --name LinkDown --note "agreed with the network team"\n  wherefore review bulk reject --group <pid> --dry-run',
  )
}

interface ListOptions {
  readonly kind?: string
  readonly status: string
  readonly strategy?: string
  readonly service?: string
  readonly minConfidence?: string
  readonly q?: string
  readonly sort: string
  readonly group?: true | string
  readonly limit: string
  readonly cursor?: string
  readonly json?: true
}

function addList(review: Command): void {
  review
    .command('list')
    .description('candidates, most consequential first')
    .option('--kind <kind>', PROPOSAL_TYPES.filter((kind) => kind.startsWith('LOG_')).join(', '))
    .option('--status <status>', PROPOSAL_STATES.join(', '), 'PENDING')
    .option('--strategy <strategy>', 'how it was found, such as GRANGER_CAUSALITY')
    .option('--service <name>', 'of the event, or of either end of an edge')
    .option('--min-confidence <n>', 'between 0 and 1')
    .option('--q <words>', 'every word occurs in name, title, template or service')
    .option('--sort <order>', QUEUE_SORTS.join(', '), 'score')
    .option('--group [pid]', 'one row for each group of near-duplicates; with a pid, the members of its group')
    .option('--limit <n>', 'how many', '20')
    .option('--cursor <cursor>', 'go on after an earlier page')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExamples:\n  wherefore review list --group --limit 50\n  wherefore review list --q "link down" --sort learned')
    .action((options: ListOptions) =>
      withService(async ({ service, caller }) => {
        const page = emit(service.candidates(queryOf(options), caller), caller)
        if (options.json === true) return printJson(page)
        const rows = page.candidates.map((one) => [
          one.pid, one.score.toFixed(2), one.proposal_type, one.status, one.group_size === undefined ? '' : `x${one.group_size}`, inline(one.title),
        ])
        console.log(table(['pid', 'score', 'kind', 'status', '', 'title'], rows))
        console.log(`${page.candidates.length} of ${page.total}${options.group === true ? ' groups' : ''}`)
        if (page.next_cursor !== null) console.log(`next: --cursor ${page.next_cursor}`)
        if (options.sort === 'learned') {
          const { used, auc, decisions, reason } = emit(service.summary(caller), caller).ranking
          console.log(used ? `order learned from ${decisions} decisions, AUC ${auc?.toFixed(2)}` : `order by score: ${reason}`)
        }
      }),
    )
}

function queryOf(options: ListOptions): CandidateQuery {
  const { kind, strategy, service, minConfidence, q, cursor, group } = options
  return {
    status: oneOf(PROPOSAL_STATES, options.status, 'status'),
    sort: oneOf(QUEUE_SORTS, options.sort, 'sort'),
    limit: readNumber(options.limit, 'limit'),
    ...(kind === undefined ? {} : { kind: oneOf(PROPOSAL_TYPES, kind, 'kind') }),
    ...(strategy === undefined ? {} : { strategy: oneOf(DETECTION_STRATEGIES, strategy, 'strategy') }),
    ...(service === undefined ? {} : { service }),
    ...(minConfidence === undefined ? {} : { minConfidence: readNumber(minConfidence, 'min-confidence') }),
    ...(q === undefined ? {} : { q }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(group === true ? { grouped: true } : group === undefined ? {} : { group }),
  }
}

const addShow = (review: Command): Command =>
  review
    .command('show <pid>')
    .description('one candidate with its evidence and its history')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore review show 5f0c1b9e-...')
    .action((start: string, { json }: { json?: true }) =>
      withService(async ({ service, caller }) => {
        const pid = emit(service.pidOf(start, caller), caller)
        const candidate = emit(service.candidate(pid, caller), caller)
        const evidence = emit(await service.evidence(pid, caller), caller)
        const { audit } = emit(service.audit(pid, caller), caller)
        if (json === true) return printJson({ candidate, evidence, audit })
        console.log(candidateText(candidate, evidence, audit))
      }),
    )

const addApprove = (review: Command): Command =>
  withEdits(decision(review.command('approve <pid>')))
    .description('approve a candidate: what it becomes stands in the session at once')
    .addHelpText('after', '\nExamples:\n  wherefore review approve 5f0c1b9e-...\n  wherefore review approve 5f0c1b9e-... --name LinkDown --note "agreed"')
    .action((pid: string, options: DecisionOptions) => {
      const edits = editsOf(options)
      return decided(options, async ({ service, caller }, whole) => {
        const taken = await service.tableClasses(caller)
        return emit(service.decide(whole(pid), 'approve', { ...about(options), taken, ...(edits === undefined ? {} : { edits }) }, caller), caller)
      })
    })

const addEdit = (review: Command): Command =>
  withEdits(decision(review.command('edit <pid>')))
    .description('change a candidate; its state stays, and what was approved follows in the session')
    .addHelpText('after', '\nExamples:\n  wherefore review edit 5f0c1b9e-... --name LinkDown\n  wherefore review edit 5f0c1b9e-... --demote\n  wherefore review edit 5f0c1b9e-... --window 60')
    .action((pid: string, options: DecisionOptions) => {
      const edits = editsOf(options)
      if (edits === undefined) throw new ServiceError('invalid_request', 'nothing to change', { hint: 'give --name, --label, --severity, --window or --demote' })
      return decided(options, async ({ service, caller }, whole) => {
        const taken = await service.tableClasses(caller)
        return emit(service.edit(whole(pid), edits, { ...about(options), taken }, caller), caller)
      })
    })

const addMerge = (review: Command): Command =>
  decision(review.command('merge <pid> <into>'))
    .description('merge a candidate into another of its kind, named by pid or by name')
    .addHelpText('after', '\nExample:\n  wherefore review merge 5f0c1b9e-... LinkDown')
    .action((pid: string, into: string, options: DecisionOptions) =>
      decided(options, ({ service, caller }, whole) => emit(service.merge(whole(pid), whole(into), about(options), caller), caller)))

function addBulk(review: Command): void {
  review
    .command('bulk <action> [pids...]')
    .description(`${REVIEW_ACTIONS.join(', ')} many candidates; each stands or falls by itself`)
    .option('--group <pid>', 'all near-duplicates of this candidate that still wait')
    .option('--note <text>', 'why')
    .option('--dry-run', 'say what would happen and leave nothing')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExamples:\n  wherefore review bulk reject <pid> <pid> --note noise\n  wherefore review bulk approve --group <pid> --dry-run')
    .action((action: string, ids: string[], options: { group?: string; note?: string; dryRun?: true; json?: true }) =>
      withService(async ({ service, caller }) => {
        const request = parsed(BulkRequest, {
          ids: ids.map((start) => emit(service.pidOf(start, caller), caller)), action, dry_run: options.dryRun === true,
          ...(options.group === undefined ? {} : { group: emit(service.pidOf(options.group, caller), caller) }), ...(options.note === undefined ? {} : { note: options.note }),
        })
        const outcome = emit(service.bulk(request, caller, await service.tableClasses(caller)), caller)
        if (outcome.refused > 0) process.exitCode = EXIT.refused
        if (options.json === true) return printJson(outcome)
        console.log(bulkText(outcome))
      }),
    )
}

function bulkText({ outcomes, done, refused, dry_run: dry }: BulkOutcome): string {
  const rows = outcomes.map(({ pid, outcome, status, detail, hint }) =>
    [pid, outcome, status ?? '', inline([detail, hint].filter((part) => part !== undefined).join('; '))])
  return `${table(['pid', 'outcome', 'status', 'why'], rows)}\n${dry ? 'dry run, nothing was changed: ' : ''}${done} ${dry ? 'would be done' : 'done'}, ${refused} ${dry ? 'would be refused' : 'refused'}`
}

const decision = (command: Command): Command =>
  command
    .option('--note <text>', 'why')
    .option('--version <n>', 'decide only if the candidate is still at this version')
    .option('--json', 'print as JSON')

const withEdits = (command: Command): Command =>
  command
    .option('--name <name>', 'another name: letters, digits and _')
    .option('--label <text>', 'how it reads to people')
    .option('--severity <severity>', 'a graver severity for an event')
    .option('--window <seconds>', 'how far back an edge looks')
    .option('--demote', 'a causal edge becomes a relationship')

function editsOf({ name, label, severity, window, demote }: EditOptions): ProposalEdits | undefined {
  const edits = {
    ...(name === undefined ? {} : { name }), ...(label === undefined ? {} : { label }), ...(severity === undefined ? {} : { severity }),
    ...(window === undefined ? {} : { window_seconds: readNumber(window, 'window') }), ...(demote === undefined ? {} : { proposal_type: 'LOG_RELATIONSHIP' }),
  }
  return Object.keys(edits).length === 0 ? undefined : parsed(ProposalEdits, edits)
}

function about({ note, version }: DecisionOptions) {
  const expected = version === undefined ? undefined : readNumber(version, 'version')
  return { ...(note === undefined ? {} : { note }), ...(expected === undefined ? {} : { ifVersion: (stands: number) => stands === expected }) }
}

interface Done {
  readonly proposal: { readonly status: string; readonly title: string }
  readonly session_entry?: unknown
  readonly brought_along?: readonly string[]
}

const decided = ({ json }: { readonly json?: true }, act: (local: Local, whole: (start: string) => string) => Done | Promise<Done>): Promise<void> =>
  withService(async (local) => {
    const { service, caller } = local
    const done = await act(local, (start) => emit(service.pidOf(start, caller), caller))
    if (json === true) return printJson(done)
    console.log(`${done.proposal.status}  ${plain(done.proposal.title)}`)
    const entry = done.session_entry
    if (typeof entry === 'object' && entry !== null) console.log(`  in the session: ${inline(String('id' in entry ? entry.id : 'name' in entry ? entry.name : ''))}`)
    for (const pid of done.brought_along ?? []) console.log(`  along with it: ${inline(emit(service.candidate(pid, caller), caller).title)}`)
    if (done.proposal.status === 'APPROVED') console.log('next: wherefore toolkit --phase 2, then --phase reason')
  })

function parsed<T>(shape: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } } }, value: unknown): T {
  const read = shape.safeParse(value)
  if (read.success) return read.data
  const errors = read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new ServiceError('invalid_request', 'that does not fit', { errors })
}

function oneOf<Word extends string>(known: readonly Word[], text: string, what: string): Word {
  const found = known.find((word) => word === text)
  if (found !== undefined) return found
  throw new ServiceError('invalid_request', `unknown ${what}`, { hint: `one of ${known.join(', ')}` })
}

function readNumber(text: string, what: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value
  throw new ServiceError('invalid_request', `--${what} is a number`, { hint: `for example --${what} 10` })
}
