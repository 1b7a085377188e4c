/** The command line: thin skins over the service. Results go to stdout, progress to stderr, failures to an exit code. */
import { Command, CommanderError } from 'commander'
import { EXIT, exitCode } from '../../contracts/index.ts'
import { packageVersion } from '../../runtime/index.ts'
import { demoCommand } from './demo.ts'
import { explainCommand, rcaCommand } from './insight-commands.ts'
import { problemText } from './print.ts'
import { reviewCommand } from './review-commands.ts'
import { searchCommand } from './search-command.ts'
import { serveCommand } from './serve-command.ts'
import { toolkitCommand } from './toolkit-command.ts'

export async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('wherefore')
    .description('Questions over a database and root causes from logs, answered with their proofs.')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('(run with --help to see the options)')
  for (const command of [searchCommand, serveCommand, toolkitCommand, reviewCommand, rcaCommand, explainCommand, demoCommand]) {
    program.addCommand(command().exitOverride())
  }
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return Number(process.exitCode ?? EXIT.ok)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    console.error(problemText(error))
    return exitCode(error)
  }
}

process.exitCode = await main(process.argv.slice(2))
