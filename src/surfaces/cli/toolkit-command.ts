/** wherefore toolkit --phase <name>, also under the names toolkit and toolkit.py. */
import { Command } from 'commander'
import { ServiceError } from '../../contracts/index.ts'
import type { PhaseRun } from '../../runtime/index.ts'
import { plain } from './print.ts'
import { printJson, readTier, withService } from './session.ts'

interface Options {
  readonly phase: string
  readonly db?: string
  readonly out?: string
  readonly logPath?: string
  readonly flavor?: string
  readonly maxTier?: string
  readonly window?: string
  readonly driftSimilarity?: string
  readonly ignoreWindows?: true
  readonly entityJoin: boolean
  readonly una: boolean
  readonly rdf12?: true
  readonly directMapping?: true
  readonly json?: true
}

export const toolkitCommand = (): Command =>
  new Command('toolkit')
    .description('run a phase of the pipeline: 1, 2, shacl, abox, reason, report, mine, sequence, drift-templates, all')
    .requiredOption('--phase <name>', 'the phase to run')
    .option('--db <path>', 'a SQLite file, or the name of a configured source')
    .option('--out <folder>', 'where the output files go')
    .option('--log-path <folder>', 'a folder of logs, for mine, sequence and drift-templates')
    .option('--flavor <name>', 'reason: run the rules of this flavor')
    .option('--max-tier <tier>', 'the ceiling of the files')
    .option('--window <duration>', 'how close in time events count as together, such as 30s')
    .option('--drift-similarity <share>', 'drift-templates: below this likeness to every approved template one is new (0.7)')
    .option('--ignore-windows', 'let causal rules reach over any time')
    .option('--no-entity-join', 'let causal rules join events of different entities')
    .option('--no-una', 'reason: let axioms say that two names are one thing (owl:sameAs), instead of reporting a conflict')
    .option('--rdf12', 'reason: write the lineage with the reifiers of RDF 1.2')
    .option('--direct-mapping', 'abox: write the W3C direct mapping of the schema instead')
    .option('--json', 'print the outcome as JSON')
    .addHelpText('after', '\nExamples:\n  toolkit --phase all\n  toolkit --phase mine --log-path ./logs\n  toolkit --phase reason --rdf12')
    .action((options: Options) =>
      withService(
        async ({ service }) => {
          const runs = await service.runPhase(options.phase, {
            ...(options.db === undefined ? {} : { source: options.db }),
            ...(options.logPath === undefined ? {} : { logPath: options.logPath }),
            ...(options.maxTier === undefined ? {} : { maxTier: readTier(options.maxTier) }),
            ...(options.window === undefined ? {} : { windowSeconds: readSeconds(options.window) }),
            ...(options.driftSimilarity === undefined ? {} : { driftSimilarity: readShare(options.driftSimilarity) }),
            ...(options.ignoreWindows === true ? { ignoreWindows: true } : {}),
            entityJoin: options.entityJoin,
            ...(options.flavor === undefined ? {} : { flavor: options.flavor }),
            uniqueNames: options.una,
            ...(options.rdf12 === true ? { rdf12: true } : {}),
            ...(options.directMapping === true ? { directMapping: true } : {}),
            // each phase is printed whole when it ends, so its end is no news on the way there
            ...(options.json === true ? {} : { onPhase: printPhase, progress: exceptEnds }),
          })
          if (options.json === true) printJson(runs)
        },
        options.out === undefined ? {} : { out: options.out },
      ),
    )

function printPhase({ phase, ms, lines, files }: Pick<PhaseRun, 'phase' | 'ms' | 'lines' | 'files'>): void {
  console.log(`phase ${phase} (${ms} ms)`)
  for (const line of [...lines, ...files.map((file) => `wrote ${file}`)]) console.log(`  ${plain(line)}`)
}

function exceptEnds(line: string): void {
  if (!/^phase \S+ \(\d+ ms\)$/.test(line)) console.error(line)
}

function readShare(text: string): number {
  const share = /^(0|1|0?\.\d{1,6}|1\.0*)$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isNaN(share)) return share
  throw new ServiceError('invalid_request', 'a similarity is a number from 0 to 1', { hint: 'such as 0.7' })
}

export function readSeconds(text: string): number {
  const match = /^(\d{1,6})(ms|s|m|h)?$/.exec(text)
  const seconds = match === null ? 0 : Number(match[1]) * { ms: 0.001, s: 1, m: 60, h: 3600 }[(match[2] ?? 's') as 'ms' | 's' | 'm' | 'h']
  if (seconds <= 0) throw new ServiceError('invalid_request', 'a window is a number with a unit', { hint: 'such as 30s, 2m or 500ms' })
  return seconds
}
