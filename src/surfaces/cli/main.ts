/** The command line: results go to stdout, progress to stderr, failures to an exit code. */
import { main } from './program.ts'

// whoever reads may have enough: `--help | head` is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
process.exitCode = await main(process.argv.slice(2))
