/** wherefore prune: removes runs, log events and samples that have grown too old. */
import { Command } from 'commander'
import { openProject, pruneStore } from '../../runtime/index.ts'
import { emitPublic } from '../emit.ts'
import { table } from './print.ts'
import { printJson } from './session.ts'

export const pruneCommand = (): Command =>
  new Command('prune')
    .description('remove search runs, log events and samples of values that are older than an age; decisions and rules stay')
    .option('--older-than <days>', 'such as 30d; default: retention of wherefore.json')
    .option('--dry-run', 'only count what would go')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore prune --older-than 30d --dry-run')
    .action(({ olderThan, dryRun, json }: { olderThan?: string; dryRun?: true; json?: true }) => {
      const about = { dryRun: dryRun === true, now: () => new Date(), ...(olderThan === undefined ? {} : { olderThan }) }
      const pruned = emitPublic(pruneStore(openProject(), about))
      if (json === true) return printJson(pruned)
      const rows = (['search_runs', 'log_events', 'samples'] as const).map((name) => [name, String(pruned[name])])
      console.log(table([`before ${pruned.before}`, pruned.dry_run ? 'would go' : 'removed'], rows))
    })
