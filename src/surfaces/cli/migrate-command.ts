/** wherefore migrate: brings the store to the shape of this program, or shows what that would change. */
import { Command } from 'commander'
import { migrateStore, openProject } from '../../runtime/index.ts'
import { emitPublic } from '../emit.ts'
import { plain } from './print.ts'
import { printJson } from './session.ts'

export const migrateCommand = (): Command =>
  new Command('migrate')
    .description('bring the store to the shape of this program (opening it does the same); every row is kept')
    .option('--dry-run', 'only show what would change')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore migrate --dry-run')
    .action(async ({ dryRun, json }: { dryRun?: true; json?: true }) => {
      const migration = emitPublic(await migrateStore(openProject(), { dryRun: dryRun === true, now: () => new Date() }))
      if (json === true) return printJson(migration)
      const { changes, schema_version: version } = migration
      if (changes.length === 0) return console.log(`the store has schema version ${version}; nothing to change`)
      console.log(dryRun === true ? 'opening the store would change:' : 'changed:')
      for (const change of changes) console.log(`  ${plain(change)}`)
    })
