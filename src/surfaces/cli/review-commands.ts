/** wherefore review list | show | approve | reject | defer | undo: the review queue from the keyboard. */
import { Command } from 'commander'
import { PROPOSAL_STATES, PROPOSAL_TYPES, type ProposalState, type ProposalType, ServiceError } from '../../contracts/index.ts'
import { emit } from '../emit.ts'
import { plain, table } from './print.ts'
import { printJson, withService } from './session.ts'

export function reviewCommand(): Command {
  const review = new Command('review').description('look at mined candidates and decide on them')
  review
    .command('list')
    .description('candidates, most consequential first')
    .option('--kind <kind>', PROPOSAL_TYPES.filter((kind) => kind.startsWith('LOG_')).join(', '))
    .option('--status <status>', PROPOSAL_STATES.join(', '), 'PENDING')
    .option('--limit <n>', 'how many', '20')
    .option('--json', 'print as JSON')
    .action((options: { kind?: string; status: string; limit: string; json?: true }) =>
      withService(async ({ service, caller }) => {
        const query = {
          ...(options.kind === undefined ? {} : { kind: oneOf(PROPOSAL_TYPES, options.kind, 'kind') as ProposalType }),
          status: oneOf(PROPOSAL_STATES, options.status, 'status') as ProposalState,
          limit: Number(options.limit),
        }
        const page = emit(service.candidates(query, caller), caller)
        if (options.json === true) return printJson(page)
        const rows = page.candidates.map((one) => [one.pid, one.score.toFixed(2), one.proposal_type, one.status, one.title])
        console.log(table(['pid', 'score', 'kind', 'status', 'title'], rows))
        console.log(`${page.candidates.length} of ${page.total}`)
      }),
    )
  review
    .command('show <pid>')
    .description('one candidate with its evidence')
    .action((pid: string) => withService(async ({ service, caller }) => printJson(emit(service.candidate(pid, caller), caller))))
  for (const action of ['approve', 'reject', 'defer', 'undo'] as const) {
    review
      .command(`${action} <pid>`)
      .option('--note <text>', 'why')
      .option('--json', 'print as JSON')
      .action((pid: string, options: { note?: string; json?: true }) =>
        withService(async ({ service, caller }) => {
          const decision = emit(service.decide(pid, action, options, caller), caller)
          if (options.json === true) return printJson(decision)
          console.log(`${decision.proposal.status}  ${plain(decision.proposal.title)}`)
        }),
      )
  }
  return review
}

function oneOf(known: readonly string[], text: string, what: string): string {
  if (known.includes(text)) return text
  throw new ServiceError('invalid_request', `unknown ${what}`, { hint: `one of ${known.join(', ')}` })
}
