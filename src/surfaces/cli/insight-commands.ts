/** wherefore rca "<event>": causes from the materialised graph. */
import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { RCA_KINDS, RcaRequest, ServiceError } from '../../contracts/index.ts'
import { emit } from '../emit.ts'
import { insightText } from './insight-text.ts'
import { printJson, readTier, withService } from './session.ts'

interface RcaArguments {
  readonly preset: string
  readonly at?: string
  readonly on?: string
  readonly maxTier?: string
  readonly report?: string | true
  readonly json?: true
}

export const rcaCommand = (): Command =>
  new Command('rca')
    .description('what caused an event? (needs the phases mine, 2 and reason, and approved candidates)')
    .argument('<event>', 'the name or IRI of an event, such as NfDeregister, or a question that names one')
    .option('--preset <name>', RCA_KINDS.join(' or '), 'root-cause')
    .option('--at <time>', 'of several events the one at this time, or the last before it')
    .option('--on <entity>', 'of several events the one on this entity')
    .option('--report [file]', 'write a post-mortem in Markdown to the file, or print it')
    .option('--max-tier <tier>', 'the highest tier the answer may use')
    .option('--json', 'print the whole insight as JSON')
    .addHelpText('after', `
Examples:
  wherefore rca NfDeregister                                  the latest one whose cause is known
  wherefore rca NfDeregister --on crt-05 --at 09:42:23        one of several
  wherefore rca "why did amf-4 deregister" --json             every part of the score, with the proofs
  wherefore rca NfDeregister --preset similar-incidents       when it went the same way, and what differed
  wherefore rca NfDeregister --report post-mortem.md          time line, chain with proofs, refutation, open questions`)
    .action((event: string, options: RcaArguments) =>
      withService(async ({ service, caller }) => {
        const preset = RCA_KINDS.find((kind) => kind === options.preset)
        if (preset === undefined) throw new ServiceError('invalid_request', 'no such preset', { hint: `one of ${RCA_KINDS.join(', ')}` })
        const request = RcaRequest.parse({
          preset,
          ...(event.includes('://') ? { event_iri: event } : { event }),
          ...(options.at === undefined ? {} : { at: options.at }),
          ...(options.on === undefined ? {} : { on: options.on }),
          ...(options.maxTier === undefined ? {} : { max_tier: readTier(options.maxTier) }),
        })
        // under a lower ceiling than one's own an event may be hidden, which no phase would change
        const approved = options.maxTier === undefined ? emit(service.session(caller), caller).session.events : []
        const notYet = notYetInGraph(event, approved)
        if (options.report !== undefined) {
          const report = emit(await service.rcaReport(request, caller).catch(notYet), caller)
          if (options.report === true) process.stdout.write(report)
          else {
            writeFileSync(options.report, report)
            console.log(`wrote ${options.report}`)
          }
          return
        }
        const insight = emit(await service.rca(request, caller).catch(notYet), caller)
        if (options.json === true) printJson(insight)
        else console.log(insightText(insight))
      }),
    )

/** An event that was approved after the phases ran is not unknown: they have to run again. */
const notYetInGraph = (asked: string, approved: readonly { readonly name: string }[]) => (error: unknown): never => {
  const words = new Set(asked.split(/[^\p{L}\p{N}_]+/u).map((word) => word.toLowerCase()))
  const found = approved.find(({ name }) => words.has(name.toLowerCase()))
  if (!(error instanceof ServiceError) || error.code !== 'not_found' || found === undefined || /on this entity/.test(error.message)) throw error
  throw new ServiceError('not_found', `${found.name} is approved, but the graph holds none of it yet`, { hint: 'wherefore toolkit --phase 2, then --phase reason' })
}
