/** wherefore backup and wherefore restore: a whole project in one file, and back. */
import { Command } from 'commander'
import { backupProject, openProject, packageVersion, restoreProject } from '../../runtime/index.ts'
import { emitPublic } from '../emit.ts'
import { plain } from './print.ts'
import { printJson } from './session.ts'

export const backupCommand = (): Command =>
  new Command('backup')
    .description('put store, session, configuration, flavors and outputs into one file; also while a server is running')
    .argument('<file>', 'the file to write; readable by its owner only')
    .option('--json', 'print what it holds as JSON')
    .addHelpText('after', '\nThe databases that questions are asked of, keys and tokens are not part of it.')
    .addHelpText('after', '\nExample:\n  wherefore backup project.wbk')
    .action(async (file: string, { json }: { json?: true }) => {
      const about = { now: new Date().toISOString(), program: packageVersion() }
      const report = emitPublic(await backupProject(openProject(), file, about))
      if (json === true) return printJson(report)
      for (const warning of report.warnings) console.error(`note: ${plain(warning)}`)
      console.log(`${report.entries.length} files, ${report.bytes} bytes`)
    })

export const restoreCommand = (): Command =>
  new Command('restore')
    .description('bring a project back from a backup into this folder; everything is checked before anything is touched')
    .argument('<file>', 'a file that wherefore backup has written')
    .option('--force', 'replace the project that is in this folder')
    .option('--json', 'print what was restored as JSON')
    .addHelpText('after', '\nExample:\n  mkdir copy && cd copy && wherefore restore ../project.wbk')
    .action(async (file: string, { force, json }: { force?: true; json?: true }) => {
      const options = { force: force === true, now: new Date().toISOString() }
      const report = emitPublic(await restoreProject(file, process.cwd(), options))
      if (json === true) return printJson(report)
      console.log(`${report.entries.length} ${report.entries.length === 1 ? 'file' : 'files'} restored, as they were on ${report.created_at}`)
      if (report.removed.length > 0) console.log(`${report.removed.length} files removed that the backup does not hold`)
      for (const name of ['SERVICE_CONFIG', 'SERVICE_STORE']) {
        if (process.env[name] !== undefined) console.error(`note: ${name} is set and points elsewhere than to what was restored`)
      }
      console.log('Next: wherefore doctor')
    })
