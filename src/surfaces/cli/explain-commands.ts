/** wherefore explain | why-not <s> <p> <o> and wherefore materialised: what was derived, why, and why not. */
import { Command } from 'commander'
import { ENGINES, type Engine, LIMITS, MATERIALISED_PAGE, type MaterialisedQuery, ServiceError, minTier } from '../../contracts/index.ts'
import { type Caller, shortNames } from '../../runtime/index.ts'
import { emit } from '../emit.ts'
import { table } from './print.ts'
import { treeText, whyNotText } from './proof-tree.ts'
import { printJson, readTier, withService } from './session.ts'

const TERMS = `
Terms:
  <https://...> or https://...   an IRI
  :hasCause                      a name of the ontology; record:, rdf:, rdfs:, owl:, xsd:, prov: and sh: work too
  a                              rdf:type, as a predicate
  '"text"' or text               a value, with or without its quotes and datatype`

interface ExplainOptions {
  readonly depth: string
  readonly maxTier?: string
  readonly all?: true
  readonly json?: true
}

export const explainCommand = (): Command =>
  triple('explain')
    .description('why a triple is in the graph: its rules and premises, down to what the sources state')
    .option('--depth <n>', 'how many steps down, 1 to 4', '4')
    .option('--max-tier <tier>', 'see no more than this tier')
    .option('--all', 'one derivation of each triple for every engine that derives it, not only the first')
    .option('--json', 'print the tree as JSON')
    .addHelpText('after', `${TERMS}\n\nExample:\n  wherefore explain record:event/T12-3 :hasCause record:event/T4-1 --depth 2`)
    .action((subject: string, predicate: string, object: string, options: ExplainOptions) =>
      withService(async ({ service, project, caller: local }) => {
        const caller = lowered(local, options.maxTier)
        const depth = readCount(options.depth, 'depth', LIMITS.premise_tree_depth)
        const tree = emit(await service.explain({ subject, predicate, object }, depth, caller), caller)
        if (options.json === true) printJson(tree)
        else console.log(treeText(tree, { short: shortNames(project), all: options.all === true }))
      }),
    )

export const whyNotCommand = (): Command =>
  triple('why-not')
    .description('why a triple is not in the graph: the rules that nearly derive it, and what they lack')
    .option('--max-tier <tier>', 'see no more than this tier')
    .option('--json', 'print as JSON')
    .addHelpText('after', `${TERMS}\n\nExample:\n  wherefore why-not record:event/T12-3 :hasCause record:event/T9-2`)
    .action((subject: string, predicate: string, object: string, options: { maxTier?: string; json?: true }) =>
      withService(async ({ service, project, caller: local }) => {
        const caller = lowered(local, options.maxTier)
        const found = emit(await service.whyNot({ subject, predicate, object }, caller), caller)
        if (options.json === true) printJson(found)
        else console.log(whyNotText(found, { short: shortNames(project) }))
      }),
    )

interface ListOptions {
  readonly engine?: string
  readonly rule?: string
  readonly q?: string
  readonly cursor?: string
  readonly limit: string
  readonly maxTier?: string
  readonly json?: true
}

export const materialisedCommand = (): Command =>
  new Command('materialised')
    .description('the derived triples, with the rules behind them')
    .option('--engine <name>', ENGINES.join(', '))
    .option('--rule <id>', 'the id of a rule, or the name of an OWL 2 RL rule such as cax-sco')
    .option('--q <text>', 'any part of a triple')
    .option('--limit <n>', `how many, at most ${MATERIALISED_PAGE.max}`, String(MATERIALISED_PAGE.default))
    .option('--cursor <text>', 'go on where the page before ended')
    .option('--max-tier <tier>', 'see no more than this tier')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore materialised --engine sparql --limit 20')
    .action((options: ListOptions) =>
      withService(async ({ service, project, caller: local }) => {
        const caller = lowered(local, options.maxTier)
        const ask = async (query: MaterialisedQuery) => emit(await service.materialised(query, caller), caller).page
        const page = await ask(queryOf(options))
        if (options.json === true) return printJson(page)
        if (page.total === 0) {
          const { rule } = options
          const isIdle = rule !== undefined && (await ask({ rule, limit: 1 })).total === 0
          return console.log(isIdle ? 'no rule of that id has derived anything' : 'no derived triple fits')
        }
        const short = shortNames(project)
        const rows = page.triples.map(({ triple: { subject, predicate, object }, tier, derivations }) => [
          ...[subject, predicate, object].map((term) => short(term).replaceAll(/\s+/g, ' ')),
          tier,
          derivations.map(({ engine, rule }) => `${engine} ${rule}`).join(', '),
        ])
        console.log(table(['subject', 'predicate', 'object', 'tier', 'derived by'], rows))
        const more = page.next_cursor === null ? '' : `; go on with --cursor ${page.next_cursor}`
        console.log(`${page.triples.length} of ${page.total}${more}`)
      }),
    )

const triple = (name: string): Command =>
  new Command(name).argument('<subject>', 'a term').argument('<predicate>', 'a term').argument('<object>', 'a term')

function queryOf({ engine, rule, q, cursor, limit }: ListOptions): MaterialisedQuery {
  return {
    ...(engine === undefined ? {} : { engine: readEngine(engine) }),
    ...(rule === undefined ? {} : { rule }),
    ...(q === undefined ? {} : { q }),
    ...(cursor === undefined ? {} : { cursor }),
    limit: readCount(limit, 'limit', MATERIALISED_PAGE.max),
  }
}

function readEngine(text: string): Engine {
  const found = ENGINES.find((engine) => engine === text)
  if (found !== undefined) return found
  throw new ServiceError('invalid_request', 'unknown engine', { hint: `one of ${ENGINES.join(', ')}` })
}

/** A number as people write it: `0x4`, `4.0` and an empty text are none. */
function readCount(text: string, what: string, most: number): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new ServiceError('invalid_request', `${what} is a whole number from 1 to ${most}`)
}

const lowered = (caller: Caller, tier: string | undefined): Caller =>
  tier === undefined ? caller : { ...caller, grant: minTier(caller.grant, readTier(tier)) }
