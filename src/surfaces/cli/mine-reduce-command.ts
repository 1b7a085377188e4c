/** wherefore mine-reduce: what mine-map made of the parts of a log becomes what the phase mine finds in the whole. */
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import { printJson, withService } from './session.ts'
import { exceptEnds, miningOptions, printPhase, readSeconds } from './toolkit-command.ts'

interface ReduceOptions {
  readonly logPath?: string
  readonly out?: string
  readonly window?: string
  readonly similarity?: string
  readonly minHits?: string
  readonly json?: true
}

export const mineReduceCommand = (): Command =>
  new Command('mine-reduce')
    .description('partial states of mine-map, in any order, into what the phase mine would have found in the whole')
    .argument('[states...]', 'files with one or more states; without any, standard input is read')
    .option('--log-path <path>', 'the logs that the states were made of: mining them again replaces what is said of them')
    .option('--out <folder>', 'where the output files go')
    .option('--window <duration>', 'how close in time events count as together, such as 30s')
    .option('--similarity <share>', 'how alike shapes must be to become one template')
    .option('--min-hits <n>', 'hits that both templates need before they are merged')
    .option('--json', 'print the outcome as JSON')
    .action(async (given: string[], options: ReduceOptions) => {
      const spool = await mkdtemp(join(tmpdir(), 'wherefore-reduce-'))
      try {
        const states = await spooled(given, spool)
        await withService(
          async ({ service }) => {
            const runs = await service.runPhase('mine', {
              states, ...miningOptions(options),
              ...(options.logPath === undefined ? {} : { logPath: options.logPath }),
              ...(options.window === undefined ? {} : { windowSeconds: readSeconds(options.window) }),
              ...(options.json === true ? {} : { onPhase: printPhase, progress: exceptEnds }),
            })
            if (options.json === true) printJson(runs)
          },
          options.out === undefined ? {} : { out: options.out },
        )
      } finally {
        await rm(spool, { recursive: true, force: true })
      }
    })

/** States are read more than once: what comes from standard input or a pipe (`<(...)`) is kept in a file until then. */
async function spooled(given: readonly string[], spool: string): Promise<string[]> {
  const states: string[] = []
  for (const [i, path] of (given.length > 0 ? given : ['-']).entries()) {
    const stats = path === '-' ? null : statSync(path)
    if (stats !== null && !stats.isFIFO()) {
      states.push(path)
      continue
    }
    const kept = join(spool, `${i}.state`)
    await pipeline(path === '-' ? process.stdin : createReadStream(path), createWriteStream(kept, { mode: 0o600 }))
    states.push(kept)
  }
  return states
}
