/** The commands as one tree, and how a call of them ends: thin skins over the service, failures become exit codes. */
import { Command, CommanderError } from 'commander'
import { EXIT, exitCode } from '../../contracts/index.ts'
import { packageVersion } from '../../runtime/index.ts'
import { backupCommand, restoreCommand } from './backup-commands.ts'
import { completionCommand } from './completion-command.ts'
import { configCommand } from './config-command.ts'
import { cqCommand } from './cq-command.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor-command.ts'
import { evalCommand } from './eval-command.ts'
import { explainCommand, materialisedCommand, whyNotCommand } from './explain-commands.ts'
import { initCommand } from './init-command.ts'
import { rcaCommand } from './insight-commands.ts'
import { mcpCommand } from './mcp-command.ts'
import { metadataCommand } from './metadata-command.ts'
import { migrateCommand } from './migrate-command.ts'
import { ioText, problemText } from './print.ts'
import { mineMapCommand } from './mine-map.ts'
import { mineReduceCommand } from './mine-reduce-command.ts'
import { providersCommand } from './providers-command.ts'
import { pruneCommand } from './prune-command.ts'
import { reviewCommand } from './review-commands.ts'
import { rulesCommand } from './rules-command.ts'
import { searchCommand } from './search-command.ts'
import { serveCommand } from './serve-command.ts'
import { toolkitCommand } from './toolkit-command.ts'
import { verifyCommand } from './verify-command.ts'

const COMMANDS = [
  initCommand, searchCommand, verifyCommand, serveCommand, toolkitCommand, reviewCommand, rulesCommand, rcaCommand, explainCommand, whyNotCommand,
  materialisedCommand, metadataCommand, configCommand, providersCommand, doctorCommand, backupCommand, restoreCommand, migrateCommand,
  pruneCommand, cqCommand, mineMapCommand, mineReduceCommand, evalCommand, demoCommand, mcpCommand, completionCommand,
]

export function program(): Command {
  const root = new Command('wherefore')
    .description('Questions over a database and root causes from logs, answered with their proofs.')
    .version(packageVersion())
  for (const command of COMMANDS) root.addCommand(command())
  return withoutExit(root)
}

/** A command that meets a usage error throws instead of ending the process; subcommands do not inherit that by themselves. */
function withoutExit(command: Command): Command {
  command.exitOverride().showHelpAfterError('(run with --help to see the options)')
  for (const each of command.commands) withoutExit(each)
  return command
}

export async function main(argv: readonly string[]): Promise<number> {
  try {
    await program().parseAsync([...argv], { from: 'user' })
    return Number(process.exitCode ?? EXIT.ok)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const io = ioText(error)
    console.error(io ?? problemText(error))
    return io === null ? exitCode(error) : EXIT.io
  }
}
