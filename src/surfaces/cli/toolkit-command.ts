/** wherefore toolkit --phase <name>, also under the names toolkit and toolkit.py. */
import { Command } from 'commander'
import { ServiceError } from '../../contracts/index.ts'
import type { PhaseRun } from '../../runtime/index.ts'
import { plain } from './print.ts'
import { demandThere, printJson, readTier, withService } from './session.ts'

interface Options {
  readonly phase: string
  readonly db?: string
  readonly out?: string
  readonly logPath?: string
  readonly flavor?: string
  readonly maxTier?: string
  readonly window?: string
  readonly gate?: string
  readonly dependent?: true
  readonly workers?: string
  readonly similarity?: string
  readonly minHits?: string
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
    .option('--log-path <path>', 'logs for mine, sequence and drift-templates: a folder, a file, or a pattern such as "logs/**/*.log"')
    .option('--workers <n>', 'mine: threads that read; as many as there are cores where nothing is said')
    .option('--similarity <share>', 'mine: how alike shapes must be to become one template (0.4; 0.5 for noisy logs)')
    .option('--min-hits <n>', 'mine: hits that both templates need before they are merged (10)')
    .option('--flavor <name>', 'reason: run the rules of this flavor')
    .option('--max-tier <tier>', 'the ceiling of the files')
    .option('--window <duration>', 'how close in time events count as together, such as 30s')
    .option('--gate <name>', 'mine: sound, or stated to stop after the stated conditions of the causality gate')
    .option('--dependent', 'mine: control false discoveries for tests that depend on each other in any way; fewer causal edges')
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
            ...(options.logPath === undefined ? {} : { logPath: demandThere(options.logPath, '--log-path') }),
            ...(options.maxTier === undefined ? {} : { maxTier: readTier(options.maxTier) }),
            ...(options.window === undefined ? {} : { windowSeconds: readSeconds(options.window) }),
            ...(options.gate === undefined ? {} : { gate: readGate(options.gate) }),
            ...(options.dependent === true ? { dependent: true } : {}),
            ...miningOptions(options),
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
          else if (options.phase === 'mine') console.log('next: wherefore review list')
        },
        options.out === undefined ? {} : { out: options.out },
      ),
    )

interface MiningOptions {
  readonly workers?: string
  readonly similarity?: string
  readonly minHits?: string
}

/** The options that mine and mine-reduce share. */
export const miningOptions = ({ workers, similarity, minHits }: MiningOptions) => ({
  ...(workers === undefined ? {} : { workers: readWhole(workers, '--workers', 256) }),
  ...(similarity === undefined ? {} : { similarity: readShare(similarity) }),
  ...(minHits === undefined ? {} : { minHits: readWhole(minHits, '--min-hits', 1_000_000_000) }),
})

function readWhole(text: string, name: string, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > most) throw new ServiceError('invalid_request', `${name} is a whole number from 1 to ${most}`)
  return value
}

export function printPhase({ phase, ms, lines, files }: Pick<PhaseRun, 'phase' | 'ms' | 'lines' | 'files'>): void {
  console.log(`phase ${phase} (${ms} ms)`)
  for (const line of [...lines, ...files.map((file) => `wrote ${file}`)]) console.log(`  ${plain(line)}`)
}

/** Progress on standard error: where a terminal is, mining draws its bar in one line. */
export function exceptEnds(line: string): void {
  if (/^phase \S+ \(\d+ ms\)$/.test(line)) {
    if (drawn) process.stderr.write('\r\x1b[K')
    drawn = false
    return
  }
  const share = /^mining (\d{1,3}) %/.exec(line)?.[1]
  if (share === undefined) console.error(line)
  else if (process.stderr.isTTY) {
    drawn = true
    const full = Math.round(Number(share) / 5)
    process.stderr.write(`\r\x1b[K${'#'.repeat(full)}${'.'.repeat(20 - full)} ${line}`)
  }
}

export function readGate(text: string): 'sound' | 'stated' {
  if (text === 'sound' || text === 'stated') return text
  throw new ServiceError('invalid_request', 'a gate is sound or stated')
}

let drawn = false

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
