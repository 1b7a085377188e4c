/** wherefore doctor: one line per thing that a project needs, and what to do about it. */
import { Command } from 'commander'
import { EXIT, ServiceError } from '../../contracts/index.ts'
import { type Check, examineProject } from '../../runtime/index.ts'
import { emitPublic } from '../emit.ts'
import { readTokens } from '../http/index.ts'
import { plain } from './print.ts'
import { printJson } from './session.ts'

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description('check the installation, the configuration, the store and every source; refuses a source whose role could write')
    .option('--allow-dangerous', 'a role that could do more than read is a warning only')
    .option('--json', 'print the checks as JSON')
    .addHelpText('after', '\nExample:\n  wherefore doctor --json')
    .action(async ({ allowDangerous, json }: { allowDangerous?: true; json?: true }) => {
      const examined = await examineProject({ allowDangerous: allowDangerous === true, now: new Date().toISOString() })
      const checks = emitPublic([...examined, ...tokenChecks(process.env['SERVICE_TOKENS'])])
      const failed = checks.filter(({ state }) => state === 'fail').length
      if (json === true) printJson({ ok: failed === 0, checks })
      else {
        for (const check of checks) console.log(text(check))
        const warned = checks.filter(({ state }) => state === 'warn').length
        console.log(`\n${checks.length} checks: ${failed} failed, ${warned} with a warning`)
      }
      if (failed > 0) process.exitCode = EXIT.refused
    })

const MARKS: Readonly<Record<Check['state'], string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' }

const text = ({ about, state, found, advice }: Check): string =>
  `${MARKS[state]}  ${plain(about)}: ${plain(found)}${advice === '' ? '' : `\n      -> ${plain(advice)}`}`

function tokenChecks(file: string | undefined): Check[] {
  if (file === undefined) return []
  try {
    return [{ about: 'tokens', state: 'ok', found: `${readTokens(file).length} in the tokens file`, advice: '' }]
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [{ about: 'tokens', state: 'fail', found: error.message, advice: error.about.hint ?? 'check SERVICE_TOKENS' }]
  }
}
