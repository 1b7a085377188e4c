/** wherefore rca "<event>": causes from the materialised graph. */
import { Command } from 'commander'
import { RcaRequest } from '../../contracts/index.ts'
import { emit } from '../emit.ts'
import { insightText } from './print.ts'
import { printJson, readTier, withService } from './session.ts'

export const rcaCommand = (): Command =>
  new Command('rca')
    .description('what caused an event? (needs the phases mine, 2 and reason, and approved candidates)')
    .argument('<event>', 'the name or IRI of an event, such as NfDeregister')
    .option('--preset <name>', 'root-cause or similar-incidents', 'root-cause')
    .option('--max-tier <tier>', 'the highest tier the answer may use')
    .option('--json', 'print the whole insight as JSON')
    .action((event: string, options: { preset: string; maxTier?: string; json?: true }) =>
      withService(async ({ service, caller }) => {
        const request = RcaRequest.parse({
          preset: options.preset,
          ...(event.includes('://') ? { event_iri: event } : { event }),
          ...(options.maxTier === undefined ? {} : { max_tier: readTier(options.maxTier) }),
        })
        const insight = emit(await service.rca(request, caller), caller)
        if (options.json === true) printJson(insight)
        else console.log(insightText(insight))
      }),
    )
