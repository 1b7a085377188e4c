/** The command line: results go to stdout, progress to stderr, failures to an exit code. */
import { main } from './program.ts'

process.exitCode = await main(process.argv.slice(2))
