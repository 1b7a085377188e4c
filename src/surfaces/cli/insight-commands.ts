/** wherefore rca "<event>" and wherefore explain <s> <p> <o>: causes and proofs from the materialised graph. */
import { Command } from 'commander'
import { type Explanation, type PremiseNode, RcaRequest } from '../../contracts/index.ts'
import { emit } from '../emit.ts'
import { insightText, plain } from './print.ts'
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

export const explainCommand = (): Command =>
  new Command('explain')
    .description('the premises of a triple of the materialised graph')
    .argument('<subject>')
    .argument('<predicate>')
    .argument('<object>')
    .option('--depth <n>', '1 to 4', '4')
    .option('--json', 'print the tree as JSON')
    .action((subject: string, predicate: string, object: string, options: { depth: string; json?: true }) =>
      withService(async ({ service, caller }) => {
        const tree = emit(await service.explain({ subject, predicate, object }, Number(options.depth), caller), caller)
        if (options.json === true) printJson(tree)
        else console.log(treeText(tree).join('\n'))
      }),
    )

function treeText(node: Explanation, indent = ''): string[] {
  const { subject, predicate, object } = node.triple
  const lines = [`${indent}${node.asserted ? 'asserted' : 'derived '} ${plain(subject)} ${plain(predicate)} ${plain(object)}`]
  for (const { rule, engine, premises } of node.derivations) {
    lines.push(`${indent}  by ${engine} rule ${rule}`)
    for (const premise of premises) lines.push(...premiseText(premise, `${indent}    `))
  }
  return lines
}

const premiseText = (premise: PremiseNode, indent: string): string[] =>
  premise.kind === 'triple' ? treeText(premise, indent) : [`${indent}${premise.kind} ${plain(premise.text)}`]
