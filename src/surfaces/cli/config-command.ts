/** wherefore config show | validate: the configuration that holds here, and everything wrong with it. */
import { Command } from 'commander'
import { EXIT } from '../../contracts/index.ts'
import { configReport, validateConfig } from '../../runtime/index.ts'
import { emitPublic } from '../emit.ts'
import { faultText, plain, table } from './print.ts'
import { printJson, readPort } from './session.ts'

interface ShowOptions {
  readonly out?: string
  readonly store?: string
  readonly host?: string
  readonly port?: string
  readonly json?: true
}

export function configCommand(): Command {
  const config = new Command('config').description('look at the configuration and check it')
  config
    .command('show')
    .description('every setting with its value and where it comes from: flag, environment, file or default; passwords are masked')
    .option('--out <folder>', 'as this flag would set it')
    .option('--store <file>', 'as this flag would set it')
    .option('--host <address>', 'as this flag would set it')
    .option('--port <n>', 'as this flag would set it')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  SERVICE_STORE=/srv/store.db wherefore config show')
    .action(({ json, port, ...flags }: ShowOptions) => {
      const overrides = { ...flags, ...(port === undefined ? {} : { port: readPort(port) }) }
      const report = emitPublic(configReport({ overrides }))
      if (json === true) return printJson(report)
      console.log(`file: ${report.file === null ? 'none (defaults and the bundled example)' : plain(report.file)}\n`)
      const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
      console.log(table(['setting', 'from', 'value'], report.entries.map(({ key, from, value }) => [key, from, shown(value)])))
    })
  config
    .command('validate')
    .description('list every fault of the configuration with its place; opens no database')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  wherefore config validate && wherefore serve')
    .action(({ json }: { json?: true }) => {
      const { file, faults } = emitPublic(validateConfig())
      if (json === true) printJson({ ok: faults.length === 0, file, faults })
      else if (faults.length > 0) console.error(`wherefore: the configuration has faults:${faults.map(faultText).join('')}`)
      else console.log(file === null ? 'no wherefore.json here; the defaults are valid' : 'the configuration is valid')
      if (faults.length > 0) process.exitCode = EXIT.refused
    })
  return config
}
