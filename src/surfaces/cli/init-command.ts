/** wherefore init: from a database to a project that answers its first question. */
import { Command } from 'commander'
import { type InitReport, initProject } from '../../runtime/index.ts'
import { emitPublic } from '../emit.ts'
import { plain } from './print.ts'
import { printJson } from './session.ts'

interface Options {
  readonly db?: string
  readonly name?: string
  readonly force?: true
  readonly json?: true
}

export const initCommand = (): Command =>
  new Command('init')
    .description('make wherefore.json, a flavor and a first rule for a database of your own')
    .option('--db <path or url>', 'a SQLite file, a postgres:// or mysql:// address, or env:NAME; default: the SQLite file here')
    .option('--name <name>', 'what the source and the flavor are called')
    .option('--force', 'replace files that are already there')
    .option('--json', 'print what was made as JSON')
    .addHelpText('after', '\nExample:\n  wherefore init --db shop.sqlite --name shop')
    .action(async ({ json, ...options }: Options) => {
      const report = emitPublic(await initProject(process.cwd(), options))
      if (json === true) printJson(report)
      else console.log(plain(steps(report).join('\n')))
    })

function steps({ name, files, engine, tables, rule, example, variables, warnings }: InitReport): string[] {
  const made = [...files.map((file) => `wrote ${file}`), ...warnings.map((warning) => `note: ${warning}`)]
  if (name === null) {
    return [
      ...made,
      '',
      'Next:',
      '  name a database: wherefore init --db <file or url> --force',
      '  or mine logs:    toolkit --phase mine --log-path <folder>',
    ]
  }
  return [
    `${engine}, ${tables} tables`,
    ...made,
    ...(rule === null ? [] : [`first rule: ${rule}`]),
    '',
    'Next:',
    ...variables.map((variable) => `  export ${variable}='<the address that you gave>'`),
    '  wherefore doctor',
    ...(example === null ? [] : [`  SERVICE_SEARCH=1 wherefore search ${JSON.stringify(example)} --flavor ${name}`]),
    '  toolkit --phase all',
    `  edit flavors/${name}.json: synonyms and rules of your own`,
  ]
}
