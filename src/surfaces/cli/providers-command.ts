/** wherefore providers: who can be asked to plan and to word, and a call that tries one. */
import { Command } from 'commander'
import { EXIT } from '../../contracts/index.ts'
import type { ProviderStatus } from '../../runtime/index.ts'
import { emitPublic } from '../emit.ts'
import { plain } from './print.ts'
import { printJson, withService } from './session.ts'

interface Options {
  readonly json?: true
}

export const providersCommand = (): Command =>
  new Command('providers')
    .description('the model providers: where each keeps data, the highest tier it is cleared for, and what it lacks')
    .option('--json', 'print the list as JSON')
    .addHelpText('after', `
Examples:
  wherefore providers
  OPENAI_API_KEY=... wherefore providers test openai
Keys are read from the environment and stand nowhere else; model, base_url, residency and max_tier are set in wherefore.json.`)
    .action(({ json }: Options) =>
      withService(async ({ service }) => {
        const found = emitPublic(await service.providers.list())
        if (json === true) return printJson(found)
        for (const line of table(found.providers, found.default)) console.log(line)
      }),
    )
    .addCommand(testCommand())

const testCommand = (): Command =>
  new Command('test')
    .description('call a provider once, with nothing of your data, and say whether it works')
    .argument('<id>', 'a name from the list, such as ollama')
    .option('--json', 'print the outcome as JSON')
    .action((id: string, _: Options, command: Command) =>
      withService(async ({ service }) => {
        const { json } = command.optsWithGlobals<Options>()
        const test = emitPublic(await service.providers.test(id))
        if (json === true) printJson(test)
        else console.log(test.ok ? `${test.id} works (${test.ms} ms)` : plain(`${test.id}: ${test.reason ?? ''}`))
        if (!test.ok) process.exitCode = EXIT.unavailable
      }),
    )

function table(providers: readonly ProviderStatus[], usual: string): string[] {
  const rows = providers.map(({ id, model, residency, max_tier, reason }) => [
    reason === null ? 'ok  ' : 'warn', id === usual ? `${id} (default)` : id, model === '' ? '-' : model, residency, max_tier, reason ?? 'ready',
  ])
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]!.length))) ?? []
  return rows.map((row) => plain(row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ').trimEnd()))
}
